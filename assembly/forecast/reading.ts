/** One model, read beside the context: which of its events share symbols with which of the context's. Owns the model's symbols and events as words. */

import { copySymbols, eventLength, eventStart, eventsAt, lengthAt, Segment, symbolStart } from "../corpus/segment";
import { countSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { agreementOf, CONTEXT_EVENTS, contextEvents, distinctIn, holdersOf } from "./context";

/** The symbols, a word each. */
const symbols: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Where each event starts, and where the last one ends. */
const starts: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Per event a word: how much the events up to it agree with the context, in 256ths. */
const agreements: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** Per event a word: which of the context's events it holds as a whole, a bit each. */
const wholes: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** How many symbols an event shares with each of the context's. */
const shared: usize = memory.data(CONTEXT_EVENTS << 2, 4);

let events: u32 = 0;
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
  beginAgreements();
  const first = eventStart(segment, place);
  let at: u32 = 0;
  lastShared = -1;
  lastNewest = -1;
  for (let event: u32 = 0; event < events; event++) {
    setStart(event, at);
    const end = at + eventLength(segment, first + event);
    noteEvent(event, at, end);
    at = end;
  }
  setStart(events, at);
}

/** How much the events up to one agree with the context up to its newest: 256 when ten events all agree. */
export function agreementAt(event: u32): u32 {
  return load<u32>(buffer.start(agreements) + ((<usize>event) << 2));
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

/** How many events, from one back, hold the context's events as a whole, from its newest back. */
export function orderAt(event: u32): u32 {
  let order: u32 = 0;
  while (order < contextEvents() && order <= event && ((wholeIn(event - order) >> order) & 1) !== 0) {
    order++;
  }
  return order;
}

function wholeIn(event: u32): u32 {
  return load<u32>(buffer.start(wholes) + ((<usize>event) << 2));
}

function beginAgreements(): void {
  const bytes = (<usize>events) << 2;
  buffer.ensure(agreements, bytes);
  buffer.ensure(wholes, bytes);
  memory.fill(buffer.start(agreements), 0, bytes);
}

/** Compares an event, whose symbols are from `start` to `end`, with all of the context's. */
function noteEvent(event: u32, start: u32, end: u32): void {
  let holders: u32 = 0;
  for (let at = start; at < end; at++) {
    holders |= holdersOf(symbolOf(at));
  }
  let whole: u32 = 0;
  if (holders !== 0) {
    lastShared = <i32>event;
    lastNewest = (holders & 1) !== 0 ? <i32>event : lastNewest;
    if (end - start > 1) {
      countShared(start, end);
    }
    for (let rest = holders; rest !== 0; rest &= rest - 1) {
      const back = ctz(rest);
      const count = end - start > 1 ? min(sharedWith(back), distinctIn(back)) : 1;
      whole |= (<u32>(count === distinctIn(back))) << back;
      agree(event + back, agreementOf(back, count));
    }
  }
  store<u32>(buffer.start(wholes) + ((<usize>event) << 2), whole);
}

function agree(event: u32, by: u32): void {
  if (event < events) {
    const at = buffer.start(agreements) + ((<usize>event) << 2);
    store<u32>(at, load<u32>(at) + by);
  }
}

function countShared(start: u32, end: u32): void {
  memory.fill(shared, 0, CONTEXT_EVENTS << 2);
  for (let at = start; at < end; at++) {
    for (let rest = holdersOf(symbolOf(at)); rest !== 0; rest &= rest - 1) {
      const count = shared + ((<usize>ctz(rest)) << 2);
      store<u32>(count, load<u32>(count) + 1);
    }
  }
}

function sharedWith(back: u32): u32 {
  return load<u32>(shared + ((<usize>back) << 2));
}

function setStart(event: u32, at: u32): void {
  store<u32>(buffer.start(starts) + ((<usize>event) << 2), at);
}
