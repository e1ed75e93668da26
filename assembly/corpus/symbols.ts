/** What is known of each symbol: its frequency, and two scratch tables that a query uses and leaves zero. */

import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { growHeads, headGrowthBytes } from "./postings";

const frequencies: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const classes: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const counts: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** New bytes needed for symbols below `end`. */
export function symbolGrowthBytes(end: u32): usize {
  const more = missing(end);
  return (
    buffer.growthBytes(frequencies, more << 3) +
    buffer.growthBytes(classes, more << 2) +
    buffer.growthBytes(counts, more << 2) +
    headGrowthBytes(more)
  );
}

/** Makes room for symbols below `end`. Their frequency is 0 until it is set. */
export function knowSymbols(end: u32): void {
  const more = missing(end);
  buffer.appendZeros(frequencies, more << 3);
  buffer.appendZeros(classes, more << 2);
  buffer.appendZeros(counts, more << 2);
  growHeads(more);
}

/** How many symbols there is room for. A symbol at or above this is unknown. */
export function symbolEnd(): u32 {
  return <u32>(buffer.size(classes) >> 2);
}

/** Sets how often a known symbol occurs. */
export function setFrequencyOf(symbol: u32, frequency: f64): void {
  store<f64>(buffer.start(frequencies) + ((<usize>symbol) << 3), frequency);
}

/** How often a symbol occurs; 0 for an unknown one. */
export function symbolFrequency(symbol: u32): f64 {
  return symbol < symbolEnd() ? load<f64>(buffer.start(frequencies) + ((<usize>symbol) << 3)) : 0;
}

/** A word per symbol: its class, that is its number among the query's distinct symbols, from 1; 0 when the query lacks it. */
export function classTable(): usize {
  return buffer.start(classes);
}

/** A word of scratch per symbol. Whoever uses it leaves zeros. */
export function countTable(): usize {
  return buffer.start(counts);
}

/** Forgets all symbols. */
export function forgetSymbols(): void {
  buffer.free(frequencies);
  buffer.free(classes);
  buffer.free(counts);
}

function missing(end: u32): usize {
  const have = symbolEnd();
  return end > have ? <usize>(end - have) : 0;
}
