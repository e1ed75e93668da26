/**
 * Reads match records. The kernel exports the offsets at which it writes; this file repeats them as constants, because
 * reading an exported global costs as much as reading a record. {@link checkLayout} refuses a kernel with other
 * offsets, so the two cannot drift apart.
 */

import { type Match, METRICS as METRIC_NAMES } from "../processor/ports/matcher";
import type { PackedMatches } from "../processor/ports/parts";
import type { KernelExports } from "./module";

/** Offsets in doubles (8 bytes) from the start of a record. */
const ID = 0;
const FREQUENCY = 1;
const METRICS = 2;
/** Offsets in words (4 bytes). */
const PRESENT_START = (METRICS + METRIC_NAMES.length) * 2;
const PRESENT_END = PRESENT_START + 1;
const SYMBOLS = PRESENT_START + 2;
const LENGTHS = PRESENT_START + 3;
const MATCHES = PRESENT_START + 4;
const MISSING = PRESENT_START + 5;
const EXTRAS = PRESENT_START + 6;
const BYTES = PRESENT_START + 7;
const CONTENTS = PRESENT_START + 8;

/** Throws an Error when the kernel writes records at other offsets than this file reads. */
export function checkLayout(exports: KernelExports): void {
  const agrees =
    exports.MATCH_ID.value === ID * 8 &&
    exports.MATCH_FREQUENCY.value === FREQUENCY * 8 &&
    exports.MATCH_METRICS.value === METRICS * 8 &&
    exports.MATCH_PRESENT_START.value === PRESENT_START * 4 &&
    exports.MATCH_PRESENT_END.value === PRESENT_END * 4 &&
    exports.MATCH_SYMBOLS.value === SYMBOLS * 4 &&
    exports.MATCH_LENGTHS.value === LENGTHS * 4 &&
    exports.MATCH_MATCHES.value === MATCHES * 4 &&
    exports.MATCH_MISSING.value === MISSING * 4 &&
    exports.MATCH_EXTRAS.value === EXTRAS * 4 &&
    exports.MATCH_BYTES.value === BYTES * 4 &&
    exports.MATCH_WORDS.value === CONTENTS * 4;
  if (!agrees) {
    throw new Error(
      "build/kernel.wasm writes match records at other offsets than src/kernel/record.ts reads; run npm run kernel",
    );
  }
}

/** Reads `count` records. The arrays of a match are views of them. */
export function matchesIn(records: ArrayBuffer, count: number): Match[] {
  const matches: Match[] = [];
  readMatches(records, count, matches);
  return matches;
}

/** Reads `count` records from `copy` and appends them to `matches`. The arrays of a match are views of `copy`. */
export function readMatches(copy: ArrayBuffer, count: number, matches: Match[]): void {
  const doubles = new Float64Array(copy);
  const words = new Uint32Array(copy);
  let start = 0;
  for (let at = 0; at < count; at++) {
    matches.push(readMatch(copy, doubles, words, start));
    start += words[start / 4 + BYTES] ?? 0;
  }
}

/** Collects records that are not read here, with what they are sorted by. */
export class PackedRecords {
  readonly #metric: number;
  readonly #ids: Float64Array;
  readonly #values: Float64Array;
  /** Where each record begins, and where the last one ends. */
  readonly #starts: Uint32Array;
  readonly #copies: Uint8Array[] = [];
  #count = 0;

  /** @param most how many there may be @param metric the code of the metric by which they are sorted */
  constructor(most: number, metric: number) {
    this.#metric = metric;
    this.#ids = new Float64Array(most);
    this.#values = new Float64Array(most);
    this.#starts = new Uint32Array(most + 1);
  }

  /** Number of records. */
  get count(): number {
    return this.#count;
  }

  /** Adds `count` records. @param copy of nothing else */
  add(copy: ArrayBuffer, count: number): void {
    const doubles = new Float64Array(copy);
    const words = new Uint32Array(copy);
    this.#copies.push(new Uint8Array(copy));
    let start = 0;
    for (const end = this.#count + count; this.#count < end; this.#count++) {
      const bytes = words[start / 4 + BYTES] ?? 0;
      this.#ids[this.#count] = doubles[start / 8 + ID] ?? 0;
      this.#values[this.#count] = doubles[start / 8 + METRICS + this.#metric] ?? 0;
      this.#starts[this.#count + 1] = (this.#starts[this.#count] ?? 0) + bytes;
      start += bytes;
    }
  }

  /** What was added. */
  all(): PackedMatches {
    const count = this.#count;
    const starts = this.#starts.slice(0, count + 1);
    const [only] = this.#copies;
    const records = this.#copies.length === 1 && only !== undefined ? only : new Uint8Array(starts[count] ?? 0);
    let at = 0;
    if (records !== only) {
      for (const copy of this.#copies) {
        records.set(copy, at);
        at += copy.length;
      }
    }
    return { ids: this.#ids.slice(0, count), values: this.#values.slice(0, count), starts, records };
  }
}

function readMatch(copy: ArrayBuffer, doubles: Float64Array, words: Uint32Array, start: number): Match {
  const word = start / 4;
  const double = start / 8;
  let end = start + CONTENTS * 4;
  const part = (field: number) => {
    const length = words[word + field] ?? 0;
    const window = new Uint32Array(copy, end, length);
    end += length * 4;
    return window;
  };
  return {
    id: doubles[double + ID] ?? 0,
    frequency: doubles[double + FREQUENCY] ?? 0,
    symbols: part(SYMBOLS),
    lengths: part(LENGTHS),
    presentStart: words[word + PRESENT_START] ?? 0,
    presentEnd: words[word + PRESENT_END] ?? 0,
    matches: part(MATCHES),
    missing: part(MISSING),
    extras: part(EXTRAS),
    metrics: new Float64Array(copy, (double + METRICS) * 8, METRIC_NAMES.length),
  };
}
