/** Sealing a segment: copies its columns into blocks of their own, each column as narrow as its numbers allow. */

import { allocate, newBytes } from "../memory/arena";
import { readWord, shiftFor, writeNumber, writeWord } from "../memory/narrow";
import {
  BLOCK,
  BLOCK_BYTES,
  COUNT,
  EVENT_SHIFT,
  EVENT_START_SHIFT,
  EVENT_STARTS,
  EVENTS,
  eventStart,
  FREQUENCIES,
  FREQUENCY_SHIFT,
  frequencyAt,
  ID_BASE,
  ID_SHIFT,
  IDS,
  idAt,
  SYMBOL_SHIFT,
  SYMBOL_START_SHIFT,
  SYMBOL_STARTS,
  SYMBOLS,
  symbolStart,
} from "./segment";

/** New bytes for sealing a segment that holds a model at least. */
export function sealedBytes(segment: usize): usize {
  const count = load<u32>(segment, COUNT);
  return newBytes(blockBytes(segment, count)) + newBytes((<usize>count) << frequencyShift(segment, count));
}

/** Seals a segment that holds a model at least. Its descriptor points at the new blocks then; the old columns are the caller's. */
export function seal(segment: usize): void {
  const count = load<u32>(segment, COUNT);
  const symbols = symbolStart(segment, count);
  const events = eventStart(segment, count);
  const symbolShift = narrowest(segment, SYMBOLS, SYMBOL_SHIFT, symbols);
  const eventShift = narrowest(segment, EVENTS, EVENT_SHIFT, events);
  const bytes = blockBytes(segment, count);
  const block = allocate(bytes);
  let at = sealIds(segment, block, idShift(segment, count));
  at = sealWords(segment, at, SYMBOL_STARTS, SYMBOL_START_SHIFT, count + 1, shiftFor(<f64>symbols));
  at = sealWords(segment, at, SYMBOLS, SYMBOL_SHIFT, symbols, symbolShift);
  at = sealWords(segment, at, EVENT_STARTS, EVENT_START_SHIFT, count + 1, shiftFor(<f64>events));
  sealWords(segment, at, EVENTS, EVENT_SHIFT, events, eventShift);
  store<u32>(segment, <u32>block, BLOCK);
  store<u32>(segment, <u32>bytes, BLOCK_BYTES);
  sealFrequencies(segment, count);
}

/** The bytes of all narrow columns but the frequencies. */
function blockBytes(segment: usize, count: u32): usize {
  const symbols = symbolStart(segment, count);
  const events = eventStart(segment, count);
  return (
    columnBytes(count, idShift(segment, count)) +
    columnBytes(count + 1, shiftFor(<f64>symbols)) +
    columnBytes(symbols, narrowest(segment, SYMBOLS, SYMBOL_SHIFT, symbols)) +
    columnBytes(count + 1, shiftFor(<f64>events)) +
    columnBytes(events, narrowest(segment, EVENTS, EVENT_SHIFT, events))
  );
}

/** Ids are kept as what they are above the first. */
function idShift(segment: usize, count: u32): u32 {
  return shiftFor(idAt(segment, count - 1) - idAt(segment, 0));
}

function frequencyShift(segment: usize, count: u32): u32 {
  let greatest: f64 = 0;
  for (let at: u32 = 0; at < count; at++) {
    greatest = max(greatest, frequencyAt(segment, at));
  }
  return shiftFor(greatest);
}

/** The bytes of a narrow column, a multiple of 8 so that the next one is aligned. */
function columnBytes(count: u32, shift: u32): usize {
  return (((<usize>count) << shift) + 7) & ~7;
}

function narrowest(segment: usize, field: usize, shiftField: usize, count: u32): u32 {
  const column = load<u32>(segment + field);
  const shift = load<u8>(segment + shiftField);
  let greatest: u32 = 0;
  for (let at: u32 = 0; at < count; at++) {
    greatest = max(greatest, readWord(column, shift, at));
  }
  return shiftFor(<f64>greatest);
}

function sealIds(segment: usize, to: usize, shift: u32): usize {
  const count = load<u32>(segment, COUNT);
  const base = idAt(segment, 0);
  for (let at: u32 = 0; at < count; at++) {
    writeNumber(to, shift, at, idAt(segment, at) - base);
  }
  store<f64>(segment, base, ID_BASE);
  store<u32>(segment, <u32>to, IDS);
  store<u8>(segment, <u8>shift, ID_SHIFT);
  return to + columnBytes(count, shift);
}

function sealWords(segment: usize, to: usize, field: usize, shiftField: usize, count: u32, shift: u32): usize {
  const from = load<u32>(segment + field);
  const oldShift = load<u8>(segment + shiftField);
  for (let at: u32 = 0; at < count; at++) {
    writeWord(to, shift, at, readWord(from, oldShift, at));
  }
  store<u32>(segment + field, <u32>to);
  store<u8>(segment + shiftField, <u8>shift);
  return to + columnBytes(count, shift);
}

function sealFrequencies(segment: usize, count: u32): void {
  const shift = frequencyShift(segment, count);
  const block = allocate((<usize>count) << shift);
  for (let at: u32 = 0; at < count; at++) {
    writeNumber(block, shift, at, frequencyAt(segment, at));
  }
  store<u32>(segment, <u32>block, FREQUENCIES);
  store<u8>(segment, <u8>shift, FREQUENCY_SHIFT);
}
