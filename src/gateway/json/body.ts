/**
 * Reads the body of a request: once, whole, within a limit, as JSON. Every body is consumed to its end, even one that is
 * refused, because a connection that is kept alive breaks when bytes of an old request are left on it.
 */

import { jsonDepth, MAX_JSON_DEPTH } from "../../text/json-depth";
import { Refusal } from "./refusal";
import { printOrdered, readOrdered, textAt, type Way } from "./source-order";
import { explainMalformed } from "./syntax-errors";
import { refuseLoneSurrogates } from "./well-formed";

/** The largest body that is read whole, in bytes. */
export const MAX_BODY_BYTES = 25 * 1024 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** The body of a request, parsed. */
export class Body {
  /** What it parses to; undefined when there is no body. */
  readonly value: unknown;
  readonly #source: string;
  #tree: ReturnType<typeof readOrdered> | undefined;

  /**
   * @param source JSON text; empty when there is no body
   * @param start how many characters stand before it, where it is a part of a body
   * @param path how messages name it; empty for a whole body
   * @throws Refusal 400 when it is not JSON, naming the position, is nested deeper than MAX_JSON_DEPTH levels, or holds text that is not well-formed Unicode
   */
  constructor(source: string, start = 0, path = "") {
    this.#source = source;
    this.value = source === "" ? undefined : parse(source, start, path);
  }

  /**
   * The value at the end of a way as compact text that keeps the sender's order of members.
   *
   * @param way must lead to a value that exists
   * @param path how messages name the value
   * @throws Refusal 400 for a number that no double can hold
   */
  ordered(way: Way, path: string): string {
    this.#tree ??= readOrdered(this.#source);
    return printOrdered(this.#tree, way, path);
  }

  /**
   * The value at the end of a way as the sender wrote it, to the letter of every name, string and number, without white space.
   *
   * @param way must lead to a value that exists
   */
  raw(way: Way): string {
    this.#tree ??= readOrdered(this.#source);
    return textAt(this.#source, this.#tree, way);
  }
}

function parse(source: string, start: number, path: string): unknown {
  // Before the parser sees it: what is nested without end costs it a hundred times the memory of the text.
  if (jsonDepth(source) > MAX_JSON_DEPTH) {
    throw new Refusal(400, `${path || "the body"} is nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (reason) {
    throw new Refusal(400, explainMalformed(source, String(reason), start));
  }
  refuseLoneSurrogates(source, value, path);
  return value;
}

/**
 * Reads and parses the body of a request.
 *
 * @param maxBytes the largest body that is accepted
 * @throws Refusal 413 when it is larger, 400 when it is not UTF-8 or not JSON
 */
export async function readBody(request: Request, maxBytes = MAX_BODY_BYTES): Promise<Body> {
  return new Body(decodeUtf8(await readBytes(request, maxBytes)));
}

/** Reads what is left of a body and forgets it. Does nothing when there is none, or when it was read or is being read. */
export async function drain(request: Request): Promise<void> {
  // In this order: whoever looks at the stream of a body has it made.
  if (request.bodyUsed || request.body === null || request.body.locked) return;
  const reader = request.body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read());
  } catch {
    // The client went away in the middle of its body: no one is left to be told.
  }
}

async function readBytes(request: Request, maxBytes: number): Promise<ArrayBuffer | Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) <= maxBytes) return request.arrayBuffer();
  return request.body === null ? new Uint8Array() : readStream(request.body, maxBytes);
}

async function readStream(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size <= maxBytes) chunks.push(part.value);
    else chunks.length = 0;
  }
  if (size > maxBytes) throw new Refusal(413, `the body has ${size} bytes; at most ${maxBytes} are accepted`);
  return joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const all = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return all;
}

function decodeUtf8(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    // The decoder says no more than that it failed.
    throw new Refusal(400, "the body is not valid UTF-8");
  }
}
