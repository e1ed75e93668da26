/**
 * The length of the longest common subsequence of the query and a model: no matching matches more symbols, and one more
 * symbol in the query lengthens it by at most one. Bit-parallel (Crochemore, Iliopoulos, Pinzon and Reid 2001): a bit
 * for each gathered symbol of the model, and one pass over the query.
 */

import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { classes } from "./gather";
import { classAt, queryClasses, queryLength } from "./query-sequence";
import { countSteps } from "./steps";

/** Longer models have only the bound of {@link gather}, because their rows would take megabytes. */
const MAX_GATHERED: u32 = 4096;
/**
 * So do models when the query is longer than what they share with it by this factor: a pass over it costs more than it
 * may save.
 */
const MAX_RATIO: u32 = 32;
/** Approximate number of query positions passed over in the time of a step. */
const POSITIONS_PER_STEP: u32 = 4;

/** A word for each class: the number of its row, from 1; 0 between calls. */
const rowNumbers: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/**
 * Row 0 is the state: a bit is clear where the subsequence grows. A row for each class of the model follows: the bits
 * of its symbols.
 */
const rows: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Prepares for the query. */
export function beginCommon(): void {
  buffer.truncate(rowNumbers, 0);
  buffer.appendZeros(rowNumbers, (<usize>queryClasses() + 1) << 2);
}

/**
 * An upper bound of the symbols that a matching of the gathered model of `count` symbols can match: the length of the
 * longest common subsequence if it is computed.
 */
export function mostCommon(count: u32): u32 {
  if (count > MAX_GATHERED || queryLength() / MAX_RATIO > count) {
    return count;
  }
  const words = (count + 63) >> 6;
  fillRows(count, words);
  const updates = passOverQuery(words);
  countSteps(<u64>count + queryLength() / POSITIONS_PER_STEP + <u64>updates * words);
  for (let at: u32 = 0; at < count; at++) {
    store<u32>(numberOf(classOf(at)), 0);
  }
  return count - bitsLeft(count);
}

/** Fills a row for each class of the model, and the state with ones. */
function fillRows(count: u32, words: u32): void {
  const rowBytes = (<usize>words) << 3;
  buffer.truncate(rows, 0);
  memory.fill(buffer.append(rows, rowBytes), 255, rowBytes);
  let last: u32 = 0;
  for (let at: u32 = 0; at < count; at++) {
    const number = numberOf(classOf(at));
    if (load<u32>(number) === 0) {
      store<u32>(number, ++last);
      buffer.appendZeros(rows, rowBytes);
    }
    const word = buffer.start(rows) + <usize>load<u32>(number) * rowBytes + ((<usize>(at >> 6)) << 3);
    store<u64>(word, load<u64>(word) | ((<u64>1) << (<u64>(at & 63))));
  }
}

/** Passes over the query's symbols; returns how many of them the model has. */
function passOverQuery(words: u32): u32 {
  const rowBytes = (<usize>words) << 3;
  let updates: u32 = 0;
  for (let at: u32 = 0; at < queryLength(); at++) {
    const number = load<u32>(numberOf(classAt(at)));
    if (number !== 0) {
      takeSymbol(buffer.start(rows), buffer.start(rows) + <usize>number * rowBytes, rowBytes);
      updates++;
    }
  }
  return updates;
}

/**
 * The state V becomes (V + (V and M)) or (V without M), as one number of many words, where M is the row of the symbol.
 */
function takeSymbol(state: usize, row: usize, bytes: usize): void {
  let carry: u64 = 0;
  for (let at: usize = 0; at < bytes; at += 8) {
    const before = load<u64>(state + at);
    const mask = load<u64>(row + at);
    const sum = before + (before & mask);
    const carried = sum + carry;
    carry = <u64>(sum < before || carried < sum);
    store<u64>(state + at, carried | (before & ~mask));
  }
}

/** Number of set bits among the first `count` bits of the state. */
function bitsLeft(count: u32): u32 {
  const state = buffer.start(rows);
  let set: u32 = 0;
  for (let from: u32 = 0; from < count; from += 64) {
    const word = load<u64>(state + ((<usize>(from >> 6)) << 3));
    const own = count - from < 64 ? word & (((<u64>1) << (<u64>(count - from))) - 1) : word;
    set += <u32>popcnt<u64>(own);
  }
  return set;
}

function classOf(at: u32): u32 {
  return load<u32>(classes() + ((<usize>at) << 2));
}

function numberOf(number: u32): usize {
  return buffer.start(rowNumbers) + ((<usize>number) << 2);
}
