/** Sealing a segment: copies its columns into blocks of their own, each column as narrow as its numbers allow. */

import { allocate, newBytes } from "../memory/arena";
import { readWord, shiftFor, writeNumber, writeWord } from "../memory/narrow";
import { eventStart, frequencyAt, idAt, Segment, symbolStart } from "./segment";

/** New bytes needed to seal a segment that holds at least one model. */
export function sealedBytes(segment: Segment): usize {
  return newBytes(blockBytes(segment)) + newBytes((<usize>segment.count) << frequencyShift(segment));
}

/**
 * Seals a segment that holds at least one model: its descriptor then points at new blocks. The caller keeps the old
 * columns.
 */
export function seal(segment: Segment): void {
  const count = segment.count;
  const symbols = symbolStart(segment, count);
  const events = eventStart(segment, count);
  const bytes = blockBytes(segment);
  const block = allocate(bytes);
  sealIds(segment, block);
  let at = block + columnBytes(count, segment.idShift);

  const startShift = shiftFor(<f64>symbols);
  copyColumn(segment.symbolStarts, segment.symbolStartShift, count + 1, at, startShift);
  segment.symbolStarts = at;
  segment.symbolStartShift = <u8>startShift;
  at += columnBytes(count + 1, startShift);

  const symbolShift = narrowest(segment.symbols, segment.symbolShift, symbols);
  copyColumn(segment.symbols, segment.symbolShift, symbols, at, symbolShift);
  segment.symbols = at;
  segment.symbolShift = <u8>symbolShift;
  at += columnBytes(symbols, symbolShift);

  const eventStartShift = shiftFor(<f64>events);
  copyColumn(segment.eventStarts, segment.eventStartShift, count + 1, at, eventStartShift);
  segment.eventStarts = at;
  segment.eventStartShift = <u8>eventStartShift;
  at += columnBytes(count + 1, eventStartShift);

  const eventShift = narrowest(segment.events, segment.eventShift, events);
  copyColumn(segment.events, segment.eventShift, events, at, eventShift);
  segment.events = at;
  segment.eventShift = <u8>eventShift;

  segment.block = block;
  segment.blockBytes = <u32>bytes;
  sealFrequencies(segment);
}

/** The bytes of all narrow columns except the frequencies. */
function blockBytes(segment: Segment): usize {
  const count = segment.count;
  const symbols = symbolStart(segment, count);
  const events = eventStart(segment, count);
  return (
    columnBytes(count, idShift(segment)) +
    columnBytes(count + 1, shiftFor(<f64>symbols)) +
    columnBytes(symbols, narrowest(segment.symbols, segment.symbolShift, symbols)) +
    columnBytes(count + 1, shiftFor(<f64>events)) +
    columnBytes(events, narrowest(segment.events, segment.eventShift, events))
  );
}

/** The column holds ids minus the first one. */
function idShift(segment: Segment): u32 {
  return shiftFor(idAt(segment, segment.count - 1) - idAt(segment, 0));
}

function frequencyShift(segment: Segment): u32 {
  let greatest: f64 = 0;
  for (let at: u32 = 0; at < segment.count; at++) {
    greatest = max(greatest, frequencyAt(segment, at));
  }
  return shiftFor(greatest);
}

/** The bytes of a narrow column, a multiple of 8 so that the next column is aligned. */
function columnBytes(count: u32, shift: u32): usize {
  return (((<usize>count) << shift) + 7) & ~7;
}

/** The smallest shift with which a column holds all its numbers. */
function narrowest(column: usize, shift: u32, count: u32): u32 {
  let greatest: u32 = 0;
  for (let at: u32 = 0; at < count; at++) {
    greatest = max(greatest, readWord(column, shift, at));
  }
  return shiftFor(<f64>greatest);
}

function copyColumn(from: usize, fromShift: u32, count: u32, to: usize, toShift: u32): void {
  for (let at: u32 = 0; at < count; at++) {
    writeWord(to, toShift, at, readWord(from, fromShift, at));
  }
}

function sealIds(segment: Segment, to: usize): void {
  const shift = idShift(segment);
  const base = idAt(segment, 0);
  for (let at: u32 = 0; at < segment.count; at++) {
    writeNumber(to, shift, at, idAt(segment, at) - base);
  }
  segment.idBase = base;
  segment.ids = to;
  segment.idShift = <u8>shift;
}

function sealFrequencies(segment: Segment): void {
  const shift = frequencyShift(segment);
  const block = allocate((<usize>segment.count) << shift);
  for (let at: u32 = 0; at < segment.count; at++) {
    writeNumber(block, shift, at, frequencyAt(segment, at));
  }
  segment.frequencies = block;
  segment.frequencyShift = <u8>shift;
}
