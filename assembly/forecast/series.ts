/**
 * A series: forecasts after one event of a sequence, then after the next, and so on. Most of a context is the previous
 * context, one event further back; so the entries of all models are kept, and only the symbols of the event that came
 * and of the one that left are read. The entries equal those added up from scratch.
 */

import { postingBytes } from "../corpus/postings";
import { SEGMENT_SLOTS, segmentCount } from "../corpus/segment";
import { findRuns } from "../corpus/window-runs";
import { countSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { contextEvents, holdersOf, knownCount, knownSymbol } from "./context";
import { beginKinds, endKinds } from "./event-kinds";
import { addUpBits, canReadBits } from "./holder-sums";
import { addHoldersOf, beginCursor, Cursor, NO_SLOT, SHARED_SHIFT, SHARED_WITH_NEWEST, weightOf } from "./holders";
import { endKindSums } from "./kind-sums";
import { MAX_SIMILARITY } from "./neighbours";
import { canSlide, slideOverAll } from "./sliding";

/** Maximum number of slots with kept entries: they take 2 MiB, a third of the queries' memory. */
const MAX_SLOTS: u32 = 1 << 19;
/**
 * Maximum number of known symbols of a context with kept entries, because each is searched among those of the previous
 * one.
 */
const MAX_KNOWN: u32 = 256;
/** Approximate number of slots shifted in the time of reading a byte of postings. */
const SLOTS_PER_BYTE: u32 = 4;
/** Maximum number of slots with entries added up all at once outside a series: they take 512 KiB. */
const MAX_SLOTS_OUTSIDE_SERIES: u32 = 1 << 17;

/** An entry for each slot. */
const entries: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** A symbol of the context that the entries belong to. */
@unmanaged
class Known {
  symbol: u32;
  /** The context's events that hold it. */
  holders: u32;
  weight: u32;
}

const KNOWN_BYTES: usize = offsetof<Known>();
const known: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const cursor: Cursor = changetype<Cursor>(memory.data(24, 8));

let isOpen: bool = false;
/** Whether the entries belong to the previous context. */
let isKept: bool = false;

/** Begins a series. {@link endSeries} must follow before the knowledge changes or another tenant is entered. */
export function beginSeries(): void {
  isOpen = true;
  isKept = false;
  beginKinds();
}

/** Ends it, and frees all memory. */
export function endSeries(): void {
  isOpen = false;
  isKept = false;
  buffer.free(entries);
  buffer.free(known);
  endKinds();
  endKindSums();
}

/**
 * The address of the context's entries, one for each slot of all segments; 0 if they have to be added up segment by
 * segment, because few slots have one or all of them would take too much memory.
 * @param modelFrequencies their sum over all models
 */
export function allEntries(modelFrequencies: f64): usize {
  const slots = segmentCount() * SEGMENT_SLOTS;
  const bytes = contextBytes();
  const isDense = bytes * SLOTS_PER_BYTE >= slots;
  if (!isOpen || !isDense || slots > MAX_SLOTS || knownCount() > MAX_KNOWN || mayBeCut(modelFrequencies)) {
    isKept = false;
    if (!isDense || slots > MAX_SLOTS_OUTSIDE_SERIES) {
      return 0;
    }
    begin(slots, modelFrequencies);
    return buffer.start(entries);
  }
  if (!isKept || changedBytes() + slots / SLOTS_PER_BYTE >= bytes) {
    begin(slots, modelFrequencies);
  } else {
    moveOn(modelFrequencies);
  }
  isKept = true;
  keepKnown(modelFrequencies);
  return buffer.start(entries);
}

/** Whether the next forecast needs these entries. */
export function areEntriesKept(): bool {
  return isKept;
}

/** Bytes of the postings of the context's symbols. */
function contextBytes(): u32 {
  let bytes: u32 = 0;
  for (let number: u32 = 0; number < knownCount(); number++) {
    bytes += postingBytes(knownSymbol(number));
  }
  return bytes;
}

/** Whether a sum of weights may exceed what entries can hold: nothing could be subtracted from such a sum. */
function mayBeCut(modelFrequencies: f64): bool {
  let sum: u32 = 0;
  for (let number: u32 = 0; number < knownCount(); number++) {
    sum += weightOf(knownSymbol(number), modelFrequencies);
  }
  return sum > MAX_SIMILARITY;
}

/**
 * Bytes of postings to read in order to move on; u32.MAX_VALUE >> 1 if the context is not the previous one plus an
 * event.
 */
function changedBytes(): u32 {
  let bytes: u32 = 0;
  let found: u32 = 0;
  for (let at: u32 = 0; at < keptCount(); at++) {
    const one = knownAt(at);
    const now = holdersOf(one.symbol);
    if ((now & ~1) !== movedOn(one.holders)) {
      return u32.MAX_VALUE >> 1;
    }
    found += <u32>(now !== 0);
    bytes += now === 0 || (now & 1) !== 0 ? postingBytes(one.symbol) : 0;
  }
  for (let number: u32 = 0; number < knownCount(); number++) {
    if (isFresh(knownSymbol(number))) {
      found++;
      bytes += postingBytes(knownSymbol(number));
    }
  }
  return found === knownCount() ? bytes : u32.MAX_VALUE >> 1;
}

/** The events that hold a symbol after one more event has come. */
function movedOn(holders: u32): u32 {
  return (holders << 1) & ((1 << contextEvents()) - 1);
}

/** Whether only the newest event holds a symbol, and the previous context does not. */
function isFresh(symbol: u32): bool {
  if (holdersOf(symbol) !== 1) {
    return false;
  }
  for (let at: u32 = 0; at < keptCount(); at++) {
    if (knownAt(at).symbol === symbol) {
      return false;
    }
  }
  return true;
}

/** Adds up the entries of a context. */
function begin(slots: u32, modelFrequencies: f64): void {
  const bytes = (<usize>slots) << 2;
  buffer.fit(entries, bytes);
  const start = buffer.start(entries);
  const slides = findRuns() && canSlide() && !mayBeCut(modelFrequencies);
  if (!slides && canReadBits(contextBytes())) {
    countSteps(contextBytes());
    addUpBits(start, modelFrequencies);
    return;
  }
  memory.fill(start, 0, bytes);
  if (slides) {
    countSteps(contextBytes());
    slideOverAll(start, modelFrequencies);
    return;
  }
  for (let number: u32 = 0; number < knownCount(); number++) {
    const symbol = knownSymbol(number);
    add(symbol, weightOf(symbol, modelFrequencies), holdersOf(symbol));
  }
}

/** Turns the entries of the previous context into those of this one, which has one more event. */
function moveOn(modelFrequencies: f64): void {
  shift();
  for (let number: u32 = 0; number < knownCount(); number++) {
    const symbol = knownSymbol(number);
    if (isFresh(symbol)) {
      add(symbol, weightOf(symbol, modelFrequencies), 1);
    }
  }
  for (let at: u32 = 0; at < keptCount(); at++) {
    const one = knownAt(at);
    const now = holdersOf(one.symbol);
    if (now === 0) {
      add(one.symbol, 0 - one.weight, 0);
    } else if ((now & 1) !== 0) {
      add(one.symbol, 0, 1);
    }
  }
}

/** Moves the events in all entries back by one. */
function shift(): void {
  const similarities = i32x4.splat(0xffff);
  const events = i32x4.splat(((1 << contextEvents()) - 1) << SHARED_SHIFT);
  const end = buffer.start(entries) + buffer.size(entries);
  for (let at = buffer.start(entries); at < end; at += 16) {
    const four = v128.load(at);
    const shared = v128.and(i32x4.shl(v128.andnot(four, similarities), 1), events);
    v128.store(at, v128.or(v128.and(four, similarities), shared));
  }
}

function add(symbol: u32, weight: u32, holders: u32): void {
  beginCursor(cursor, symbol, weight, holders * SHARED_WITH_NEWEST);
  addHoldersOf(cursor, NO_SLOT, buffer.start(entries));
}

function keepKnown(modelFrequencies: f64): void {
  buffer.fit(known, <usize>knownCount() * KNOWN_BYTES);
  for (let number: u32 = 0; number < knownCount(); number++) {
    const one = knownAt(number);
    one.symbol = knownSymbol(number);
    one.holders = holdersOf(one.symbol);
    one.weight = weightOf(one.symbol, modelFrequencies);
  }
}

function knownAt(at: u32): Known {
  return changetype<Known>(buffer.start(known) + <usize>at * KNOWN_BYTES);
}

function keptCount(): u32 {
  return <u32>(buffer.size(known) / KNOWN_BYTES);
}
