/**
 * Turns the bytes of a body into JSON or text, whole or piece by piece. `body-bytes.ts` reads them, within
 * limits of size and time.
 */

import type { Budgets } from "../../text/budgets";
import type { Located } from "../../text/located";
import { tooMany } from "../../text/request-limits";
import { Refusal } from "../refusal";
import { byteParts } from "./body-bytes";
import { checkSurrogates, parseJson } from "./parser";
import { isInSourceOrder, SourceText, type Way } from "./source-order";
import { UnknownMembers } from "./unknown-members";

/** Maximum size of a body that is read as a whole, in bytes. */
export const MAX_BODY_BYTES = 25 * 1024 * 1024;

/** Bodies below this size cannot contain too long lists. */
export const SMALL_BODY_BYTES = 65_536;

const NOT_UTF8 = "the body is not valid UTF-8; it must be JSON text, which only POST /restore accepts compressed";

const wholeDecoder = newDecoder();

/** A value in a body, and the path to it from the root of the body's text. */
export interface LocatedInBody<Value = unknown> extends Located<Value> {
  readonly way: Way;
}

/** The body of a request, or one value of a body that is read piece by piece, parsed. */
export class Body {
  /** What the text parses to; `undefined` without a body. */
  readonly value: unknown;
  /** The members that the decoder of the body did not know. */
  readonly unknown = new UnknownMembers();
  /** The bounds to check the body's lists against before a message is created; absent if the lists are short anyway. */
  readonly budgets: Budgets | undefined;
  readonly #source: string;
  #text: SourceText | undefined;

  /**
   * @param source JSON text; empty without a body
   * @param start number of the body's characters before `source`
   * @param path the path of the value in messages; empty for a whole body
   * @param budgets see {@link Body.budgets}
   * @param parsed the value of `source`, where it is known to be JSON within the limits of size and nesting
   * @throws Refusal 400 when the text is not JSON, naming the position, is nested deeper than MAX_JSON_DEPTH levels, or
   *   holds strings that are not well-formed Unicode
   */
  constructor(source: string, start = 0, path = "", budgets?: Budgets, parsed?: object) {
    this.#source = source;
    this.budgets = budgets;
    this.value = parsed ?? (source === "" ? undefined : parseJson(source, start, path));
    if (parsed !== undefined) checkSurrogates(source, parsed, path);
  }

  /** The whole value. @param path its path in messages; empty for a whole body */
  root(path = ""): LocatedInBody {
    return { value: this.value, way: [], path };
  }

  /**
   * A value of this body as compact text that keeps the sender's order of members. Reads the source again only if a
   * name such as "10" occurs, because JavaScript's objects lose the position of such names.
   *
   * @param located must lead to an existing value
   * @param most maximum number of characters of the text, where those of repeated members count twice
   * @throws Refusal 400 for a number that no double can hold, 413 when the text has more characters
   */
  ordered({ value, way, path }: LocatedInBody, most = Number.POSITIVE_INFINITY): string {
    if (isInSourceOrder(value)) {
      const text = JSON.stringify(value);
      if (text.length > most) throw new Refusal(413, tooMany.metadata(most, path));
      return text;
    }
    this.#text ??= new SourceText(this.#source);
    return this.#text.ordered(way, path, most);
  }

  /**
   * A value exactly as the sender wrote it, except white space.
   *
   * @param way must lead to an existing value
   */
  raw(way: Way): string {
    this.#text ??= new SourceText(this.#source);
    return this.#text.written(way);
  }
}

/**
 * Parses the bytes of a whole body.
 *
 * @param bytes empty without a body
 * @param budgets the bounds of its lists, if it is large; a small body's lists are short
 * @throws Refusal 400 when they are not UTF-8, and as the constructor of {@link Body}
 */
export function bodyOf(bytes: Uint8Array, budgets?: Budgets): Body {
  return new Body(decodeWhole(bytes), 0, "", bytes.byteLength > SMALL_BODY_BYTES ? budgets : undefined);
}

/**
 * Reads a body that is too large to be held whole, piece by piece, as text. A caller that stops before the end must
 * call `return`, which consumes the rest.
 *
 * @param maxBytes maximum size of the body
 * @throws Refusal 413 when it is larger, 400 when it is not UTF-8, breaks off or comes too slowly
 */
export async function* textChunks(request: Request, maxBytes: number): AsyncGenerator<string, void, void> {
  const decoder = newDecoder();
  for await (const part of byteParts(request, maxBytes)) yield decodePiece(decoder, part);
  yield decodePiece(decoder, undefined);
}

function newDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
}

function decodeWhole(bytes: Uint8Array): string {
  try {
    return wholeDecoder.decode(bytes);
  } catch {
    // The decoder reports only that it failed.
    throw new Refusal(400, NOT_UTF8);
  }
}

/** @param bytes undefined at the end */
function decodePiece(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    // The decoder reports only that it failed.
    throw new Refusal(400, NOT_UTF8);
  }
}
