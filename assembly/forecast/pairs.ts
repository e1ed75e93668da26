/**
 * Counts the continuations of occurrences when few outcomes are named: first by pairs of event code and outcome, and
 * only at the end on levels and orders. Many occurrences share a pair.
 */

import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { LEVEL_MASK, levelOf, ORDER_SHIFT, orderOf } from "./alignment";
import { AGREEMENTS, addCount, countedLevel, MAX_ORDER } from "./back-off";
import { contextEvents } from "./context";
import { numberOf, numberTable, outcomeCount } from "./outcomes";

/** Maximum number of outcomes that counts as few: a set of them fits into a long. */
export const MAX_PAIRED_OUTCOMES: u32 = 64;

/**
 * A double for each pair, with the outcomes of one code side by side: the total frequency of its occurrences. All are 0
 * between forecasts.
 */
const pairs: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const CODES: u32 = (MAX_ORDER + 1) << ORDER_SHIFT;
/** A code has room for 1 << this outcomes: all named ones, and less than twice as many. */
let codeShift: u32 = 0;
/**
 * A double for each code: the excess of the sum of its pairs over the frequency of its occurrences, because several
 * outcomes continue some of them. All are 0 between forecasts.
 */
const excesses: usize = memory.data(CODES << 3, 8);
/** The pairs that are not 0, a word each, with room for one more. */
const list: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
let listed: u32 = 0;

/** Whether few outcomes are named. */
export function areFew(): bool {
  return outcomeCount() <= MAX_PAIRED_OUTCOMES;
}

/** Makes room for pairs. {@link spreadPairs} must follow. */
export function beginPairs(): void {
  codeShift = 32 - <u32>clz(outcomeCount() - 1);
  // No order is longer than the context.
  const codes = (contextEvents() + 1) << ORDER_SHIFT;
  const most = (<usize>codes) << (<usize>codeShift);
  if (buffer.size(pairs) < most << 3) {
    buffer.fit(pairs, most << 3);
    memory.fill(buffer.start(pairs), 0, most << 3);
    buffer.fit(list, (most + 1) << 2);
  }
  listed = 0;
}

/**
 * Counts the occurrences among some events.
 * @param codes of the events
 * @param count number of events
 * @param ahead address of the symbol that continues the first; those of the others follow
 * @param frequency of each occurrence
 * @returns the outcomes that continue any of them, as bits
 */
export function countPairs<T>(codes: usize, count: u32, ahead: usize, frequency: f64): u64 {
  const numbers = numberTable();
  const sums = buffer.start(pairs);
  const to = buffer.start(list);
  const shift = codeShift;
  let length = listed;
  let continued: u64 = 0;
  for (let from: u32 = 0; from < count; from += 16) {
    for (let found = occurrencesIn(codes, from, count); found !== 0; found &= found - 1) {
      const event = <usize>from + <usize>ctz(found);
      const number = numberOf(numbers, <u32>load<T>(ahead + event * sizeof<T>()));
      const pair = ((<u32>load<u8>(codes + event)) << shift) | number;
      const sum = sums + ((<usize>pair) << 3);
      const before = load<f64>(sum);
      store<f64>(sum, before + frequency);
      // Written in any case, because a branch here is mispredicted too often.
      store<u32>(to + ((<usize>length) << 2), pair);
      length += <u32>(before === 0);
      continued |= (<u64>1) << (<u64>number);
    }
  }
  listed = length;
  return continued;
}

/** Counts occurrences followed by one outcome. @param frequency their total, above 0 */
export function countPair(code: u32, outcome: u32, frequency: f64): void {
  const pair = (code << codeShift) | outcome;
  const sum = buffer.start(pairs) + ((<usize>pair) << 3);
  const before = load<f64>(sum);
  store<f64>(sum, before + frequency);
  store<u32>(buffer.start(list) + ((<usize>listed) << 2), pair);
  listed += <u32>(before === 0);
}

/** {@link countPair} for many named outcomes. */
export function countOnLevels(code: u32, outcome: u32, frequency: f64): void {
  spread(code, outcome, frequency, 0);
}

/** Counts an occurrence that a set of outcomes continues, given as bits. */
export function countSet(code: u32, continued: u64, frequency: f64): void {
  const sums = buffer.start(pairs);
  const to = buffer.start(list);
  const shift = codeShift;
  let length = listed;
  for (let rest = continued; rest !== 0; rest &= rest - 1) {
    const pair = (code << shift) | <u32>ctz(rest);
    const sum = sums + ((<usize>pair) << 3);
    const before = load<f64>(sum);
    store<f64>(sum, before + frequency);
    store<u32>(to + ((<usize>length) << 2), pair);
    length += <u32>(before === 0);
  }
  listed = length;
  const excess = excesses + ((<usize>code) << 3);
  store<f64>(excess, load<f64>(excess) + frequency * <f64>(popcnt(continued) - 1));
}

/** Bits of those among sixteen events, beginning with one, that are occurrences. */
export function occurrencesIn(codes: usize, from: u32, count: u32): u32 {
  const levels = v128.and(v128.load(codes + <usize>from), i8x16.splat(LEVEL_MASK));
  const found = <u32>i8x16.bitmask(i8x16.ne(levels, i8x16.splat(0)));
  return count - from < 16 ? found & ((1 << (count - from)) - 1) : found;
}

/** Counts all pairs on their levels and orders, and resets them to 0. */
export function spreadPairs(): void {
  const shift = codeShift;
  for (let at: u32 = 0; at < listed; at++) {
    const pair = load<u32>(buffer.start(list) + ((<usize>at) << 2));
    const code = pair >> shift;
    const sum = buffer.start(pairs) + ((<usize>pair) << 3);
    const excess = excesses + ((<usize>code) << 3);
    spread(code, pair - (code << shift), load<f64>(sum), load<f64>(excess));
    store<f64>(sum, 0);
    store<f64>(excess, 0);
  }
  listed = 0;
}

/** Counts a pair. @param excess of its code for the first of its pairs, 0 for the others */
function spread(code: u32, outcome: u32, frequency: f64, excess: f64): void {
  const level = countedLevel(AGREEMENTS + levelOf(code));
  level.occurrences += frequency - excess;
  addCount(level, outcome, frequency);
  if (orderOf(code) > 0) {
    const order = countedLevel(orderOf(code));
    order.occurrences += frequency - excess;
    addCount(order, outcome, frequency);
  }
}
