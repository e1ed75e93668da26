/** The symbols of the present of one model, the distinct ones counted. Uses the table of counts and leaves it zero. */

import { query } from "../abi/layout";
import { copySymbols, Segment, symbolStart } from "../corpus/segment";
import { countTable, symbolFrequency } from "../corpus/symbols";
import { presentFrom, presentLength } from "../match/present";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

/** A distinct symbol of the present. */
@unmanaged
export class Distinct {
  probability: f64;
  symbol: u32;
  /** Its count in the present. */
  count: u32;
}

/** Bytes of a distinct symbol. */
export const DISTINCT_BYTES: usize = offsetof<Distinct>();

/** For each position of the present, the address of its distinct symbol. */
const entries: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** The distinct symbols, by first appearance. */
const distinct: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let counted: bool = false;
let end: usize = 0;

/** The relative frequency of a symbol; 0 for an unknown one. */
export function probability(symbol: u32): f64 {
  return symbolFrequency(symbol) / query.memberFrequencies;
}

/** Where the distinct symbols start. */
export function distinctStart(): usize {
  return buffer.start(distinct);
}

/** Where the distinct symbols end. */
export function distinctEnd(): usize {
  return end;
}

/**
 * Counts the symbols of the present of the model at a place; the present must be found already. Does nothing if they
 * are counted already.
 */
export function countPresent(segment: Segment, place: u32): void {
  if (counted) {
    return;
  }
  counted = true;
  const start = symbolStart(segment, place) + presentFrom();
  const length = presentLength();
  buffer.ensure(entries, (<usize>length) << 2);
  buffer.ensure(distinct, <usize>length * DISTINCT_BYTES);
  const to = buffer.start(entries);
  const table = countTable();
  end = buffer.start(distinct);
  copySymbols(segment, start, length, to);
  for (let at: u32 = 0; at < length; at++) {
    const symbol = load<u32>(to + ((<usize>at) << 2));
    // While counting, the table of counts holds addresses.
    const mark = table + ((<usize>symbol) << 2);
    if (load<u32>(mark) === 0) {
      const fresh = changetype<Distinct>(end);
      fresh.probability = probability(symbol);
      fresh.symbol = symbol;
      fresh.count = 0;
      store<u32>(mark, <u32>end);
      end += DISTINCT_BYTES;
    }
    const entry: usize = load<u32>(mark);
    changetype<Distinct>(entry).count++;
    store<u32>(to + ((<usize>at) << 2), <u32>entry);
  }
}

/** The distinct symbol at a position of the present. */
export function distinctAt(at: u32): Distinct {
  return changetype<Distinct>(load<u32>(buffer.start(entries) + ((<usize>at) << 2)));
}

/** Whether the present has a symbol. Its symbols must be counted already. */
export function isInPresent(symbol: u32): bool {
  return load<u32>(countTable() + ((<usize>symbol) << 2)) !== 0;
}

/** Makes the table of counts zero again. */
export function forgetPresentSymbols(): void {
  if (counted) {
    for (let at = buffer.start(distinct); at < end; at += DISTINCT_BYTES) {
      store<u32>(countTable() + ((<usize>changetype<Distinct>(at).symbol) << 2), 0);
    }
    counted = false;
  }
}
