/**
 * How often what followed what, for a sequence of few kinds and few symbols: a row for each kind as the last event, and
 * for each two kinds that stand side by side in the sequence, with a column for each symbol. Counting is an addition
 * then, and looks nothing up.
 */

import { eventLength, Segment } from "../corpus/segment";
import { symbolEnd } from "../corpus/symbols";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { BEGINNING, FOREIGN_KIND, kindCount, kindOf, singleKind } from "./kinds";
import { heldAt, numberAfter, numberCount } from "./sequence";

/** Maximum number of rows of kinds, whose pairs have a table; and maximum number of its cells: they take 256 KiB. */
const MAX_KIND_ROWS: u32 = 256;
const MAX_CELLS: u32 = 1 << 15;

/** The row of an event that is none of the sequence's: nothing is counted there. */
const NO_ROW: u32 = 0;
const FIRST_ROW: u32 = 1;

/** A word for each symbol: its number and one, 0 for none; in the high half the row of an event of it alone. */
const marks: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const ROW_SHIFT: u32 = 16;
const NUMBER_MASK: u32 = (1 << ROW_SHIFT) - 1;
/** A half word for two kinds, the one before the last and the last: their row; {@link NO_ROW} if it is not wanted. */
const pairRows: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/**
 * For each row doubles, whose sum is how often anything followed: in the first column how often a symbol did that the
 * sequence does not have, then how often each number did, and last the end. An event of several numbers counts for each
 * of them, so the first column has as much less.
 */
const cells: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A word for each number and one: the event that held it last, so that each counts once in an event. */
const met: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let kindRows: u32 = 0;
let rows: u32 = 0;
let width: u32 = 0;
let event: u32 = 0;

/**
 * Begins, where kinds and numbers are few enough; returns whether they are. {@link dropRows} must follow.
 * @param places how many events the sequence has
 */
export function beginRows(places: u32): bool {
  kindRows = kindCount() + 2;
  width = numberCount() + 2;
  const most = kindRows + places + 1;
  if (kindRows > MAX_KIND_ROWS || most * width > MAX_CELLS) {
    return false;
  }
  rows = kindRows;
  event = 0;
  fitZeros(pairRows, (<usize>kindRows * kindRows) << 1);
  fitZeros(cells, (<usize>most * width) << 3);
  fitZeros(met, (<usize>width) << 2);
  fitZeros(marks, (<usize>symbolEnd()) << 2);
  for (let number: u32 = 0; number < numberCount(); number++) {
    const symbol = heldAt(number).symbol;
    if (symbol < symbolEnd()) {
      const row = rowOf(singleKind(number));
      store<u32>(buffer.start(marks) + ((<usize>symbol) << 2), (number + 1) | (row << ROW_SHIFT));
    }
  }
  return true;
}

/** Gives all memory back. */
export function dropRows(): void {
  buffer.free(marks);
  buffer.free(pairRows);
  buffer.free(cells);
  buffer.free(met);
}

/** Wants a row for two kinds. */
export function wantPair(before: u32, last: u32): void {
  const pair = pairAt(rowOf(before), rowOf(last));
  if (load<u16>(pair) === <u16>NO_ROW) {
    store<u16>(pair, <u16>rows);
    rows++;
  }
}

/** Counts what follows what in a model, as `followers.ts` states it. */
export function countRows<T>(segment: Segment, first: u32, events: u32, start: usize, end: usize, by: f64): void {
  const isSingle = (end - start) / sizeof<T>() === <usize>events && segment.shortestEvent > 0;
  if (isSingle) {
    countSingles<T>(start, end, by);
  } else {
    countEvents<T>(segment, first, events, start, by);
  }
}

/** How often anything followed: the last event alone where the one before is {@link FOREIGN_KIND}, else the two. */
export function followedRow(before: u32, last: u32): f64 {
  const row = rowFor(before, last);
  let sum: f64 = 0;
  for (let column: u32 = 0; column < width; column++) {
    sum += load<f64>(cellAt(row, column));
  }
  return sum;
}

/** How often a number followed, or the end, whose number is behind the last one. */
export function followedBy(before: u32, last: u32, number: u32): f64 {
  return load<f64>(cellAt(rowFor(before, last), number + 1));
}

function countSingles<T>(start: usize, end: usize, by: f64): void {
  const table = buffer.start(marks);
  let before = NO_ROW;
  let last = rowOf(BEGINNING);
  for (let at = start; at < end; at += sizeof<T>()) {
    const mark = load<u32>(table + ((<usize>load<T>(at)) << 2));
    // After NO_ROW, too: a branch here is mispredicted too often.
    add(last, mark & NUMBER_MASK, by);
    const pair = <u32>load<u16>(pairAt(before, last));
    if (pair !== NO_ROW) {
      add(pair, mark & NUMBER_MASK, by);
    }
    before = last;
    last = mark >> ROW_SHIFT;
  }
  countEnd(before, last, by);
}

function countEvents<T>(segment: Segment, first: u32, events: u32, start: usize, by: f64): void {
  let before = NO_ROW;
  let last = rowOf(BEGINNING);
  let from = start;
  for (let at: u32 = 0; at < events; at++) {
    const end = from + <usize>eventLength(segment, first + at) * sizeof<T>();
    if (last !== NO_ROW) {
      countEvent<T>(last, <u32>load<u16>(pairAt(before, last)), from, end, by);
    }
    before = last;
    last = rowOf(kindOf<T>(from, end));
    from = end;
  }
  countEnd(before, last, by);
}

function countEvent<T>(row: u32, pair: u32, from: usize, end: usize, by: f64): void {
  event++;
  let numbers: f64 = 0;
  for (let at = from; at < end; at += sizeof<T>()) {
    const after = numberAfter(<u32>load<T>(at));
    const seen = buffer.start(met) + ((<usize>after) << 2);
    if (after !== 0 && load<u32>(seen) !== event) {
      store<u32>(seen, event);
      add(row, after, by);
      add(pair, after, by);
      numbers++;
    }
  }
  add(row, 0, by - by * numbers);
  add(pair, 0, by - by * numbers);
}

function countEnd(before: u32, last: u32, by: f64): void {
  add(last, width - 1, by);
  add(<u32>load<u16>(pairAt(before, last)), width - 1, by);
}

/** Adds to a cell; that of {@link NO_ROW} is never read. */
function add(row: u32, column: u32, by: f64): void {
  const cell = cellAt(row, column);
  store<f64>(cell, load<f64>(cell) + by);
}

function rowFor(before: u32, last: u32): u32 {
  return before === FOREIGN_KIND ? rowOf(last) : <u32>load<u16>(pairAt(rowOf(before), rowOf(last)));
}

/** The row of a kind as the last event. */
function rowOf(kind: u32): u32 {
  return kind === FOREIGN_KIND ? NO_ROW : FIRST_ROW + kind;
}

function cellAt(row: u32, column: u32): usize {
  return buffer.start(cells) + ((<usize>(row * width + column)) << 3);
}

function pairAt(before: u32, last: u32): usize {
  return buffer.start(pairRows) + ((<usize>(before * kindRows + last)) << 1);
}

function fitZeros(zeros: usize, bytes: usize): void {
  buffer.fit(zeros, bytes);
  memory.fill(buffer.start(zeros), 0, bytes);
}
