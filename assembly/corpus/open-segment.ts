/**
 * The last segment, which still takes models. Its columns are growing buffers and wide; only the symbols are always as narrow as they
 * can be. Sealing leaves the buffers empty for the next segment.
 */

import { newBytes } from "../memory/arena";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { BYTES, DOUBLES, readWord, shiftFor, WORDS, writeWord } from "../memory/narrow";
import { incomingEnd, incomingEvents, incomingLengths, incomingSymbol, incomingSymbols } from "./incoming";
import { seal, sealedBytes } from "./seal";
import { addSegment, SEGMENT_SLOTS, Segment, SLOT_BITS, segmentAt, segmentCount } from "./segment";

/** A segment of more than one model takes no more symbols than this, so that its wide columns stay small. */
const SEGMENT_SYMBOLS: u32 = 65536;

const ids: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const frequencies: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const symbolStarts: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const symbols: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const eventStarts: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const events: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** The width of the symbols, as a shift. */
let openSymbolShift: u32 = BYTES;

/** The most new bytes that the incoming model may need in the open columns, and for sealing if they are full. */
export function openGrowthBytes(): usize {
  return (
    (isFull() ? sealedBytes(openSegment()) : 0) +
    buffer.growthBytes(ids, 8) +
    buffer.growthBytes(frequencies, 8) +
    buffer.growthBytes(symbolStarts, 8) +
    symbolGrowthBytes() +
    buffer.growthBytes(eventStarts, 8) +
    buffer.growthBytes(events, (<usize>incomingEvents()) << 2)
  );
}

/** Adds the incoming model; returns its slot. */
export function appendOpen(id: f64, frequency: f64): u32 {
  if (isFull()) {
    sealOpen();
  }
  if (openCount() === 0) {
    addSegment();
    store<u32>(buffer.append(symbolStarts, 4), 0);
    store<u32>(buffer.append(eventStarts, 4), 0);
  }
  store<f64>(buffer.append(ids, 8), id);
  store<f64>(buffer.append(frequencies, 8), frequency);
  appendSymbols();
  const lengthBytes = (<usize>incomingEvents()) << 2;
  memory.copy(buffer.append(events, lengthBytes), incomingLengths(), lengthBytes);
  store<u32>(buffer.append(symbolStarts, 4), openSymbols());
  store<u32>(buffer.append(eventStarts, 4), <u32>(buffer.size(events) >> 2));
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
  buffer.truncate(ids, 0);
  buffer.truncate(frequencies, 0);
  buffer.truncate(symbolStarts, 0);
  buffer.truncate(symbols, 0);
  openSymbolShift = BYTES;
  buffer.truncate(eventStarts, 0);
  buffer.truncate(events, 0);
}

/** Gives the blocks of the open columns back. */
export function dropOpen(): void {
  buffer.free(ids);
  buffer.free(frequencies);
  buffer.free(symbolStarts);
  buffer.free(symbols);
  openSymbolShift = BYTES;
  buffer.free(eventStarts);
  buffer.free(events);
}

/** How many models the open segment has. */
export function openCount(): u32 {
  return <u32>(buffer.size(ids) >> 3);
}

function openSymbols(): u32 {
  return <u32>(buffer.size(symbols) >> openSymbolShift);
}

function symbolGrowthBytes(): usize {
  const count = incomingSymbols();
  const shift = max(openSymbolShift, shiftFor(<f64>incomingEnd() - 1));
  return shift === openSymbolShift
    ? buffer.growthBytes(symbols, (<usize>count) << shift)
    : newBytes((<usize>(openSymbols() + count) * 3) << shift);
}

function appendSymbols(): void {
  const count = incomingSymbols();
  widenSymbols(shiftFor(<f64>incomingEnd() - 1));
  const to = buffer.append(symbols, (<usize>count) << openSymbolShift);
  for (let at: u32 = 0; at < count; at++) {
    writeWord(to, openSymbolShift, at, incomingSymbol(at));
  }
}

/** Widens all symbols; from the last to the first, because a wider one overwrites what follows it. */
function widenSymbols(shift: u32): void {
  if (shift <= openSymbolShift) {
    return;
  }
  const count = openSymbols();
  buffer.append(symbols, ((<usize>count) << shift) - buffer.size(symbols));
  for (let at = count; at > 0; at--) {
    writeWord(buffer.start(symbols), shift, at - 1, readWord(buffer.start(symbols), openSymbolShift, at - 1));
  }
  openSymbolShift = shift;
}

function openSegment(): Segment {
  return segmentAt(segmentCount() - 1);
}

/** Whether the incoming model does not fit into the open segment. */
function isFull(): bool {
  const count = openCount();
  return count === SEGMENT_SLOTS || (count > 0 && openSymbols() + incomingSymbols() > SEGMENT_SYMBOLS);
}

/** Points the descriptor at the open columns, which move when they grow. */
function describe(segment: Segment): void {
  segment.ids = buffer.start(ids);
  segment.frequencies = buffer.start(frequencies);
  segment.symbolStarts = buffer.start(symbolStarts);
  segment.symbols = buffer.start(symbols);
  segment.eventStarts = buffer.start(eventStarts);
  segment.events = buffer.start(events);
  segment.idShift = <u8>DOUBLES;
  segment.frequencyShift = <u8>DOUBLES;
  segment.symbolStartShift = <u8>WORDS;
  segment.symbolShift = <u8>openSymbolShift;
  segment.eventStartShift = <u8>WORDS;
  segment.eventShift = <u8>WORDS;
  segment.count = openCount();
}

function noteShortest(segment: Segment): void {
  segment.shortestModel = min(segment.shortestModel, incomingSymbols());
  for (let at: u32 = 0; at < incomingEvents(); at++) {
    segment.shortestEvent = min(segment.shortestEvent, load<u32>(incomingLengths() + ((<usize>at) << 2)));
  }
}
