/**
 * Checks for sixteen models at a time whether their overlaps reach the matches that the recall threshold requires. A
 * longer model needs at least as many, so each overlap suffices up to a maximum length, and only lengths are compared.
 */

import { lengthAt, SEGMENT_SLOTS, Segment } from "../corpus/segment";
import { HALVES } from "../memory/narrow";
import { overlaps } from "./overlap";
import { neededMatches } from "./recall";

/** Greater lengths and overlaps are not distinguished; a model with a greater overlap always passes. */
const MAX_LENGTH: u32 = 255;
const MAX_OVERLAP: u32 = 15;

/** For each place of the segment, the length of its model, at most {@link MAX_LENGTH}. */
const lengths: usize = memory.data(SEGMENT_SLOTS, 16);
/** For each overlap, the maximum length of a model that this number of matches keeps. */
const lengthLimits: usize = memory.data(MAX_OVERLAP + 1, 16);

/** Prepares for the query, after {@link neededMatches}. */
export function beginSieve(): void {
  let length: u32 = 0;
  for (let overlap: u32 = 0; overlap < MAX_OVERLAP; overlap++) {
    while (length < MAX_LENGTH && neededMatches(length + 1) <= overlap) {
      length++;
    }
    store<u8>(lengthLimits + <usize>overlap, <u8>length);
  }
  store<u8>(lengthLimits, <u8>MAX_LENGTH, MAX_OVERLAP);
}

/** Prepares for a segment. */
export function beginSieveSegment(segment: Segment): void {
  const count = segment.count;
  if (segment.symbolStartShift === HALVES) {
    fillFromHalves(segment.symbolStarts, count);
    return;
  }
  for (let place: u32 = 0; place < count; place++) {
    store<u8>(lengths + <usize>place, <u8>min(lengthAt(segment, place), MAX_LENGTH));
  }
}

/** Sixteen at a time: a model's length is the start of the next model minus its own. */
function fillFromHalves(starts: usize, count: u32): void {
  for (let place: usize = 0; place < <usize>count; place += 16) {
    const from = starts + (place << 1);
    v128.store(lengths + place, i8x16.narrow_i16x8_u(lengthsFrom(from), lengthsFrom(from + 16)));
  }
}

function lengthsFrom(starts: usize): v128 {
  return i16x8.min_u(i16x8.sub(v128.load(starts, 2), v128.load(starts)), i16x8.splat(<i16>MAX_LENGTH));
}

/**
 * A bit for each of the sixteen places from `from` on, a multiple of 16: whether its overlap may suffice. Bits of
 * places without a model are meaningless.
 */
export function sieve(from: u32): u32 {
  const words = overlaps + ((<usize>from) << 2);
  const low = i16x8.narrow_i32x4_u(overlapsOf(words), overlapsOf(words + 16));
  const high = i16x8.narrow_i32x4_u(overlapsOf(words + 32), overlapsOf(words + 48));
  const limit = i8x16.swizzle(v128.load(lengthLimits), i8x16.narrow_i16x8_u(low, high));
  const own = v128.load(lengths + <usize>from);
  return <u32>i8x16.bitmask(i8x16.eq(i8x16.min_u(own, limit), own));
}

/** Four overlaps, at most {@link MAX_OVERLAP} each. */
function overlapsOf(words: usize): v128 {
  return i32x4.min_u(v128.and(v128.load(words), i32x4.splat(0xffff)), i32x4.splat(MAX_OVERLAP));
}
