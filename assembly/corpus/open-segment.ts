/**
 * The last segment, which still takes models. Its columns are growing buffers and wide; only the symbols are always as
 * narrow as they can be. Sealing leaves the buffers empty for the next segment.
 */

import { newBytes } from "../memory/arena";
import * as buffer from "../memory/buffer";
import { BYTES, DOUBLES, readWord, shiftFor, WORDS, writeWord } from "../memory/narrow";
import {
  OPEN_EVENT_STARTS,
  OPEN_EVENTS,
  OPEN_FREQUENCIES,
  OPEN_IDS,
  OPEN_SYMBOL_STARTS,
  OPEN_SYMBOLS,
  tenant,
} from "../memory/tenant";
import { incomingEnd, incomingEvents, incomingLengths, incomingSymbol, incomingSymbols } from "./incoming";
import { seal, sealedBytes } from "./seal";
import { addSegment, SEGMENT_SLOTS, Segment, SLOT_BITS, segmentAt, segmentCount } from "./segment";

/** A segment of several models stops taking models at this many symbols, so that its wide columns stay small. */
const SEGMENT_SYMBOLS: u32 = 65536;

/** Maximum number of new bytes that the incoming model needs in the open columns, and for sealing if they are full. */
export function openGrowthBytes(): usize {
  return (
    (isFull() ? sealedBytes(openSegment()) : 0) +
    buffer.growthBytes(OPEN_IDS, 8) +
    buffer.growthBytes(OPEN_FREQUENCIES, 8) +
    buffer.growthBytes(OPEN_SYMBOL_STARTS, 8) +
    symbolGrowthBytes() +
    buffer.growthBytes(OPEN_EVENT_STARTS, 8) +
    buffer.growthBytes(OPEN_EVENTS, (<usize>incomingEvents()) << 2)
  );
}

/** Adds the incoming model; returns its slot. */
export function appendOpen(id: f64, frequency: f64): u32 {
  if (isFull()) {
    sealOpen();
  }
  if (openCount() === 0) {
    addSegment();
    store<u32>(buffer.append(OPEN_SYMBOL_STARTS, 4), 0);
    store<u32>(buffer.append(OPEN_EVENT_STARTS, 4), 0);
  }
  store<f64>(buffer.append(OPEN_IDS, 8), id);
  store<f64>(buffer.append(OPEN_FREQUENCIES, 8), frequency);
  appendSymbols();
  const lengthBytes = (<usize>incomingEvents()) << 2;
  memory.copy(buffer.append(OPEN_EVENTS, lengthBytes), incomingLengths(), lengthBytes);
  store<u32>(buffer.append(OPEN_SYMBOL_STARTS, 4), openSymbols());
  store<u32>(buffer.append(OPEN_EVENT_STARTS, 4), <u32>(buffer.size(OPEN_EVENTS) >> 2));
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
  buffer.truncate(OPEN_IDS, 0);
  buffer.truncate(OPEN_FREQUENCIES, 0);
  buffer.truncate(OPEN_SYMBOL_STARTS, 0);
  buffer.truncate(OPEN_SYMBOLS, 0);
  tenant.openSymbolShift = BYTES;
  buffer.truncate(OPEN_EVENT_STARTS, 0);
  buffer.truncate(OPEN_EVENTS, 0);
}

/** Frees the blocks of the open columns. */
export function dropOpen(): void {
  buffer.free(OPEN_IDS);
  buffer.free(OPEN_FREQUENCIES);
  buffer.free(OPEN_SYMBOL_STARTS);
  buffer.free(OPEN_SYMBOLS);
  tenant.openSymbolShift = BYTES;
  buffer.free(OPEN_EVENT_STARTS);
  buffer.free(OPEN_EVENTS);
}

/** Number of models in the open segment. */
export function openCount(): u32 {
  return <u32>(buffer.size(OPEN_IDS) >> 3);
}

function openSymbols(): u32 {
  return <u32>(buffer.size(OPEN_SYMBOLS) >> tenant.openSymbolShift);
}

function symbolGrowthBytes(): usize {
  const count = incomingSymbols();
  const shift = max(tenant.openSymbolShift, shiftFor(<f64>incomingEnd() - 1));
  return shift === tenant.openSymbolShift
    ? buffer.growthBytes(OPEN_SYMBOLS, (<usize>count) << shift)
    : newBytes((<usize>(openSymbols() + count) * 3) << shift);
}

function appendSymbols(): void {
  const count = incomingSymbols();
  widenSymbols(shiftFor(<f64>incomingEnd() - 1));
  const to = buffer.append(OPEN_SYMBOLS, (<usize>count) << tenant.openSymbolShift);
  for (let at: u32 = 0; at < count; at++) {
    writeWord(to, tenant.openSymbolShift, at, incomingSymbol(at));
  }
}

/** Widens all symbols, from the last to the first, because a wider one overwrites the next. */
function widenSymbols(shift: u32): void {
  if (shift <= tenant.openSymbolShift) {
    return;
  }
  const count = openSymbols();
  buffer.append(OPEN_SYMBOLS, ((<usize>count) << shift) - buffer.size(OPEN_SYMBOLS));
  for (let at = count; at > 0; at--) {
    writeWord(
      buffer.start(OPEN_SYMBOLS),
      shift,
      at - 1,
      readWord(buffer.start(OPEN_SYMBOLS), tenant.openSymbolShift, at - 1),
    );
  }
  tenant.openSymbolShift = shift;
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
  segment.ids = buffer.start(OPEN_IDS);
  segment.frequencies = buffer.start(OPEN_FREQUENCIES);
  segment.symbolStarts = buffer.start(OPEN_SYMBOL_STARTS);
  segment.symbols = buffer.start(OPEN_SYMBOLS);
  segment.eventStarts = buffer.start(OPEN_EVENT_STARTS);
  segment.events = buffer.start(OPEN_EVENTS);
  segment.idShift = <u8>DOUBLES;
  segment.frequencyShift = <u8>DOUBLES;
  segment.symbolStartShift = <u8>WORDS;
  segment.symbolShift = <u8>tenant.openSymbolShift;
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
