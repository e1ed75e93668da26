/** The best matches found so far: a heap with the worst on top, so that a better one replaces it. Ties go to the newer model. */

import * as column from "./buffer";

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
    const value = load<f64>(entry(0));
    const slot = load<u32>(entry(0), 8);
    copy(count - 1, 0);
    put(entry(count - 1), value, slot);
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

/** Whether an entry ranks after the one at a place. */
function isWorse(value: f64, slot: u32, place: u32): bool {
  return !better(value, slot, place);
}

/** Lets the entry at `place` rise above all that are better: the worst is on top. */
function rise(place: u32): void {
  const value = load<f64>(entry(place));
  const slot = load<u32>(entry(place), 8);
  let at = place;
  while (at > 0 && isWorse(value, slot, (at - 1) >> 1)) {
    copy((at - 1) >> 1, at);
    at = (at - 1) >> 1;
  }
  put(entry(at), value, slot);
}

/** Lets the entry on top of the first `count` sink below all that are worse. */
function sink(count: u32): void {
  const value = load<f64>(entry(0));
  const slot = load<u32>(entry(0), 8);
  let at: u32 = 0;
  for (let child: u32 = 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && isWorse(load<f64>(entry(child + 1)), load<u32>(entry(child + 1), 8), child)) {
      child++;
    }
    if (isWorse(value, slot, child)) {
      break;
    }
    copy(child, at);
    at = child;
  }
  put(entry(at), value, slot);
}

function copy(from: u32, to: u32): void {
  put(entry(to), load<f64>(entry(from)), load<u32>(entry(from), 8));
}
