/**
 * Interpolated back-off with absolute discounting: continuations are counted on levels, and an outcome's probability
 * backs off from the highest level with an occurrence to the lowest, each passing on the mass that its discounts free.
 * Owns the counts of all levels: the orders, and the levels of agreement.
 */

import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { outcomeCount } from "./outcomes";

/** The longest order. */
export const MAX_ORDER: u32 = 10;
/** The greatest level of agreement. */
export const MAX_LEVEL: u32 = 16;
/** Levels from 1 on are the orders, followed by the levels of agreement: agreement n is level n + this. */
export const AGREEMENTS: u32 = MAX_ORDER;
const LEVELS: u32 = MAX_ORDER + MAX_LEVEL + 1;

/**
 * Minimum mass that the highest level leaves for the base: where windows overlap, each occurrence is counted many
 * times, and discounts leave too little for outcomes that never came there.
 */
const BASE_LEFT: f64 = 0.005;

/** The discounts of counts of 1, 2, and more. */
const DISCOUNT_ONE: f64 = 0.8;
const DISCOUNT_TWO: f64 = 1.1;
const DISCOUNT_MORE: f64 = 1.4;

/** The counts of one level. */
@unmanaged
export class Level {
  /** The total frequency of its occurrences. */
  occurrences: f64;
  /** A double for each outcome: its count. 0 until the level has an occurrence. */
  row: usize;
  /**
   * The numbers of the outcomes that it counts, a word each. All other counts of the row are 0, also between forecasts.
   */
  list: usize;
  /** Number of outcomes that it counts. */
  listed: u32;
}

const LEVEL_BYTES: usize = (offsetof<Level>() + 7) & ~7;
const levels: usize = memory.data(24 * LEVELS, 8);
/** A row and a list for each level. */
const rows: usize = memory.data(BUFFER_BYTES * LEVELS, BUFFER_ALIGN);
const lists: usize = memory.data(BUFFER_BYTES * LEVELS, BUFFER_ALIGN);

/** The numbers of the outcomes that higher levels count, a word each. */
const higher: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A byte for each outcome: 1 if a higher level counts it. */
const isHigher: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let higherCount: u32 = 0;

/** Sets the counts of all levels back to zero. */
export function clearLevels(): void {
  for (let number: u32 = 0; number < LEVELS; number++) {
    const level = levelAt(number);
    for (let at: u32 = 0; at < level.listed; at++) {
      store<f64>(level.row + ((<usize>wordAt(level.list, at)) << 3), 0);
    }
  }
  memory.fill(levels, 0, LEVEL_BYTES * LEVELS);
}

/** A level to count on, with room for all outcomes. */
export function countedLevel(number: u32): Level {
  const level = levelAt(number);
  if (level.row === 0) {
    makeRow(level, number);
  }
  return level;
}

function makeRow(level: Level, number: u32): void {
  const row = rows + <usize>number * BUFFER_BYTES;
  const list = lists + <usize>number * BUFFER_BYTES;
  const bytes = (<usize>outcomeCount()) << 3;
  if (buffer.size(row) < bytes) {
    buffer.fit(row, bytes);
    memory.fill(buffer.start(row), 0, bytes);
    // Room for one more, which {@link addCount} writes in any case.
    buffer.fit(list, (<usize>outcomeCount() + 1) << 2);
  }
  level.row = buffer.start(row);
  level.list = buffer.start(list);
}

/** Adds to the count of an outcome; lists it if it had none. */
export function addCount(level: Level, number: u32, frequency: f64): void {
  const at = level.row + ((<usize>number) << 3);
  const before = load<f64>(at);
  store<f64>(at, before + frequency);
  // Written in any case, because a branch here is mispredicted too often.
  store<u32>(level.list + ((<usize>level.listed) << 2), number);
  level.listed += <u32>(before === 0);
}

/** The longest order with an occurrence; 0 without one. */
export function longestOrder(): u32 {
  let order = MAX_ORDER;
  while (order > 0 && levelAt(order).occurrences === 0) {
    order--;
  }
  return order;
}

/**
 * The counts of the longest order: a double for each outcome, in the first the count of all unnamed symbols. Undefined
 * if {@link longestOrder} is 0.
 */
export function longestCounts(): usize {
  return levelAt(longestOrder()).row;
}

/** The sum of {@link longestCounts}; 0 if {@link longestOrder} is 0. */
export function longestCounted(): f64 {
  const level = levelAt(longestOrder());
  let sum: f64 = 0;
  for (let at: u32 = 0; at < level.listed; at++) {
    sum += load<f64>(level.row + ((<usize>wordAt(level.list, at)) << 3));
  }
  return sum;
}

/**
 * Computes the probability that the levels of a rule give each outcome.
 *
 * @param below the level below its lowest one
 * @param count number of its levels
 * @param pseudoCount additional occurrences of each level with unknown outcomes; 0 or more
 * @param given a buffer for a double for each outcome
 * @returns the mass, of 1, that the lowest level leaves, and {@link BASE_LEFT}
 */
export function backOff(below: u32, count: u32, pseudoCount: f64, given: usize): f64 {
  const outcomes = <usize>outcomeCount();
  buffer.fit(higher, outcomes << 2);
  buffer.fit(isHigher, outcomes);
  buffer.fit(given, outcomes << 3);
  memory.fill(buffer.start(isHigher), 0, outcomes);
  memory.fill(buffer.start(given), 0, outcomes << 3);
  higherCount = 0;
  let left = 1 - BASE_LEFT;
  for (let number = below + count; number > below; number--) {
    const level = levelAt(number);
    if (level.listed > 0) {
      left *= giveLevel(level, left, pseudoCount, buffer.start(given));
    }
  }
  return left + BASE_LEFT;
}

/**
 * Adds the share of one level, of the mass `left`; returns the mass that it passes on. An outcome that a higher level
 * counts has 1 more here.
 */
function giveLevel(level: Level, left: f64, pseudoCount: f64, given: usize): f64 {
  const row = level.row;
  const list = level.list;
  const listed = level.listed;
  const occurrences = level.occurrences;
  let before: u32 = 0;
  let ones: f64 = 0;
  let twos: f64 = 0;
  let mores: f64 = 0;
  let continued: f64 = 0;
  for (let at: u32 = 0; at < listed; at++) {
    const number = wordAt(list, at);
    const flag = flagOf(number);
    const own = load<f64>(row + ((<usize>number) << 3));
    const count = own + <f64>flag;
    before += flag;
    continued += own;
    ones += <f64>(count === 1);
    twos += <f64>(count === 2);
    mores += <f64>(count > 2);
  }
  ones += <f64>(higherCount - before);
  const unknown = (pseudoCount * continued) / occurrences;
  const all = continued + <f64>higherCount + unknown;
  const scale = (all * occurrences) / continued;
  giveHigher(row, (left * (1 - DISCOUNT_ONE)) / scale, given);
  giveOwn(level, left, scale, given);
  return min(1, (unknown + DISCOUNT_ONE * ones + DISCOUNT_TWO * twos + DISCOUNT_MORE * mores) / all);
}

/** Gives a share to the outcomes that higher levels count but this one does not. */
function giveHigher(row: usize, by: f64, given: usize): void {
  for (let at: u32 = 0; at < higherCount; at++) {
    const number = wordAt(buffer.start(higher), at);
    if (load<f64>(row + ((<usize>number) << 3)) === 0) {
      add(given, number, by);
    }
  }
}

/** Gives each outcome that a level counts its share, in addition to those of higher levels. */
function giveOwn(level: Level, left: f64, scale: f64, given: usize): void {
  const row = level.row;
  const list = level.list;
  const listed = level.listed;
  for (let at: u32 = 0; at < listed; at++) {
    const number = wordAt(list, at);
    const count = countIn(row, number);
    add(given, number, (left * (count - discountOf(count))) / scale);
    if (flagOf(number) === 0) {
      store<u8>(buffer.start(isHigher) + <usize>number, 1);
      store<u32>(buffer.start(higher) + ((<usize>higherCount) << 2), number);
      higherCount++;
    }
  }
}

function countIn(row: usize, number: u32): f64 {
  return load<f64>(row + ((<usize>number) << 3)) + <f64>flagOf(number);
}

function flagOf(number: u32): u32 {
  return load<u8>(buffer.start(isHigher) + <usize>number);
}

function wordAt(list: usize, at: u32): u32 {
  return load<u32>(list + ((<usize>at) << 2));
}

function discountOf(count: f64): f64 {
  if (count === 1) {
    return DISCOUNT_ONE;
  }
  return count === 2 ? DISCOUNT_TWO : DISCOUNT_MORE;
}

function add(table: usize, number: u32, by: f64): void {
  const at = table + ((<usize>number) << 3);
  store<f64>(at, load<f64>(at) + by);
}

function levelAt(number: u32): Level {
  return changetype<Level>(levels + <usize>number * LEVEL_BYTES);
}
