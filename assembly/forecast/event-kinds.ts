/**
 * The kinds of event that neighbours hold: events with the same symbols in the same order are of one kind. What a
 * forecast needs of an event is then computed once for each kind instead of each event, because recurring readings have
 * few kinds. Owns the kinds, and the kinds of each model's events; a model without kinds is read directly. A series has
 * kinds of its own. Otherwise they are kept from forecast to forecast while slots do not change, from the second one on:
 * finding them takes longer than one forecast without them.
 */

import { liveSymbols } from "../corpus/corpus";
import {
  copySymbols,
  eventLength,
  eventStart,
  eventsAt,
  lengthAt,
  placeOf,
  SEGMENT_SLOTS,
  Segment,
  segmentAt,
  segmentCount,
  segmentOf,
  symbolAt,
  symbolStart,
} from "../corpus/segment";
import { slotChanges } from "../corpus/slot-changes";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { MAX_LEVEL } from "./back-off";

/** A kind. */
@unmanaged
export class EventKind {
  /** The index of its first symbol among those of all kinds, and their number. */
  first: u32;
  length: u32;
  /**
   * The context for which the members below it were computed, 0 for none; and the events of that context that share a
   * symbol with it.
   */
  context: u32;
  held: u32;
  /** The naming of outcomes for which its outcomes, as bits, were computed. */
  naming: u32;
  spare: u32;
  outcomes: u64;
}

/** Two vectors follow the members: what it adds to agreements, and which events it holds as a whole. */
export const KIND_GROWTH: usize = offsetof<EventKind>();
export const KIND_WHOLE: usize = KIND_GROWTH + 16;
const KIND_BYTES: usize = KIND_WHOLE + 16;

/** Bytes of the sums of a kind: a double for each level of agreement, from 0 on. */
export const SUMS_BYTES: usize = (<usize>MAX_LEVEL + 1) << 3;

/** Maximum number of kinds; beyond it, no further model gets kinds. */
const MAX_KINDS: u32 = 2048;
/** Maximum number of symbols of all kinds together. */
const MAX_KIND_SYMBOLS: u32 = 1 << 15;
/** Maximum number of events with kinds: they take 512 KiB. */
const MAX_EVENTS: u32 = 1 << 18;
/** Maximum number of slots of a knowledge with kinds: a word for each. */
const MAX_SLOTS: u32 = 1 << 18;

/**
 * Outside a series, no further model gets kinds where after this many events there are on average fewer events of a
 * kind than the second: looking for the kinds of events would not pay.
 */
const MIN_JUDGED: u32 = 512;
const MIN_OF_KIND: u32 = 4;

/** Places of the table of kinds: twice as many as kinds. */
const PLACES: u32 = 2 * MAX_KINDS;

const kinds: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A word each. */
const symbols: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A half word for each place: the number of a kind plus one, at its hash's place or the next free one. */
const table: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A half word for each event. */
const rows: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A word for each slot: 0 at first, then {@link WITHOUT_KINDS} or the start of its row plus {@link FIRST_ROW}. */
const starts: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const WITHOUT_KINDS: u32 = 1;
const FIRST_ROW: u32 = 2;

let isOpen: bool = false;
let isInSeries: bool = false;
/** The {@link slotChanges} before the kinds that are kept outside a series. */
let changes: u32 = 0;
/** Whether a forecast was made since, and whether kinds were given up because they are rare. */
let isKnown: bool = false;
let isGivenUp: bool = false;
let kindCount: u32 = 0;
let symbolCount: u32 = 0;
let eventCount: u32 = 0;

/** Begins a series without kinds. {@link endKinds} must follow. */
export function beginKinds(): void {
  isInSeries = true;
  begin();
  if (isOpen) {
    buffer.fit(rows, (<usize>min(<f64>MAX_EVENTS, liveSymbols())) << 1);
  }
}

/** Forgets all kinds, and frees the memory. */
export function endKinds(): void {
  isInSeries = false;
  isOpen = false;
  changes = 0;
  buffer.free(kinds);
  buffer.free(symbols);
  buffer.free(table);
  buffer.free(rows);
  buffer.free(starts);
}

/**
 * Begins a forecast, in a series or outside.
 * @param neighbourEvents number of events of all neighbours, the only models that are asked for
 */
export function keepKinds(neighbourEvents: u32): void {
  if (isInSeries) {
    return;
  }
  if (changes !== slotChanges()) {
    changes = slotChanges();
    isKnown = false;
    isGivenUp = false;
    isOpen = false;
  }
  if (isKnown && !isOpen && !isGivenUp) {
    begin();
  }
  isKnown = true;
  isGivenUp = isGivenUp || (isOpen && areRare());
  isOpen = isOpen && !isGivenUp;
  if (isOpen) {
    makeRoom(min(MAX_EVENTS, eventCount + neighbourEvents));
  }
}

function begin(): void {
  const slots = segmentCount() * SEGMENT_SLOTS;
  isOpen = slots <= MAX_SLOTS && hasLongEvents();
  if (!isOpen) {
    return;
  }
  kindCount = 0;
  symbolCount = 0;
  eventCount = 0;
  buffer.truncate(kinds, 0);
  buffer.truncate(symbols, 0);
  buffer.truncate(rows, 0);
  fitZeros(table, (<usize>PLACES) << 1);
  fitZeros(starts, (<usize>slots) << 2);
}

/** Makes room for the kinds of all events of a forecast, as addresses are kept during it, and for new slots. */
function makeRoom(events: u32): void {
  const slots = segmentCount() * SEGMENT_SLOTS;
  isOpen = slots <= MAX_SLOTS;
  const bytes = (<usize>slots) << 2;
  if (isOpen && buffer.size(starts) < bytes) {
    buffer.appendZeros(starts, bytes - buffer.size(starts));
  }
  if (isOpen && buffer.size(rows) < (<usize>events) << 1) {
    buffer.append(rows, ((<usize>events) << 1) - buffer.size(rows));
  }
}

/** Whether too few events are of one kind. */
function areRare(): bool {
  return !isInSeries && eventCount >= MIN_JUDGED && kindCount * MIN_OF_KIND > eventCount;
}

/** Whether models may have kinds. */
export function hasKinds(): bool {
  return isOpen;
}

/** Address of the kinds of a model's events, a half word each; 0 for a model without kinds. */
export function kindsOf(slot: u32): usize {
  if (!isOpen) {
    return 0;
  }
  const start = buffer.start(starts) + ((<usize>slot) << 2);
  if (load<u32>(start) === 0) {
    store<u32>(start, rowOf(segmentOf(slot), placeOf(slot)));
  }
  const row = load<u32>(start);
  return row === WITHOUT_KINDS ? 0 : buffer.start(rows) + ((<usize>(row - FIRST_ROW)) << 1);
}

/** Number of kinds. */
export function kindsFound(): u32 {
  return kindCount;
}

/** A kind by its number. */
export function kindAt(number: u32): EventKind {
  return changetype<EventKind>(buffer.start(kinds) + <usize>number * KIND_BYTES);
}

/** {@link kindAt} for loops. @param all the first kind, which a loop reads once */
export function kindIn(all: EventKind, number: u32): EventKind {
  return changetype<EventKind>(changetype<usize>(all) + <usize>number * KIND_BYTES);
}

/** Adds to a sum of a kind. @param sums the address of the sums of all kinds, {@link SUMS_BYTES} each */
export function addToSum(sums: usize, number: u32, level: u32, by: f64): void {
  const sum = sums + <usize>number * SUMS_BYTES + ((<usize>level) << 3);
  store<f64>(sum, load<f64>(sum) + by);
}

/** Address of the symbols of a kind, a word each. */
export function kindSymbols(kind: EventKind): usize {
  return buffer.start(symbols) + ((<usize>kind.first) << 2);
}

/** Whether an event of any model holds more than one symbol: no other model gets kinds. */
function hasLongEvents(): bool {
  for (let number: u32 = 0; number < segmentCount(); number++) {
    const segment = segmentAt(number);
    const count = segment.count;
    if (count > 0 && (symbolStart(segment, count) !== eventStart(segment, count) || segment.shortestEvent === 0)) {
      return true;
    }
  }
  return false;
}

/** Finds the kinds of a model's events; returns the slot's entry. */
function rowOf(segment: Segment, place: u32): u32 {
  const events = eventsAt(segment, place);
  const isFull = kindCount === MAX_KINDS || (<usize>(eventCount + events)) << 1 > buffer.size(rows);
  // An event of one symbol is as fast to read as its kind.
  if (isFull || areRare() || lengthAt(segment, place) === events) {
    return WITHOUT_KINDS;
  }
  const first = eventStart(segment, place);
  let from = symbolStart(segment, place);
  for (let event: u32 = 0; event < events; event++) {
    const length = eventLength(segment, first + event);
    const number = numberOfKind(segment, from, length);
    if (number === MAX_KINDS) {
      return WITHOUT_KINDS;
    }
    store<u16>(buffer.start(rows) + ((<usize>(eventCount + event)) << 1), <u16>number);
    from += length;
  }
  eventCount += events;
  return eventCount - events + FIRST_ROW;
}

/** The kind of an event, a new one if necessary; {@link MAX_KINDS} if there is no room. */
function numberOfKind(segment: Segment, from: u32, length: u32): u32 {
  let hash: u32 = length;
  for (let at: u32 = 0; at < length; at++) {
    hash = (rotl<u32>(hash, 5) ^ symbolAt(segment, from + at)) * 0x9e37_79b1;
  }
  let place = (hash >> 16) ^ hash;
  while (true) {
    place &= PLACES - 1;
    const entry = buffer.start(table) + ((<usize>place) << 1);
    const number = <u32>load<u16>(entry);
    if (number === 0) {
      if (kindCount === MAX_KINDS || symbolCount + length > MAX_KIND_SYMBOLS) {
        return MAX_KINDS;
      }
      addKind(segment, from, length);
      store<u16>(entry, <u16>kindCount);
      return kindCount - 1;
    }
    if (isOfKind(kindAt(number - 1), segment, from, length)) {
      return number - 1;
    }
    place++;
  }
}

function addKind(segment: Segment, from: u32, length: u32): void {
  const kind = changetype<EventKind>(buffer.append(kinds, KIND_BYTES));
  kindCount++;
  kind.first = symbolCount;
  kind.length = length;
  kind.context = 0;
  kind.naming = 0;
  copySymbols(segment, from, length, buffer.append(symbols, (<usize>length) << 2));
  symbolCount += length;
}

function isOfKind(kind: EventKind, segment: Segment, from: u32, length: u32): bool {
  if (kind.length !== length) {
    return false;
  }
  const own = kindSymbols(kind);
  for (let at: u32 = 0; at < length; at++) {
    if (load<u32>(own + ((<usize>at) << 2)) !== symbolAt(segment, from + at)) {
      return false;
    }
  }
  return true;
}

function fitZeros(words: usize, bytes: usize): void {
  buffer.fit(words, bytes);
  memory.fill(buffer.start(words), 0, bytes);
}
