/**
 * The matcher for queries of any length. For each gathered symbol of the model, it walks the query positions that hold
 * the same symbol, and extends the runs that ended at the positions before them.
 */

import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { classes, positions } from "./gather";
import { addBlock, matched } from "./outcome";
import { lastOccurrence, previousOccurrence, queryLength } from "./query-sequence";
import { countSteps, isOutOfSteps } from "./steps";

/** The run that ends at a query position. */
@unmanaged
class Run {
  length: u32;
  /** The stamp of the model position at which it was found. */
  stamp: u32;
}

/** A part of the model and a part of the query, still to be matched with each other. */
@unmanaged
class Range {
  /** The first gathered symbol, and the one after the last. */
  from: u32;
  to: u32;
  /** The first query position, and the one after the last. */
  queryFrom: u32;
  queryTo: u32;
}

const RUN_BYTES: usize = offsetof<Run>();
const RANGE_BYTES: usize = offsetof<Range>();

/** A level as noted by {@link finishLevels}. */
@unmanaged
class Level {
  length: u32;
  matched: u32;
}

const LEVEL_BYTES: usize = offsetof<Level>();
/** Deeper levels have short blocks, which soon change. */
const MAX_LEVELS: u32 = 32;
const levels: usize = memory.data(32 << 3, 4);
let levelCount: u32 = 0;

/** A run for each query position, plus one: entry 0 stands before the first position. */
const runs: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A stack of ranges. */
const ranges: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let stamp: u32 = 0;
let gathered: u32 = 0;
/**
 * The longest block of the last search: its length, and the gathered symbol and the query position at which it ends.
 */
let bestLength: u32 = 0;
let bestIndex: u32 = 0;
let bestEnd: u32 = 0;

/** Prepares for the query. */
export function beginLong(): void {
  buffer.truncate(runs, 0);
  buffer.appendZeros(runs, (<usize>queryLength() + 1) * RUN_BYTES);
  stamp = 0;
}

/** Takes the model gathered, `count` symbols; returns the length of its longest block. */
export function startLong(count: u32): u32 {
  gathered = count;
  findLongest(0, count, 0, <i32>queryLength());
  return bestLength;
}

/** Finds the blocks of the model started, in any order, until `enough` symbols have matched. */
export function finishLong(enough: u32): void {
  buffer.truncate(ranges, 0);
  split(0, gathered, 0, queryLength());
  finishRanges(enough);
}

/**
 * Finds the blocks of the model started from left to right: the longest block, then the longest block after that, and
 * so on, until `enough` symbols have matched. Notes at each of these levels the length of its block, and a lower bound
 * of the symbols that match up to its end.
 */
export function finishLevels(enough: u32): void {
  let from: u32 = 0;
  let queryFrom: u32 = 0;
  levelCount = 0;
  while (bestLength > 0 && !isOutOfSteps()) {
    const length = bestLength;
    const next = bestIndex + 1;
    const queryNext = bestEnd + 1;
    buffer.truncate(ranges, 0);
    addBlock(positionAt(next - length), queryNext - length, length);
    push(from, next - length, queryFrom, queryNext - length);
    finishRanges(enough);
    noteLevel(length);
    from = next;
    queryFrom = queryNext;
    if (from >= gathered || queryFrom >= queryLength() || matched() >= enough) {
      break;
    }
    findLongest(from, gathered, <i32>queryFrom, <i32>queryLength());
  }
}

/**
 * A lower bound of the model's matching symbols after symbols were added to the query since {@link finishLevels}, if
 * all blocks that end in them are shorter than `shorterThan`. Every level whose block is at least that long then has
 * the same block as before, and the same blocks on its left.
 */
export function matchedForCertain(shorterThan: u32): u32 {
  let certain: u32 = 0;
  for (let at: usize = 0; at < <usize>levelCount; at++) {
    const level = changetype<Level>(levels + at * LEVEL_BYTES);
    certain = level.length >= shorterThan ? max(certain, level.matched) : certain;
  }
  return certain;
}

function noteLevel(length: u32): void {
  if (levelCount < MAX_LEVELS) {
    const level = changetype<Level>(levels + <usize>levelCount * LEVEL_BYTES);
    level.length = length;
    level.matched = matched();
    levelCount++;
  }
}

/** Finds the blocks of the remaining ranges. */
function finishRanges(enough: u32): void {
  while (buffer.size(ranges) > 0 && matched() < enough && !isOutOfSteps()) {
    buffer.truncate(ranges, buffer.size(ranges) - RANGE_BYTES);
    const range = changetype<Range>(buffer.start(ranges) + buffer.size(ranges));
    const from = range.from;
    const to = range.to;
    const queryFrom = range.queryFrom;
    const queryTo = range.queryTo;
    findLongest(from, to, <i32>queryFrom, <i32>queryTo);
    split(from, to, queryFrom, queryTo);
  }
}

/** Takes the block that {@link findLongest} found in a range, and pushes the ranges on both sides of it. */
function split(from: u32, to: u32, queryFrom: u32, queryTo: u32): void {
  if (bestLength === 0) {
    return;
  }
  const first = bestIndex + 1 - bestLength;
  const queryFirst = bestEnd + 1 - bestLength;
  addBlock(positionAt(first), queryFirst, bestLength);
  push(from, first, queryFrom, queryFirst);
  push(bestIndex + 1, to, bestEnd + 1, queryTo);
}

function push(from: u32, to: u32, queryFrom: u32, queryTo: u32): void {
  if (from < to && queryFrom < queryTo) {
    const range = changetype<Range>(buffer.append(ranges, RANGE_BYTES));
    range.from = from;
    range.to = to;
    range.queryFrom = queryFrom;
    range.queryTo = queryTo;
  }
}

function positionAt(index: u32): u32 {
  return load<u32>(positions() + ((<usize>index) << 2));
}

/**
 * Finds the longest block of a range. The stamp grows by one from a model position to the next, by two across
 * a gap, and never repeats.
 */
function findLongest(from: u32, to: u32, queryFrom: i32, queryTo: i32): void {
  bestLength = 0;
  let expected: u32 = 0;
  reserveStamps(to - from);
  // Examine the first symbol even when out of steps: every model must match something, or it would have no present.
  for (let index = from; index < to && (index === from || !isOutOfSteps()); index++) {
    const position = positionAt(index);
    stamp += index > from && position === expected ? 1 : 2;
    expected = position + 1;
    extendRuns(index, lastOccurrence(load<u32>(classes() + ((<usize>index) << 2))), queryFrom, queryTo);
  }
}

/** Restarts the stamps from 0 if they could overflow. */
function reserveStamps(symbols: u32): void {
  if (stamp > 0x7fff_ffff - 2 * symbols - 2) {
    memory.fill(buffer.start(runs), 0, buffer.size(runs));
    stamp = 0;
  }
}

/** Walks the query positions of a symbol downwards, so that a run is read before it is overwritten. */
function extendRuns(index: u32, last: i32, queryFrom: i32, queryTo: i32): void {
  const start = buffer.start(runs);
  let steps: u32 = 1;
  for (let at = last; at >= queryFrom; at = previousOccurrence(at)) {
    steps++;
    if (at < queryTo) {
      const before = changetype<Run>(start + <usize>at * RUN_BYTES);
      const own = changetype<Run>(start + <usize>(at + 1) * RUN_BYTES);
      const continues = at > queryFrom && before.stamp === stamp - 1;
      const length: u32 = continues ? before.length + 1 : 1;
      own.length = length;
      own.stamp = stamp;
      if (length > bestLength || (length === bestLength && bestIndex === index)) {
        bestLength = length;
        bestIndex = index;
        bestEnd = <u32>at;
      }
    }
  }
  countSteps(steps);
}
