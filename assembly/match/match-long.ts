/**
 * The matcher for memories of any length: for each gathered symbol of the model it walks the positions of memory that hold the same
 * symbol, and lengthens the runs that ended at the positions before them. Owns the runs and the ranges that wait.
 */

import * as column from "../memory/buffer";
import { classes, positions } from "./gather";
import { addBlock, matched } from "./outcome";
import { lastOccurrence, memoryLength, previousOccurrence } from "./query-sequence";

/** Per memory position plus one, the length of the run that ends there, and the stamp of the model position it was found at. */
const runs: usize = memory.data(12, 8);
/** Ranges that wait: gathered symbols from and to, memory from and to. */
const waiting: usize = memory.data(12, 8);

let stamp: u32 = 0;
let gathered: u32 = 0;
/** The longest block of the last search: its length, the gathered symbol and the memory position that it ends at. */
let bestLength: u32 = 0;
let bestIndex: u32 = 0;
let bestEnd: u32 = 0;

/** Prepares for the open memory. */
export function openLong(): void {
  column.cut(runs, 0);
  column.appendZeros(runs, (<usize>memoryLength() + 1) << 3);
  stamp = 0;
}

/** Takes the model gathered, `count` symbols; answers the length of its longest block. */
export function startLong(count: u32): u32 {
  gathered = count;
  findLongest(0, count, 0, <i32>memoryLength());
  return bestLength;
}

/** Finds the blocks of the model started until `enough` symbols have matched. In which order they are found does not matter. */
export function finishLong(enough: u32): void {
  column.cut(waiting, 0);
  split(0, gathered, 0, memoryLength());
  while (column.size(waiting) > 0 && matched() < enough) {
    column.cut(waiting, column.size(waiting) - 16);
    const range = column.start(waiting) + column.size(waiting);
    const from = load<u32>(range);
    const to = load<u32>(range, 4);
    const memoryFrom = load<u32>(range, 8);
    const memoryTo = load<u32>(range, 12);
    findLongest(from, to, <i32>memoryFrom, <i32>memoryTo);
    split(from, to, memoryFrom, memoryTo);
  }
}

/** Divides a range by the block that {@link findLongest} found in it. */
function split(from: u32, to: u32, memoryFrom: u32, memoryTo: u32): void {
  if (bestLength === 0) {
    return;
  }
  const first = bestIndex + 1 - bestLength;
  const memoryFirst = bestEnd + 1 - bestLength;
  addBlock(positionAt(first), memoryFirst, bestLength);
  wait(from, first, memoryFrom, memoryFirst);
  wait(bestIndex + 1, to, bestEnd + 1, memoryTo);
}

function wait(from: u32, to: u32, memoryFrom: u32, memoryTo: u32): void {
  if (from < to && memoryFrom < memoryTo) {
    const range = column.append(waiting, 16);
    store<u32>(range, from);
    store<u32>(range, to, 4);
    store<u32>(range, memoryFrom, 8);
    store<u32>(range, memoryTo, 12);
  }
}

function positionAt(index: u32): u32 {
  return load<u32>(positions() + ((<usize>index) << 2));
}

/** A stamp grows by one from a model position to the next, by two where they do not follow each other, and never comes back. */
function findLongest(from: u32, to: u32, memoryFrom: i32, memoryTo: i32): void {
  bestLength = 0;
  let expected: u32 = 0;
  reserveStamps(to - from);
  for (let index = from; index < to; index++) {
    const position = positionAt(index);
    stamp += index > from && position === expected ? 1 : 2;
    expected = position + 1;
    extendRuns(index, lastOccurrence(load<u32>(classes() + ((<usize>index) << 2))), memoryFrom, memoryTo);
  }
}

/** Begins the stamps anew when they could run out. */
function reserveStamps(symbols: u32): void {
  if (stamp > 0x7fff_ffff - 2 * symbols - 2) {
    memory.fill(column.start(runs), 0, column.size(runs));
    stamp = 0;
  }
}

/** Walks down the memory positions of a symbol; down, so that a run is read before it is overwritten. */
function extendRuns(index: u32, last: i32, memoryFrom: i32, memoryTo: i32): void {
  const start = column.start(runs);
  for (let at = last; at >= memoryFrom; at = previousOccurrence(at)) {
    if (at < memoryTo) {
      const run = start + ((<usize>at) << 3);
      const continues = at > memoryFrom && load<u32>(run, 4) === stamp - 1;
      const length: u32 = continues ? load<u32>(run) + 1 : 1;
      store<u32>(run, length, 8);
      store<u32>(run, stamp, 12);
      if (length > bestLength || (length === bestLength && bestIndex === index)) {
        bestLength = length;
        bestIndex = index;
        bestEnd = <u32>at;
      }
    }
  }
}
