/** One model, read beside the context: which of its events share symbols with which of the context's. Owns the model's symbols and events as words. */

import { copySymbols, eventLength, eventStart, eventsAt, lengthAt, Segment, symbolStart } from "../corpus/segment";
import { classTable } from "../corpus/symbols";
import { countSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { contextEvents, distinctIn, holdersOf } from "./context";
import { MOST_ORDER } from "./counts";

/** The symbols, a word each. */
const symbols: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Where each event starts, and where the last one ends. */
const starts: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** The events that hold a symbol of the newest event. */
const newest: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let events: u32 = 0;
let newestEvents: u32 = 0;
let lastShared: i32 = -1;
let lastNewest: i32 = -1;

/** Reads a model, which shares a symbol with the context. */
export function readModel(segment: Segment, place: u32): void {
  const length = lengthAt(segment, place);
  events = eventsAt(segment, place);
  countSteps(length);
  buffer.ensure(symbols, (<usize>length) << 2);
  copySymbols(segment, symbolStart(segment, place), length, buffer.start(symbols));
  buffer.ensure(starts, (<usize>events + 1) << 2);
  const first = eventStart(segment, place);
  let at: u32 = 0;
  lastShared = -1;
  lastNewest = -1;
  newestEvents = 0;
  buffer.ensure(newest, (<usize>events) << 2);
  const words = buffer.start(symbols);
  const table = classTable();
  for (let event: u32 = 0; event < events; event++) {
    setStart(event, at);
    const end = at + eventLength(segment, first + event);
    let holders: u32 = 0;
    for (; at < end; at++) {
      holders |= load<u32>(table + ((<usize>load<u32>(words + ((<usize>at) << 2))) << 2));
    }
    if (holders !== 0) {
      noteShared(event, holders);
    }
  }
  setStart(events, at);
}

/** How many events hold a symbol of the newest event. */
export function newestCount(): u32 {
  return newestEvents;
}

/** One of them, 0 the first. */
export function newestAt(number: u32): u32 {
  return load<u32>(buffer.start(newest) + ((<usize>number) << 2));
}

/** How many events the model has. */
export function eventCount(): u32 {
  return events;
}

/** The last event that holds a symbol of the context. */
export function lastSharedEvent(): u32 {
  return <u32>lastShared;
}

/** The last event that holds a symbol of the newest event; -1 for none. */
export function lastNewestEvent(): i32 {
  return lastNewest;
}

/** Where the symbols of an event start; also for the event behind the last. */
export function startOf(event: u32): u32 {
  return load<u32>(buffer.start(starts) + ((<usize>event) << 2));
}

/** The symbol at a place of the model. */
export function symbolOf(at: u32): u32 {
  return load<u32>(buffer.start(symbols) + ((<usize>at) << 2));
}

/**
 * How many symbols match where the context's newest event lies on an event of the model: those of the newest, and, while all of an event's
 * are there, those of the one before. At most {@link MOST_ORDER}.
 */
export function orderAt(event: u32): u32 {
  let order: u32 = 0;
  for (let back: u32 = 0; back < contextEvents() && back <= event; back++) {
    const shared = sharedIn(event - back, back);
    order += shared;
    if (shared < distinctIn(back)) {
      break;
    }
  }
  return min(order, MOST_ORDER);
}

/** How many places of a model's event hold a symbol of the context's event `back` before the newest; not more than that has symbols. */
function sharedIn(event: u32, back: u32): u32 {
  let count: u32 = 0;
  for (let at = startOf(event); at < startOf(event + 1); at++) {
    count += (holdersOf(symbolOf(at)) >> back) & 1;
  }
  return min(count, distinctIn(back));
}

function noteShared(event: u32, holders: u32): void {
  lastShared = <i32>event;
  if ((holders & 1) !== 0) {
    lastNewest = <i32>event;
    store<u32>(buffer.start(newest) + ((<usize>newestEvents) << 2), event);
    newestEvents++;
  }
}

function setStart(event: u32, at: u32): void {
  store<u32>(buffer.start(starts) + ((<usize>event) << 2), at);
}
