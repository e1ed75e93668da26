/**
 * Ladders: places are counted on rungs, and what a symbol gets goes from the highest rung that has a place to the lowest, each passing on what its discounts
 * leave. Owns how often each rung had a place.
 */

import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { entryCount, listedOn, listOf, probabilitiesStart, RUNGS, rowOf, ruleIn } from "./counts";

/** What is taken off counts of 1, 2, and more (absolute discounting). */
const DISCOUNT_ONE: f64 = 0.8;
const DISCOUNT_TWO: f64 = 1.1;
const DISCOUNT_MORE: f64 = 1.4;

/** Per rung, the frequencies of its places, and of the symbols after them. */
const places: usize = memory.data(RUNGS << 3, 8);
const successors: usize = memory.data(RUNGS << 3, 8);

/** A word each: the numbers of the entries that higher rungs count. */
const seen: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A byte for each entry: 1 if a higher rung counts it. */
const isSeen: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A double for each entry: its probability so far. */
const given: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let seenCount: u32 = 0;

/** Begins with rungs that have no places. */
export function beginLadders(): void {
  memory.fill(places, 0, RUNGS << 3);
  memory.fill(successors, 0, RUNGS << 3);
}

/** Counts a place on a rung, and the symbols after it. */
export function countPlace(rung: u32, frequency: f64, symbols: f64): void {
  add(places, rung, frequency);
  add(successors, rung, symbols);
}

/**
 * Sets the probabilities of a rule that is a ladder. What the lowest rung leaves is divided as another rule says.
 *
 * @param base the rung below its lowest one @param rungs how many it has @param rest that other rule
 * @param doubt a rung passes on as much as if it had so many places more, of which nothing is known; 0 or more
 * @returns what the lowest rung leaves, of 1
 */
export function climbDown(rule: u32, base: u32, rungs: u32, rest: u32, doubt: f64): f64 {
  begin();
  let left: f64 = 1;
  let any = false;
  for (let rung = base + rungs; rung > base; rung--) {
    any = any || sum(places, rung) > 0;
    if (sum(successors, rung) > 0) {
      left *= applyRung(rung, left, doubt);
    }
  }
  if (!any) {
    return left;
  }
  const start = probabilitiesStart();
  for (let number: u32 = 0; number < entryCount(); number++) {
    const probability = load<f64>(givenAt(number)) + left * load<f64>(ruleIn(start, number, rest));
    store<f64>(ruleIn(start, number, rule), min(1, probability));
  }
  return left;
}

function begin(): void {
  const count = <usize>entryCount();
  buffer.fit(seen, count << 2);
  buffer.fit(isSeen, count);
  buffer.fit(given, count << 3);
  memory.fill(buffer.start(isSeen), 0, count);
  memory.fill(buffer.start(given), 0, count << 3);
  seenCount = 0;
}

/** Adds what one rung says, of which `left` is left; returns the part that it passes on. An entry that a higher rung counts has 1 more here. */
function applyRung(rung: u32, left: f64, doubt: f64): f64 {
  const row = rowOf(rung);
  const list = listOf(rung);
  const ownCount = listedOn(rung);
  let before: u32 = 0;
  let ones: f64 = 0;
  let twos: f64 = 0;
  let mores: f64 = 0;
  for (let at: u32 = 0; at < ownCount; at++) {
    const number = wordAt(list, at);
    before += flagOf(number);
    const count = countIn(row, number);
    ones += <f64>(count === 1);
    twos += <f64>(count === 2);
    mores += <f64>(count > 2);
  }
  ones += <f64>(seenCount - before);
  const symbols = sum(successors, rung);
  const unknown = (doubt * symbols) / sum(places, rung);
  const all = symbols + <f64>seenCount + unknown;
  const scale = (all * sum(places, rung)) / symbols;
  giveSeen(row, (left * (1 - DISCOUNT_ONE)) / scale);
  giveOwn(rung, left, scale);
  return min(1, (unknown + DISCOUNT_ONE * ones + DISCOUNT_TWO * twos + DISCOUNT_MORE * mores) / all);
}

/** Gives something to the entries that higher rungs count, but not this one. */
function giveSeen(row: usize, by: f64): void {
  for (let at: u32 = 0; at < seenCount; at++) {
    const number = wordAt(buffer.start(seen), at);
    if (load<f64>(row + ((<usize>number) << 3)) === 0) {
      give(number, by);
    }
  }
}

/** Gives each entry that a rung counts its part, and adds it to those seen. */
function giveOwn(rung: u32, left: f64, scale: f64): void {
  const row = rowOf(rung);
  const list = listOf(rung);
  for (let at: u32 = 0; at < listedOn(rung); at++) {
    const number = wordAt(list, at);
    const count = countIn(row, number);
    give(number, (left * (count - discountOf(count))) / scale);
    if (flagOf(number) === 0) {
      store<u8>(buffer.start(isSeen) + <usize>number, 1);
      store<u32>(buffer.start(seen) + ((<usize>seenCount) << 2), number);
      seenCount++;
    }
  }
}

function countIn(row: usize, number: u32): f64 {
  return load<f64>(row + ((<usize>number) << 3)) + <f64>flagOf(number);
}

function flagOf(number: u32): u32 {
  return load<u8>(buffer.start(isSeen) + <usize>number);
}

function wordAt(list: usize, at: u32): u32 {
  return load<u32>(list + ((<usize>at) << 2));
}

function givenAt(number: u32): usize {
  return buffer.start(given) + ((<usize>number) << 3);
}

function give(number: u32, by: f64): void {
  const at = givenAt(number);
  store<f64>(at, load<f64>(at) + by);
}

function discountOf(count: f64): f64 {
  if (count === 1) {
    return DISCOUNT_ONE;
  }
  return count === 2 ? DISCOUNT_TWO : DISCOUNT_MORE;
}

function sum(table: usize, rung: u32): f64 {
  return load<f64>(table + ((<usize>rung) << 3));
}

function add(table: usize, rung: u32, by: f64): void {
  const at = table + ((<usize>rung) << 3);
  store<f64>(at, load<f64>(at) + by);
}
