/** The data of each symbol: its frequency, and two scratch tables, which a query uses and leaves zero. */

import * as buffer from "../memory/buffer";
import { SYMBOL_CLASSES, SYMBOL_COUNTS, SYMBOL_FREQUENCIES } from "../memory/tenant";
import { growHeads, headGrowthBytes } from "./postings";

/** New bytes needed for symbols below `end`. */
export function symbolGrowthBytes(end: u32): usize {
  const more = missing(end);
  return (
    buffer.growthBytes(SYMBOL_FREQUENCIES, more << 3) +
    buffer.growthBytes(SYMBOL_CLASSES, more << 2) +
    buffer.growthBytes(SYMBOL_COUNTS, more << 2) +
    headGrowthBytes(more)
  );
}

/** Makes room for symbols below `end`. Their frequency is 0 until it is set. */
export function knowSymbols(end: u32): void {
  const more = missing(end);
  buffer.appendZeros(SYMBOL_FREQUENCIES, more << 3);
  buffer.appendZeros(SYMBOL_CLASSES, more << 2);
  buffer.appendZeros(SYMBOL_COUNTS, more << 2);
  growHeads(more);
}

/** The number of symbols that there is room for. A symbol at or above it is unknown. */
export function symbolEnd(): u32 {
  return <u32>(buffer.size(SYMBOL_CLASSES) >> 2);
}

/** Sets the number of occurrences of a known symbol. */
export function setFrequencyOf(symbol: u32, frequency: f64): void {
  store<f64>(buffer.start(SYMBOL_FREQUENCIES) + ((<usize>symbol) << 3), frequency);
}

/** Sets the numbers of occurrences of the first `count` symbols, all of them known. @param from doubles */
export function copyFirstFrequencies(from: usize, count: u32): void {
  memory.copy(buffer.start(SYMBOL_FREQUENCIES), from, (<usize>count) << 3);
}

/** The number of occurrences of a symbol; 0 for an unknown one. */
export function symbolFrequency(symbol: u32): f64 {
  return symbol < symbolEnd() ? load<f64>(buffer.start(SYMBOL_FREQUENCIES) + ((<usize>symbol) << 3)) : 0;
}

/**
 * A word for each symbol: its class, which is its number among the query's distinct symbols, from 1; 0 if the query
 * lacks it.
 */
export function classTable(): usize {
  return buffer.start(SYMBOL_CLASSES);
}

/** A word of scratch for each symbol. A function that uses it leaves zeros. */
export function countTable(): usize {
  return buffer.start(SYMBOL_COUNTS);
}

/** Forgets all symbols. */
export function forgetSymbols(): void {
  buffer.free(SYMBOL_FREQUENCIES);
  buffer.free(SYMBOL_CLASSES);
  buffer.free(SYMBOL_COUNTS);
}

function missing(end: u32): usize {
  const have = symbolEnd();
  return end > have ? <usize>(end - have) : 0;
}
