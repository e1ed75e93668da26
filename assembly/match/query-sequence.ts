/**
 * The query's memory, prepared for matching: a class per distinct known symbol, and the positions of each class chained from the
 * last to the first. Unknown symbols have no class; they match nothing.
 */

import { classTable, symbolEnd } from "../corpus/symbols";
import * as column from "../memory/buffer";

/** Per position: its symbol, its class, the position before it of the same class (-1 for none). */
const positions: usize = memory.data(12, 8);
/** Per class from 1: its last position, how often it occurs, its symbol. */
const classesOf: usize = memory.data(12, 8);

let length: u32 = 0;
let classCount: u32 = 0;

/** How many symbols memory has. */
export function memoryLength(): u32 {
  return length;
}

/** How many distinct known symbols memory has; classes are numbered from 1 to this. */
export function memoryClasses(): u32 {
  return classCount;
}

/** Takes `count` symbols from `input`. {@link closeMemory} must follow before the next one is opened. */
export function openMemory(input: usize, count: u32): void {
  column.cut(positions, 0);
  column.cut(classesOf, 0);
  column.append(classesOf, 12);
  length = count;
  classCount = 0;
  const rows = column.append(positions, <usize>count * 12);
  for (let at: u32 = 0; at < count; at++) {
    place(rows + <usize>at * 12, at, load<u32>(input + ((<usize>at) << 2)));
  }
}

function place(row: usize, at: u32, symbol: u32): void {
  store<u32>(row, symbol);
  store<u32>(row, 0, 4);
  store<i32>(row, -1, 8);
  if (symbol >= symbolEnd()) {
    return;
  }
  const entry = classTable() + ((<usize>symbol) << 2);
  let number = load<u32>(entry);
  if (number === 0) {
    number = ++classCount;
    store<u32>(entry, number);
    const fresh = column.append(classesOf, 12);
    store<i32>(fresh, -1);
    store<u32>(fresh, 0, 4);
    store<u32>(fresh, symbol, 8);
  }
  const own = column.start(classesOf) + <usize>number * 12;
  store<u32>(row, number, 4);
  store<i32>(row, load<i32>(own), 8);
  store<u32>(own, at);
  store<u32>(own, load<u32>(own, 4) + 1, 4);
}

/** Gives the class table back as zeros. */
export function closeMemory(): void {
  for (let number: u32 = 1; number <= classCount; number++) {
    store<u32>(classTable() + ((<usize>classSymbol(number)) << 2), 0);
  }
}

export function memorySymbol(at: u32): u32 {
  return load<u32>(column.start(positions) + <usize>at * 12);
}

/** 0 for an unknown symbol. */
export function classAt(at: u32): u32 {
  return load<u32>(column.start(positions) + <usize>at * 12, 4);
}

/** The position before `at` that holds the same symbol; -1 when there is none. */
export function previousOccurrence(at: u32): i32 {
  return load<i32>(column.start(positions) + <usize>at * 12, 8);
}

export function lastOccurrence(number: u32): i32 {
  return load<i32>(column.start(classesOf) + <usize>number * 12);
}

export function classOccurrences(number: u32): u32 {
  return load<u32>(column.start(classesOf) + <usize>number * 12, 4);
}

export function classSymbol(number: u32): u32 {
  return load<u32>(column.start(classesOf) + <usize>number * 12, 8);
}
