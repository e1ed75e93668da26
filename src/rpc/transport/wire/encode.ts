/**
 * Encodes a message at once, without a copy of it and without the protobuf library, by the plan of its type. The bytes
 * equal the library's. Anything unusual is left to the library, which also reports errors.
 */

import type { FieldPlan, Plan } from "./plan";

/** Maximum bytes of a message that is encoded here, more than one call may carry. */
const MAX_BYTES = 33_554_432;

/** Bytes that are kept for the next message. A larger message gets some of its own. */
const KEPT_BYTES = 262_144;

/** Longer texts go to the runtime's encoder, which is faster for them. In UTF-16 units. */
const MAX_UNITS = 64;

/** Maximum number of UTF-8 bytes for a UTF-16 unit. */
const MAX_UNIT_BYTES = 3;

/** Maximum bytes of a length. */
const LENGTH_BYTES = 5;

const DOUBLE_BYTES = 8;
const LAST_ASCII = 0x7f;
const MAX_INT32 = 0x7fffffff;
const MAX_UINT32 = 0xffffffff;

/** Thrown for what the library must encode. */
const UNFIT = Symbol("unfit");

/** Maximum bytes of a message that is carried as text. Making the text of a larger one takes longer than it saves. */
const MAX_TEXT_BYTES = 2_048;

/** Characters made by one call: as many as it has arguments. */
const AT_ONCE = 8;

/** The members of a message, or of an object to create one from. */
type Members = { readonly [name: string]: unknown };

const keptBytes = new Uint8Array(KEPT_BYTES);
const keptView = new DataView(keptBytes.buffer);
let bytes = keptBytes;
let view = keptView;
const encoder = new TextEncoder();

/** The position of the next byte. */
let at = 0;

/**
 * The bytes of a message.
 *
 * @param message a message, or an object from which the library could create one
 * @returns `undefined` if the library must encode it
 */
export function encodeQuickly(plan: Plan, message: object): Uint8Array | undefined {
  return isWritten(plan, message) ? writtenBytes() : undefined;
}

/**
 * As {@link encodeQuickly}, but a small message as text: one character, U+0000 to U+00FF, for each byte. The runtime
 * allocates and copies each array of bytes outside of the heap, on both sides of a native call: with text, an observe
 * takes 5 to 10 % less processor time.
 */
export function encodeAsText(plan: Plan, message: object): Uint8Array | string | undefined {
  if (!isWritten(plan, message)) return undefined;
  return at <= MAX_TEXT_BYTES ? writtenText() : writtenBytes();
}

/** Writes a message to the beginning of the bytes. @returns whether that was possible */
function isWritten(plan: Plan, message: object): boolean {
  at = 0;
  try {
    writeFields(plan, message as Members);
    return true;
  } catch (reason) {
    keepFew();
    if (reason === UNFIT) return false;
    throw reason;
  }
}

/** What is written. */
function writtenBytes(): Uint8Array {
  const written = bytes.slice(0, at);
  keepFew();
  return written;
}

/** Lets go of the bytes that a large message got. */
function keepFew(): void {
  bytes = keptBytes;
  view = keptView;
}

/** The text of what is written. */
function writtenText(): string {
  let text = "";
  let from = 0;
  for (; from + AT_ONCE <= at; from += AT_ONCE) {
    text += String.fromCharCode(
      bytes[from] as number,
      bytes[from + 1] as number,
      bytes[from + 2] as number,
      bytes[from + 3] as number,
      bytes[from + 4] as number,
      bytes[from + 5] as number,
      bytes[from + 6] as number,
      bytes[from + 7] as number,
    );
  }
  for (; from < at; from++) text += String.fromCharCode(bytes[from] as number);
  return text;
}

function writeFields(plan: Plan, message: Members): void {
  if (message.$unknown !== undefined) throw UNFIT;
  for (const field of plan.fields) {
    const value = field.oneof === undefined ? message[field.name] : chosenIn(message[field.oneof], field.name);
    if (value !== undefined && value !== null) writeField(field, value);
    // The library refuses a complete message that lacks a field.
    else if (!field.isOptional && field.kind !== "message" && message.$typeName === plan.typeName) throw UNFIT;
  }
}

/** The value of a oneof, if it has the field of this name. */
function chosenIn(oneof: unknown, name: string): unknown {
  if (typeof oneof !== "object" || oneof === null) return undefined;
  const { case: chosen, value } = oneof as { case?: unknown; value?: unknown };
  return chosen === name ? value : undefined;
}

function writeField(field: FieldPlan, value: unknown): void {
  if (field.kind === "message") writeMessage(field, value);
  else if (field.isOptional || !isZero(field, value)) writeValue(field, value);
}

/** Whether a value is the zero of its field, which is not written. -0 is a different double. */
function isZero({ kind, zero }: FieldPlan, value: unknown): boolean {
  return value === zero && !(kind === "double" && Object.is(value, -0));
}

function writeValue(field: FieldPlan, value: unknown): void {
  const { kind, tag } = field;
  switch (kind) {
    case "string":
      writeText(tag, value);
      return;
    case "bool":
      if (typeof value !== "boolean") throw UNFIT;
      writeNumber(tag, value ? 1 : 0);
      return;
    case "int32":
      // The library writes negative numbers, which take ten bytes.
      writeNumber(tag, wholeNumber(value, MAX_INT32));
      return;
    case "uint32":
      writeNumber(tag, wholeNumber(value, MAX_UINT32));
      return;
    case "double":
      writeDouble(tag, value);
      return;
    default:
      writeList(field, value);
  }
}

function writeList(field: FieldPlan, list: unknown): void {
  if (!Array.isArray(list)) throw UNFIT;
  if (list.length === 0) return;
  switch (field.kind) {
    case "strings":
      for (const text of list) writeText(field.tag, text);
      return;
    case "messages":
      for (const message of list) writeMessage(field, message);
      return;
    case "doubles":
      writeDoubles(field.tag, list);
      return;
    default:
      writeUint32s(field.tag, list);
  }
}

function writeMessage({ message: plan, tag }: FieldPlan, value: unknown): void {
  if (plan === undefined || typeof value !== "object" || value === null) throw UNFIT;
  const start = beginDelimited(tag);
  writeFields(plan, value as Members);
  endDelimited(start);
}

function writeDoubles(tag: number, list: readonly unknown[]): void {
  assertRoom(2 * LENGTH_BYTES + DOUBLE_BYTES * list.length);
  writeVarint(tag);
  writeVarint(DOUBLE_BYTES * list.length);
  for (const value of list) putDouble(value);
}

function writeUint32s(tag: number, list: readonly unknown[]): void {
  assertRoom((2 + list.length) * LENGTH_BYTES);
  const start = beginDelimited(tag);
  for (const value of list) writeVarint(wholeNumber(value, MAX_UINT32));
  endDelimited(start);
}

function writeNumber(tag: number, value: number): void {
  assertRoom(2 * LENGTH_BYTES);
  writeVarint(tag);
  writeVarint(value);
}

function writeDouble(tag: number, value: unknown): void {
  assertRoom(LENGTH_BYTES + DOUBLE_BYTES);
  writeVarint(tag);
  putDouble(value);
}

function putDouble(value: unknown): void {
  if (typeof value !== "number") throw UNFIT;
  view.setFloat64(at, value, true);
  at += DOUBLE_BYTES;
}

function wholeNumber(value: unknown, most: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw UNFIT;
}

function writeText(tag: number, text: unknown): void {
  if (typeof text !== "string") throw UNFIT;
  assertRoom(2 * LENGTH_BYTES + MAX_UNIT_BYTES * text.length);
  const start = beginDelimited(tag);
  if (text.length > MAX_UNITS || !putAscii(text)) at = start + encoder.encodeInto(text, bytes.subarray(start)).written;
  endDelimited(start);
}

/** @returns whether the whole text is ASCII */
function putAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > LAST_ASCII) return false;
    bytes[at + i] = unit;
  }
  at += text.length;
  return true;
}

/** Writes a tag, and leaves a byte for the length of the content. @returns where the content begins */
function beginDelimited(tag: number): number {
  assertRoom(2 * LENGTH_BYTES);
  writeVarint(tag);
  return ++at;
}

/** Writes the length of the content that begins at `start` and ends here. */
function endDelimited(start: number): void {
  const length = at - start;
  if (length <= LAST_ASCII) {
    bytes[start - 1] = length;
    return;
  }
  assertRoom(LENGTH_BYTES);
  at = start - 1;
  const moved = start - 1 + lengthOf(length);
  bytes.copyWithin(moved, start, start + length);
  writeVarint(length);
  at = moved + length;
}

/** Bytes of a number as a varint. */
function lengthOf(value: number): number {
  let length = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) length++;
  return length;
}

/** @param value a whole number below 2^32 */
function writeVarint(value: number): void {
  let rest = value;
  while (rest > LAST_ASCII) {
    bytes[at++] = (rest & LAST_ASCII) | 0x80;
    rest >>>= 7;
  }
  bytes[at++] = rest;
}

function assertRoom(more: number): void {
  const needed = at + more;
  if (needed <= bytes.length) return;
  if (needed > MAX_BYTES) throw UNFIT;
  const grown = new Uint8Array(Math.min(MAX_BYTES, Math.max(2 * bytes.length, needed)));
  grown.set(bytes.subarray(0, at));
  bytes = grown;
  view = new DataView(grown.buffer);
}
