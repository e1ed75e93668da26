/** What has been counted for each symbol that may come, and for the end: an entry each. Owns the entries, and finding that of a symbol. */

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

/** One symbol, or the end. The host reads symbol, support and probabilities. */
@unmanaged
export class Entry {
  symbol: u32;
  /** How many models say it. */
  support: u32;
  /** The slot of the last model that said it, plus 1. */
  slot: u32;
  /** The number of the last place that said it. */
  place: u32;
  /** The likeness of the fifth of the strongest; 0 while there are fewer. */
  floor: u32;
  /** The slots of the strongest follow. */
  strongest: u32;
  second: u32;
  third: u32;
  fourth: u32;
  fifth: u32;
  /** The weights of the models in which it follows the symbols that they share; anywhere behind them; anywhere behind the newest. */
  follows: f64;
  behind: f64;
  behindNewest: f64;
}

const COUNTS: usize = offsetof<Entry>();
const PROBABILITIES: usize = COUNTS + ((<usize>RUNGS) << 3);
/** Bytes of an entry. */
export const ENTRY_BYTES: usize = PROBABILITIES + ((<usize>RULES) << 3);
/** Where the probabilities of an entry are, one for each rule. */
export const ENTRY_PROBABILITIES: u32 = <u32>PROBABILITIES;
export const ENTRY_SYMBOL: u32 = offsetof<Entry>("symbol");
export const ENTRY_SUPPORT: u32 = offsetof<Entry>("support");

/** So many models are named for a symbol. */
export const STRONGEST: u32 = 5;

/** The symbol of the end's entry. */
export const END: u32 = u32.MAX_VALUE;

const entries: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Begins with the end's entry alone. {@link endCounts} must follow. */
export function beginCounts(): void {
  buffer.truncate(entries, 0);
  addEntry(END);
}

/** Sets the tables back to zeros, and forgets the entries. */
export function endCounts(): void {
  for (let number: u32 = 1; number < entryCount(); number++) {
    store<u32>(numberOf(entryAt(number).symbol), 0);
  }
  buffer.truncate(entries, 0);
}

/** How many entries there are. */
export function entryCount(): u32 {
  return <u32>(buffer.size(entries) / ENTRY_BYTES);
}

/** Where the entries are. */
export function entriesStart(): usize {
  return buffer.start(entries);
}

/** An entry by its number; the end's is 0. It moves when another is added. */
export function entryAt(number: u32): Entry {
  return changetype<Entry>(buffer.start(entries) + <usize>number * ENTRY_BYTES);
}

/** The entry of a symbol, made when there is none. */
export function entryOf(symbol: u32): Entry {
  const number = load<u32>(numberOf(symbol));
  return number === 0 ? addSymbol(symbol) : entryAt(number);
}

/** Whether a symbol has an entry. */
export function hasEntry(symbol: u32): bool {
  return load<u32>(numberOf(symbol)) !== 0;
}

/** The slot of one of the models that say it most strongly, 0 the strongest. There are as many as say it, but at most {@link STRONGEST}. */
export function strongestOf(entry: Entry, place: u32): u32 {
  return load<u32>(strongestAt(entry, place));
}

/** Sets the slot of one of the strongest. */
export function setStrongest(entry: Entry, place: u32, slot: u32): void {
  store<u32>(strongestAt(entry, place), slot);
}

function strongestAt(entry: Entry, place: u32): usize {
  return changetype<usize>(entry) + offsetof<Entry>("strongest") + ((<usize>place) << 2);
}

/** How often it followed a place on a rung. */
export function rungCount(entry: Entry, rung: u32): f64 {
  return load<f64>(changetype<usize>(entry) + COUNTS + ((<usize>rung) << 3));
}

/** Counts it after a place on a rung. */
export function countRung(entry: Entry, rung: u32, frequency: f64): void {
  const at = changetype<usize>(entry) + COUNTS + ((<usize>rung) << 3);
  store<f64>(at, load<f64>(at) + frequency);
}

/** The probability that a rule gives. */
export function probability(entry: Entry, rule: u32): f64 {
  return load<f64>(changetype<usize>(entry) + PROBABILITIES + ((<usize>rule) << 3));
}

/** Sets the probability that a rule gives. */
export function setProbability(entry: Entry, rule: u32, value: f64): void {
  store<f64>(changetype<usize>(entry) + PROBABILITIES + ((<usize>rule) << 3), value);
}

function addSymbol(symbol: u32): Entry {
  store<u32>(numberOf(symbol), entryCount());
  return addEntry(symbol);
}

function addEntry(symbol: u32): Entry {
  const entry = changetype<Entry>(buffer.appendZeros(entries, ENTRY_BYTES));
  entry.symbol = symbol;
  return entry;
}

/** Where the number of a symbol's entry is; 0 for none. */
function numberOf(symbol: u32): usize {
  return countTable() + ((<usize>symbol) << 2);
}
