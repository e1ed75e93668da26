/**
 * How often something followed the last event, or the last two, in the models: counted for what the sequence's own
 * events follow, and for what they are. In rows where these are few, else in cells that a key leads to.
 */

import { eventLength, Segment } from "../corpus/segment";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { beginRows, countRows, dropRows, followedBy, followedRow, wantPair } from "./follower-rows";
import { BEGINNING, FOREIGN_KIND, kindOf, lengthOf, mixed, numberOfKind, powerAbove } from "./kinds";
import { numberAfter, numberCount } from "./sequence";

/** A context, or what follows one. */
@unmanaged
class Cell {
  key: u64;
  /** How often it followed its context; for a context, how often anything followed it. */
  frequency: f64;
  /** The event counted last, so that each counts once. */
  event: u32;
  /** Whether the cell is used. */
  used: u32;
}

const CELL_BYTES: usize = (offsetof<Cell>() + 7) & ~7;
/** A hash table: a cell is at the place of its key's hash, or at the next free one. */
const cells: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
let mask: u32 = 0;
/** A word for each place of the sequence: the kind of its event. */
let places: usize = 0;
let placeCount: u32 = 0;
/**
 * Doubles: for each place, how often anything followed the previous event, and the previous two; then both for each
 * symbol.
 */
const found: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** The number of the current event of all models. */
let serial: u32 = 0;
let hasRows: bool = false;

/** The end's number: one more than the last symbol's. */
function endNumber(): u32 {
  return numberCount();
}

/**
 * Sets the sequence whose followers are counted.
 * @param kinds address of the kind of each event, a word each, which must stay there
 */
export function wantFollowers(kinds: usize, count: u32): void {
  places = kinds;
  placeCount = count;
  serial = 0;
  hasRows = beginRows(count);
  if (hasRows) {
    for (let place: u32 = 1; place <= count; place++) {
      wantPair(kindBefore(place, 2), kindBefore(place, 1));
    }
    return;
  }
  let wanted: u32 = 0;
  for (let place: u32 = 0; place <= count; place++) {
    wanted += 2 + 2 * symbolsAt(place);
  }
  mask = powerAbove(wanted << 1) - 1;
  buffer.fit(cells, <usize>(mask + 1) * CELL_BYTES);
  memory.fill(buffer.start(cells), 0, <usize>(mask + 1) * CELL_BYTES);
  for (let place: u32 = 0; place <= count; place++) {
    const one = contextOf(FOREIGN_KIND, kindBefore(place, 1));
    const two = contextOf(kindBefore(place, 2), kindBefore(place, 1));
    want(one);
    want(two);
    for (let at: u32 = 0; at < symbolsAt(place); at++) {
      want(following(one, symbolAt(place, at)));
      want(following(two, symbolAt(place, at)));
    }
  }
}

/** Frees all memory. */
export function dropFollowers(): void {
  dropRows();
  buffer.free(cells);
  buffer.free(found);
}

/**
 * Counts what follows what in a model.
 * @param first the position of its first event
 * @param start the address of its symbols @param end where they end
 */
export function countFollowers<T>(
  segment: Segment,
  first: u32,
  events: u32,
  start: usize,
  end: usize,
  frequency: f64,
): void {
  if (hasRows) {
    countRows<T>(segment, first, events, start, end, frequency);
  } else {
    countCells<T>(segment, first, events, start, frequency);
  }
}

function countCells<T>(segment: Segment, first: u32, events: u32, start: usize, frequency: f64): void {
  let before = FOREIGN_KIND;
  let last = BEGINNING;
  let from = start;
  for (let event: u32 = 0; event < events; event++) {
    const end = from + <usize>eventLength(segment, first + event) * sizeof<T>();
    if (last !== FOREIGN_KIND) {
      countAfter<T>(before, last, from, end, frequency);
    }
    before = last;
    last = kindOf<T>(from, end);
    from = end;
  }
  if (last !== FOREIGN_KIND) {
    serial++;
    countEnd(contextOf(FOREIGN_KIND, last), frequency);
    if (before !== FOREIGN_KIND) {
      countEnd(contextOf(before, last), frequency);
    }
  }
}

/**
 * Address of the counts, as doubles, for each place and finally the end: how often anything followed the previous
 * event, and the previous two; then how often each distinct symbol of the place did, again both. The first place has
 * only the beginning before it, so its two contexts are equal.
 */
export function followersFound(): usize {
  buffer.truncate(found, 0);
  for (let place: u32 = 0; place <= placeCount; place++) {
    const last = kindBefore(place, 1);
    const before = kindBefore(place, 2);
    tell(followed(FOREIGN_KIND, last));
    tell(followed(before, last));
    let told = u32.MAX_VALUE;
    for (let at: u32 = 0; at < symbolsAt(place); at++) {
      const symbol = symbolAt(place, at);
      if (symbol !== told) {
        tell(followedByOne(FOREIGN_KIND, last, symbol));
        tell(followedByOne(before, last, symbol));
      }
      told = symbol;
    }
  }
  return buffer.start(found);
}

/** Number of these doubles. */
export function followersCount(): u32 {
  return <u32>(buffer.size(found) >> 3);
}

function countAfter<T>(before: u32, last: u32, from: usize, end: usize, frequency: f64): void {
  serial++;
  const one = contextOf(FOREIGN_KIND, last);
  count(one, frequency);
  const two = contextOf(before, last);
  const isPair = before !== FOREIGN_KIND && count(two, frequency);
  for (let at = from; at < end; at += sizeof<T>()) {
    const number = numberAfter(<u32>load<T>(at));
    if (number !== 0) {
      count(following(one, number - 1), frequency);
      if (isPair) {
        count(following(two, number - 1), frequency);
      }
    }
  }
}

function countEnd(context: u64, frequency: f64): void {
  if (count(context, frequency)) {
    count(following(context, endNumber()), frequency);
  }
}

/** Counts an event once for a cell; returns whether the cell is wanted. */
function count(key: u64, frequency: f64): bool {
  const cell = cellOf(key);
  if (cell.used === 0) {
    return false;
  }
  if (cell.event !== serial) {
    cell.event = serial;
    cell.frequency += frequency;
  }
  return true;
}

function want(key: u64): void {
  const cell = cellOf(key);
  cell.key = key;
  cell.used = 1;
}

function followed(before: u32, last: u32): f64 {
  return hasRows ? followedRow(before, last) : cellOf(contextOf(before, last)).frequency;
}

function followedByOne(before: u32, last: u32, symbol: u32): f64 {
  return hasRows ? followedBy(before, last, symbol) : cellOf(following(contextOf(before, last), symbol)).frequency;
}

function tell(frequency: f64): void {
  store<f64>(buffer.append(found, 8), frequency);
}

/** The cell of a key, or the free one where it would be. */
function cellOf(key: u64): Cell {
  const start = buffer.start(cells);
  let place = <u32>mixed(key) & mask;
  let cell = changetype<Cell>(start + <usize>place * CELL_BYTES);
  while (cell.used !== 0 && cell.key !== key) {
    place = (place + 1) & mask;
    cell = changetype<Cell>(start + <usize>place * CELL_BYTES);
  }
  return cell;
}

/** The bits of a key for a kind, and for a number: a sequence has fewer than 2^21. The highest bit marks a follower. */
const KEY_BITS: u64 = 21;
const FOLLOWER: u64 = 1 << 63;

/** The key of an event's context: of the previous event's kind alone if the one before it is {@link FOREIGN_KIND}. */
function contextOf(before: u32, last: u32): u64 {
  return ((<u64>(before + 1)) << KEY_BITS) | <u64>last;
}

/** The key of a symbol after a context. */
function following(context: u64, symbol: u32): u64 {
  return FOLLOWER | (context << KEY_BITS) | <u64>symbol;
}

/** The kind of the event `back` events before a place. */
function kindBefore(place: u32, back: u32): u32 {
  if (place >= back) {
    return load<u32>(places + ((<usize>(place - back)) << 2));
  }
  return back - place === 1 ? BEGINNING : FOREIGN_KIND;
}

/** Number of symbols at a place, with repeats. */
function symbolsAt(place: u32): u32 {
  return place < placeCount ? lengthOf(kindBefore(place, 0)) : 1;
}

function symbolAt(place: u32, at: u32): u32 {
  return place < placeCount ? numberOfKind(kindBefore(place, 0), at) : endNumber();
}
