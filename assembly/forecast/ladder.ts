/**
 * Ladders: places are counted on rungs, and what a symbol gets goes from the highest rung that has a place to the lowest, each passing on what its discounts
 * leave. Owns how often each rung had a place.
 */

import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { entryCount, RUNGS, rowOf, ruleAt } from "./counts";

/** What is taken off counts of 1, 2, and more (absolute discounting). */
const DISCOUNT_ONE: f64 = 0.8;
const DISCOUNT_TWO: f64 = 1.1;
const DISCOUNT_MORE: f64 = 1.4;

/** Per rung, the frequencies of its places, and of the symbols after them. */
const places: usize = memory.data(RUNGS << 3, 8);
const successors: usize = memory.data(RUNGS << 3, 8);

/** A word each: the numbers of the entries that a higher rung counted, and then of those that this one counts first. */
const seen: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A byte for each entry: whether a higher rung counted it. */
const isSeen: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** The entries in {@link seen}, and those among them that a higher rung counted. */
let seenCount: u32 = 0;
let seenBefore: u32 = 0;

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
 */
export function climbDown(rule: u32, base: u32, rungs: u32, rest: u32): void {
  const count = entryCount();
  buffer.ensure(seen, (<usize>count) << 2);
  buffer.ensure(isSeen, count);
  memory.fill(buffer.start(isSeen), 0, count);
  seenCount = 0;
  let left: f64 = 1;
  let any = false;
  for (let rung = base + rungs; rung > base; rung--) {
    any = any || sum(places, rung) > 0;
    if (sum(successors, rung) > 0) {
      left *= applyRung(rule, rung, left);
    }
  }
  if (!any) {
    return;
  }
  for (let number: u32 = 0; number < count; number++) {
    const at = ruleAt(number, rule);
    store<f64>(at, min(1, load<f64>(at) + left * load<f64>(ruleAt(number, rest))));
  }
}

/** Adds what one rung says, of which `left` is left; returns the part that it passes on. */
function applyRung(rule: u32, rung: u32, left: f64): f64 {
  seenBefore = seenCount;
  const row = rowOf(rung);
  noteSeen(row);
  let ones: f64 = 0;
  let twos: f64 = 0;
  let mores: f64 = 0;
  for (let at: u32 = 0; at < seenCount; at++) {
    const count = countAt(row, at);
    ones += <f64>(count === 1);
    twos += <f64>(count === 2);
    mores += <f64>(count > 2);
  }
  const all = sum(successors, rung) + <f64>seenBefore;
  const scale = (all * sum(places, rung)) / sum(successors, rung);
  for (let at: u32 = 0; at < seenCount; at++) {
    const count = countAt(row, at);
    const probability = ruleAt(seenAt(at), rule);
    store<f64>(probability, load<f64>(probability) + (left * (count - discountOf(count))) / scale);
  }
  return min(1, (DISCOUNT_ONE * ones + DISCOUNT_TWO * twos + DISCOUNT_MORE * mores) / all);
}

/** Adds the entries that a row counts to those that are seen. */
function noteSeen(row: usize): void {
  const count = entryCount();
  const flags = buffer.start(isSeen);
  const numbers = buffer.start(seen);
  for (let number: u32 = 0; number < count; number++) {
    if (load<f64>(row + ((<usize>number) << 3)) !== 0 && load<u8>(flags + <usize>number) === 0) {
      store<u8>(flags + <usize>number, 1);
      store<u32>(numbers + ((<usize>seenCount) << 2), number);
      seenCount++;
    }
  }
}

/** What a row counts for one of the entries seen, plus 1 where a higher rung counted it. */
function countAt(row: usize, at: u32): f64 {
  return load<f64>(row + ((<usize>seenAt(at)) << 3)) + <f64>(at < seenBefore);
}

function seenAt(at: u32): u32 {
  return load<u32>(buffer.start(seen) + ((<usize>at) << 2));
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
