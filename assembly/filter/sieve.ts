/**
 * Tells sixteen models at a time whether their overlaps are as great as the matches that the recall threshold needs. Those are more the
 * longer a model is: so for every overlap there is a greatest length that it keeps, and the lengths are compared with that.
 */

import { lengthAt, SYMBOL_START_SHIFT, SYMBOL_STARTS } from "../corpus/segment";
import { HALVES } from "../memory/narrow";
import { overlaps } from "./overlap";
import { neededMatches } from "./recall";

/** Lengths and overlaps greater than these are not told apart; a model of a greater overlap always passes. */
const MOST_LENGTH: u32 = 255;
const MOST_OVERLAP: u32 = 15;

/** Per place of the segment, the length of its model, or {@link MOST_LENGTH}. */
const lengths: usize = memory.data(1024, 16);
/** Per overlap, the greatest length of a model that so many matches keep. */
const limits: usize = memory.data(16, 16);

/** Prepares for the open memory. */
export function openSieves(): void {
  let length: u32 = 0;
  for (let overlap: u32 = 0; overlap < MOST_OVERLAP; overlap++) {
    while (length < MOST_LENGTH && neededMatches(length + 1) <= overlap) {
      length++;
    }
    store<u8>(limits + <usize>overlap, <u8>length);
  }
  store<u8>(limits, <u8>MOST_LENGTH, MOST_OVERLAP);
}

/** Prepares for a segment of so many models. */
export function openSieve(segment: usize, count: u32): void {
  if (load<u8>(segment, SYMBOL_START_SHIFT) === HALVES) {
    fillFromHalves(load<u32>(segment, SYMBOL_STARTS), count);
    return;
  }
  for (let place: u32 = 0; place < count; place++) {
    store<u8>(lengths + <usize>place, <u8>min(lengthAt(segment, place), MOST_LENGTH));
  }
}

/** Sixteen at a time, from where each model starts and where the next one does. */
function fillFromHalves(starts: usize, count: u32): void {
  for (let place: usize = 0; place < <usize>count; place += 16) {
    const from = starts + (place << 1);
    v128.store(lengths + place, i8x16.narrow_i16x8_u(lengthsFrom(from), lengthsFrom(from + 16)));
  }
}

function lengthsFrom(starts: usize): v128 {
  return i16x8.min_u(i16x8.sub(v128.load(starts, 2), v128.load(starts)), i16x8.splat(<i16>MOST_LENGTH));
}

/** Of sixteen places from a multiple of 16 on, those whose overlap may be enough, a bit each. Places without a model say nothing. */
export function sieve(from: u32): u32 {
  const words = overlaps + ((<usize>from) << 2);
  const low = i16x8.narrow_i32x4_u(overlapsOf(words), overlapsOf(words + 16));
  const high = i16x8.narrow_i32x4_u(overlapsOf(words + 32), overlapsOf(words + 48));
  const limit = i8x16.swizzle(v128.load(limits), i8x16.narrow_i16x8_u(low, high));
  const own = v128.load(lengths + <usize>from);
  return <u32>i8x16.bitmask(i8x16.eq(i8x16.min_u(own, limit), own));
}

/** Four overlaps, at most {@link MOST_OVERLAP} each. */
function overlapsOf(words: usize): v128 {
  return i32x4.min_u(v128.and(v128.load(words), i32x4.splat(0xffff)), i32x4.splat(MOST_OVERLAP));
}
