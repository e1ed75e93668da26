/**
 * Reads the bytes of a body within limits of size and time, because a client may send without end, or stop in the
 * middle. A body is read to its end if possible, because unread bytes of a request end the connection.
 */

import { GrowingBytes } from "../../text/growing-bytes";
import { Refusal } from "../refusal";
import type { HeldBody } from "./held-bytes";

/**
 * In this time, in milliseconds, a body must end or deliver an eighth of what has come so far, but at least
 * MIN_PACE_BYTES and at most MAX_PACE_BYTES. Only the time that the gateway waits for it counts. So the time limit of a
 * body follows from its size, and small bodies may come slowly.
 */
export const PACE_MS = 10_000;

/** See {@link PACE_MS}. */
export const MIN_PACE_BYTES = 1024;

/** See {@link PACE_MS}. */
export const MAX_PACE_BYTES = 327_680;

const PACE_SHARE = 8;

/**
 * A body that declares no more than this is read by one call of the runtime, and must arrive within PACE_MS. It does
 * not count among held bytes.
 */
const SMALL_BYTES = 16_384;

/** Bytes read at a time. The first reads are smaller. */
const READ_BYTES = 64 * 1024;
const FIRST_READ_BYTES = 4 * 1024;

/** Limits for reading the unwanted rest of a body. Beyond them the connection is closed. */
export interface RestLimits {
  readonly bytes: number;
  readonly ms: number;
}

/** After a refusal of a request with a valid key: a body of the maximum size, and a little more. */
export const REST_WITH_KEY: RestLimits = { bytes: 26 * 1024 * 1024, ms: 10_000 };

/** Without a valid key. */
export const REST_WITHOUT_KEY: RestLimits = { bytes: 1024 * 1024, ms: 2_000 };

/** The result of a wait that took too long. */
const TIMED_OUT = Symbol("late");

/**
 * Reads a whole body.
 *
 * @param maxBytes maximum size of the body
 * @param held counts the bytes held, if given. Released if too much is held; otherwise the caller goes on using the
 *   bytes
 * @returns empty without a body
 * @throws Refusal 413 when it is larger, 400 when it comes too slowly or breaks off, 429 or 503 when bodies hold too
 *   much
 */
export function wholeBytes(request: Request, maxBytes: number, held?: () => HeldBody): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared === null || Number(declared) > Math.min(SMALL_BYTES, maxBytes)) {
    return countedBytes(request, declared, maxBytes, held);
  }
  return within(PACE_MS, request.arrayBuffer()).then((bytes) => {
    if (bytes === TIMED_OUT) throw tooSlow(MIN_PACE_BYTES);
    return new Uint8Array(bytes);
  });
}

/** @param declared the size that the body declares; `null` for none */
async function countedBytes(
  request: Request,
  declared: string | null,
  maxBytes: number,
  held?: () => HeldBody,
): Promise<Uint8Array> {
  if (declared !== null && Number(declared) > maxBytes) {
    await readRest(request, REST_WITH_KEY);
    throw tooLarge(declared, maxBytes);
  }
  if (request.body === null) return new Uint8Array(0);
  const counted = held?.();
  const bytes = new GrowingBytes(Number(declared ?? maxBytes), (capacity) => {
    try {
      counted?.hold(capacity);
    } catch (reason) {
      // Now, because the rest of the body is read before the request ends, and others may need the space meanwhile.
      bytes.drop();
      counted?.release();
      throw reason;
    }
  });
  // A part is not needed once it was copied.
  for await (const part of parts(request.body, maxBytes, true)) bytes.add(part);
  return bytes.all;
}

/**
 * Reads a body part by part. A caller that stops before the end must call `return`, which reads the rest.
 *
 * @param maxBytes maximum size of the body
 * @throws Refusal 413 when it is larger, 400 when it comes too slowly or breaks off
 */
export async function* byteParts(request: Request, maxBytes: number): AsyncGenerator<Uint8Array, void, void> {
  if (request.body !== null) yield* parts(request.body, maxBytes, false);
}

/** @param isReused whether a part's memory may be reused for the next one */
async function* parts(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  isReused: boolean,
): AsyncGenerator<Uint8Array, void, void> {
  const body = new PacedReader(stream, isReused);
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

/** Reads and drops an unread body. Returns `undefined` at once if there is no body, or it was read or is being read. */
export function readRest(request: Request, limits: RestLimits): Promise<unknown> | undefined {
  // Check in this order: the runtime creates the stream of a body on access.
  if (request.bodyUsed || request.body === null || request.body.locked) return undefined;
  return new PacedReader(request.body, true).rest(limits);
}

/**
 * The duration of a wait that could take at most `most` ms. The clock may have been set meanwhile, so the result is
 * limited to that.
 */
function elapsedSince(beforeMs: number, most: number): number {
  return Math.min(Math.max(0, Date.now() - beforeMs), most);
}

/**
 * Reads a body part by part while it comes quickly enough. The runtime gathers parts that are smaller than the pace
 * requires.
 */
class PacedReader {
  readonly #source: Source;
  /** Number of bytes so far. */
  size = 0;
  /**
   * The time that the gateway has waited since the pace was last met, in milliseconds, and the bytes received since.
   */
  #waitedMs = 0;
  #paced = 0;
  /** Whether reading is over: the body has ended, broken off, or come too slowly. */
  #isOver = false;

  /** @param isReused whether a part's memory may be reused for the next one */
  constructor(stream: ReadableStream<Uint8Array>, isReused: boolean) {
    this.#source = sourceOf(stream, isReused);
  }

  /** Number of bytes that must come within PACE_MS. */
  get #pace(): number {
    return Math.min(MAX_PACE_BYTES, Math.max(MIN_PACE_BYTES, Math.floor(this.size / PACE_SHARE)));
  }

  /** The next part; `undefined` at the end. @throws Refusal 400 when it comes too slowly or breaks off */
  async next(): Promise<Uint8Array | undefined> {
    const before = Date.now();
    const pace = this.#pace;
    const left = PACE_MS - this.#waitedMs;
    const part = await this.#read(left);
    if (part === TIMED_OUT) throw tooSlow(pace);
    if (part === undefined) return undefined;
    this.#waitedMs += elapsedSince(before, left);
    this.#paced += part.byteLength;
    if (this.#paced >= pace) {
      this.#paced = 0;
      this.#waitedMs = 0;
    }
    return part;
  }

  /** Reads on and drops the input, within the limits. Returns whether the body has ended; never throws. */
  async rest({ bytes, ms }: RestLimits): Promise<boolean> {
    let left = ms;
    try {
      while (!this.#isOver && this.size <= bytes) {
        const before = Date.now();
        if ((await this.#read(left)) === undefined) return true;
        left -= elapsedSince(before, left);
      }
    } catch {
      // The client left or broke off its body, so the rest does not matter.
    }
    return false;
  }

  async #read(ms: number): Promise<Uint8Array | undefined | typeof TIMED_OUT> {
    try {
      const room = Math.min(READ_BYTES, Math.max(FIRST_READ_BYTES, this.size));
      const part = await within(ms, this.#source(Math.min(room, this.#pace), room));
      if (part === TIMED_OUT || part === undefined) this.#isOver = true;
      else this.size += part.byteLength;
      return part;
    } catch (reason) {
      this.#isOver = true;
      throw reason;
    }
  }
}

/**
 * Reads the next part of a body; `undefined` at the end.
 *
 * @param least minimum number of bytes, unless the body ends
 * @param room maximum number of bytes
 */
type Source = (least: number, room: number) => Promise<Uint8Array | undefined>;

function sourceOf(stream: ReadableStream<Uint8Array>, isReused: boolean): Source {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = stream.getReader({ mode: "byob" });
  } catch {
    // A stream that is not the body of a connection, as in tests, has parts of its own.
    const parts = stream.getReader();
    return async () => (await parts.read()).value;
  }
  // Only workerd can gather parts. Node, where tests run, returns whatever part it has.
  const gathers: boolean = "readAtLeast" in reader;
  let buffer = new ArrayBuffer(0);
  return async (least, room) => {
    if (!isReused || buffer.byteLength < room) buffer = new ArrayBuffer(room);
    const view = new Uint8Array(buffer);
    const { value } = await (gathers ? reader.readAtLeast(least, view) : reader.read(view));
    if (value === undefined) return undefined;
    buffer = value.buffer;
    return value.byteLength === 0 ? undefined : value;
  };
}

/** The result of reading a body, or TIMED_OUT after a time. @throws Refusal 400 when it breaks off */
function within<Value>(ms: number, reading: Promise<Value>): Promise<Value | typeof TIMED_OUT> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(TIMED_OUT), Math.max(0, ms));
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
    "the body is cut short: it is shorter than its content-length says, or its chunks are malformed",
  );
}

/** @param least the bytes that the body had to deliver */
function tooSlow(least: number): Refusal {
  return new Refusal(
    400,
    `the body arrives too slowly; send at least ${least} bytes every ${PACE_MS / 1000} s, or end`,
  );
}

function tooLarge(size: string, maxBytes: number): Refusal {
  return new Refusal(413, `the body has ${size} bytes; at most ${maxBytes} are accepted`);
}
