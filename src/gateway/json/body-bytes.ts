/**
 * Reads the bytes of a body within limits of size and time, because a client may send without end, or stop in the middle. A body is
 * read to its end where it may be, since bytes that an old request leaves behind end the connection.
 */

import { Refusal } from "../refusal";

/** A body must bring at least LEAST_BYTES in this time, or end. Only the time counts in which the gateway waits for it. */
export const PACE_MS = 10_000;

/** See {@link PACE_MS}. */
export const LEAST_BYTES = 1024;

/** A body that declares no more than this is read by one call of the runtime, and must be there within PACE_MS. */
const SMALL_BYTES = 64 * 1024;

/** How much of a body is read that nobody wants. What goes beyond ends the connection. */
export interface RestLimits {
  readonly bytes: number;
  readonly ms: number;
}

/** After a refusal, when the key was right: a body of the greatest size, and a little more. */
export const REST_WITH_KEY: RestLimits = { bytes: 26 * 1024 * 1024, ms: 10_000 };

/** Before the key was right. */
export const REST_WITHOUT_KEY: RestLimits = { bytes: 1024 * 1024, ms: 2_000 };

/** What a wait resolves to when it took too long. */
const LATE = Symbol("late");

/**
 * Reads a whole body.
 *
 * @param maxBytes the largest body that is accepted
 * @returns none when there is no body
 * @throws Refusal 413 when it is larger, 400 when it comes too slowly or breaks off
 */
export async function wholeBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) <= Math.min(SMALL_BYTES, maxBytes)) {
    const bytes = await within(PACE_MS, request.arrayBuffer());
    if (bytes === LATE) throw tooSlow();
    return new Uint8Array(bytes);
  }
  if (declared !== null && Number(declared) > maxBytes) {
    await readRest(request, REST_WITH_KEY);
    throw tooLarge(declared, maxBytes);
  }
  const parts: Uint8Array[] = [];
  for await (const part of byteParts(request, maxBytes)) parts.push(part);
  return joined(parts);
}

/**
 * Reads a body part by part. Whoever stops before the end must call `return`, which reads the rest.
 *
 * @param maxBytes the largest body that is accepted
 * @throws Refusal 413 when it is larger, 400 when it comes too slowly or breaks off
 */
export async function* byteParts(request: Request, maxBytes: number): AsyncGenerator<Uint8Array, void, void> {
  if (request.body === null) return;
  const body = new PacedReader(request.body);
  try {
    for (let part = await body.next(); part !== undefined; part = await body.next()) {
      if (body.size > maxBytes) {
        const hasEnded = await body.rest(REST_WITH_KEY);
        throw tooLarge(hasEnded ? `${body.size}` : `more than ${maxBytes}`, maxBytes);
      }
      yield part;
    }
  } finally {
    await body.rest(REST_WITH_KEY);
  }
}

/**
 * Reads what nobody has begun to read of a body, and drops it. Does nothing when there is no body, or when somebody has read it or is
 * reading it.
 */
export async function readRest(request: Request, limits: RestLimits): Promise<void> {
  // Ask in this order: the runtime makes the stream of a body when somebody looks at it.
  if (request.bodyUsed || request.body === null || request.body.locked) return;
  await new PacedReader(request.body).rest(limits);
}

/** Reads a body part by part, as long as it comes quickly enough. */
class PacedReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  /** How many bytes have come. */
  size = 0;
  /** How long the gateway has waited since it last had LEAST_BYTES, in milliseconds, and for how many bytes. */
  #waitedMs = 0;
  #paced = 0;
  /** Whether there is nothing more to read: the body has ended, broken off, or came too slowly. */
  #isOver = false;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
  }

  /** The next part; `undefined` at the end. @throws Refusal 400 when it comes too slowly or breaks off */
  async next(): Promise<Uint8Array | undefined> {
    const before = Date.now();
    const part = await this.#read(PACE_MS - this.#waitedMs);
    if (part === LATE) throw tooSlow();
    if (part === undefined) return undefined;
    this.#waitedMs += Date.now() - before;
    this.#paced += part.byteLength;
    if (this.#paced >= LEAST_BYTES) {
      this.#paced = 0;
      this.#waitedMs = 0;
    }
    return part;
  }

  /** Reads on and drops what comes, as far as the limits allow. Returns whether the body has ended; never throws. */
  async rest({ bytes, ms }: RestLimits): Promise<boolean> {
    const end = Date.now() + ms;
    try {
      while (!this.#isOver && this.size <= bytes) {
        if ((await this.#read(end - Date.now())) === undefined) return true;
      }
    } catch {
      // The client left in the middle of its body, or broke it off: nobody needs the rest.
    }
    return false;
  }

  async #read(ms: number): Promise<Uint8Array | undefined | typeof LATE> {
    try {
      const part = await within(ms, this.#reader.read());
      if (part === LATE || part.done) this.#isOver = true;
      if (part === LATE) return LATE;
      this.size += part.value?.byteLength ?? 0;
      return part.value;
    } catch (reason) {
      this.#isOver = true;
      throw reason;
    }
  }
}

/** What the reading of a body resolves to, or LATE after a time. @throws Refusal 400 when it breaks off */
function within<Value>(ms: number, reading: Promise<Value>): Promise<Value | typeof LATE> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(LATE), Math.max(0, ms));
    const ended = (value: Value) => {
      clearTimeout(timer);
      resolve(value);
    };
    // The runtime's own error tells a client nothing.
    const failed = () => {
      clearTimeout(timer);
      reject(brokenOff());
    };
    reading.then(ended, failed);
  });
}

function brokenOff(): Refusal {
  return new Refusal(
    400,
    "the body breaks off: it is shorter than its content-length says, or its chunks are malformed",
  );
}

function tooSlow(): Refusal {
  return new Refusal(
    400,
    `the body comes too slowly; it must bring at least ${LEAST_BYTES} bytes every ${PACE_MS / 1000} s, or end`,
  );
}

function tooLarge(size: string, maxBytes: number): Refusal {
  return new Refusal(413, `the body has ${size} bytes; at most ${maxBytes} are accepted`);
}

/** The parts as one. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const all = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.byteLength;
  }
  return all;
}
