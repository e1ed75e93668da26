/**
 * Counts the bytes held for bodies being received, for the whole isolate and for each key, so that many large bodies
 * cannot use up the memory. A body that fits into a connection's own buffers is not counted.
 */

import { Refusal } from "../refusal";

/** Maximum bytes held for all bodies together: 128 MiB, five of the largest. */
export const MAX_HELD_BYTES = 134_217_728;

/** Maximum bytes held for the bodies of one key: 64 MiB. */
export const MAX_HELD_OF_A_KEY = 67_108_864;

/**
 * The runtime silently drops the work for a client that has left, so a body not touched for this long no longer counts,
 * in milliseconds.
 */
const ABANDONED_MS = 60_000;

/** When a client should try again, in seconds. */
const RETRY_AFTER_S = 1;

/** The bytes held for one body, until it is released. */
export class HeldBody {
  readonly #all: HeldBytes;
  /** Distinguishes its key from others. */
  readonly key: string;
  /** Number of bytes held. */
  bytes = 0;
  /** When it was touched last, in milliseconds of the clock. */
  touchedMs = 0;

  /** Use {@link HeldBytes.body}. */
  constructor(all: HeldBytes, key: string) {
    this.#all = all;
    this.key = key;
  }

  /**
   * Sets the total number of bytes held for the body.
   *
   * @throws Refusal 429 when its key, 503 when all keys together would hold too much; then the number is unchanged
   */
  hold(bytes: number): void {
    this.#all.change(this, bytes);
  }

  /** Releases the body. It may be held again later. */
  release(): void {
    this.#all.change(this, 0);
  }
}

/** The bytes held for all bodies of one isolate. */
export class HeldBytes {
  readonly #now: () => number;
  readonly #ofKeys = new Map<string, number>();
  /** Bodies for which bytes are held. */
  readonly #bodies = new Set<HeldBody>();
  #total = 0;

  /** @param now the time in milliseconds */
  constructor(now = Date.now) {
    this.#now = now;
  }

  /** Total number of bytes held. */
  get total(): number {
    return this.#total;
  }

  /** A body without held bytes yet. @param key distinguishes its key from others */
  body(key: string): HeldBody {
    return new HeldBody(this, key);
  }

  /** Called by bodies. @throws Refusal when it would be too much */
  change(body: HeldBody, bytes: number): void {
    const more = bytes - body.bytes;
    body.touchedMs = this.#now();
    if (more > 0 && this.#refuses(body.key, more) !== undefined) {
      this.#dropAbandoned(body);
      const refuses = this.#refuses(body.key, more);
      if (refuses !== undefined) throw refusal(refuses);
    }
    body.bytes = bytes;
    this.#total += more;
    const ofKey = (this.#ofKeys.get(body.key) ?? 0) + more;
    if (ofKey === 0) this.#ofKeys.delete(body.key);
    else this.#ofKeys.set(body.key, ofKey);
    if (bytes === 0) this.#bodies.delete(body);
    else this.#bodies.add(body);
  }

  /**
   * Whose limit would be exceeded. A key must leave as much to all others as it takes, so that there is always room for
   * another.
   */
  #refuses(key: string, more: number): "key" | "server" | undefined {
    const ofKey = (this.#ofKeys.get(key) ?? 0) + more;
    if (ofKey > MAX_HELD_OF_A_KEY) return "key";
    return ofKey > MAX_HELD_BYTES - this.#total - more ? "server" : undefined;
  }

  #dropAbandoned(asking: HeldBody): void {
    for (const body of this.#bodies) {
      if (body !== asking && asking.touchedMs - body.touchedMs > ABANDONED_MS) body.release();
    }
  }
}

function refusal(who: "key" | "server"): Refusal {
  const [http, whose, most] =
    who === "key"
      ? [429, "the bodies that this key is sending", MAX_HELD_OF_A_KEY]
      : [503, "the bodies that all keys are sending", MAX_HELD_BYTES];
  return new Refusal(
    http,
    `${whose} may take ${most} bytes together; nothing was done, try again in ${RETRY_AFTER_S} s`,
    {
      retryAfterS: RETRY_AFTER_S,
    },
  );
}

/** The held bytes of this isolate. */
export const heldBytes = new HeldBytes();
