/** The events that a forecast takes into account: the newest ones of the query. Owns which of them hold a symbol: a bit each, the newest the lowest. */

import { classTable, symbolEnd } from "../corpus/symbols";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

/** The most events that are taken into account. */
export const CONTEXT_EVENTS: u32 = 10;
/** Events before the newest are taken into account while all together have at most so many symbols. */
const CONTEXT_SYMBOLS: u32 = 256;

/** The distinct known symbols, a word each. */
const known: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** How many distinct symbols each event has, known or not, the newest first. */
const distinct: usize = memory.data(CONTEXT_EVENTS << 2, 4);

/** How much each of the context's events counts when contexts are compared, the newest first: two thirds of the one after it, 256 together. */
const WEIGHTS: StaticArray<u32> = [91, 59, 38, 25, 16, 11, 7, 4, 3, 2];

let events: u32 = 0;

/** Takes the newest events of the `eventCount` whose symbols, and then lengths, are at `input`. {@link endContext} must follow. */
export function beginContext(input: usize, symbolCount: u32, eventCount: u32): void {
  const lengths = input + ((<usize>symbolCount) << 2);
  buffer.truncate(known, 0);
  events = 0;
  let end = symbolCount;
  while (events < min(eventCount, CONTEXT_EVENTS)) {
    const length = load<u32>(lengths + ((<usize>(eventCount - 1 - events)) << 2));
    const start = end - length;
    if (events > 0 && symbolCount - start > CONTEXT_SYMBOLS) {
      return;
    }
    takeEvent(input, start, end);
    events++;
    end = start;
  }
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

/** What an event adds to an agreement that shares so many symbols with the event `back` before the newest. */
export function agreementOf(back: u32, shared: u32): u32 {
  return (unchecked(WEIGHTS[back]) * shared) / distinctIn(back);
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
