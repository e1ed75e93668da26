/**
 * The events that a forecast takes into account: the newest ones of the query. Owns which of them hold a symbol: a bit
 * each, the newest the lowest.
 */

import { classTable, symbolEnd } from "../corpus/symbols";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

/** The most events that are taken into account. */
export const CONTEXT_EVENTS: u32 = 10;
/** The most symbols of all events together, where events before the newest are taken into account. */
const CONTEXT_SYMBOLS: u32 = 256;

/** The most symbols of the newest event that are taken into account: its first. */
const NEWEST_SYMBOLS: u32 = 4096;

/** The distinct known symbols, a word each. */
const known: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** How many distinct symbols each event has, known or not, the newest first. */
const distinct: usize = memory.data(CONTEXT_EVENTS << 2, 4);

/**
 * How much each of the context's events counts when contexts are compared, the newest first: about three quarters of
 * the one after it, 256 together.
 */
const WEIGHTS: StaticArray<u32> = [64, 49, 38, 29, 23, 17, 13, 10, 8, 5];

/** The bits of a lane of a {@link laneSum}, which counts up to {@link MOST_IN_LANE}. */
const LANE_BITS: u32 = 6;
/** The most symbols of one event that can be counted in lanes. */
export const MOST_IN_LANE: u32 = 63;
/** For each set of the context's events a long: 1 in the lane of each event in it. */
const lanes: usize = memory.data(8 << CONTEXT_EVENTS, 16);
/**
 * For each of the context's events, the newest first, a word for each number of shared symbols that a lane can count:
 * {@link agreementOf}.
 */
const agreements: usize = memory.data(CONTEXT_EVENTS * ((MOST_IN_LANE + 1) << 2), 16);

let events: u32 = 0;

/**
 * Takes the newest events of the `eventCount` whose symbols, and then lengths, are at `input`. {@link endContext} must
 * follow.
 */
export function beginContext(input: usize, symbolCount: u32, eventCount: u32): void {
  const lengths = input + ((<usize>symbolCount) << 2);
  buffer.truncate(known, 0);
  events = 0;
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

/** How many events are taken into account. */
export function contextEvents(): u32 {
  return events;
}

/** How many distinct known symbols they hold. */
export function knownCount(): u32 {
  return <u32>(buffer.size(known) >> 2);
}

/** One of them. */
export function knownSymbol(at: u32): u32 {
  return load<u32>(buffer.start(known) + ((<usize>at) << 2));
}

/** Which events hold a symbol that some model holds: bit n is the event n before the newest. */
export function holdersOf(symbol: u32): u32 {
  return load<u32>(entryOf(symbol));
}

/** How many distinct symbols the event `back` before the newest has. */
export function distinctIn(back: u32): u32 {
  return load<u32>(distinct + ((<usize>back) << 2));
}

/**
 * What an event adds to an agreement that shares `shared` symbols with the event `back` before the newest, at most as
 * many as that has.
 */
export function agreementOf(back: u32, shared: u32): u32 {
  return shared <= MOST_IN_LANE ? load<u32>(agreementAt(back, shared)) : agreement(back, shared);
}

/**
 * Where the lanes of {@link holdersOf} of a symbol are: their sum over symbols counts how many of them each of the
 * context's events holds.
 */
export function laneTable(): usize {
  return lanes;
}

/** How many symbols were counted in the lane of the event `back` before the newest. */
export function laneSum(sums: u64, back: u32): u32 {
  return <u32>(sums >> <u64>(back * LANE_BITS)) & MOST_IN_LANE;
}

function agreement(back: u32, shared: u32): u32 {
  return (unchecked(WEIGHTS[back]) * shared) / distinctIn(back);
}

function agreementAt(back: u32, shared: u32): usize {
  return agreements + ((<usize>(back * (MOST_IN_LANE + 1) + shared)) << 2);
}

function fillTables(): void {
  store<u64>(lanes, 0);
  for (let back: u32 = 0; back < events; back++) {
    const half = (<usize>1) << back;
    const one: u64 = 1 << (<u64>(back * LANE_BITS));
    for (let set: usize = 0; set < half; set++) {
      store<u64>(lanes + ((half + set) << 3), load<u64>(lanes + (set << 3)) | one);
    }
    for (let shared: u32 = 0; shared <= min(distinctIn(back), MOST_IN_LANE); shared++) {
      store<u32>(agreementAt(back, shared), agreement(back, shared));
    }
  }
}

function entryOf(symbol: u32): usize {
  return classTable() + ((<usize>symbol) << 2);
}

function takeEvent(input: usize, start: u32, end: u32): void {
  let count: u32 = 0;
  for (let at = start; at < end; at++) {
    count += <u32>isFirst(input, start, at);
    take(load<u32>(input + ((<usize>at) << 2)));
  }
  store<u32>(distinct + ((<usize>events) << 2), count);
}

/** Whether the symbol at a place is not in its event before it. */
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
