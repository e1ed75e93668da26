/**
 * What has been counted for each symbol that may come, and for the end: an entry each, by number. Owns the entries, and finding that of a symbol. There is
 * room for so many as the caller says, so nothing moves while it counts.
 */

import { countTable } from "../corpus/symbols";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

/** The longest order that is counted by itself: longer ones count as this. */
export const MOST_ORDER: u32 = 10;

/** The greatest level of agreement. */
export const MOST_LEVEL: u32 = 16;
/** Both ladders have a rung per order and per level: orders from 1 on, then levels. */
export const LEVEL_RUNGS: u32 = MOST_ORDER;
export const RUNGS: u32 = MOST_ORDER + MOST_LEVEL + 1;

/** How many rules there are. */
export const RULES: u32 = 6;

/** So many models are named for a symbol. */
export const STRONGEST: u32 = 5;

/** One symbol, or the end. The host reads symbol and support. */
@unmanaged
export class Entry {
  symbol: u32;
  /** How many models say it. */
  support: u32;
  /** The number of the last place that said it. */
  place: u32;
  /** The slots of the models that say it most strongly, as many as say it, but at most {@link STRONGEST}. */
  strongest: u32;
  second: u32;
  third: u32;
  fourth: u32;
  fifth: u32;
}

/** Bytes of an entry: a power of 2, so that finding one is quick. */
export const ENTRY_BYTES: usize = 32;
const ENTRY_SHIFT: usize = 5;
export const ENTRY_SYMBOL: u32 = offsetof<Entry>("symbol");
export const ENTRY_SUPPORT: u32 = offsetof<Entry>("support");

/** The symbol of the end's entry. */
export const END: u32 = u32.MAX_VALUE;

/** Bytes of the probabilities of an entry, one for each rule. */
const PROBABILITIES_BYTES: usize = (<usize>RULES) << 3;

const entries: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Of each entry a double for each rule: first what is summed for it, then its probability. */
const probabilities: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Rows of doubles: what is counted for each entry on one rung. Only rungs that have a place have a row. */
const rows: usize = memory.data(BUFFER_BYTES * RUNGS, BUFFER_ALIGN);
/** Per rung, whether it has a row. */
const hasRow: usize = memory.data(RUNGS, 8);

let count: u32 = 0;
let room: u32 = 0;

/** Begins with the end's entry alone. {@link endCounts} must follow. @param most how many entries there may be, the end's included */
export function beginCounts(most: u32): void {
  room = most;
  count = 0;
  buffer.ensure(entries, (<usize>most) << ENTRY_SHIFT);
  buffer.ensure(probabilities, <usize>most * PROBABILITIES_BYTES);
  memory.fill(hasRow, 0, RUNGS);
  addEntry(END);
}

/** Sets the tables back to zeros, and forgets the entries. */
export function endCounts(): void {
  const numbers = countTable();
  for (let number: u32 = 1; number < count; number++) {
    store<u32>(numbers + ((<usize>entryAt(number).symbol) << 2), 0);
  }
  count = 0;
}

/** How many entries there are. */
export function entryCount(): u32 {
  return count;
}

/** Where the entries are. */
export function entriesStart(): usize {
  return buffer.start(entries);
}

/** Where the probabilities of all entries are: {@link RULES} doubles each. */
export function probabilitiesStart(): usize {
  return buffer.start(probabilities);
}

/** An entry by its number; the end's is 0. */
export function entryAt(number: u32): Entry {
  return entryIn(buffer.start(entries), number);
}

/** The same. @param start {@link entriesStart}, which a loop reads once */
export function entryIn(start: usize, number: u32): Entry {
  return changetype<Entry>(start + ((<usize>number) << ENTRY_SHIFT));
}

/** The number of a symbol's entry, which is made when there is none. @param numbers {@link numberTable}, which a loop reads once */
export function numberOf(numbers: usize, symbol: u32): u32 {
  const number = load<u32>(numbers + ((<usize>symbol) << 2));
  return number === 0 ? addSymbol(symbol) : number;
}

/** A word for each symbol: the number of its entry, 0 when there is none. It does not move while entries are made. */
export function numberTable(): usize {
  return countTable();
}

/** The number of a symbol's entry; 0 when there is none. */
export function numberIn(symbol: u32): u32 {
  return load<u32>(countTable() + ((<usize>symbol) << 2));
}

/** Notes that a model says a symbol. Models must come in the order of how strongly they say things, the strongest first. */
export function noteSpeaker(entry: Entry, slot: u32): void {
  const support = entry.support;
  if (support < STRONGEST) {
    store<u32>(changetype<usize>(entry) + offsetof<Entry>("strongest") + ((<usize>support) << 2), slot);
  }
  entry.support = support + 1;
}

/** The slot of one of the models that say a symbol most strongly, 0 the strongest. */
export function strongestOf(entry: Entry, place: u32): u32 {
  return load<u32>(changetype<usize>(entry) + offsetof<Entry>("strongest") + ((<usize>place) << 2));
}

/** Where the counts of a rung are, a double for each entry; 0 while the rung has no place. */
export function rowOf(rung: u32): usize {
  return load<u8>(hasRow + <usize>rung) === 0 ? 0 : buffer.start(rowBuffer(rung));
}

/** The same, made when there is none. */
export function makeRow(rung: u32): usize {
  const row = rowBuffer(rung);
  if (load<u8>(hasRow + <usize>rung) === 0) {
    store<u8>(hasRow + <usize>rung, 1);
    buffer.ensure(row, (<usize>room) << 3);
    memory.fill(buffer.start(row), 0, (<usize>room) << 3);
  }
  return buffer.start(row);
}

/** Where the sum or probability of a rule is, for the entry of a number. */
export function ruleAt(number: u32, rule: u32): usize {
  return ruleIn(buffer.start(probabilities), number, rule);
}

/** The same. @param start {@link probabilitiesStart}, which a loop reads once */
export function ruleIn(start: usize, number: u32, rule: u32): usize {
  return start + <usize>number * PROBABILITIES_BYTES + ((<usize>rule) << 3);
}

function rowBuffer(rung: u32): usize {
  return rows + <usize>rung * BUFFER_BYTES;
}

function addSymbol(symbol: u32): u32 {
  store<u32>(countTable() + ((<usize>symbol) << 2), count);
  return addEntry(symbol);
}

function addEntry(symbol: u32): u32 {
  const number = count++;
  const entry = entryAt(number);
  entry.symbol = symbol;
  entry.support = 0;
  entry.place = 0;
  memory.fill(ruleAt(number, 0), 0, PROBABILITIES_BYTES);
  return number;
}
