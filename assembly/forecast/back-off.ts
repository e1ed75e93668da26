/**
 * Interpolated back-off with absolute discounting: continuations are counted on levels, and what an outcome gets goes
 * from the highest level that has an occurrence to the lowest, each passing on what its discounts leave. Owns the
 * counts of all levels: those of the orders, and those of agreement.
 */

import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { outcomeCount } from "./outcomes";

/** The longest order. */
export const MOST_ORDER: u32 = 10;
/** The greatest level of agreement. */
export const MOST_LEVEL: u32 = 16;
/**
 * Orders have the levels from 1 on, and behind them the levels of agreement follow: that of agreement n is this + n.
 */
export const AGREEMENTS: u32 = MOST_ORDER;
const LEVELS: u32 = MOST_ORDER + MOST_LEVEL + 1;

/** What is taken off counts of 1, 2, and more. */
const DISCOUNT_ONE: f64 = 0.8;
const DISCOUNT_TWO: f64 = 1.1;
const DISCOUNT_MORE: f64 = 1.4;

/** Of each level a double: the frequencies of its occurrences, and of their continuations. */
const occurrences: usize = memory.data(LEVELS << 3, 8);
const continuations: usize = memory.data(LEVELS << 3, 8);
/**
 * Of each level a row of doubles, one for each outcome: its count. Only levels that have had an occurrence have a row.
 */
const rows: usize = memory.data(BUFFER_BYTES * LEVELS, BUFFER_ALIGN);
/**
 * Of each level a list of words: the numbers of the outcomes that it counts. All other counts of a row are 0, also
 * between questions.
 */
const lists: usize = memory.data(BUFFER_BYTES * LEVELS, BUFFER_ALIGN);
/** Of each level a word: how long its list is. */
const listed: usize = memory.data(LEVELS << 2, 8);

/** A word each: the numbers of the outcomes that higher levels count. */
const higher: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A byte for each outcome: 1 if a higher level counts it. */
const isHigher: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let higherCount: u32 = 0;

/** Sets the counts of all levels back to zero. */
export function clearLevels(): void {
  for (let level: u32 = 0; level < LEVELS; level++) {
    const row = rowOf(level);
    const list = listOf(level);
    for (let at: u32 = 0; at < listedOn(level); at++) {
      store<f64>(row + ((<usize>wordAt(list, at)) << 3), 0);
    }
    setListed(level, 0);
  }
  memory.fill(occurrences, 0, LEVELS << 3);
  memory.fill(continuations, 0, LEVELS << 3);
}

/** Makes room to count on a level. */
export function makeRow(level: u32): void {
  const row = rowBuffer(level);
  const bytes = (<usize>outcomeCount()) << 3;
  if (buffer.size(row) < bytes) {
    buffer.fit(row, bytes);
    memory.fill(buffer.start(row), 0, bytes);
    // There is room for one too many.
    buffer.fit(listBuffer(level), (<usize>outcomeCount() + 1) << 2);
  }
}

/** Where the counts of a level are, a double for each outcome. */
export function rowOf(level: u32): usize {
  return buffer.start(rowBuffer(level));
}

/** Where the list of the outcomes is that a level counts, a word each. */
export function listOf(level: u32): usize {
  return buffer.start(listBuffer(level));
}

/** How many outcomes a level counts. */
export function listedOn(level: u32): u32 {
  return wordAt(listed, level);
}

/** Sets it. */
export function setListed(level: u32, length: u32): void {
  store<u32>(listed + ((<usize>level) << 2), length);
}

/** Adds to the count of an outcome; returns 1 if it had none, and was added to the end of the level's list. */
export function addCount(row: usize, list: usize, length: u32, number: u32, frequency: f64): u32 {
  const at = row + ((<usize>number) << 3);
  const before = load<f64>(at);
  store<f64>(at, before + frequency);
  store<u32>(list + ((<usize>length) << 2), number);
  return <u32>(before === 0);
}

/** Counts an occurrence on a level, and how many continuations it has. */
export function addOccurrence(level: u32, frequency: f64, continued: u32): void {
  add(occurrences, level, frequency);
  add(continuations, level, frequency * <f64>continued);
}

/** The longest order that has an occurrence; 0 when there is none. */
export function longestOrder(): u32 {
  let order = MOST_ORDER;
  while (order > 0 && sum(occurrences, order) === 0) {
    order--;
  }
  return order;
}

/**
 * Computes what the levels of a rule give each outcome.
 *
 * @param below the level below its lowest one
 * @param levels how many it has
 * @param pseudoCount how many occurrences more a level counts with, of which nothing is known; 0 or more
 * @param given a buffer that gets a double for each outcome
 * @returns what the lowest level leaves, of 1
 */
export function backOff(below: u32, levels: u32, pseudoCount: f64, given: usize): f64 {
  const count = <usize>outcomeCount();
  buffer.fit(higher, count << 2);
  buffer.fit(isHigher, count);
  buffer.fit(given, count << 3);
  memory.fill(buffer.start(isHigher), 0, count);
  memory.fill(buffer.start(given), 0, count << 3);
  higherCount = 0;
  let left: f64 = 1;
  for (let level = below + levels; level > below; level--) {
    if (sum(continuations, level) > 0) {
      left *= giveLevel(level, left, pseudoCount, buffer.start(given));
    }
  }
  return left;
}

/**
 * Adds what one level gives, of which `left` is left; returns the part that it passes on. An outcome that a higher
 * level counts has 1 more here.
 */
function giveLevel(level: u32, left: f64, pseudoCount: f64, given: usize): f64 {
  const row = rowOf(level);
  const list = listOf(level);
  let before: u32 = 0;
  let ones: f64 = 0;
  let twos: f64 = 0;
  let mores: f64 = 0;
  for (let at: u32 = 0; at < listedOn(level); at++) {
    const number = wordAt(list, at);
    before += flagOf(number);
    const count = countIn(row, number);
    ones += <f64>(count === 1);
    twos += <f64>(count === 2);
    mores += <f64>(count > 2);
  }
  ones += <f64>(higherCount - before);
  const continued = sum(continuations, level);
  const unknown = (pseudoCount * continued) / sum(occurrences, level);
  const all = continued + <f64>higherCount + unknown;
  const scale = (all * sum(occurrences, level)) / continued;
  giveHigher(row, (left * (1 - DISCOUNT_ONE)) / scale, given);
  giveOwn(level, left, scale, given);
  return min(1, (unknown + DISCOUNT_ONE * ones + DISCOUNT_TWO * twos + DISCOUNT_MORE * mores) / all);
}

/** Gives something to the outcomes that higher levels count, but not this one. */
function giveHigher(row: usize, by: f64, given: usize): void {
  for (let at: u32 = 0; at < higherCount; at++) {
    const number = wordAt(buffer.start(higher), at);
    if (load<f64>(row + ((<usize>number) << 3)) === 0) {
      add(given, number, by);
    }
  }
}

/** Gives each outcome that a level counts its part, and adds it to those of higher levels. */
function giveOwn(level: u32, left: f64, scale: f64, given: usize): void {
  const row = rowOf(level);
  const list = listOf(level);
  for (let at: u32 = 0; at < listedOn(level); at++) {
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

function sum(table: usize, level: u32): f64 {
  return load<f64>(table + ((<usize>level) << 3));
}

function add(table: usize, level: u32, by: f64): void {
  const at = table + ((<usize>level) << 3);
  store<f64>(at, load<f64>(at) + by);
}

function listBuffer(level: u32): usize {
  return lists + <usize>level * BUFFER_BYTES;
}

function rowBuffer(level: u32): usize {
  return rows + <usize>level * BUFFER_BYTES;
}
