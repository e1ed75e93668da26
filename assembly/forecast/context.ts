/**
 * The context of a forecast: the newest events of the query. Knows which of them hold a symbol, as bits; the lowest bit
 * is the newest event.
 */

import { classTable, symbolEnd, symbolFrequency } from "../corpus/symbols";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

/** Maximum number of events in the context. */
export const CONTEXT_EVENTS: u32 = 10;
/** Maximum number of symbols in the context, unless the newest event alone has more. */
const CONTEXT_SYMBOLS: u32 = 256;

/** Maximum number of symbols of the newest event; the first ones count. */
const NEWEST_SYMBOLS: u32 = 4096;

/** The distinct known symbols, a word each. */
const known: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** For each event, newest first: its number of distinct symbols, known or not. */
const distinct: usize = memory.data(CONTEXT_EVENTS << 2, 4);

/**
 * The weight of each of the context's events when contexts are compared, newest first: about three quarters of the next
 * newer one's; they sum to 256.
 */
const WEIGHTS: StaticArray<u32> = [64, 49, 38, 29, 23, 17, 13, 10, 8, 5];

/** Maximum number of symbols of an event counted in lanes of a byte. */
export const MAX_IN_LANE: u32 = 63;
const LANES_SHIFT: usize = 4;
/**
 * For each set of the context's events, sixteen lanes of a byte, the newest event's first: all bits set for events in
 * the set. Only the empty set, and sets that are the holders of a symbol, are filled.
 */
const sets: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const SETS_BYTES: usize = (<usize>1) << (<usize>CONTEXT_EVENTS + LANES_SHIFT);
/**
 * For each number of shared symbols that lanes can count, sixteen lanes of a byte: the growth of the agreement by the
 * last of them.
 */
const growths: usize = memory.data((MAX_IN_LANE + 1) << 4, 16);
/** Sixteen lanes of a byte: the number of distinct symbols of each event, at most 255; 255 where there is no event. */
const wholes: usize = memory.data(16, 16);
const NO_LANE: u32 = 255;
/** Sixteen lanes of a byte: all bits for each event without known symbols; and 0 for these, else 1. */
const strangers: usize = memory.data(16, 16);
const steps: usize = memory.data(16, 16);

let events: u32 = 0;
let serial: u32 = 0;
/** The events without a symbol that any model holds, as bits, in the form of {@link holdersOf}. */
let unknown: u32 = 0;
/** The events with one distinct symbol, in that form. */
let single: u32 = 0;
/** Maximum number of distinct symbols of an event, at most {@link MAX_IN_LANE}. */
let most: u32 = 0;

/**
 * Takes the newest of `eventCount` events, whose symbols, followed by their lengths, are at `input`. {@link endContext}
 * must follow.
 */
export function beginContext(input: usize, symbolCount: u32, eventCount: u32): void {
  const lengths = input + ((<usize>symbolCount) << 2);
  buffer.truncate(known, 0);
  events = 0;
  serial = max(1, serial + 1);
  unknown = 0;
  single = 0;
  let end = symbolCount;
  while (events < min(eventCount, CONTEXT_EVENTS)) {
    const length = load<u32>(lengths + ((<usize>(eventCount - 1 - events)) << 2));
    const start = end - length;
    if (events > 0 && symbolCount - start > CONTEXT_SYMBOLS) {
      break;
    }
    takeEvent(input, start, min(end, start + NEWEST_SYMBOLS));
    events++;
    end = start;
  }
  fillTables();
}

/** Sets the tables back to zeros. */
export function endContext(): void {
  for (let at: u32 = 0; at < knownCount(); at++) {
    store<u32>(entryOf(knownSymbol(at)), 0);
  }
  buffer.truncate(known, 0);
}

/** The number of the context: above 0, and different from all before. */
export function contextSerial(): u32 {
  return serial;
}

/** Number of events in the context. */
export function contextEvents(): u32 {
  return events;
}

/** Number of distinct known symbols in them. */
export function knownCount(): u32 {
  return <u32>(buffer.size(known) >> 2);
}

/** One of these symbols. */
export function knownSymbol(at: u32): u32 {
  return load<u32>(buffer.start(known) + ((<usize>at) << 2));
}

/** The events that hold a symbol that some model holds, as bits: bit n is the event n before the newest. */
export function holdersOf(symbol: u32): u32 {
  return load<u32>(entryOf(symbol));
}

/** Number of distinct symbols of the event `back` before the newest. */
export function distinctIn(back: u32): u32 {
  return load<u32>(distinct + ((<usize>back) << 2));
}

/**
 * The growth of the agreement by an event that shares `shared` symbols with the event `back` before the newest, at most
 * as many as that has.
 */
export function agreementOf(back: u32, shared: u32): u32 {
  return (unchecked(WEIGHTS[back]) * shared) / distinctIn(back);
}

/** Address of the {@link lanesOf | lanes} of all sets. */
export function laneTable(): usize {
  return buffer.start(sets);
}

/**
 * The lanes of the events that hold a symbol: all bits set for each of them, the newest in lane 0.
 * @param table {@link laneTable}, which a loop reads once @param holders {@link holdersOf} the symbol
 */
export function lanesOf(table: usize, holders: u32): v128 {
  return v128.load(table + ((<usize>holders) << LANES_SHIFT));
}

/**
 * The growth of each agreement by one more symbol shared with an event.
 * @param shared their number then, 1 to {@link MAX_IN_LANE}
 */
export function growthOf(shared: u32): v128 {
  return v128.load(growths + ((<usize>shared) << LANES_SHIFT));
}

/**
 * For each event, the number of symbols that holding it as a whole takes; more than lanes count if that is impossible.
 */
export function wholeLanes(): v128 {
  return v128.load(wholes);
}

/**
 * All bits for each event without a symbol that any model holds: it carries no information, so any event may stand for
 * it.
 */
export function unknownLanes(): v128 {
  return v128.load(strangers);
}

/** The {@link unknownLanes | unknown} events, as bits. */
export function unknownEvents(): u32 {
  return unknown;
}

/** The events that another holds as a whole if it shares one symbol with them, as bits. */
export function singleEvents(): u32 {
  return single;
}

/** The growth of an order with each event: 1, or 0 if the event is unknown. */
export function stepLanes(): v128 {
  return v128.load(steps);
}

/** Maximum number of distinct symbols of an event, at most {@link MAX_IN_LANE}. */
export function mostDistinct(): u32 {
  return most;
}

function fillTables(): void {
  most = 0;
  memory.fill(wholes, <u8>NO_LANE, 16);
  memory.fill(strangers, 0, 16);
  memory.fill(steps, 1, 16);
  for (let back: u32 = 0; back < events; back++) {
    if ((unknown & (1 << back)) !== 0) {
      store<u8>(strangers + <usize>back, 0xff);
      store<u8>(steps + <usize>back, 0);
    }
    const all = distinctIn(back);
    store<u8>(wholes + <usize>back, <u8>min(all, NO_LANE));
    most = max(most, min(all, MAX_IN_LANE));
  }
  memory.fill(growths, 0, (<usize>most + 1) << LANES_SHIFT);
  for (let back: u32 = 0; back < events; back++) {
    const all = min(distinctIn(back), MAX_IN_LANE);
    for (let shared: u32 = 1; shared <= all; shared++) {
      const growth = agreementOf(back, shared) - agreementOf(back, shared - 1);
      store<u8>(growths + ((<usize>shared) << LANES_SHIFT) + <usize>back, <u8>growth);
    }
  }
  buffer.fit(sets, SETS_BYTES);
  fillSet(0);
  for (let at: u32 = 0; at < knownCount(); at++) {
    fillSet(holdersOf(knownSymbol(at)));
  }
}

function fillSet(holders: u32): void {
  const lanes = laneTable() + ((<usize>holders) << LANES_SHIFT);
  v128.store(lanes, i8x16.splat(0));
  for (let rest = holders; rest !== 0; rest &= rest - 1) {
    store<u8>(lanes + <usize>ctz(rest), 0xff);
  }
}

function entryOf(symbol: u32): usize {
  return classTable() + ((<usize>symbol) << 2);
}

function takeEvent(input: usize, start: u32, end: u32): void {
  let count: u32 = 0;
  let isKnown = false;
  for (let at = start; at < end; at++) {
    const symbol = load<u32>(input + ((<usize>at) << 2));
    count += <u32>isFirst(input, start, at);
    isKnown = isKnown || (symbol < symbolEnd() && symbolFrequency(symbol) > 0);
    take(symbol);
  }
  if (!isKnown) {
    unknown |= 1 << events;
  }
  single |= (<u32>(count === 1)) << events;
  store<u32>(distinct + ((<usize>events) << 2), count);
}

/** Whether the symbol at a place is the first of its kind in its event. */
function isFirst(input: usize, start: u32, at: u32): bool {
  const symbol = load<u32>(input + ((<usize>at) << 2));
  if (symbol < symbolEnd()) {
    return (holdersOf(symbol) & (1 << events)) === 0;
  }
  for (let before = start; before < at; before++) {
    if (load<u32>(input + ((<usize>before) << 2)) === symbol) {
      return false;
    }
  }
  return true;
}

function take(symbol: u32): void {
  if (symbol >= symbolEnd()) {
    return;
  }
  const holders = holdersOf(symbol);
  if (holders === 0) {
    store<u32>(buffer.append(known, 4), symbol);
  }
  store<u32>(entryOf(symbol), holders | (1 << events));
}
