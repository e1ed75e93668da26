/**
 * What is known of all the models that the recall threshold keeps: the sum of their frequencies, and which of memory's symbols any
 * of them has in its present. (The symbols of a present are its matches and its missing, so a symbol that is in nobody's present is
 * in nobody's matches or missing.)
 */

import { firstChunk } from "../corpus/postings";
import { symbolAt, symbolStart } from "../corpus/segment";
import { classTable, symbolFrequency } from "../corpus/symbols";
import { classBit } from "../filter/overlap";
import { LANE_MEMORY } from "../match/lanes";
import { presentFrom, presentTo } from "../match/present";
import { classAt, classSymbol, memoryClasses, memoryLength } from "../match/query-sequence";
import * as column from "../memory/buffer";

/** Per class of memory, whether the present of a kept model holds its symbol: not yet, yes, or it never will or does not matter. */
const NOT_YET: u8 = 0;
const SEEN: u8 = 1;
const NEVER: u8 = 2;
const seen: usize = memory.data(12, 8);

let frequencies: f64 = 0;
/** The bits of the classes whose symbols may yet be seen. */
let unseen: u32 = 0;
/** The positions of memory that hold such symbols; only those that a lane has room for. */
let unseenAt: u32 = 0;

/** Nothing is kept yet. */
export function openKept(): void {
  frequencies = 0;
  column.cut(seen, 0);
  column.appendZeros(seen, <usize>memoryClasses() + 1);
  for (let number: u32 = 1; number <= memoryClasses(); number++) {
    const symbol = classSymbol(number);
    if (firstChunk(symbol) === 0 || symbolFrequency(symbol) <= 0) {
      store<u8>(column.start(seen) + <usize>number, NEVER);
    }
  }
  findUnseen();
}

/** Of the classes in a word of overlaps, whether any has a symbol that was not seen yet in the present of a kept model. */
export function holdsUnseen(word: u32): bool {
  return (word & unseen) !== 0;
}

/** Of the first 16 positions of memory, those whose symbol was not seen yet in the present of a kept model, a bit each. */
export function unseenPositions(): u32 {
  return unseenAt;
}

/** Adds the frequency of models that are kept, one or more. */
export function countKept(frequency: f64): void {
  frequencies += frequency;
}

/** The frequencies of the models kept so far, together. */
export function keptFrequencies(): f64 {
  return frequencies;
}

/** Notes which symbols of memory are in the present of a kept model. */
export function seePresent(segment: usize, place: u32): void {
  if (unseen === 0) {
    return;
  }
  const start = symbolStart(segment, place);
  for (let at = start + presentFrom(); at < start + presentTo(); at++) {
    const number = load<u32>(classTable() + ((<usize>symbolAt(segment, at)) << 2));
    if (number !== 0) {
      store<u8>(column.start(seen) + <usize>number, SEEN);
    }
  }
  findUnseen();
}

/** Whether a kept model has the symbol of this class in its present. Final once all models were looked at. */
export function isSeen(number: u32): bool {
  return load<u8>(column.start(seen) + <usize>number) === SEEN;
}

/** Classes share bits, so a bit goes only when all of its classes were seen. */
function findUnseen(): void {
  unseen = 0;
  unseenAt = 0;
  for (let at: u32 = 0; at < min(memoryLength(), LANE_MEMORY); at++) {
    if (classAt(at) !== 0 && load<u8>(column.start(seen) + <usize>classAt(at)) === NOT_YET) {
      unseenAt |= (<u32>1) << at;
    }
  }
  for (let number: u32 = 1; number <= memoryClasses(); number++) {
    if (load<u8>(column.start(seen) + <usize>number) === NOT_YET) {
      unseen |= classBit(number);
    }
  }
}
