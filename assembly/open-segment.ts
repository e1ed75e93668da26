/**
 * The last segment while it still takes models: wide columns that grow. Sealing it copies them into one block, each column as
 * narrow as its numbers allow, and keeps the wide ones for the next segment.
 */

import { allocate, classBytes } from "./arena";
import * as column from "./column";
import { BYTES, DOUBLES, readNumber, readWord, shiftFor, WORDS, writeNumber, writeWord } from "./narrow";
import {
  addSegment,
  BLOCK,
  BLOCK_BYTES,
  COUNT,
  EVENT_SHIFT,
  EVENT_START_SHIFT,
  EVENT_STARTS,
  EVENTS,
  FREQUENCIES,
  FREQUENCY_SHIFT,
  ID_BASE,
  ID_SHIFT,
  IDS,
  SEGMENT_SLOTS,
  SHORTEST_EVENT,
  SHORTEST_MODEL,
  SLOT_BITS,
  SYMBOL_SHIFT,
  SYMBOL_START_SHIFT,
  SYMBOL_STARTS,
  SYMBOLS,
  segmentAt,
  segmentCount,
} from "./segment";

/** A segment takes no more symbols than this, however few its models, so that its wide columns stay small. */
const SEGMENT_SYMBOLS: usize = 65536;

const ids: usize = memory.data(12, 8);
const frequencies: usize = memory.data(12, 8);
const symbolStarts: usize = memory.data(12, 8);
/** As narrow as the symbols so far allow. */
const symbols: usize = memory.data(12, 8);
const eventStarts: usize = memory.data(12, 8);
const events: usize = memory.data(12, 8);

let openSymbolShift: u32 = BYTES;

/** The most new bytes that one more model may need in the open columns, and for sealing when that comes first. */
export function openGrowthBytes(symbolCount: u32, eventCount: u32, symbolEnd: u32): usize {
  return (
    (isFull(symbolCount) ? sealedBytesAtMost() : 0) +
    column.growthBytes(ids, 8) +
    column.growthBytes(frequencies, 8) +
    column.growthBytes(symbolStarts, 8) +
    symbolGrowthBytes(symbolCount, symbolEnd) +
    column.growthBytes(eventStarts, 8) +
    column.growthBytes(events, (<usize>eventCount) << 2)
  );
}

/** Adds a model whose symbols and then event lengths are words from `input` on, and answers its slot. */
export function appendOpen(id: f64, frequency: f64, input: usize, symbolCount: u32, eventCount: u32): u32 {
  if (isFull(symbolCount)) {
    sealOpen();
  }
  if (openCount() === 0) {
    addSegment();
    store<u32>(column.append(symbolStarts, 4), 0);
    store<u32>(column.append(eventStarts, 4), 0);
  }
  store<f64>(column.append(ids, 8), id);
  store<f64>(column.append(frequencies, 8), frequency);
  appendSymbols(input, symbolCount);
  const lengths = input + ((<usize>symbolCount) << 2);
  memory.copy(column.append(events, (<usize>eventCount) << 2), lengths, (<usize>eventCount) << 2);
  store<u32>(column.append(symbolStarts, 4), openSymbols());
  store<u32>(column.append(eventStarts, 4), <u32>(column.size(events) >> 2));
  describe(openSegment());
  noteShortest(openSegment(), symbolCount, lengths, eventCount);
  return ((segmentCount() - 1) << SLOT_BITS) + openCount() - 1;
}

/** Empties the open columns and keeps their blocks. */
function cutOpen(): void {
  column.cut(ids, 0);
  column.cut(frequencies, 0);
  column.cut(symbolStarts, 0);
  column.cut(symbols, 0);
  openSymbolShift = BYTES;
  column.cut(eventStarts, 0);
  column.cut(events, 0);
}

/** Gives the blocks of the open columns back. */
export function dropOpen(): void {
  column.drop(ids);
  column.drop(frequencies);
  column.drop(symbolStarts);
  column.drop(symbols);
  openSymbolShift = BYTES;
  column.drop(eventStarts);
  column.drop(events);
}

/** How many models the open segment has. */
export function openCount(): u32 {
  return <u32>(column.size(ids) >> 3);
}

function openSymbols(): u32 {
  return <u32>(column.size(symbols) >> openSymbolShift);
}

/** New bytes for the symbols of one more model, all below `end`. */
function symbolGrowthBytes(count: u32, end: u32): usize {
  const shift = max(openSymbolShift, shiftFor(<f64>end - 1));
  return shift === openSymbolShift
    ? column.growthBytes(symbols, (<usize>count) << shift)
    : classBytes((<usize>(openSymbols() + count) * 3) << shift);
}

function appendSymbols(input: usize, count: u32): void {
  widenSymbols(shiftFor(<f64>greatestWord(input, count)));
  const to = column.append(symbols, (<usize>count) << openSymbolShift);
  for (let at: u32 = 0; at < count; at++) {
    writeWord(to, openSymbolShift, at, load<u32>(input + ((<usize>at) << 2)));
  }
}

/** Makes room in every symbol for wider ones; from the last on, because the wider ones overwrite what follows. */
function widenSymbols(shift: u32): void {
  if (shift <= openSymbolShift) {
    return;
  }
  const count = openSymbols();
  column.append(symbols, ((<usize>count) << shift) - column.size(symbols));
  for (let at = count; at > 0; at--) {
    writeWord(column.start(symbols), shift, at - 1, readWord(column.start(symbols), openSymbolShift, at - 1));
  }
  openSymbolShift = shift;
}

function openSegment(): usize {
  return segmentAt(segmentCount() - 1);
}

function isFull(symbolCount: u32): bool {
  const count = openCount();
  return count === SEGMENT_SLOTS || (count > 0 && <usize>(openSymbols() + symbolCount) > SEGMENT_SYMBOLS);
}

/** Points the descriptor at the open columns, which move when they grow. */
function describe(segment: usize): void {
  store<u32>(segment, <u32>column.start(ids), IDS);
  store<u32>(segment, <u32>column.start(frequencies), FREQUENCIES);
  store<u32>(segment, <u32>column.start(symbolStarts), SYMBOL_STARTS);
  store<u32>(segment, <u32>column.start(symbols), SYMBOLS);
  store<u32>(segment, <u32>column.start(eventStarts), EVENT_STARTS);
  store<u32>(segment, <u32>column.start(events), EVENTS);
  store<u8>(segment, <u8>DOUBLES, ID_SHIFT);
  store<u8>(segment, <u8>DOUBLES, FREQUENCY_SHIFT);
  store<u8>(segment, <u8>WORDS, SYMBOL_START_SHIFT);
  store<u8>(segment, <u8>openSymbolShift, SYMBOL_SHIFT);
  store<u8>(segment, <u8>WORDS, EVENT_START_SHIFT);
  store<u8>(segment, <u8>WORDS, EVENT_SHIFT);
  store<u32>(segment, openCount(), COUNT);
}

function noteShortest(segment: usize, symbolCount: u32, lengths: usize, eventCount: u32): void {
  store<u32>(segment, min(load<u32>(segment, SHORTEST_MODEL), symbolCount), SHORTEST_MODEL);
  let shortest = load<u32>(segment, SHORTEST_EVENT);
  for (let at: u32 = 0; at < eventCount; at++) {
    shortest = min(shortest, load<u32>(lengths + ((<usize>at) << 2)));
  }
  store<u32>(segment, shortest, SHORTEST_EVENT);
}

function sealedBytesAtMost(): usize {
  const wide = column.size(ids) + column.size(symbolStarts) + column.size(symbols) + column.size(eventStarts);
  return classBytes(wide + column.size(events) + 64) + classBytes(column.size(frequencies));
}

/** Copies the open columns, which are not empty, into blocks as narrow as can be. */
export function sealOpen(): void {
  const segment = openSegment();
  const count = openCount();
  const base = load<f64>(column.start(ids));
  const idShift = shiftFor(load<f64>(column.start(ids) + ((<usize>(count - 1)) << 3)) - base);
  const startShift = shiftFor(<f64>openSymbols());
  const eventStartShift = shiftFor(<f64>(column.size(events) >> 2));
  const eventShift = shiftFor(<f64>greatestWord(column.start(events), <u32>(column.size(events) >> 2)));
  const bytes =
    columnBytes(count, idShift) +
    columnBytes(count + 1, startShift) +
    columnBytes(openSymbols(), openSymbolShift) +
    columnBytes(count + 1, eventStartShift) +
    columnBytes(<u32>(column.size(events) >> 2), eventShift);
  const block = allocate(bytes);
  store<f64>(segment, base, ID_BASE);
  store<u32>(segment, <u32>block, BLOCK);
  store<u32>(segment, <u32>bytes, BLOCK_BYTES);
  let at = sealIds(segment, block, idShift, base);
  at = sealWords(segment, at, symbolStarts, SYMBOL_STARTS, SYMBOL_START_SHIFT, startShift);
  at = sealSymbols(segment, at);
  at = sealWords(segment, at, eventStarts, EVENT_STARTS, EVENT_START_SHIFT, eventStartShift);
  sealWords(segment, at, events, EVENTS, EVENT_SHIFT, eventShift);
  sealFrequencies(segment, count);
  cutOpen();
}

/** The bytes of a narrow column, a multiple of 8 so that the next one is aligned. */
function columnBytes(count: u32, shift: u32): usize {
  return (((<usize>count) << shift) + 7) & ~7;
}

function greatestWord(words: usize, count: u32): u32 {
  let greatest: u32 = 0;
  for (let at: u32 = 0; at < count; at++) {
    greatest = max(greatest, load<u32>(words + ((<usize>at) << 2)));
  }
  return greatest;
}

function sealIds(segment: usize, to: usize, shift: u32, base: f64): usize {
  const count = openCount();
  for (let at: u32 = 0; at < count; at++) {
    writeNumber(to, shift, at, readNumber(column.start(ids), DOUBLES, at) - base);
  }
  store<u32>(segment, <u32>to, IDS);
  store<u8>(segment, <u8>shift, ID_SHIFT);
  return to + columnBytes(count, shift);
}

function sealSymbols(segment: usize, to: usize): usize {
  memory.copy(to, column.start(symbols), column.size(symbols));
  store<u32>(segment, <u32>to, SYMBOLS);
  store<u8>(segment, <u8>openSymbolShift, SYMBOL_SHIFT);
  return to + columnBytes(openSymbols(), openSymbolShift);
}

function sealWords(segment: usize, to: usize, from: usize, field: usize, shiftField: usize, shift: u32): usize {
  const count = <u32>(column.size(from) >> 2);
  for (let at: u32 = 0; at < count; at++) {
    writeWord(to, shift, at, readWord(column.start(from), WORDS, at));
  }
  store<u32>(segment + field, <u32>to);
  store<u8>(segment + shiftField, <u8>shift);
  return to + columnBytes(count, shift);
}

function sealFrequencies(segment: usize, count: u32): void {
  let greatest: f64 = 0;
  for (let at: u32 = 0; at < count; at++) {
    greatest = max(greatest, readNumber(column.start(frequencies), DOUBLES, at));
  }
  const shift = shiftFor(greatest);
  const block = allocate((<usize>count) << shift);
  for (let at: u32 = 0; at < count; at++) {
    writeNumber(block, shift, at, readNumber(column.start(frequencies), DOUBLES, at));
  }
  store<u32>(segment, <u32>block, FREQUENCIES);
  store<u8>(segment, <u8>shift, FREQUENCY_SHIFT);
}
