/** The symbols of the present of one model, the distinct ones counted. Uses the table of counts, and leaves it zero when forgotten. */

import { QUERY_MEMBER_FREQUENCIES } from "../abi/layout";
import { query } from "../abi/query";
import { copySymbols, symbolStart } from "../corpus/segment";
import { countTable, symbolFrequency } from "../corpus/symbols";
import { presentFrom, presentLength } from "../match/present";
import * as column from "../memory/buffer";

/** Per position of the present, the entry of its symbol. */
const presentEntries: usize = memory.data(12, 8);
/** The distinct symbols of the present, by first appearance. An entry: the probability, the symbol, how often it occurs. */
const distinctSymbols: usize = memory.data(12, 8);
export const DISTINCT_BYTES: usize = 16;
export const PROBABILITY: usize = 0;
export const SYMBOL: usize = 8;
export const COUNT: usize = 12;

let counted: bool = false;
let end: usize = 0;

/** The relative frequency of a symbol; 0 for an unknown one. */
export function probability(symbol: u32): f64 {
  return symbolFrequency(symbol) / load<f64>(query, QUERY_MEMBER_FREQUENCIES);
}

/** Where the entries of the distinct symbols start. */
export function distinctStart(): usize {
  return column.start(distinctSymbols);
}

/** Where they end. */
export function distinctEnd(): usize {
  return end;
}

/** Finds and counts the symbols of the present, which was found, of the model at a place; once, until they are forgotten. */
export function countPresent(segment: usize, place: u32): void {
  if (counted) {
    return;
  }
  counted = true;
  const start = symbolStart(segment, place) + presentFrom();
  const length = presentLength();
  column.hold(presentEntries, (<usize>length) << 2);
  column.hold(distinctSymbols, <usize>length * DISTINCT_BYTES);
  const to = column.start(presentEntries);
  const table = countTable();
  end = column.start(distinctSymbols);
  copySymbols(segment, start, length, to);
  for (let at: u32 = 0; at < length; at++) {
    const symbol = load<u32>(to + ((<usize>at) << 2));
    let entry: usize = load<u32>(table + ((<usize>symbol) << 2));
    if (entry === 0) {
      entry = end;
      end += DISTINCT_BYTES;
      store<f64>(entry, probability(symbol), PROBABILITY);
      store<u32>(entry, symbol, SYMBOL);
      store<u32>(entry, 0, COUNT);
      store<u32>(table + ((<usize>symbol) << 2), <u32>entry);
    }
    store<u32>(entry, load<u32>(entry, COUNT) + 1, COUNT);
    store<u32>(to + ((<usize>at) << 2), <u32>entry);
  }
}

/** The entry of the distinct symbol at a position of the present. */
export function entryAt(at: u32): usize {
  return load<u32>(column.start(presentEntries) + ((<usize>at) << 2));
}

/** Makes the table of counts zero again. */
export function forgetPresentSymbols(): void {
  if (counted) {
    for (let entry = column.start(distinctSymbols); entry < end; entry += DISTINCT_BYTES) {
      store<u32>(countTable() + ((<usize>load<u32>(entry, SYMBOL)) << 2), 0);
    }
    counted = false;
  }
}
