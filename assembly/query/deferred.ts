/**
 * Models that are kept for certain, ranked when all others are counted: slots, and what is known of how they match. That is how many
 * symbols match, if each is a block of its own; or the overlap; or the class of the only symbol that a model has in common with memory.
 */

import * as column from "../memory/buffer";

/** So many can wait; when there are more, all models are looked at a second time instead. */
let most: u32 = 524_288;
/** An entry: the slot, then the overlap, or what is known of the matches, with the bit that says so. */
const SINGLES: u32 = 0x8000_0000;
const entries: usize = memory.data(12, 8);
/** Models that have only one symbol in common with memory, once; an entry: the slot, the class of the symbol. They are most, if any. */
const only: usize = memory.data(12, 8);

let overflowed: bool = false;

/** Sets how many can wait. */
export function limitPutOff(count: u32): void {
  most = count;
}

/** None waits yet. */
export function openPutOff(): void {
  column.cut(entries, 0);
  column.cut(only, 0);
  overflowed = false;
}

/** Whether there were too many; then those kept say nothing. */
export function tooManyPutOff(): bool {
  return overflowed;
}

/** Puts off a model of this overlap. */
export function putOff(slot: u32, overlap: u32): void {
  add(entries, slot, overlap);
}

/** Puts off a model that has only the symbol of a class in common with memory, once. */
export function putOffOnly(slot: u32, number: u32): void {
  add(only, slot, number);
}

/** Puts off a model of which so many symbols match, each a block of its own, between these positions; all less than 256. */
export function putOffSingles(slot: u32, matches: u32, first: u32, last: u32): void {
  add(entries, slot, SINGLES | (last << 16) | (first << 8) | matches);
}

/** How many models wait, but for those that have only one symbol in common with memory. */
export function putOffCount(): u32 {
  return <u32>(column.size(entries) >> 3);
}

/** The slot of such a model; the newest come last. */
export function putOffSlot(at: u32): u32 {
  return load<u32>(column.start(entries) + ((<usize>at) << 3));
}

/** The matches of a model that were found, each a block of its own; 0 when it was not matched. */
export function putOffMatches(at: u32): u32 {
  const word = wordAt(at);
  return (word & SINGLES) !== 0 ? word & 0xff : 0;
}

/** The first position of such a model that matches. */
export function putOffFirst(at: u32): u32 {
  return (wordAt(at) >> 8) & 0xff;
}

/** The last one. */
export function putOffLast(at: u32): u32 {
  return (wordAt(at) >> 16) & 0xff;
}

/** The overlap of a model that was not matched; 0 when it was. */
export function putOffOverlap(at: u32): u32 {
  const word = wordAt(at);
  return (word & SINGLES) !== 0 ? 0 : word;
}

/** How many models wait that have only one symbol in common with memory. */
export function onlyCount(): u32 {
  return <u32>(column.size(only) >> 3);
}

/** The slot of such a model; the newest come last. */
export function onlySlot(at: u32): u32 {
  return load<u32>(column.start(only) + ((<usize>at) << 3));
}

/** The class of that symbol. */
export function onlySymbolClass(at: u32): u32 {
  return load<u32>(column.start(only) + ((<usize>at) << 3), 4);
}

function wordAt(at: u32): u32 {
  return load<u32>(column.start(entries) + ((<usize>at) << 3), 4);
}

function add(list: usize, slot: u32, word: u32): void {
  if (column.size(entries) + column.size(only) >= (<usize>most) << 3) {
    overflowed = true;
    return;
  }
  const to = column.append(list, 8);
  store<u32>(to, slot);
  store<u32>(to, word, 4);
}
