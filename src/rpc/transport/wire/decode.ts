/**
 * Decodes the bytes of a message without the protobuf library, by the plan of its type. The result equals the
 * library's. Bytes with anything unusual, such as a field that the type does not have, are left to the library, which
 * also reports errors.
 */

import { getTextEncoding } from "@bufbuild/protobuf/wire";
import type { FieldPlan, Plan } from "./plan";

/** Bits of the longest varint that is read here, which has four bytes. */
const MAX_SHIFT = 28;

/** Texts of more bytes go to the runtime's decoder, which is faster for them. */
const MAX_TEXT_BYTES = 12;

const DOUBLE_BYTES = 8;
const LAST_ASCII = 0x7f;
const CONTINUES = 0x80;
const BITS = 0x7f;

/** Thrown for what the library must decode. */
const UNFIT = Symbol("unfit");

/** A message being built. */
type Made = { [name: string]: unknown };

/** The bytes of the texts that are decoded, in memory that the next text uses again. */
let scratch = new Uint8Array(4_096);

/**
 * The message of some bytes.
 *
 * @returns `undefined` if the library must decode them
 */
export function decodeQuickly(plan: Plan, bytes: Uint8Array): object | undefined {
  return decoded(plan, new Reader(bytes), bytes.length);
}

/** The same for a text that has a character, U+0000 to U+00FF, for each byte. */
export function decodeText(plan: Plan, text: string): object | undefined {
  const { length } = text;
  if (length > scratch.length) scratch = new Uint8Array(length);
  for (let at = 0; at < length; at++) scratch[at] = text.charCodeAt(at);
  // No text of the message may be a part of this one: it would keep all of it in memory.
  return decoded(plan, new Reader(scratch), length);
}

function decoded(plan: Plan, reader: Reader, length: number): object | undefined {
  try {
    return reader.message(plan, length);
  } catch (reason) {
    // Text that is not UTF-8 is also left to the library to refuse.
    if (reason === UNFIT || reason instanceof Error) return undefined;
    throw reason;
  }
}

/** Reads messages from bytes, in one pass. */
class Reader {
  readonly #bytes: Uint8Array;
  readonly #decode = getTextEncoding().decodeUtf8;
  #view: DataView | undefined;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** @param end where it ends @throws UNFIT */
  message(plan: Plan, end: number): object {
    const message: Made = { $typeName: plan.typeName };
    for (const { name, zero } of plan.always) message[name] = zero ?? [];
    for (const name of plan.oneofs) message[name] = { case: undefined };
    while (this.#at < end) {
      const tag = this.#varint();
      const field = plan.byNumber[tag >>> 3];
      if (field === undefined || field.tag !== tag) throw UNFIT;
      if (field.oneof === undefined) this.#field(message, field, end);
      else this.#choose(message, field.oneof, field, end);
    }
    if (this.#at !== end) throw UNFIT;
    return message;
  }

  #field(made: Made, field: FieldPlan, end: number): void {
    const { kind, name } = field;
    switch (kind) {
      case "string":
        made[name] = this.#text(end);
        return;
      case "bool":
        made[name] = this.#bool();
        return;
      case "double":
        made[name] = this.#double(end);
        return;
      case "int32":
      case "uint32":
        made[name] = this.#varint();
        return;
      case "message":
        // The library would merge a repeated message with the first.
        if (made[name] !== undefined) throw UNFIT;
        made[name] = this.#inner(field, end);
        return;
      default:
        this.#addTo(made[name] as unknown[], field, end);
    }
  }

  /** Reads the field of a oneof. */
  #choose(made: Made, oneof: string, field: FieldPlan, end: number): void {
    // The library would merge a repeated message with the first, and keep the last of different fields.
    if ((made[oneof] as Made).case !== undefined) throw UNFIT;
    const value: Made = {};
    this.#field(value, field, end);
    made[oneof] = { case: field.name, value: value[field.name] };
  }

  #addTo(list: unknown[], field: FieldPlan, end: number): void {
    if (field.kind === "strings") {
      list.push(this.#text(end));
      return;
    }
    if (field.kind === "messages") {
      list.push(this.#inner(field, end));
      return;
    }
    const last = this.#end(end);
    while (this.#at < last) list.push(field.kind === "doubles" ? this.#double(last) : this.#varint());
    if (this.#at !== last) throw UNFIT;
  }

  #inner({ message }: FieldPlan, end: number): object {
    if (message === undefined) throw UNFIT;
    return this.message(message, this.#end(end));
  }

  /** Reads a length. @param end the latest possible end of its content @returns the end of its content */
  #end(end: number): number {
    const length = this.#varint();
    const last = this.#at + length;
    if (last > end) throw UNFIT;
    return last;
  }

  #text(end: number): string {
    const last = this.#end(end);
    const text = this.#short(last) ?? this.#decode(this.#bytes.subarray(this.#at, last), true);
    this.#at = last;
    return text;
  }

  /** A short text that is ASCII, without a view of its bytes; `undefined` for any other. @param end where it ends */
  #short(end: number): string | undefined {
    if (end - this.#at > MAX_TEXT_BYTES) return undefined;
    let text = "";
    for (let at = this.#at; at < end; at++) {
      const byte = this.#bytes[at] ?? CONTINUES;
      if (byte > LAST_ASCII) return undefined;
      text += String.fromCharCode(byte);
    }
    return text;
  }

  #bool(): boolean {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined || byte > 1) throw UNFIT;
    return byte === 1;
  }

  #double(end: number): number {
    const at = this.#at;
    this.#at += DOUBLE_BYTES;
    if (this.#at > end) throw UNFIT;
    const { buffer, byteOffset, byteLength } = this.#bytes;
    this.#view ??= new DataView(buffer, byteOffset, byteLength);
    return this.#view.getFloat64(at, true);
  }

  /** A whole number below 2^28. @throws UNFIT for a larger one, and at the end of the bytes */
  #varint(): number {
    let value = 0;
    for (let shift = 0; shift < MAX_SHIFT; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw UNFIT;
      value |= (byte & BITS) << shift;
      if (byte < CONTINUES) return value;
    }
    throw UNFIT;
  }
}
