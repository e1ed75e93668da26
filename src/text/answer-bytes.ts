/**
 * Measures the size of an answer before it is created: a long symbol is stored once, but an answer may contain it many
 * times. Used by objects before they commit and reply, and by the gateway before it writes JSON.
 */

import { jsonBytes, MAX_UNIT_BYTES } from "./json-bytes";

/**
 * Maximum bytes of one answer, as JSON: 30 MiB, so that a native call, which carries 31, carries the same as protobuf.
 */
export const MAX_ANSWER_BYTES = 31_457_280;

/** Maximum bytes of the answer to a frame, 1 MiB: a stream is closed when its client has that much unread. */
export const MAX_FRAME_ANSWER_BYTES = 1_048_576;

/** Maximum bytes of a line of a backup, 24 MiB. It has to fit into an object's answer. */
export const MAX_LINE_BYTES = 25_165_824;

/** Maximum bytes of a number and its comma, such as `-1.2345678901234567e-100,`. */
const MAX_NUMBER_BYTES = 25;

/** How to measure texts and numbers. */
interface Measure {
  text(value: string): number;
  number(value: number): number;
}

/** An upper bound of the size as JSON that does not read the characters. */
const UPPER_BOUND: Measure = {
  text: ({ length }) => mostTextBytes(length),
  number: () => MAX_NUMBER_BYTES,
};

/** The exact size as JSON. A long text that occurs often is measured once. */
function exactMeasure(): Measure {
  const known = new Map<string, number>();
  return {
    text(value) {
      if (value.length < SHORT_UNITS) return jsonBytes(value) + 2;
      const bytes = known.get(value) ?? jsonBytes(value) + 2;
      known.set(value, bytes);
      return bytes;
    },
    number: (value) => String(value).length + 1,
  };
}

/** Measuring a shorter text is faster than looking it up. */
const SHORT_UNITS = 64;

/**
 * Approximate bytes of a message as JSON; exact if texts make up most of it. Columns of a packed ensemble do not count:
 * {@link ensembleBytes} counts them.
 *
 * @param most the limit: a result up to it may be an overestimate, one above it is exact
 */
export function answerBytes(message: unknown, most: number): number {
  const quick = bytesOf(message, UPPER_BOUND);
  return quick <= most ? quick : bytesOf(message, exactMeasure());
}

function bytesOf(value: unknown, measure: Measure): number {
  switch (typeof value) {
    case "string":
      return measure.text(value);
    case "number":
      return measure.number(value);
    case "object":
      return value === null ? MAX_NUMBER_BYTES : objectBytes(value, measure);
    default:
      return MAX_NUMBER_BYTES;
  }
}

function objectBytes(value: object, measure: Measure): number {
  if (Array.isArray(value)) return listBytes(value, measure);
  if (ArrayBuffer.isView(value)) return value.byteLength * MAX_NUMBER_BYTES;
  let bytes = 2;
  const members = value as { readonly [name: string]: unknown };
  // Not Object.entries, which would allocate a list for each member.
  for (const name of Object.keys(value)) {
    const member = members[name];
    if (name !== "packed" && name !== "$typeName" && member !== undefined) {
      bytes += name.length + 4 + bytesOf(member, measure);
    }
  }
  return bytes;
}

function listBytes(values: readonly unknown[], measure: Measure): number {
  if (measure === UPPER_BOUND && typeof values[0] === "number") return values.length * MAX_NUMBER_BYTES + 2;
  let bytes = 2;
  for (const value of values) bytes += bytesOf(value, measure) + 1;
  return bytes;
}

/** The columns of a packed ensemble. Columns needed only for members that were not requested may be missing. */
export interface EnsembleColumns {
  readonly symbols?: readonly string[];
  readonly names: readonly string[];
  readonly pastCounts?: readonly number[];
  readonly presentCounts?: readonly number[];
  readonly futureCounts?: readonly number[];
  readonly eventLengths?: readonly number[];
  readonly eventSymbols?: readonly number[];
  readonly matches?: readonly number[];
  readonly missing?: readonly number[];
  readonly extras?: readonly number[];
  readonly emotives?: readonly { readonly name: string; readonly value: number }[];
}

/**
 * Upper bound of a prediction without its symbols and emotives: the names of its members, its own name, eleven metrics.
 */
const PREDICTION_BYTES = 700;

/** Size of a member without symbols or emotives, with its name. */
const MEMBER_BYTES = 45;

/** The name of a model, with its punctuation. */
const NAME_BYTES = 51;

/**
 * Bytes of an ensemble as JSON, one prediction after the other, each symbol as often as it occurs.
 *
 * @param fields the written members of predictions; all if empty
 * @param most the limit: a result up to it may be an overestimate, one above it is exact
 */
export function ensembleBytes(columns: EnsembleColumns, fields: readonly string[], most: number): number {
  const quick = quickBytes(columns);
  return quick <= most ? quick : exactBytes(columns, fields);
}

function quickBytes({ symbols = [], names, emotives = [], ...columns }: EnsembleColumns): number {
  const { eventLengths = [], eventSymbols = [], matches = [], missing = [], extras = [] } = columns;
  let longest = 0;
  for (const { length } of symbols) if (length > longest) longest = length;
  const occurrences = eventSymbols.length + matches.length + missing.length + extras.length;
  let bytes = names.length * PREDICTION_BYTES + eventLengths.length * 3 + occurrences * (mostTextBytes(longest) + 1);
  for (const { name } of emotives) bytes += mostTextBytes(name.length) + MAX_NUMBER_BYTES;
  return bytes;
}

/** Maximum bytes of a text of `units` UTF-16 units. */
function mostTextBytes(units: number): number {
  return units * MAX_UNIT_BYTES + 2;
}

/** The members that hold one list of symbols; their columns have the same names. */
const LISTS = ["matches", "missing", "extras"] as const;

function exactBytes(columns: EnsembleColumns, fields: readonly string[]): number {
  const wants = (member: string) => fields.length === 0 || fields.includes(member);
  const members = fields.length === 0 ? PREDICTION_BYTES : NAME_BYTES + fields.length * MEMBER_BYTES;
  const sizes = Float64Array.from(columns.symbols ?? [], (symbol) => jsonBytes(symbol) + 3);
  let bytes = columns.names.length * members + eventBytes(columns, sizes, wants);
  for (const member of LISTS) {
    if (!wants(member)) continue;
    for (const place of columns[member] ?? []) bytes += sizes[place] ?? 0;
  }
  if (wants("emotives")) {
    for (const { name, value } of columns.emotives ?? []) bytes += jsonBytes(name) + String(value).length + 4;
  }
  return bytes;
}

/** The size of the requested events. Past, present and future of each prediction follow each other. */
function eventBytes(columns: EnsembleColumns, sizes: Float64Array, wants: (member: string) => boolean): number {
  const { names, pastCounts = [], presentCounts = [], futureCounts = [] } = columns;
  const parts = [
    { counts: pastCounts, isWanted: wants("past") },
    { counts: presentCounts, isWanted: wants("present") },
    { counts: futureCounts, isWanted: wants("future") },
  ];
  const events = new EventSizes(columns, sizes);
  let bytes = 0;
  for (let at = 0; at < names.length; at++) {
    for (const { counts, isWanted } of parts) {
      const taken = events.next(counts[at] ?? 0);
      if (isWanted) bytes += taken;
    }
  }
  return bytes;
}

/** Reads the columns of events from their beginning to their end. */
class EventSizes {
  readonly #columns: EnsembleColumns;
  readonly #sizes: Float64Array;
  #event = 0;
  #symbol = 0;

  /** @param sizes the size of each symbol */
  constructor(columns: EnsembleColumns, sizes: Float64Array) {
    this.#columns = columns;
    this.#sizes = sizes;
  }

  /** The size of the next events. */
  next(count: number): number {
    const { eventLengths = [], eventSymbols = [] } = this.#columns;
    let bytes = 3 * count;
    for (let left = count; left > 0; left--) {
      const end = this.#symbol + (eventLengths[this.#event++] ?? 0);
      while (this.#symbol < end) bytes += this.#sizes[eventSymbols[this.#symbol++] ?? 0] ?? 0;
    }
    return bytes;
  }
}
