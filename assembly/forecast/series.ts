/**
 * A series: forecasts after one event of a sequence, then after the next, and so on. Most of a context is that of the
 * forecast before, an event further back; so the entries of all models are kept, and only the symbols of the event that
 * came and of the one that left are read. The entries are the same as those that are added up anew.
 */

import { postingBytes } from "../corpus/postings";
import { SEGMENT_SLOTS, segmentCount } from "../corpus/segment";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { contextEvents, holdersOf, knownCount, knownSymbol } from "./context";
import { beginKinds, endKinds } from "./event-kinds";
import { addHoldersOf, beginCursor, Cursor, NEWEST, NO_SLOT, SHARED_SHIFT, weightOf } from "./holders";
import { MOST_SIMILARITY } from "./neighbours";

/** The most slots whose entries are kept: they take 2 MiB, a third of what queries have of the memory. */
const MOST_SLOTS: u32 = 1 << 19;
/** The most known symbols of a context whose entries are kept: each is looked for among those of the one before. */
const MOST_KNOWN: u32 = 256;
/** How many slots are shifted while a byte of postings is read: about. */
const SLOTS_PER_BYTE: u32 = 4;

/** An entry for each slot. */
const entries: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** A symbol of the context that the entries are about. */
@unmanaged
class Known {
  symbol: u32;
  /** Which of the context's events hold it. */
  holders: u32;
  weight: u32;
}

const KNOWN_BYTES: usize = offsetof<Known>();
const known: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const cursor: Cursor = changetype<Cursor>(memory.data(24, 8));

let isOpen: bool = false;
/** Whether the entries are those of the context before. */
let isKept: bool = false;

/** Begins a series. {@link endSeries} must follow before the knowledge changes or another tenant is entered. */
export function beginSeries(): void {
  isOpen = true;
  isKept = false;
  beginKinds();
}

/** Ends it, and gives all memory back. */
export function endSeries(): void {
  isOpen = false;
  isKept = false;
  buffer.free(entries);
  buffer.free(known);
  endKinds();
}

/**
 * Where the entries of the context are, one for each slot of all segments; 0 where they are to be added up segment by
 * segment: outside a series, and where keeping them would take too much.
 * @param modelFrequencies of all models together
 */
export function seriesEntries(modelFrequencies: f64): usize {
  if (!isOpen) {
    return 0;
  }
  const slots = segmentCount() * SEGMENT_SLOTS;
  const bytes = contextBytes();
  if (slots > MOST_SLOTS || knownCount() > MOST_KNOWN || bytes * SLOTS_PER_BYTE < slots || mayBeCut(modelFrequencies)) {
    isKept = false;
    return 0;
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

/** How many bytes the postings of the context's symbols have. */
function contextBytes(): u32 {
  let bytes: u32 = 0;
  for (let number: u32 = 0; number < knownCount(); number++) {
    bytes += postingBytes(knownSymbol(number));
  }
  return bytes;
}

/** Whether a sum of weights may be greater than entries can say: nothing can be taken off such a sum again. */
function mayBeCut(modelFrequencies: f64): bool {
  let sum: u32 = 0;
  for (let number: u32 = 0; number < knownCount(); number++) {
    sum += weightOf(knownSymbol(number), modelFrequencies);
  }
  return sum > MOST_SIMILARITY;
}

/**
 * How many bytes of postings are to be read to move on; u32.MAX_VALUE >> 1 where the context is not that of before with
 * an event more.
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

/** Which events hold a symbol when there is one more event. */
function movedOn(holders: u32): u32 {
  return (holders << 1) & ((1 << contextEvents()) - 1);
}

/** Whether the newest event alone holds a symbol, and the context before does not. */
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

/** Adds the entries of a context up. */
function begin(slots: u32, modelFrequencies: f64): void {
  buffer.fit(entries, (<usize>slots) << 2);
  memory.fill(buffer.start(entries), 0, (<usize>slots) << 2);
  for (let number: u32 = 0; number < knownCount(); number++) {
    const symbol = knownSymbol(number);
    add(symbol, weightOf(symbol, modelFrequencies), holdersOf(symbol));
  }
}

/** Makes the entries of the context before those of this one, which has an event more. */
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

/** Moves the events of all entries back by one. */
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
  beginCursor(cursor, symbol, weight, holders * NEWEST);
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
