/**
 * What has been counted for each symbol that may come, and for the end: an entry each, by number. Owns the entries, and finding that of a symbol. There is
 * room for so many as the caller says, so nothing moves while it counts. Where that is less than there are symbols, one entry stands for all others.
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

/** How far a symbol, or the end, has been said. Of all that is kept of it, only this is looked at each time: so it is as small as can be. */
@unmanaged
export class Entry {
  /** The number of the last place that said it. */
  place: u32;
  /** How many models say it. */
  support: u32;
}

/** What the others need not look at. */
@unmanaged
class Name {
  symbol: u32;
  /** The slots of the models that say it most strongly follow, as many as say it, but at most {@link STRONGEST}; and a word more. */
  strongest: u32;
}

const ENTRY_SHIFT: usize = 3;
/** Bytes of an entry for the host, which reads the support. */
export const ENTRY_BYTES: usize = 1 << ENTRY_SHIFT;
export const ENTRY_SUPPORT: u32 = offsetof<Entry>("support");
/** Bytes of a name for the host, which reads the symbol: the first word. */
export const NAME_BYTES: usize = offsetof<Name>("strongest") + ((<usize>STRONGEST + 1) << 2);

/** The symbol of the end's entry, and of the entry of all symbols that have none of their own. */
export const END: u32 = u32.MAX_VALUE;
const OTHERS: u32 = u32.MAX_VALUE - 1;
/** The number of the entry of all others, where there is one. */
const OTHERS_NUMBER: u32 = 1;
/** Stands for a number where a symbol may have an entry, and has none yet. */
const ADMITTED: i32 = -1;

/** Bytes of the probabilities of an entry, one for each rule. */
const PROBABILITIES_BYTES: usize = (<usize>RULES) << 3;

const entries: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const names: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Of each entry two doubles: what stands behind what is shared gives it, and what stands behind the newest event. */
const behinds: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const BEHIND_SHIFT: usize = 4;
/** Of each entry a double: what the rule of what follows gives it. */
const follows: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Of each entry a double for each rule: its probability. */
const probabilities: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Rows of doubles: what is counted for each entry on one rung. Only rungs that have a place have a row. */
const rows: usize = memory.data(BUFFER_BYTES * RUNGS, BUFFER_ALIGN);
/** Lists of words: the numbers of the entries that a row counts. All other counts of a row are 0, also between questions. */
const lists: usize = memory.data(BUFFER_BYTES * RUNGS, BUFFER_ALIGN);
/** Per rung a word: how long its list is. */
const listed: usize = memory.data(RUNGS << 2, 8);

let count: u32 = 0;
let room: u32 = 0;
/** Whether each symbol has an entry of its own. */
let isWhole: bool = true;

/** Begins with the end's entry alone. {@link endCounts} must follow. @param most how many entries there may be, the end's included */
export function beginCounts(most: u32): void {
  room = most;
  count = 0;
  isWhole = true;
  buffer.fit(entries, (<usize>most) << ENTRY_SHIFT);
  buffer.fit(names, <usize>most * NAME_BYTES);
  buffer.fit(behinds, (<usize>most) << BEHIND_SHIFT);
  buffer.fit(follows, (<usize>most) << 3);
  // All at once is much faster than entry by entry.
  memory.fill(buffer.start(entries), 0, (<usize>most) << ENTRY_SHIFT);
  memory.fill(buffer.start(behinds), 0, (<usize>most) << BEHIND_SHIFT);
  memory.fill(buffer.start(follows), 0, (<usize>most) << 3);
  buffer.fit(probabilities, <usize>most * PROBABILITIES_BYTES);
  addEntry(END);
}

/**
 * Makes an entry for all symbols but some; these must be {@link admit}ted, and {@link dismiss}ed in the end.
 * {@link dropOthers} must follow.
 */
export function addOthers(): void {
  isWhole = false;
  addEntry(OTHERS);
}

/** Lets a symbol have an entry of its own when it is said. */
export function admit(symbol: u32): void {
  store<u32>(countTable() + ((<usize>symbol) << 2), ADMITTED);
}

/** Sets what is known of a symbol back to zero. */
export function dismiss(symbol: u32): void {
  store<u32>(countTable() + ((<usize>symbol) << 2), 0);
}

/** Forgets the entry of all others; the last entry takes its place. */
export function dropOthers(): void {
  if (isWhole) {
    return;
  }
  const last = --count;
  if (last !== OTHERS_NUMBER) {
    memory.copy(changetype<usize>(entryAt(OTHERS_NUMBER)), changetype<usize>(entryAt(last)), ENTRY_BYTES);
    memory.copy(changetype<usize>(nameAt(OTHERS_NUMBER)), changetype<usize>(nameAt(last)), NAME_BYTES);
    memory.copy(ruleAt(OTHERS_NUMBER, 0), ruleAt(last, 0), PROBABILITIES_BYTES);
    store<u32>(countTable() + ((<usize>symbolOf(OTHERS_NUMBER)) << 2), OTHERS_NUMBER);
  }
}

/** Sets the tables back to zeros, and forgets the entries. */
export function endCounts(): void {
  for (let number: u32 = 1; number < count; number++) {
    dismiss(symbolOf(number));
  }
  count = 0;
  clearRows();
}

/** How many entries there are. */
export function entryCount(): u32 {
  return count;
}

/** Where the names of the entries are. */
export function namesStart(): usize {
  return buffer.start(names);
}

/** The symbol of the entry of a number. */
export function symbolOf(number: u32): u32 {
  return nameAt(number).symbol;
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
  const number = load<i32>(numbers + ((<usize>symbol) << 2));
  return number > 0 ? <u32>number : addSymbol(symbol, number);
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
export function noteSpeaker(entry: Entry, number: u32, slot: u32): void {
  const support = entry.support;
  // Those that are not among the strongest are written behind them: a branch here is mispredicted too often.
  store<u32>(strongestAt(number, min(support, STRONGEST)), slot);
  entry.support = support + 1;
}

/** The slot of one of the models that say a symbol most strongly, 0 the strongest. */
export function strongestOf(number: u32, place: u32): u32 {
  return load<u32>(strongestAt(number, place));
}

function nameAt(number: u32): Name {
  return changetype<Name>(buffer.start(names) + <usize>number * NAME_BYTES);
}

function strongestAt(number: u32, place: u32): usize {
  return changetype<usize>(nameAt(number)) + offsetof<Name>("strongest") + ((<usize>place) << 2);
}

/** Where what stands behind gives to entries: two doubles each, for what is shared and for the newest event. */
export function behindsStart(): usize {
  return buffer.start(behinds);
}

/** Where these of one entry are. @param start {@link behindsStart}, which a loop reads once */
export function behindIn(start: usize, number: u32): usize {
  return start + ((<usize>number) << BEHIND_SHIFT);
}

/** Where the counts of a rung are, a double for each entry. */
export function rowOf(rung: u32): usize {
  return buffer.start(rowBuffer(rung));
}

/** Where the list of the entries is that a rung counts, a word each. */
export function listOf(rung: u32): usize {
  return buffer.start(listBuffer(rung));
}

/** How many entries a rung counts. */
export function listedOn(rung: u32): u32 {
  return load<u32>(listed + ((<usize>rung) << 2));
}

/** Sets it. */
export function setListed(rung: u32, length: u32): void {
  store<u32>(listed + ((<usize>rung) << 2), length);
}

/** Makes room to count on a rung. */
export function makeRow(rung: u32): void {
  const row = rowBuffer(rung);
  const bytes = (<usize>room) << 3;
  if (buffer.size(row) < bytes) {
    buffer.fit(row, bytes);
    memory.fill(buffer.start(row), 0, bytes);
    buffer.fit(listBuffer(rung), (<usize>room + 1) << 2);
  }
}

/** Sets the counts of all rungs back to zero. */
function clearRows(): void {
  for (let rung: u32 = 0; rung < RUNGS; rung++) {
    const row = rowOf(rung);
    const list = listOf(rung);
    for (let at: u32 = 0; at < listedOn(rung); at++) {
      store<f64>(row + ((<usize>load<u32>(list + ((<usize>at) << 2))) << 3), 0);
    }
    setListed(rung, 0);
  }
}

/** Where what follows gives to an entry. */
export function followsAt(number: u32): usize {
  return buffer.start(follows) + ((<usize>number) << 3);
}

/** Where the probability of a rule is, for the entry of a number. */
export function ruleAt(number: u32, rule: u32): usize {
  return ruleIn(buffer.start(probabilities), number, rule);
}

/** The same. @param start {@link probabilitiesStart}, which a loop reads once */
export function ruleIn(start: usize, number: u32, rule: u32): usize {
  return start + <usize>number * PROBABILITIES_BYTES + ((<usize>rule) << 3);
}

function listBuffer(rung: u32): usize {
  return lists + <usize>rung * BUFFER_BYTES;
}

function rowBuffer(rung: u32): usize {
  return rows + <usize>rung * BUFFER_BYTES;
}

function addSymbol(symbol: u32, number: i32): u32 {
  if (number === 0 && !isWhole) {
    return OTHERS_NUMBER;
  }
  store<u32>(countTable() + ((<usize>symbol) << 2), count);
  return addEntry(symbol);
}

function addEntry(symbol: u32): u32 {
  const number = count++;
  nameAt(number).symbol = symbol;
  return number;
}
