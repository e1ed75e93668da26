/** A growable block of memory: a header of three words (block, bytes in use, bytes held) that its owner keeps in static memory. */

import { allocate, classBytes, newBytes, release } from "./arena";

/** Bytes of a column's header. */
export const COLUMN_BYTES: u32 = 12;

/** Where the column's contents start; it moves when the column grows. */
export function start(column: usize): usize {
  return load<u32>(column);
}

/** How many bytes of contents there are. */
export function size(column: usize): usize {
  return load<u32>(column, 4);
}

/** Gives the block back; the column is empty. */
export function drop(column: usize): void {
  release(start(column), load<u32>(column, 8));
  memory.fill(column, 0, COLUMN_BYTES);
}

/** How many new bytes the arena must give before the column can hold `bytes` more. */
export function growthBytes(column: usize, bytes: usize): usize {
  const needed = size(column) + bytes;
  return needed <= load<u32>(column, 8) ? 0 : newBytes(needed + (needed >> 1));
}

/** Makes room for `bytes` more, undefined yet, and answers where they start. Traps when the machine has no more memory. */
export function append(column: usize, bytes: usize): usize {
  const used = size(column);
  if (used + bytes > load<u32>(column, 8)) {
    grow(column, used + bytes);
  }
  store<u32>(column, <u32>(used + bytes), 4);
  return start(column) + used;
}

/** The same, but the room is zeroed. */
export function appendZeros(column: usize, bytes: usize): usize {
  const room = append(column, bytes);
  memory.fill(room, 0, bytes);
  return room;
}

/** Keeps only the first `bytes` of the contents. */
export function cut(column: usize, bytes: usize): void {
  store<u32>(column, <u32>bytes, 4);
}

function grow(column: usize, needed: usize): void {
  const capacity = classBytes(needed + (needed >> 1));
  const block = allocate(capacity);
  memory.copy(block, start(column), size(column));
  release(start(column), load<u32>(column, 8));
  store<u32>(column, <u32>block);
  store<u32>(column, <u32>capacity, 8);
}

/** Makes `to`, which is empty, the owner of what `from` owns; `from` is empty then. */
export function move(from: usize, to: usize): void {
  memory.copy(to, from, COLUMN_BYTES);
  memory.fill(from, 0, COLUMN_BYTES);
}

/** Makes the contents at least `bytes` long. What is in them is undefined. Traps when the machine has no more memory. */
export function hold(column: usize, bytes: usize): void {
  if (size(column) < bytes) {
    cut(column, 0);
    append(column, bytes);
  }
}
