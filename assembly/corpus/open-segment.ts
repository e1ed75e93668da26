/**
 * The last segment while it still takes models: columns that grow, wide but for the symbols, which are as narrow as they can be at any
 * time. Sealing it leaves them empty for the next segment.
 */

import { newBytes } from "../memory/arena";
import * as column from "../memory/buffer";
import { BYTES, DOUBLES, readWord, shiftFor, WORDS, writeWord } from "../memory/narrow";
import { incomingEnd, incomingEvents, incomingLengths, incomingSymbol, incomingSymbols } from "./incoming";
import { seal, sealedBytes } from "./seal";
import {
  addSegment,
  COUNT,
  EVENT_SHIFT,
  EVENT_START_SHIFT,
  EVENT_STARTS,
  EVENTS,
  FREQUENCIES,
  FREQUENCY_SHIFT,
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
const SEGMENT_SYMBOLS: u32 = 65536;

const ids: usize = memory.data(12, 8);
const frequencies: usize = memory.data(12, 8);
const symbolStarts: usize = memory.data(12, 8);
/** As narrow as the symbols so far allow. */
const symbols: usize = memory.data(12, 8);
const eventStarts: usize = memory.data(12, 8);
const events: usize = memory.data(12, 8);

let openSymbolShift: u32 = BYTES;

/** The most new bytes that the incoming model may need in the open columns, and for sealing when that comes first. */
export function openGrowthBytes(): usize {
  return (
    (isFull() ? sealedBytes(openSegment()) : 0) +
    column.growthBytes(ids, 8) +
    column.growthBytes(frequencies, 8) +
    column.growthBytes(symbolStarts, 8) +
    symbolGrowthBytes() +
    column.growthBytes(eventStarts, 8) +
    column.growthBytes(events, (<usize>incomingEvents()) << 2)
  );
}

/** Adds the incoming model and answers its slot. */
export function appendOpen(id: f64, frequency: f64): u32 {
  if (isFull()) {
    sealOpen();
  }
  if (openCount() === 0) {
    addSegment();
    store<u32>(column.append(symbolStarts, 4), 0);
    store<u32>(column.append(eventStarts, 4), 0);
  }
  store<f64>(column.append(ids, 8), id);
  store<f64>(column.append(frequencies, 8), frequency);
  appendSymbols();
  const lengthBytes = (<usize>incomingEvents()) << 2;
  memory.copy(column.append(events, lengthBytes), incomingLengths(), lengthBytes);
  store<u32>(column.append(symbolStarts, 4), openSymbols());
  store<u32>(column.append(eventStarts, 4), <u32>(column.size(events) >> 2));
  describe(openSegment());
  noteShortest(openSegment());
  return ((segmentCount() - 1) << SLOT_BITS) + openCount() - 1;
}

/** Seals the open segment, which is not empty. */
export function sealOpen(): void {
  seal(openSegment());
  cutOpen();
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

function symbolGrowthBytes(): usize {
  const count = incomingSymbols();
  const shift = max(openSymbolShift, shiftFor(<f64>incomingEnd() - 1));
  return shift === openSymbolShift
    ? column.growthBytes(symbols, (<usize>count) << shift)
    : newBytes((<usize>(openSymbols() + count) * 3) << shift);
}

function appendSymbols(): void {
  const count = incomingSymbols();
  widenSymbols(shiftFor(<f64>incomingEnd() - 1));
  const to = column.append(symbols, (<usize>count) << openSymbolShift);
  for (let at: u32 = 0; at < count; at++) {
    writeWord(to, openSymbolShift, at, incomingSymbol(at));
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

/** Whether the incoming model does not fit the open segment any more. */
function isFull(): bool {
  const count = openCount();
  return count === SEGMENT_SLOTS || (count > 0 && openSymbols() + incomingSymbols() > SEGMENT_SYMBOLS);
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

function noteShortest(segment: usize): void {
  store<u32>(segment, min(load<u32>(segment, SHORTEST_MODEL), incomingSymbols()), SHORTEST_MODEL);
  let shortest = load<u32>(segment, SHORTEST_EVENT);
  for (let at: u32 = 0; at < incomingEvents(); at++) {
    shortest = min(shortest, load<u32>(incomingLengths() + ((<usize>at) << 2)));
  }
  store<u32>(segment, shortest, SHORTEST_EVENT);
}
