/**
 * Reads match records. The kernel exports the offsets that it writes; here they are constants, because reading an
 * exported global costs as much as reading a record. {@link checkLayout} refuses a kernel with other offsets, so
 * the two cannot drift apart.
 */

import type { Match } from "../processor/ports/matcher";
import type { KernelExports } from "./module";

/** Offsets in doubles (8 bytes) from the start of a record. */
const ID = 0;
const FREQUENCY = 1;
const METRICS = 2;
/** Offsets in words (4 bytes). */
const PRESENT_START = 28;
const PRESENT_END = 29;
const SYMBOLS = 30;
const LENGTHS = 31;
const MATCHES = 32;
const MISSING = 33;
const EXTRAS = 34;
const BYTES = 35;
const CONTENTS = 36;

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
    metrics: readMetrics(doubles, double + METRICS),
  };
}

/** The order is that of the kernel's metric codes, and of the port's list. */
function readMetrics(doubles: Float64Array, at: number): Match["metrics"] {
  return {
    similarity: doubles[at] ?? 0,
    number_of_blocks: doubles[at + 1] ?? 0,
    potential: doubles[at + 2] ?? 0,
    evidence: doubles[at + 3] ?? 0,
    fragmentation: doubles[at + 4] ?? 0,
    snr: doubles[at + 5] ?? 0,
    entropy: doubles[at + 6] ?? 0,
    hamiltonian: doubles[at + 7] ?? 0,
    grand_hamiltonian: doubles[at + 8] ?? 0,
    confluence: doubles[at + 9] ?? 0,
    confidence: doubles[at + 10] ?? 0,
    itfdf_similarity: doubles[at + 11] ?? 0,
  };
}
