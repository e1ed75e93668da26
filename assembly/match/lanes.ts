/**
 * Lanes: for each position of a model in a narrow column, 16 bits that tell which of up to 16 positions of the query
 * hold its symbol. They are computed eight at a time.
 *
 * They come from tables of 16 bytes, one for each four bits of a symbol: bit j of entry n is set when the query's
 * symbol j has n as those four bits. And-ing the entries of all four bits of a symbol leaves the positions that hold
 * exactly this symbol.
 */

import { longestModel } from "../corpus/corpus";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { BYTES } from "../memory/narrow";
import { queryLength, querySymbol } from "./query-sequence";

/** Maximum number of query positions in a lane. */
export const LANE_POSITIONS: u32 = 16;

/**
 * Bytes of a table, and of all tables: for each four bits of a symbol, lowest first, one for query positions 0 to 7 and
 * one for 8 to 15.
 */
const TABLE_BYTES: i32 = 16;
const TABLES_BYTES: i32 = 4 * 2 * TABLE_BYTES;
const tables: usize = memory.data(TABLES_BYTES, 16);
/** 16 bytes set and 16 clear: a load from the middle keeps the lanes of this model and clears those of the next one. */
export const window: usize = memory.data<u8>([
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0,
]);
const laneRow: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let usedBytes: usize = 0;
/** The {@link occupied} bits of the first 64 lanes. */
let occupiedFirst: u64 = 0;
/**
 * The last eight lanes computed; and the lanes and-ed with the previous ones moved up by one query position: nonzero
 * for a pair.
 */
let before: v128 = i64x2(0, 0);
let pairs: v128 = i64x2(0, 0);

/** Bytes of a row of lanes for the longest model. */
export function rowBytes(): usize {
  return ((<usize>longestModel()) << 1) + 64;
}

/** Prepares for the query. */
export function fillTables(): void {
  memory.fill(tables, 0, TABLES_BYTES);
  for (let at: u32 = 0; at < queryLength(); at++) {
    const symbol = querySymbol(at);
    const half = tables + ((<usize>(at >> 3)) << 4);
    for (let four: u32 = 0; symbol <= 0xffff && four < 4; four++) {
      const entry = half + ((<usize>four) << 5) + <usize>((symbol >> (four << 2)) & 15);
      store<u8>(entry, load<u8>(entry) | ((<u8>1) << (<u8>(at & 7))));
    }
  }
  buffer.ensure(laneRow, rowBytes());
}

/** The table for four bits of a symbol, 0 the lowest, and a half of the query's positions, 0 the first eight. */
export function table(four: u32, half: u32): v128 {
  return v128.load(tables + ((<usize>(2 * four + half)) << 4));
}

/** {@link table} for the lowest four bits of symbols that fit a byte; leaves out the query's symbols that do not. */
export function smallTable(half: u32): v128 {
  return v128.and(table(0, half), withSmallSymbol((<usize>half) << 4));
}

/** Computes the lanes of a model, whose `count` symbols of this shift, bytes or halves, are at `symbols`. */
export function fillLanes(symbols: usize, shift: u32, count: u32): void {
  usedBytes = ((<usize>count + 15) & ~15) << 1;
  occupiedFirst = 0;
  before = i64x2(0, 0);
  pairs = i64x2(0, 0);
  if (shift === BYTES) {
    fillFromBytes(symbols, count);
  } else {
    fillFromHalves(symbols, count);
  }
}

/** Bytes of all lanes, with the padding to a multiple of 16. */
export function laneBytes(): usize {
  return usedBytes;
}

/** Address of the model's lanes, 16 bits each. */
export function lanes(): usize {
  return buffer.start(laneRow);
}

/** A bit for each of the 64 lanes from `from` on, a multiple of 64: whether it holds anything. */
export function occupied(from: usize): u64 {
  return from === 0 ? occupiedFirst : findOccupied(from);
}

/** Whether any two neighbouring lanes hold successive query positions. */
export function hasPairs(): bool {
  return v128.any_true(pairs);
}

function findOccupied(from: usize): u64 {
  let bits: u64 = 0;
  const row = lanes();
  const end = min(usedBytes, (from << 1) + 128);
  for (let offset = from << 1, at: u64 = 0; offset < end; offset += 16, at += 8) {
    bits |= (<u64>i16x8.bitmask(i16x8.ne(v128.load(row + offset), i16x8.splat(0)))) << at;
  }
  return bits;
}

/** Number of lanes, including the padding. */
export function laneCount(): usize {
  return usedBytes >> 1;
}

function fillFromBytes(symbols: usize, count: u32): void {
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
    storeLanes(at, v128.and(first, v128.and(keep, small0)), v128.and(second, v128.and(keep, small1)));
  }
}

/** In every byte, the positions of one half of the query whose symbols fit a byte. */
function withSmallSymbol(half: usize): v128 {
  return i8x16.splat(<i8>(load<u8>(tables + 64 + half) & load<u8>(tables + 96 + half)));
}

function fillFromHalves(symbols: usize, count: u32): void {
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
    storeLanes(at, v128.and(common(0, n0, n1, n2, n3), keep), v128.and(common(16, n0, n1, n2, n3), keep));
  }
}

/** The and of the four entries, for one half of the query's positions. */
function common(half: usize, n0: v128, n1: v128, n2: v128, n3: v128): v128 {
  const lower = v128.and(i8x16.swizzle(v128.load(tables + half), n0), i8x16.swizzle(v128.load(tables + half, 32), n1));
  const upper = v128.and(
    i8x16.swizzle(v128.load(tables + half, 64), n2),
    i8x16.swizzle(v128.load(tables + half, 96), n3),
  );
  return v128.and(lower, upper);
}

/**
 * Joins the two halves of the query's positions, a byte each, to the lanes from `at` on; notes pairs and
 * occupied lanes on the way.
 */
function storeLanes(at: usize, first: v128, second: v128): void {
  const low = i8x16.shuffle(first, second, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const high = i8x16.shuffle(first, second, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const to = lanes() + (at << 1);
  v128.store(to, low);
  v128.store(to, high, 16);
  const beforeLow = i8x16.shuffle(before, low, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
  const beforeHigh = i8x16.shuffle(low, high, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
  const pairsLow = v128.and(low, i16x8.add(beforeLow, beforeLow));
  pairs = v128.or(pairs, v128.or(pairsLow, v128.and(high, i16x8.add(beforeHigh, beforeHigh))));
  before = high;
  if (at < 64) {
    occupiedFirst |= (<u64>i8x16.bitmask(i8x16.ne(v128.or(first, second), i8x16.splat(0)))) << (<u64>at);
  }
}
