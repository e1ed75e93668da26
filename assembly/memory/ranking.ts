/**
 * The best entries offered so far: a heap with the worst on top, so that a better one replaces it. An entry is a value
 * and a number (a model's slot, for instance); among equal values the greater number is better, so a newer model beats
 * an older one.
 */

import * as buffer from "./buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "./buffer";

@unmanaged
class Entry {
  value: f64;
  number: u32;
}

/** A multiple of 8. */
const ENTRY_BYTES: usize = (offsetof<Entry>() + 7) & ~7;
const entries: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let capacity: u32 = 0;
/** No lesser value is kept. */
let floor: f64 = -Infinity;

/** Starts empty, to keep the best `count`. */
export function beginRanking(count: u32): void {
  buffer.truncate(entries, 0);
  capacity = count;
}

/** Sets a floor: values below it are surely not among the best; minus infinity for none. It outlasts rankings. */
export function setFloor(value: f64): void {
  floor = value;
}

/** Number of entries held. */
export function rankedCount(): u32 {
  return <u32>(buffer.size(entries) / ENTRY_BYTES);
}

/** The value of an entry. */
export function rankedValue(place: u32): f64 {
  return entryAt(place).value;
}

/** The number of an entry. After {@link sortRanking}, the one at 0 is the best. */
export function rankedNumber(place: u32): u32 {
  return entryAt(place).number;
}

/** Keeps the entry if it is among the best so far. */
export function offer(value: f64, number: u32): void {
  if (value < floor) {
    return;
  }
  const count = rankedCount();
  if (count < capacity) {
    buffer.append(entries, ENTRY_BYTES);
    put(count, value, number);
    siftUp(count);
  } else if (isBetter(value, number, 0)) {
    put(0, value, number);
    siftDown(count);
  }
}

/** The worst value of a full ranking; until it is full, the floor of {@link setFloor}. */
export function rankedWorst(): f64 {
  return rankedCount() < capacity ? floor : entryAt(0).value;
}

/** Whether an entry would be among the best so far. */
export function reachesRanking(value: f64, number: u32): bool {
  return rankedCount() < capacity ? value >= floor : isBetter(value, number, 0);
}

/** Whether a value is surely not among the best, whatever its number. */
export function isBelowRanking(value: f64): bool {
  return value < rankedWorst();
}

/** Sorts the entries best first. They no longer form a heap, so {@link beginRanking} must precede another offer. */
export function sortRanking(): void {
  for (let count = rankedCount(); count > 1; count--) {
    const value = entryAt(0).value;
    const number = entryAt(0).number;
    copy(count - 1, 0);
    put(count - 1, value, number);
    siftDown(count - 1);
  }
}

function entryAt(place: u32): Entry {
  return changetype<Entry>(buffer.start(entries) + <usize>place * ENTRY_BYTES);
}

function put(place: u32, value: f64, number: u32): void {
  const entry = entryAt(place);
  entry.value = value;
  entry.number = number;
}

function copy(from: u32, to: u32): void {
  put(to, entryAt(from).value, entryAt(from).number);
}

function isBetter(value: f64, number: u32, place: u32): bool {
  const other = entryAt(place);
  return value > other.value || (value === other.value && number >= other.number);
}

/** Moves the entry at `place` up past all better ones: the worst is on top. */
function siftUp(place: u32): void {
  const value = entryAt(place).value;
  const number = entryAt(place).number;
  let at = place;
  while (at > 0 && !isBetter(value, number, (at - 1) >> 1)) {
    copy((at - 1) >> 1, at);
    at = (at - 1) >> 1;
  }
  put(at, value, number);
}

/** Moves the top of the first `count` entries down past all worse ones. */
function siftDown(count: u32): void {
  const value = entryAt(0).value;
  const number = entryAt(0).number;
  let at: u32 = 0;
  for (let child: u32 = 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && !isBetter(entryAt(child + 1).value, entryAt(child + 1).number, child)) {
      child++;
    }
    if (!isBetter(value, number, child)) {
      break;
    }
    copy(child, at);
    at = child;
  }
  put(at, value, number);
}
