/** What is known of each symbol: how often it occurs, and scratch that one query uses and leaves zero. */

import * as column from "../memory/buffer";
import { growHeads, headGrowthBytes } from "./postings";

const frequencies: usize = memory.data(12, 8);
const classes: usize = memory.data(12, 8);
const counts: usize = memory.data(12, 8);

/** New bytes needed to know symbols below `end`. */
export function symbolGrowthBytes(end: u32): usize {
  const more = missing(end);
  return (
    column.growthBytes(frequencies, more << 3) +
    column.growthBytes(classes, more << 2) +
    column.growthBytes(counts, more << 2) +
    headGrowthBytes(more)
  );
}

/** Makes room for symbols below `end`, whose frequency is 0 until set. */
export function knowSymbols(end: u32): void {
  const more = missing(end);
  column.appendZeros(frequencies, more << 3);
  column.appendZeros(classes, more << 2);
  column.appendZeros(counts, more << 2);
  growHeads(more);
}

/** How many symbols there is room for; any symbol at or above it is unknown. */
export function symbolEnd(): u32 {
  return <u32>(column.size(classes) >> 2);
}

export function setSymbolFrequency(symbol: u32, frequency: f64): void {
  store<f64>(column.start(frequencies) + ((<usize>symbol) << 3), frequency);
}

/** 0 for an unknown symbol. */
export function symbolFrequency(symbol: u32): f64 {
  return symbol < symbolEnd() ? load<f64>(column.start(frequencies) + ((<usize>symbol) << 3)) : 0;
}

/** Where the class of each symbol is: its number among the query's distinct symbols, from 1; 0 when it is not in the query. */
export function classTable(): usize {
  return column.start(classes);
}

/** Where a count per symbol can be kept; whoever uses it leaves zeros. */
export function countTable(): usize {
  return column.start(counts);
}

export function forgetSymbols(): void {
  column.drop(frequencies);
  column.drop(classes);
  column.drop(counts);
}

function missing(end: u32): usize {
  const have = symbolEnd();
  return end > have ? <usize>(end - have) : 0;
}
