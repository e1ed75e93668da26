/**
 * What is known of all the models that the recall threshold keeps: the sum of their frequencies, and which of memory's symbols any
 * of them has in its present. (The symbols of a present are its matches and its missing, so a symbol that is in nobody's present is
 * in nobody's matches or missing.)
 */

import * as column from "./column";
import { classSymbol, memoryClasses } from "./memory-sequence";
import { isMarked, markClass } from "./overlap";
import { firstChunk } from "./postings";
import { presentFrom, presentTo } from "./present";
import { symbolAt, symbolStart } from "./segment";
import { classTable, symbolFrequency } from "./symbols";

/** Per class of memory, whether a present holds its symbol. */
const seen: usize = memory.data(12, 8);

let frequencies: f64 = 0;
/** How many classes are marked. */
let unseen: u32 = 0;

/** Nothing is kept yet. Classes that may still be seen are marked. */
export function openKept(): void {
  frequencies = 0;
  unseen = 0;
  column.cut(seen, 0);
  column.appendZeros(seen, <usize>memoryClasses() + 1);
  for (let number: u32 = 1; number <= memoryClasses(); number++) {
    const symbol = classSymbol(number);
    if (firstChunk(symbol) !== 0 && symbolFrequency(symbol) > 0) {
      markClass(number, true);
      unseen++;
    }
  }
}

/** Adds the frequency of one more model that is kept. */
export function countKept(frequency: f64): void {
  frequencies += frequency;
}

/** The frequencies of the models kept so far, together. */
export function keptFrequencies(): f64 {
  return frequencies;
}

/** Notes which symbols of memory are in the present of a kept model, and takes their marks away. */
export function seePresent(segment: usize, place: u32): void {
  if (unseen === 0) {
    return;
  }
  const start = symbolStart(segment, place);
  for (let at = start + presentFrom(); at < start + presentTo(); at++) {
    const number = load<u32>(classTable() + ((<usize>symbolAt(segment, at)) << 2));
    const entry = column.start(seen) + <usize>number;
    if (number !== 0 && load<u8>(entry) === 0) {
      store<u8>(entry, 1);
      if (isMarked(number)) {
        markClass(number, false);
        unseen--;
      }
    }
  }
}

/** Whether a kept model has the symbol of this class in its present. Final once all models were looked at. */
export function isSeen(number: u32): bool {
  return load<u8>(column.start(seen) + <usize>number) !== 0;
}

export function forgetKept(): void {
  column.drop(seen);
}
