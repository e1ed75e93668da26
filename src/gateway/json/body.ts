/**
 * Reads the body of a request, whole or piece by piece, within a limit. Consumes every body to its end, even one that is
 * refused, because bytes that an old request leaves behind break a connection that is kept alive.
 */

import type { Located } from "../../text/located";
import { Refusal } from "../refusal";
import { parseJson } from "./parser";
import { isInSourceOrder, printOrdered, readOrdered, textAt, type Way } from "./source-order";
import { UnknownMembers } from "./unknown-members";

/** The largest body that is read whole, in bytes. */
export const MAX_BODY_BYTES = 25 * 1024 * 1024;

const NOT_UTF8 = "the body is not valid UTF-8";

const wholeDecoder = newDecoder();

/** A value in a body, and the way to it from the root of the text that the body holds. */
export interface LocatedInBody<Value = unknown> extends Located<Value> {
  readonly way: Way;
}

/** The body of a request, or one value of a body that is read piece by piece, parsed. */
export class Body {
  /** What the text parses to; `undefined` when there is no body. */
  readonly value: unknown;
  /** The members that whoever has decoded the body did not know. */
  readonly unknown = new UnknownMembers();
  readonly #source: string;
  #tree: ReturnType<typeof readOrdered> | undefined;

  /**
   * @param source JSON text; empty when there is no body
   * @param start how many characters of the body stand before `source`
   * @param path where the value stands, as messages write it; empty for a whole body
   * @throws Refusal 400 when the text is not JSON, naming the position, is nested deeper than MAX_JSON_DEPTH levels, or holds
   *   strings that are not well-formed Unicode
   */
  constructor(source: string, start = 0, path = "") {
    this.#source = source;
    this.value = source === "" ? undefined : parseJson(source, start, path);
  }

  /** The whole value. @param path where it stands, as messages write it; empty for a whole body */
  root(path = ""): LocatedInBody {
    return { value: this.value, way: [], path };
  }

  /**
   * A value of this body as compact text that keeps the sender's order of members. Reads the source again only where a name
   * such as "10" occurs, because JavaScript's objects lose the place of such names.
   *
   * @param located must lead to a value that exists
   * @throws Refusal 400 for a number that no double can hold
   */
  ordered({ value, way, path }: LocatedInBody): string {
    if (isInSourceOrder(value, path)) return JSON.stringify(value);
    this.#tree ??= readOrdered(this.#source);
    return printOrdered(this.#tree, way, path);
  }

  /**
   * A value as the sender wrote it, to the letter of every name, string and number, without white space.
   *
   * @param way must lead to a value that exists
   */
  raw(way: Way): string {
    this.#tree ??= readOrdered(this.#source);
    return textAt(this.#source, this.#tree, way);
  }
}

/**
 * Reads and parses the body of a request.
 *
 * @param maxBytes the largest body that is accepted
 * @throws Refusal 413 when it is larger, 400 when it is not UTF-8 or not JSON
 */
export async function readBody(request: Request, maxBytes = MAX_BODY_BYTES): Promise<Body> {
  return new Body(decodeWhole(await readBytes(request, maxBytes)));
}

/** Reads what is left of a body and drops it. Does nothing when there is no body, or when someone has read it or is reading it. */
export async function drain(request: Request): Promise<void> {
  // Ask in this order: the runtime makes the stream of a body when somebody looks at it.
  if (request.bodyUsed || request.body === null || request.body.locked) return;
  const reader = request.body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read());
  } catch {
    // The client went away in the middle of its body: nobody is left who could be told.
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

/**
 * Reads a body that is too large to be held whole, piece by piece, as text. Whoever stops reading before the end must call
 * `return`, which consumes the rest.
 *
 * @param maxBytes the largest body that is accepted
 * @throws Refusal 413 when it is larger, 400 when it is not UTF-8
 */
export async function* textChunks(request: Request, maxBytes: number): AsyncGenerator<string, void, void> {
  if (request.body === null) return;
  const reader = request.body.getReader();
  const decoder = newDecoder();
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      if (size > maxBytes)
        throw new Refusal(413, `the body has more than ${maxBytes} bytes, which is all that is accepted`);
      yield decodePiece(decoder, part.value);
    }
    yield decodePiece(decoder, undefined);
  } finally {
    // Nothing may be left on a connection that is kept alive.
    while (!(await reader.read()).done);
  }
}

function newDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
}

function decodeWhole(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return wholeDecoder.decode(bytes);
  } catch {
    // The decoder says no more than that it failed.
    throw new Refusal(400, NOT_UTF8);
  }
}

/** @param bytes undefined at the end */
function decodePiece(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    // The decoder says no more than that it failed.
    throw new Refusal(400, NOT_UTF8);
  }
}
