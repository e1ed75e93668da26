/**
 * Matches a batch of sixteen models at once, a lane for each, as far as single symbols go. As in `lanes.ts`, a lane is
 * 16 bits that tell which positions of the query hold a model's symbol; but here two vectors hold the same position of
 * sixteen models, not sixteen positions of one. So a few steps find what the next symbol of every model can match, and
 * no branch depends on a model.
 *
 * It finds two things. First, whether any two neighbours in the model are neighbours in the query too, a pair: then
 * blocks can be longer than 1, and another matcher must do it. If there is no pair, difflib's block is always the first
 * symbol of the model that matches at all, at its first position in the query. Nothing on its left matches, and the
 * search continues on its right: one pass from left to right, in which every match rules out the query positions up to
 * its own.
 */

import { smallTable, table, window } from "./lanes";
import { queryLength, querySymbol } from "./query-sequence";

/** Number of models in a batch. */
export const BATCH_MODELS: u32 = 16;
/** Number of symbols of each model in a step. */
export const STEP_SYMBOLS: u32 = 16;

/** Maximum number of steps of a batch. */
export const MAX_STEPS: u32 = 8;

/**
 * 16 x 16 bytes: a row of sixteen symbols for each model, or after {@link transpose} a row of sixteen models for each
 * position.
 */
const SQUARE_BYTES: i32 = 16 * 16;
/** The lower and the upper bytes of the symbols, and scratch. */
const lowerBytes: usize = memory.data(SQUARE_BYTES, 16);
const upperBytes: usize = memory.data(SQUARE_BYTES, 16);
const scratch: usize = memory.data(SQUARE_BYTES, 16);

/** A lane of 16 bits for each model of a batch: two rows of eight lanes. */
export const LANES_BYTES: i32 = 2 * 16;
/** Bytes of the masks of one step. */
export const STEP_MASK_BYTES: usize = 16 * LANES_BYTES;
/** For each step and position, the query positions that each model may match there. */
export const masks: usize = memory.data(MAX_STEPS * 16 * LANES_BYTES, 16);

/** The first and the last position of each model that matches, if it has no pair. {@link findSpans} fills them. */
export const firstRows: usize = memory.data(LANES_BYTES, 16);
export const lastRows: usize = memory.data(LANES_BYTES, 16);

/** A byte that is not a symbol of the query. Fills the space after a model's end. */
let absent: u32 = 0;

/** Results, a lane for each model. Number of matching symbols, if the model has no pair. */
export const matchedRows: usize = memory.data(LANES_BYTES, 16);
/** Nonzero for a model with a pair. */
export const pairRows: usize = memory.data(LANES_BYTES, 16);
/** The query positions whose symbols the model holds, as bits. */
export const heldRows: usize = memory.data(LANES_BYTES, 16);

/** Prepares for the query, whose tables are in `lanes.ts`. */
export function beginBatchMatching(): void {
  absent = 0;
  while (isInQuery(absent)) {
    absent++;
  }
}

function isInQuery(symbol: u32): bool {
  for (let at: u32 = 0; at < queryLength(); at++) {
    if (querySymbol(at) === symbol) {
      return true;
    }
  }
  return false;
}

/**
 * Matches a batch whose models all take `steps` steps. `rows` holds the addresses of their symbols, as words; `rests`
 * the number of symbols of each in its last step, as bytes. A symbol is a byte, or two bytes if `wide`.
 */
export function matchBatchSingles(rows: usize, rests: usize, steps: u32, wide: bool): void {
  const one = i16x8.splat(1);
  const zero = i64x2(0, 0);
  let takenFirst = zero;
  let takenSecond = zero;
  let missedFirst = zero;
  let missedSecond = zero;
  let beforeFirst = zero;
  let beforeSecond = zero;
  let anyPairsFirst = zero;
  let anyPairsSecond = zero;
  let allFirst = zero;
  let allSecond = zero;
  for (let step: u32 = 0; step < steps; step++) {
    fillMasks(rows, rests, step, step === steps - 1, wide);
    const start = masks + <usize>step * STEP_MASK_BYTES;
    for (let row = start; row < start + STEP_MASK_BYTES; row += 32) {
      const first = v128.load(row);
      const second = v128.load(row, 16);
      allFirst = v128.or(allFirst, first);
      allSecond = v128.or(allSecond, second);
      anyPairsFirst = v128.or(anyPairsFirst, v128.and(first, i16x8.add(beforeFirst, beforeFirst)));
      anyPairsSecond = v128.or(anyPairsSecond, v128.and(second, i16x8.add(beforeSecond, beforeSecond)));
      beforeFirst = first;
      beforeSecond = second;
      const leftFirst = v128.andnot(first, takenFirst);
      const leftSecond = v128.andnot(second, takenSecond);
      // The lowest bit and all bits below it; or nothing if nothing is left, because then the saturated difference is
      // zero too.
      takenFirst = v128.or(takenFirst, v128.xor(leftFirst, i16x8.sub_sat_u(leftFirst, one)));
      takenSecond = v128.or(takenSecond, v128.xor(leftSecond, i16x8.sub_sat_u(leftSecond, one)));
      missedFirst = i16x8.add(missedFirst, i16x8.eq(leftFirst, zero));
      missedSecond = i16x8.add(missedSecond, i16x8.eq(leftSecond, zero));
    }
  }
  const positions = i16x8.splat(<i16>(steps * STEP_SYMBOLS));
  v128.store(matchedRows, i16x8.add(positions, missedFirst));
  v128.store(matchedRows, i16x8.add(positions, missedSecond), 16);
  v128.store(pairRows, anyPairsFirst);
  v128.store(pairRows, anyPairsSecond, 16);
  v128.store(heldRows, allFirst);
  v128.store(heldRows, allSecond, 16);
}

/** Fills {@link firstRows} and {@link lastRows} for the batch matched last. */
export function findSpans(steps: u32): void {
  findSpansOf(0, steps);
  findSpansOf(16, steps);
}

function findSpansOf(half: usize, steps: u32): void {
  const one = i16x8.splat(1);
  const zero = i64x2(0, 0);
  let taken = zero;
  let position = zero;
  let first = i16x8.splat(-1);
  let last = zero;
  for (let offset = half; offset < <usize>steps * STEP_MASK_BYTES; offset += 32) {
    const left = v128.andnot(v128.load(masks + offset), taken);
    taken = v128.or(taken, v128.xor(left, i16x8.sub_sat_u(left, one)));
    const misses = i16x8.eq(left, zero);
    first = i16x8.min_u(first, v128.or(position, misses));
    last = i16x8.max_u(last, v128.andnot(position, misses));
    position = i16x8.add(position, one);
  }
  v128.store(firstRows + half, first);
  v128.store(lastRows + half, last);
}

/** Fills the masks of one step; the parameters are those of {@link matchBatchSingles}. */
export function fillMasks(rows: usize, rests: usize, step: u32, last: bool, wide: bool): void {
  if (wide) {
    readHalves(rows, step);
  } else {
    readBytes(rows, step);
  }
  if (last) {
    endRows(rests, wide);
  }
  transpose(lowerBytes);
  if (wide) {
    transpose(upperBytes);
    maskHalves(masks + <usize>step * STEP_MASK_BYTES);
  } else {
    maskBytes(masks + <usize>step * STEP_MASK_BYTES);
  }
}

function readBytes(rows: usize, step: u32): void {
  const from = <usize>step * STEP_SYMBOLS;
  for (let row: usize = 0; row < BATCH_MODELS; row++) {
    v128.store(lowerBytes + (row << 4), v128.load(<usize>load<u32>(rows + (row << 2)) + from));
  }
}

function readHalves(rows: usize, step: u32): void {
  const from = <usize>step * STEP_SYMBOLS * 2;
  for (let row: usize = 0; row < BATCH_MODELS; row++) {
    const symbols = <usize>load<u32>(rows + (row << 2)) + from;
    const a = v128.load(symbols);
    const b = v128.load(symbols, 16);
    const lower = i8x16.shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const upper = i8x16.shuffle(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    v128.store(lowerBytes + (row << 4), lower);
    v128.store(upperBytes + (row << 4), upper);
  }
}

/** Puts the absent symbol where models have ended. */
function endRows(rests: usize, wide: bool): void {
  const filler = i8x16.splat(<i8>absent);
  for (let row: usize = 0; row < BATCH_MODELS; row++) {
    const keep = v128.load(window + STEP_SYMBOLS - <usize>load<u8>(rests + row));
    const lower = lowerBytes + (row << 4);
    v128.store(lower, v128.bitselect(v128.load(lower), filler, keep));
    if (wide) {
      const upper = upperBytes + (row << 4);
      v128.store(upper, v128.and(v128.load(upper), keep));
    }
  }
}

/** Swaps rows and columns of 16 x 16 bytes. Each pass moves the highest bit of a byte's offset to the lowest place. */
function transpose(bytes: usize): void {
  interleave(bytes, scratch);
  interleave(scratch, bytes);
  interleave(bytes, scratch);
  interleave(scratch, bytes);
}

function interleave(from: usize, to: usize): void {
  for (let offset: usize = 0; offset < 128; offset += 16) {
    const a = v128.load(from + offset);
    const b = v128.load(from + offset, 128);
    const low = i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const high = i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    v128.store(to + (offset << 1), low);
    v128.store(to + (offset << 1), high, 16);
  }
}

function maskBytes(to: usize): void {
  const low0 = smallTable(0);
  const low1 = smallTable(1);
  const high0 = table(1, 0);
  const high1 = table(1, 1);
  const four = i8x16.splat(15);
  for (let offset: usize = 0; offset < 256; offset += 16) {
    const bytes = v128.load(lowerBytes + offset);
    const low = v128.and(bytes, four);
    const high = v128.and(i16x8.shr_u(bytes, 4), four);
    storeMasks(
      to + (offset << 1),
      v128.and(i8x16.swizzle(low0, low), i8x16.swizzle(high0, high)),
      v128.and(i8x16.swizzle(low1, low), i8x16.swizzle(high1, high)),
    );
  }
}

function maskHalves(to: usize): void {
  const four = i8x16.splat(15);
  for (let offset: usize = 0; offset < 256; offset += 16) {
    const lower = v128.load(lowerBytes + offset);
    const upper = v128.load(upperBytes + offset);
    const n0 = v128.and(lower, four);
    const n1 = v128.and(i16x8.shr_u(lower, 4), four);
    const n2 = v128.and(upper, four);
    const n3 = v128.and(i16x8.shr_u(upper, 4), four);
    storeMasks(to + (offset << 1), common(0, n0, n1, n2, n3), common(1, n0, n1, n2, n3));
  }
}

function common(half: u32, n0: v128, n1: v128, n2: v128, n3: v128): v128 {
  const lower = v128.and(i8x16.swizzle(table(0, half), n0), i8x16.swizzle(table(1, half), n1));
  const upper = v128.and(i8x16.swizzle(table(2, half), n2), i8x16.swizzle(table(3, half), n3));
  return v128.and(lower, upper);
}

/** Joins the two halves of the query's positions, a byte each, to lanes. */
function storeMasks(to: usize, half0: v128, half1: v128): void {
  v128.store(to, i8x16.shuffle(half0, half1, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
  v128.store(to, i8x16.shuffle(half0, half1, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), 16);
}
