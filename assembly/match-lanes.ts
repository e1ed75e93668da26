/**
 * The first steps of matching for memories of up to 16 symbols and models in narrow columns, eight positions of the model at a time.
 * Each position is a lane of 16 bits: the set of memory positions that hold its symbol.
 *
 * The lanes come from tables of 16 bytes, one per four bits of a symbol: bit j of entry n is set when memory's symbol j has n as
 * those four bits. What all of a symbol's entries have in common are the positions whose symbols have all its bits, so its own.
 * A run of length k that ends at a lane is what the lane has in common with the runs of length k - 1 of the lane before, moved up by
 * one position.
 */

import * as column from "./column";
import { longestModel } from "./corpus";
import { memoryLength, memorySymbol } from "./memory-sequence";
import { BYTES } from "./narrow";
import { addBlock } from "./outcome";

/** How many positions a lane can hold. */
export const LANE_MEMORY: u32 = 16;

/** How many lanes a model can have: their numbers are lanes too. */
export const MOST_LANES: u32 = 65_000;

/** Per four bits of a symbol of 16 bits, lowest first, two tables: of memory positions 0 to 7, and of 8 to 15. */
const tables: usize = memory.data(128, 16);
/** 16 bytes set and 16 clear: a window on them keeps the lanes of the model and clears those of the next one. */
const window: usize = memory.data<u8>([
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0,
]);

/** Rows of lanes. */
const laneRow: usize = memory.data(12, 8);
const evenRow: usize = memory.data(12, 8);
const oddRow: usize = memory.data(12, 8);

let laneBytes: usize = 0;
/** The longest block of the last search: its length, the lane and the memory position that it ends at. */
let bestLength: u32 = 0;
let bestLane: u32 = 0;
let bestEnd: u32 = 0;

/** Prepares for the open memory. */
export function openLanes(): void {
  memory.fill(tables, 0, 128);
  for (let at: u32 = 0; at < memoryLength(); at++) {
    const symbol = memorySymbol(at);
    const half = tables + ((<usize>(at >> 3)) << 4);
    for (let four: u32 = 0; symbol <= 0xffff && four < 4; four++) {
      const entry = half + ((<usize>four) << 5) + <usize>((symbol >> (four << 2)) & 15);
      store<u8>(entry, load<u8>(entry) | ((<u8>1) << (<u8>(at & 7))));
    }
  }
  const bytes = ((<usize>longestModel()) << 1) + 64;
  column.hold(laneRow, bytes);
  column.hold(evenRow, bytes);
  column.hold(oddRow, bytes);
}

/** Takes the model whose `count` symbols of this shift, bytes or halves, are at `symbols`; answers the length of its longest block. */
export function startLanes(symbols: usize, shift: u32, count: u32): u32 {
  laneBytes = ((<usize>count + 15) & ~15) << 1;
  if (shift === BYTES) {
    fillFromBytes(symbols, count);
  } else {
    fillFromHalves(symbols, count);
  }
  findLongest();
  return bestLength;
}

/** The lane where the longest block ends. */
export function bestLaneEnd(): u32 {
  return bestLane;
}

/** The memory position where the longest block ends. */
export function bestMemoryEnd(): u32 {
  return bestEnd;
}

/** Where the lanes of the model started are, 16 bits each. */
export function lanes(): usize {
  return column.start(laneRow);
}

/** Of 64 lanes from `from` on, a multiple of 64, the bits of those that hold anything. */
export function occupied(from: usize): u64 {
  let bits: u64 = 0;
  const row = lanes();
  const end = min(laneBytes, (from << 1) + 128);
  for (let offset = from << 1, at: u64 = 0; offset < end; offset += 16, at += 8) {
    bits |= (<u64>i16x8.bitmask(i16x8.ne(v128.load(row + offset), i16x8.splat(0)))) << at;
  }
  return bits;
}

/** How many lanes there are, those of the padding counted. */
export function laneCount(): usize {
  return laneBytes >> 1;
}

/** Of the model started, when no run is longer than 1, the number of matches, or `enough` when there are so many or more. */
export function countLaneSingles(enough: u32): u32 {
  const row = lanes();
  let rest: u32 = 0xffff;
  let count: u32 = 0;
  for (let from: usize = 0; from < laneCount(); from += 64) {
    for (let bits = occupied(from); bits !== 0; bits &= bits - 1) {
      const common = load<u16>(row + ((from + <usize>ctz<u64>(bits)) << 1)) & rest;
      if (common !== 0) {
        count++;
        rest &= ~(common ^ (common - 1));
        if (count === enough) {
          return count;
        }
      }
    }
  }
  return count;
}

/** Whether the model started has any match before its longest block or after it. */
export function hasMoreThanBest(): bool {
  const first = i16x8.splat(<i16>(bestLane + 1 - bestLength));
  const last = i16x8.splat(<i16>bestLane);
  const below = i16x8.splat(<i16>(((<u32>1) << (bestEnd + 1 - bestLength)) - 1));
  const above = i16x8.splat(<i16>((<u32>0xfffe) << bestEnd));
  const row = lanes();
  let places = i16x8(0, 1, 2, 3, 4, 5, 6, 7);
  let any = i16x8.splat(0);
  for (let offset: usize = 0; offset < laneBytes; offset += 16) {
    const before = v128.and(i16x8.lt_u(places, first), below);
    const after = v128.and(i16x8.gt_u(places, last), above);
    any = v128.or(any, v128.and(v128.load(row + offset), v128.or(before, after)));
    places = i16x8.add(places, i16x8.splat(8));
  }
  return v128.any_true(any);
}

/**
 * The outcome of the model started when no run is longer than 1. The block to take is always the first symbol of the model that
 * matches at all, at its first position of memory; nothing is left of it, and the rest goes on to the right: one pass does it.
 */
export function matchLaneSingles(): void {
  const row = lanes();
  let rest: u32 = 0xffff;
  for (let from: usize = 0; from < laneCount(); from += 64) {
    for (let bits = occupied(from); bits !== 0; bits &= bits - 1) {
      const lane = from + <usize>ctz<u64>(bits);
      const common = load<u16>(row + (lane << 1)) & rest;
      if (common !== 0) {
        addBlock(<u32>lane, <u32>ctz<u32>(common), 1);
        rest &= ~(common ^ (common - 1));
      }
    }
  }
}

function fillFromBytes(symbols: usize, count: u32): void {
  const row = lanes();
  const low0 = v128.load(tables);
  const low1 = v128.load(tables, 16);
  const high0 = v128.load(tables, 32);
  const high1 = v128.load(tables, 48);
  const small0 = withSmallSymbol(0);
  const small1 = withSmallSymbol(16);
  const four = i8x16.splat(15);
  for (let at: usize = 0; at < <usize>count; at += 16) {
    const bytes = v128.load(symbols + at);
    const low = v128.and(bytes, four);
    const high = v128.and(i16x8.shr_u(bytes, 4), four);
    const keep = v128.load(window + 16 - min<usize>(16, <usize>count - at));
    const first = v128.and(i8x16.swizzle(low0, low), i8x16.swizzle(high0, high));
    const second = v128.and(i8x16.swizzle(low1, low), i8x16.swizzle(high1, high));
    storeLanes(row + (at << 1), v128.and(first, v128.and(keep, small0)), v128.and(second, v128.and(keep, small1)));
  }
}

/** Of the positions of one half of memory, those whose symbols fit a byte, in every byte. */
function withSmallSymbol(half: usize): v128 {
  return i8x16.splat(<i8>(load<u8>(tables + 64 + half) & load<u8>(tables + 96 + half)));
}

function fillFromHalves(symbols: usize, count: u32): void {
  const row = lanes();
  const four = i8x16.splat(15);
  for (let at: usize = 0; at < <usize>count; at += 16) {
    const a = v128.load(symbols + (at << 1));
    const b = v128.load(symbols + (at << 1), 16);
    const low = i8x16.shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const high = i8x16.shuffle(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    const n0 = v128.and(low, four);
    const n1 = v128.and(i16x8.shr_u(low, 4), four);
    const n2 = v128.and(high, four);
    const n3 = v128.and(i16x8.shr_u(high, 4), four);
    const keep = v128.load(window + 16 - min<usize>(16, <usize>count - at));
    storeLanes(row + (at << 1), v128.and(common(0, n0, n1, n2, n3), keep), v128.and(common(16, n0, n1, n2, n3), keep));
  }
}

/** What the entries of one half of memory's positions have in common. */
function common(half: usize, n0: v128, n1: v128, n2: v128, n3: v128): v128 {
  const lower = v128.and(i8x16.swizzle(v128.load(tables + half), n0), i8x16.swizzle(v128.load(tables + half, 32), n1));
  const upper = v128.and(
    i8x16.swizzle(v128.load(tables + half, 64), n2),
    i8x16.swizzle(v128.load(tables + half, 96), n3),
  );
  return v128.and(lower, upper);
}

/** Joins the two halves of memory's positions, a byte each, to lanes. */
function storeLanes(to: usize, first: v128, second: v128): void {
  v128.store(to, i8x16.shuffle(first, second, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
  v128.store(to, i8x16.shuffle(first, second, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), 16);
}

/** The earliest of the longest runs: all runs of one length are found together, and the last length that leaves any is the longest. */
function findLongest(): void {
  let runs = lanes();
  const even = column.start(evenRow);
  const odd = column.start(oddRow);
  let next = even;
  bestLength = 1;
  while (extend(runs, next)) {
    bestLength++;
    runs = next;
    next = runs === even ? odd : even;
  }
  if (bestLength > 1) {
    locate(runs);
  }
}

/** The runs longer by one than those of `runs`; whether there are any. */
function extend(runs: usize, next: usize): bool {
  let any = i16x8.splat(0);
  let last = i16x8.splat(0);
  for (let offset: usize = 0; offset < laneBytes; offset += 16) {
    const own = v128.load(runs + offset);
    // A load of the lanes one before would have to wait for two stores that are still under way.
    const before = i8x16.shuffle(last, own, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
    last = own;
    const longer = v128.and(own, i16x8.add(before, before));
    v128.store(next + offset, longer);
    any = v128.or(any, longer);
  }
  return v128.any_true(any);
}

function locate(runs: usize): void {
  let offset: usize = 0;
  while (!v128.any_true(v128.load(runs + offset))) {
    offset += 16;
  }
  while (load<u16>(runs + offset) === 0) {
    offset += 2;
  }
  bestLane = <u32>(offset >> 1);
  bestEnd = <u32>ctz<u32>(load<u16>(runs + offset));
}

export function forgetLanes(): void {
  column.drop(laneRow);
  column.drop(evenRow);
  column.drop(oddRow);
}
