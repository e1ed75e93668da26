/**
 * The query's symbols, prepared for matching: a class for each distinct known symbol, and the positions of each class
 * chained from the last to the first. Unknown symbols have no class; they match nothing.
 */

import { classTable, symbolEnd } from "../corpus/symbols";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

/** One position of the query. */
@unmanaged
class Position {
  symbol: u32;
  /** The class of the symbol; 0 for an unknown one. */
  number: u32;
  /** The previous position that holds the same symbol; -1 for none. */
  previous: i32;
}

/** One class. */
@unmanaged
class SymbolClass {
  symbol: u32;
  /** Occurrences of the symbol in the query. */
  occurrences: u32;
  /** The last position that holds it. */
  last: i32;
}

const POSITION_BYTES: usize = offsetof<Position>();
const CLASS_BYTES: usize = offsetof<SymbolClass>();

const positions: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Classes count from 1; entry 0 is unused. */
const classes: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let length: u32 = 0;
let classCount: u32 = 0;

/** Number of symbols in the query. */
export function queryLength(): u32 {
  return length;
}

/** Number of distinct known symbols in the query; classes are numbered from 1 to this. */
export function queryClasses(): u32 {
  return classCount;
}

/** Takes the `count` symbols at `input`. {@link endQuerySequence} must follow before the next query begins. */
export function beginQuerySequence(input: usize, count: u32): void {
  buffer.truncate(positions, 0);
  buffer.truncate(classes, 0);
  buffer.append(positions, <usize>count * POSITION_BYTES);
  buffer.append(classes, CLASS_BYTES);
  length = count;
  classCount = 0;
  for (let at: u32 = 0; at < count; at++) {
    place(at, load<u32>(input + ((<usize>at) << 2)));
  }
}

function place(at: u32, symbol: u32): void {
  const position = positionOf(at);
  position.symbol = symbol;
  position.number = 0;
  position.previous = -1;
  if (symbol >= symbolEnd()) {
    return;
  }
  const entry = classTable() + ((<usize>symbol) << 2);
  if (load<u32>(entry) === 0) {
    store<u32>(entry, addClass(symbol));
  }
  const number = load<u32>(entry);
  const own = classOf(number);
  position.number = number;
  position.previous = own.last;
  own.last = <i32>at;
  own.occurrences++;
}

function addClass(symbol: u32): u32 {
  const fresh = changetype<SymbolClass>(buffer.append(classes, CLASS_BYTES));
  fresh.symbol = symbol;
  fresh.occurrences = 0;
  fresh.last = -1;
  return ++classCount;
}

/** Resets the class table to zeros. */
export function endQuerySequence(): void {
  for (let number: u32 = 1; number <= classCount; number++) {
    store<u32>(classTable() + ((<usize>classSymbol(number)) << 2), 0);
  }
}

/** The symbol at a position of the query. */
export function querySymbol(at: u32): u32 {
  return positionOf(at).symbol;
}

/** The class of the symbol at a position; 0 for an unknown symbol. */
export function classAt(at: u32): u32 {
  return positionOf(at).number;
}

/** The previous position, before `at`, that holds the same symbol; -1 for none. */
export function previousOccurrence(at: u32): i32 {
  return positionOf(at).previous;
}

/** The last position that holds the symbol of a class. */
export function lastOccurrence(number: u32): i32 {
  return classOf(number).last;
}

/** Occurrences of a class's symbol in the query. */
export function classOccurrences(number: u32): u32 {
  return classOf(number).occurrences;
}

/** The symbol of a class. */
export function classSymbol(number: u32): u32 {
  return classOf(number).symbol;
}

/** The bit, from 16 up, that stands for a class in a word of overlaps. Queries of more than 16 classes share bits. */
export function classBit(number: u32): u32 {
  return (<u32>0x1_0000) << (number & 15);
}

function positionOf(at: u32): Position {
  return changetype<Position>(buffer.start(positions) + <usize>at * POSITION_BYTES);
}

function classOf(number: u32): SymbolClass {
  return changetype<SymbolClass>(buffer.start(classes) + <usize>number * CLASS_BYTES);
}
