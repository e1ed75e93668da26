/** Models that are kept for certain, whose place among the predictions can wait: slots and overlaps. */

import * as column from "./column";

/** So many can wait at a time. */
const MOST: u32 = 65536;

/** An entry: the slot, the overlap. */
const entries: usize = memory.data(12, 8);

/** Puts a model off. There must be room. */
export function putOff(slot: u32, overlap: u32): void {
  const to = column.append(entries, 8);
  store<u32>(to, slot);
  store<u32>(to, overlap, 4);
}

export function putOffCount(): u32 {
  return <u32>(column.size(entries) >> 3);
}

/** Whether no more can be put off. */
export function putOffFull(): bool {
  return putOffCount() === MOST;
}

export function putOffSlot(at: u32): u32 {
  return load<u32>(column.start(entries) + ((<usize>at) << 3));
}

export function putOffOverlap(at: u32): u32 {
  return load<u32>(column.start(entries) + ((<usize>at) << 3), 4);
}

/** None waits any more. */
export function clearPutOff(): void {
  column.cut(entries, 0);
}

export function forgetPutOff(): void {
  column.drop(entries);
}
