/**
 * Models that are kept for certain, ranked when all others are counted: slots, overlaps, and the class of those that have only one
 * symbol in common with memory. The newest come last.
 */

import * as column from "./column";

/** So many can wait; when there are more, all models are looked at a second time instead. */
let most: u32 = 524_288;
/** An entry: the slot, then the overlap or, for an overlap of 1, the class and this bit. */
const SINGLE: u32 = 0x8000_0000;

const entries: usize = memory.data(12, 8);

let overflowed: bool = false;

/** Sets how many can wait. */
export function limitPutOff(count: u32): void {
  most = count;
}

/** None waits yet. */
export function openPutOff(): void {
  column.cut(entries, 0);
  overflowed = false;
}

/** Whether there were too many; then those kept say nothing. */
export function tooManyPutOff(): bool {
  return overflowed;
}

/** Puts off a model of an overlap greater than 1. */
export function putOff(slot: u32, overlap: u32): void {
  add(slot, overlap);
}

/** Puts off a model that has only the symbol of a class in common with memory, once. */
export function putOffSingle(slot: u32, number: u32): void {
  add(slot, number | SINGLE);
}

export function putOffCount(): u32 {
  return <u32>(column.size(entries) >> 3);
}

export function putOffSlot(at: u32): u32 {
  return load<u32>(column.start(entries) + ((<usize>at) << 3));
}

export function putOffOverlap(at: u32): u32 {
  const word = load<u32>(column.start(entries) + ((<usize>at) << 3), 4);
  return (word & SINGLE) !== 0 ? 1 : word;
}

/** The class of a model with an overlap of 1. */
export function putOffClass(at: u32): u32 {
  return load<u32>(column.start(entries) + ((<usize>at) << 3), 4) & ~SINGLE;
}

function add(slot: u32, word: u32): void {
  if (putOffCount() >= most) {
    overflowed = true;
    return;
  }
  const to = column.append(entries, 8);
  store<u32>(to, slot);
  store<u32>(to, word, 4);
}
