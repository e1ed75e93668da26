/**
 * Encodes values that SQLite has no type for, and decodes them bit for bit. Doubles never go into REAL columns, which
 * lose the sign of zero. Blobs are little-endian, as every host of Workers and Node is. Knows no table.
 */

import type { Emotive, Vector } from "../../gen/plain";
import type { EmotiveValues, GeneSetting } from "../../processor/ports/store";

/** A value of a column, as it is written. */
export type ColumnValue = Uint8Array | string | number | null;

/** A double as JSON; unlike `JSON.stringify` it keeps the sign of zero. `value` is finite. */
function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** A list of texts as JSON. */
export function textsToColumn(texts: readonly string[]): string {
  return JSON.stringify(texts);
}

/** The reverse of {@link textsToColumn}. */
export function textsFromColumn(column: string): string[] {
  return JSON.parse(column) as string[];
}

/** Emotives text: a JSON list of pairs `[name, value]`. */
export function emotivesToColumn(emotives: readonly Emotive[]): string {
  if (emotives.length === 0) return "[]";
  return `[${emotives.map(({ name, value }) => `[${JSON.stringify(name)},${numberText(value)}]`).join(",")}]`;
}

/** The reverse of {@link emotivesToColumn}. */
export function emotivesFromColumn(column: string): Emotive[] {
  return emotivesFromPairs(JSON.parse(column) as [string, number][]);
}

/** Emotives from the pairs of emotives text. */
export function emotivesFromPairs(pairs: readonly [name: string, value: number][]): Emotive[] {
  return pairs.map(([name, value]) => ({ name, value }));
}

/** Emotive values text: a JSON list of lists `[name, value, value, …]`; `null` for none. */
export function emotiveValuesToColumn(emotives: readonly EmotiveValues[]): string | null {
  if (emotives.length === 0) return null;
  const lists = emotives.map(({ name, values }) => `[${[JSON.stringify(name), ...values.map(numberText)].join(",")}]`);
  return `[${lists.join(",")}]`;
}

/** The reverse of {@link emotiveValuesToColumn}. */
export function emotiveValuesFromColumn(column: string | null): EmotiveValues[] {
  if (column === null) return [];
  return (JSON.parse(column) as [string, ...number[]][]).map(([name, ...values]) => ({ name, values }));
}

/** A gene's setting as JSON. */
export function settingToColumn(setting: GeneSetting): string {
  return typeof setting === "number" ? numberText(setting) : JSON.stringify(setting);
}

/** The reverse of {@link settingToColumn}. */
export function settingFromColumn(column: string): GeneSetting {
  return JSON.parse(column) as GeneSetting;
}

/** The metadata of a model with `events` events: `null` when each is the empty object, else a list of texts. */
export function metadataToColumn(metadata: readonly string[], events: number): string | null {
  const plain = metadata.length === events && metadata.every((text) => text === "{}");
  return plain ? null : textsToColumn(metadata);
}

/** The reverse of {@link metadataToColumn}. */
export function metadataFromColumn(column: string | null, events: number): string[] {
  return column === null ? new Array<string>(events).fill("{}") : textsFromColumn(column);
}

/** A u32 or doubles blob: exactly the elements, even if they are a view of a larger buffer. */
export function elementsToColumn(elements: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength);
}

const NO_VECTORS = new Uint8Array();

/** Vectors blob: for each vector its number of components, then the components, all as doubles. */
export function vectorsToColumn(vectors: readonly Vector[]): Uint8Array {
  if (vectors.length === 0) return NO_VECTORS;
  const doubles = new Float64Array(vectors.reduce((sum, { components }) => sum + 1 + components.length, 0));
  let at = 0;
  for (const { components } of vectors) {
    doubles[at] = components.length;
    doubles.set(components, at + 1);
    at += 1 + components.length;
  }
  return elementsToColumn(doubles);
}

/** The reverse of {@link vectorsToColumn}. */
export function vectorsFromColumn(column: ArrayBuffer): Vector[] {
  const doubles = new Float64Array(column);
  const vectors: Vector[] = [];
  for (let at = 0; at < doubles.length; ) {
    const end = at + 1 + (doubles[at] ?? 0);
    vectors.push({ components: Array.from(doubles.subarray(at + 1, end)) });
    at = end;
  }
  return vectors;
}

/** A SHA-1 name as text. Its column holds the 20 bytes, which sort like the hex text. */
const HASH_NAME = /^[0-9a-f]{40}$/;
const HASH_BYTES = 20;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
/** The value of a hex digit by its code unit. */
const DIGITS = new Uint8Array(128);
for (let digit = 0; digit < 16; digit++) DIGITS[digit.toString(16).charCodeAt(0)] = digit;

/** Whether a text is a name that this processor may have given: 40 hex digits in lower case. */
export function isHashName(text: string): boolean {
  return HASH_NAME.test(text);
}

/**
 * The column of a SHA-1 name.
 *
 * @throws Error when `name` is not 40 hex digits in lower case
 */
export function hashNameToColumn(name: string): Uint8Array {
  if (!isHashName(name)) throw new Error(`the name "${name}" is not 40 hex digits in lower case`);
  const bytes = new Uint8Array(HASH_BYTES);
  const digit = (at: number) => DIGITS[name.charCodeAt(at)] ?? 0;
  for (let i = 0; i < HASH_BYTES; i++) bytes[i] = 16 * digit(2 * i) + digit(2 * i + 1);
  return bytes;
}

/** The reverse of {@link hashNameToColumn}. */
export function hashNameFromColumn(column: ArrayBuffer): string {
  let name = "";
  for (const byte of new Uint8Array(column)) name += HEX[byte];
  return name;
}
