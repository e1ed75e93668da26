/**
 * The issued keys of one agent, as this gateway knows them. A request costs no call: it is checked against a list that
 * is refreshed in the background, and waits only if the list is too old. Holds plain data, because a request must not
 * wait for the I/O of another.
 */

import type { GetKeysResponse, IssuedKey as KeyMessage } from "../../gen/noema/v1/key_service_pb";
import { keyRefusal, Refusal } from "../refusal";
import type { Rights } from "./rights";
import { isRole, type Role } from "./role";
import { TokenBucket } from "./token-bucket";

/** Age in milliseconds from which the list is refreshed while requests still use it. */
const REFRESH_MS = 10_000;

/** From this age on, in milliseconds, a request waits for a new list. A removed key is refused within 30 s. */
const STALE_MS = 25_000;

/** Minimum time between queries to the agent, in milliseconds: a flood of wrong keys must not wake it. */
const ASK_EVERY_MS = 1_000;

/** Age in milliseconds at which a query is given up: the runtime drops a request whose client has left. */
const ASKING_MS = 2_000;

/** Milliseconds that a request waits for a list queried by another request. */
const PATIENCE_MS = 8_000;

/** Length of the pauses in which a request waits for others, in milliseconds. */
const PAUSE_MS = 5;

/** When a client whose key cannot be checked should try again, in seconds. */
const RETRY_AFTER_S = 2;

/** Keeps work going after the answer has left. */
export interface Lifetime {
  waitUntil(work: Promise<unknown>): void;
}

/** The part of an agent that its keys need. */
export interface KeySource {
  /** Number of changes of keys through this gateway, each of which makes the list stale. */
  readonly keyChanges: number;
  /** Asks the agent for its keys. @param knownRevision the revision already known; `undefined` for none */
  askKeys(knownRevision: number | undefined): Promise<Pick<GetKeysResponse, "keys" | "revision">>;
}

/** An issued key and its rights. */
export class IssuedKey implements Rights {
  readonly keyId: string;
  readonly roles: readonly Role[];
  readonly processors: readonly string[] | undefined;
  readonly sessions: readonly string[] | undefined;
  /** SHA-256 of the secret. */
  readonly secretSha256: Uint8Array;
  readonly #expiresMs: number;
  readonly #bucket: TokenBucket | undefined;
  readonly #list: IssuedKeys;

  constructor({ id, secretSha256, rights }: KeyMessage, list: IssuedKeys) {
    this.keyId = id;
    this.secretSha256 = secretSha256;
    this.roles = (rights?.roles ?? []).filter(isRole);
    this.processors = rights?.processors.length ? rights.processors : undefined;
    this.sessions = rights?.sessions.length ? rights.sessions : undefined;
    this.#expiresMs = rights?.expires === undefined ? Number.POSITIVE_INFINITY : rights.expires * 1000;
    this.#bucket = rights?.perMinute === undefined ? undefined : new TokenBucket(rights.perMinute);
    this.#list = list;
  }

  /**
   * Counts a request.
   *
   * @param nowMs the time in milliseconds since 1970
   * @throws Refusal 500 when the key has expired, 429 with a time to wait when it has made too many requests
   */
  count(nowMs: number): void {
    if (nowMs >= this.#expiresMs) throw keyRefusal("the API key has expired");
    const retryAfterS = this.#bucket?.take(nowMs) ?? 0;
    if (retryAfterS === 0) return;
    throw new Refusal(429, `this key has reached its maximum of requests per minute; try again in ${retryAfterS} s`, {
      retryAfterS,
    });
  }

  confirm(): undefined | Promise<void> {
    const found = this.#list.find(this.keyId);
    if (found instanceof Promise) return found.then((key) => this.#confirmed(key));
    this.#confirmed(found);
    return undefined;
  }

  #confirmed(found: IssuedKey | undefined): void {
    if (this.#list.now() >= this.#expiresMs) throw keyRefusal("the API key has expired");
    if (found !== this) throw keyRefusal("the API key is no longer accepted: it was deleted");
  }
}

/** The issued keys of one agent. */
export class IssuedKeys {
  readonly #source: KeySource;
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
  #keys: ReadonlyMap<string, IssuedKey> = new Map();
  #revision: number | undefined;
  /** When the known list was requested. */
  #asOfMs = Number.NEGATIVE_INFINITY;
  /** Number of changes through this gateway that the list includes. */
  #changes = 0;
  /** When the agent was last asked. */
  #askedMs = Number.NEGATIVE_INFINITY;
  /** Whether an answer is pending. */
  #isAsking = false;
  /** Whether the last answer was a failure. */
  #hasFailed = false;

  /** @param now the time in milliseconds since 1970 */
  constructor(source: KeySource, now = Date.now) {
    this.#source = source;
    this.now = now;
  }

  /**
   * Finds a key by its identifier, usually without a promise.
   *
   * @param isPromising whether the secret fits a key of the list, even an old list: a wrong secret is not worth a new
   *   list
   * @returns `undefined` if the agent has no such key; a key created less than a second ago may be missing
   * @throws Refusal, or rejects with it, 503 when the list is too old and the agent does not answer
   */
  find(
    id: string,
    lifetime?: Lifetime,
    isPromising: (key: IssuedKey) => boolean = () => true,
  ): IssuedKey | undefined | Promise<IssuedKey | undefined> {
    const now = this.now();
    const key = this.#keys.get(id);
    if (key !== undefined && !isPromising(key)) return undefined;
    const neededMs = now - (key === undefined ? ASK_EVERY_MS : STALE_MS);
    if (!this.#isKnownSince(neededMs)) return this.#findAnew(id, neededMs);
    if (now - this.#asOfMs >= REFRESH_MS && this.#mayAsk(now)) {
      const asked = this.#ask();
      if (lifetime !== undefined) lifetime.waitUntil(asked);
    }
    return key;
  }

  async #findAnew(id: string, neededMs: number): Promise<IssuedKey | undefined> {
    const begunMs = this.now();
    while (!this.#isKnownSince(neededMs)) {
      const now = this.now();
      if (this.#mayAsk(now) || this.#isOutdated(now)) {
        await this.#ask();
      }
      if (this.#isKnownSince(neededMs)) break;
      if ((this.#hasFailed && !this.#isWaiting(now)) || Math.abs(now - begunMs) > PATIENCE_MS) throw unchecked();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return this.#keys.get(id);
  }

  /** Whether the list was requested after a time, and after all changes through this gateway. */
  #isKnownSince(ms: number): boolean {
    // A list from the future was requested before the clock was set back.
    const isPast = this.#asOfMs <= this.now();
    return isPast && this.#asOfMs > ms && this.#changes === this.#source.keyChanges;
  }

  /** Whether keys were changed through this gateway, so that the list must be refreshed at once. */
  #isOutdated(now: number): boolean {
    return this.#changes !== this.#source.keyChanges && !this.#hasFailed && !this.#isWaiting(now);
  }

  #isWaiting(now: number): boolean {
    // After the clock was set back, the waiting time is unknown.
    return this.#isAsking && now >= this.#askedMs && now - this.#askedMs < ASKING_MS;
  }

  #mayAsk(now: number): boolean {
    const sinceMs = now - this.#askedMs;
    return sinceMs < 0 || sinceMs >= (this.#isAsking ? ASKING_MS : ASK_EVERY_MS);
  }

  /** Asks the agent. Never rejects. */
  async #ask(): Promise<void> {
    const askedMs = this.now();
    const { keyChanges } = this.#source;
    const known = this.#revision;
    this.#askedMs = askedMs;
    this.#isAsking = true;
    try {
      const { revision, keys } = await this.#source.askKeys(known);
      this.#hasFailed = false;
      // Another request may have asked later and been answered earlier.
      const isOvertaken = askedMs < this.#asOfMs && this.#asOfMs <= this.now();
      if (isOvertaken || keyChanges < this.#changes) return;
      if (revision !== known) this.#replace(revision, keys);
      else if (revision !== this.#revision) return;
      this.#asOfMs = askedMs;
      this.#changes = keyChanges;
    } catch (reason) {
      this.#hasFailed = true;
      console.error("the keys of an agent cannot be read:", reason);
    } finally {
      if (this.#askedMs === askedMs) this.#isAsking = false;
    }
  }

  /** A key never changes, so a key that stays keeps its bucket. */
  #replace(revision: number, keys: readonly KeyMessage[]): void {
    const before = this.#keys;
    this.#keys = new Map(keys.map((key) => [key.id, before.get(key.id) ?? new IssuedKey(key, this)]));
    this.#revision = revision;
  }
}

function unchecked(): Refusal {
  return new Refusal(
    503,
    "the API key cannot be checked, because the agent that issued it cannot be reached; nothing was done, " +
      `try again in ${RETRY_AFTER_S} s`,
    { retryAfterS: RETRY_AFTER_S },
  );
}
