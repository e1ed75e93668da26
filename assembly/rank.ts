/** The best matches found so far: a heap with the worst on top, so that a better one replaces it. Ties go to the newer model. */

import * as column from "./column";

/** Per entry: the value, the slot. */
const entries: usize = memory.data(12, 8);
const ENTRY_BYTES: usize = 16;

let capacity: u32 = 0;

/** Starts empty, to keep the best `count`. */
export function openRanking(count: u32): void {
  column.cut(entries, 0);
  capacity = count;
}

export function rankedCount(): u32 {
  return <u32>(column.size(entries) / ENTRY_BYTES);
}

/** The slot at a place; after {@link sortRanking}, 0 is the best. */
export function rankedSlot(place: u32): u32 {
  return load<u32>(entry(place), 8);
}

/** Keeps the entry if it is among the best so far. */
export function offer(value: f64, slot: u32): void {
  const count = rankedCount();
  if (count < capacity) {
    put(column.append(entries, ENTRY_BYTES), value, slot);
    rise(count);
  } else if (better(value, slot, 0)) {
    put(entry(0), value, slot);
    sink(count);
  }
}

/** The worst value of a full ranking; the least there is while it is not full. */
export function rankedWorst(): f64 {
  return rankedCount() < capacity ? -Infinity : load<f64>(entry(0));
}

/** Whether an entry of this value could be among the best; a full ranking tells. */
export function reachesRanking(value: f64, slot: u32): bool {
  return rankedCount() < capacity || better(value, slot, 0);
}

/** Whether an entry of this value is surely not among the best, however new. */
export function isBelowFloor(value: f64): bool {
  return rankedCount() === capacity && value < load<f64>(entry(0));
}

/** Orders the entries best first. They are no heap any more: {@link openRanking} must come before another offer. */
export function sortRanking(): void {
  for (let count = rankedCount(); count > 1; count--) {
    swap(0, count - 1);
    sink(count - 1);
  }
}

function entry(place: u32): usize {
  return column.start(entries) + <usize>place * ENTRY_BYTES;
}

function put(at: usize, value: f64, slot: u32): void {
  store<f64>(at, value);
  store<u32>(at, slot, 8);
}

function better(value: f64, slot: u32, place: u32): bool {
  const other = load<f64>(entry(place));
  return value > other || (value === other && slot >= load<u32>(entry(place), 8));
}

function worse(a: u32, b: u32): bool {
  return better(load<f64>(entry(b)), load<u32>(entry(b), 8), a);
}

function swap(a: u32, b: u32): void {
  const value = load<f64>(entry(a));
  const slot = load<u32>(entry(a), 8);
  put(entry(a), load<f64>(entry(b)), load<u32>(entry(b), 8));
  put(entry(b), value, slot);
}

function rise(place: u32): void {
  let at = place;
  while (at > 0 && worse(at, (at - 1) >> 1)) {
    swap(at, (at - 1) >> 1);
    at = (at - 1) >> 1;
  }
}

function sink(count: u32): void {
  let at: u32 = 0;
  for (;;) {
    let worst = at;
    const left: u32 = 2 * at + 1;
    if (left < count && worse(left, worst)) {
      worst = left;
    }
    if (left + 1 < count && worse(left + 1, worst)) {
      worst = left + 1;
    }
    if (worst === at) {
      return;
    }
    swap(at, worst);
    at = worst;
  }
}

export function forgetRanking(): void {
  column.drop(entries);
}
