/**
 * Ratcliff-Obershelp matching of one model against the query's memory, by difflib's rules: the longest common block, of equal
 * ones the earliest in the model and then in memory, then the same on both sides of it. Owns the result of the last match.
 */

import * as column from "./column";
import { lastPosition, memoryLength, previousAt } from "./memory-sequence";
import { classTable, symbolEnd } from "./symbols";

/** Per memory position, the model position matched with it; -1 for none. */
const partners: usize = memory.data(12, 8);
/** Per memory position, the length of the run that ends there, and the stamp of the model position that it was found at. */
const runs: usize = memory.data(12, 8);
/** Ranges that wait: model from and to, memory from and to. */
const waiting: usize = memory.data(12, 8);

let stamp: u32 = 1;
let matchedSymbols: u32 = 0;
let blockCount: u32 = 0;
let firstMatched: u32 = 0;
let lastMatched: u32 = 0;

/** The longest block of the last search. */
let bestLength: u32 = 0;
let bestModel: u32 = 0;
let bestMemory: u32 = 0;

/** How many symbols matched. */
export function matched(): u32 {
  return matchedSymbols;
}

/** How many blocks they form. Blocks never touch: a longest block that touched another would have held it. */
export function blocks(): u32 {
  return blockCount;
}

/** The first matched position of the model. */
export function firstPosition(): u32 {
  return firstMatched;
}

/** The last matched position of the model. */
export function lastPositionMatched(): u32 {
  return lastMatched;
}

/** The model position matched with the memory position `at`; -1 for none. */
export function partnerOf(at: u32): i32 {
  return load<i32>(column.start(partners) + ((<usize>at) << 2));
}

/** Makes room for matching against the memory that is open. */
export function openMatching(): void {
  column.cut(partners, 0);
  column.cut(runs, 0);
  column.append(partners, (<usize>memoryLength()) << 2);
  column.append(runs, (<usize>memoryLength() + 1) << 3);
  stamp = 1;
}

/** Matches the model of `count` symbols at `symbols`. */
export function match(symbols: usize, count: u32): void {
  matchedSymbols = 0;
  blockCount = 0;
  firstMatched = u32.MAX_VALUE;
  lastMatched = 0;
  memory.fill(column.start(partners), 0xff, (<usize>memoryLength()) << 2);
  column.cut(waiting, 0);
  wait(0, count, 0, memoryLength());
  while (column.size(waiting) > 0) {
    column.cut(waiting, column.size(waiting) - 16);
    const range = column.start(waiting) + column.size(waiting);
    split(symbols, load<u32>(range), load<u32>(range, 4), load<u32>(range, 8), load<u32>(range, 12));
  }
}

function wait(modelFrom: u32, modelTo: u32, memoryFrom: u32, memoryTo: u32): void {
  if (modelFrom < modelTo && memoryFrom < memoryTo) {
    const range = column.append(waiting, 16);
    store<u32>(range, modelFrom);
    store<u32>(range, modelTo, 4);
    store<u32>(range, memoryFrom, 8);
    store<u32>(range, memoryTo, 12);
  }
}

function split(symbols: usize, modelFrom: u32, modelTo: u32, memoryFrom: u32, memoryTo: u32): void {
  findLongest(symbols, modelFrom, modelTo, <i32>memoryFrom, <i32>memoryTo);
  if (bestLength === 0) {
    return;
  }
  matchedSymbols += bestLength;
  blockCount++;
  firstMatched = min(firstMatched, bestModel);
  lastMatched = max(lastMatched, bestModel + bestLength - 1);
  for (let at: u32 = 0; at < bestLength; at++) {
    store<u32>(column.start(partners) + ((<usize>(bestMemory + at)) << 2), bestModel + at);
  }
  const model = bestModel;
  const memoryAt = bestMemory;
  const length = bestLength;
  wait(modelFrom, model, memoryFrom, memoryAt);
  wait(model + length, modelTo, memoryAt + length, memoryTo);
}

/** Runs are indexed by memory position plus one, so that the run before position 0 exists and is never of a live stamp. */
function findLongest(symbols: usize, modelFrom: u32, modelTo: u32, memoryFrom: i32, memoryTo: i32): void {
  const table = classTable();
  const known = symbolEnd();
  bestLength = 0;
  stamp += 2;
  for (let i = modelFrom; i < modelTo; i++) {
    const symbol = load<u32>(symbols + ((<usize>i) << 2));
    const number = symbol < known ? load<u32>(table + ((<usize>symbol) << 2)) : 0;
    stamp++;
    if (number !== 0) {
      extendRuns(i, lastPosition(number), memoryFrom, memoryTo);
    }
  }
}

/** Walks down the memory positions that hold the model's symbol `i`; down, so that a run is read before it is overwritten. */
function extendRuns(i: u32, last: i32, memoryFrom: i32, memoryTo: i32): void {
  for (let j = last; j >= memoryFrom; j = previousAt(j)) {
    if (j < memoryTo) {
      const run = column.start(runs) + ((<usize>j) << 3);
      const continues = j > memoryFrom && load<u32>(run, 4) === stamp - 1;
      const length: u32 = continues ? load<u32>(run) + 1 : 1;
      store<u32>(run, length, 8);
      store<u32>(run, stamp, 12);
      if (length > bestLength || (length === bestLength && bestModel + bestLength - 1 === i)) {
        bestLength = length;
        bestModel = i + 1 - length;
        bestMemory = j + 1 - length;
      }
    }
  }
}

export function forgetMatching(): void {
  column.drop(partners);
  column.drop(runs);
  column.drop(waiting);
}
