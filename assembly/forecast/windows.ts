/**
 * Models that are overlapping windows of one stream, as a rolling memory learns them: each event is in as many models
 * as a window has events. Here the neighbours are laid out as streams, so that an event is compared with the context
 * once, and counted once for all windows in which it agrees with the context alike. Only for the next event, and only
 * if all events of neighbours hold one symbol each. The sums are those of `rules.ts`, which counts model by model.
 */

import { copySymbols, placeOf, segmentAt, segmentCount, segmentOf, symbolAt, symbolStart } from "../corpus/segment";
import { classTable, symbolEnd } from "../corpus/symbols";
import { findRuns, runStart } from "../corpus/window-runs";
import { countSteps, stepsLeft } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { codeFor, LEVEL_MASK } from "./alignment";
import { agreementOf, CONTEXT_EVENTS, contextEvents, distinctIn, singleEvents, unknownEvents } from "./context";
import { addVotes, beginVotes, MAX_NAMED_SYMBOLS, nameNearest, voteOf } from "./near";
import {
  Candidate,
  nearestNeighbour,
  nearnessOf,
  neighbourCount,
  neighbourEvents,
  neighbourSymbols,
  slottedNeighbour,
  sortBySlot,
  weightOf,
} from "./neighbours";
import { addOutcome, numberOf, numberTable, outcomeCount, UNNAMED } from "./outcomes";
import { areFew, countOnLevels, countPair } from "./pairs";

/** Number of nearest neighbours that are examined to find out whether models are windows. */
const SAMPLED_NEIGHBOURS: u32 = 16;
/** Minimum ratio of the neighbours' symbols to the streams' events: below it, counting model by model is as fast. */
const MIN_OVERLAP: u32 = 2;
/** All sums are exact if the frequency of events is below this: each event counts at most 2^20 times. */
const MAX_EXACT_FREQUENCY: f64 = 8_589_934_592;
/** Maximum number of events of all streams: their tables take 1 MiB. */
const MAX_EVENTS: u32 = 1 << 15;
/** A symbol that has a name. */
const NO_FIRST: u64 = u64.MAX_VALUE;
/** How many of the nearest neighbours are read for the names of outcomes: few outcomes are left to look for then. */
const NAMING_NEIGHBOURS: u32 = 24;

/** A neighbour in its stream. */
@unmanaged
export class Window {
  /** The number of its first event. Events are counted over all streams. */
  start: u32;
  events: u32;
  /** Its weight W. */
  weight: u32;
  /** Greater if it is nearer. */
  nearness: f64;
  /** Its number of occurrences that count. */
  frequency: f64;
}

const WINDOW_BYTES: usize = (offsetof<Window>() + 7) & ~7;
/** In the order of their first events. */
const windows: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Windows of one length, each of which begins within the one before it. */
@unmanaged
class Stream {
  /** The number of its first event. */
  start: u32;
  /** Number of events of its windows. */
  length: u32;
}

const STREAM_BYTES: usize = offsetof<Stream>();
const streams: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** A word for each event: its symbol. */
const symbols: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A word for each event: the number of the last event up to it that shares a symbol with the context. */
const shared: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/**
 * A half word for each event, with which the context's newest event is aligned: the context's events that share a
 * symbol with the events aligned with them, as bits.
 */
const agreements: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** For each event, the total frequency, and the votes, of the windows that begin before it; then those of all. */
const frequencies: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const votes: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A byte for each symbol: 1 if a stream holds it. */
const marks: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A word for each outcome: the number after that of the last event that holds it. */
const seen: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/**
 * Two words for each symbol that the neighbours read for names do not hold: the nearest of the windows that do, and the
 * number of the event there.
 */
const firsts: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** These events, a word each, in the order in which their symbols are named; and where they are merged. */
const sorted: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const merged: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A word for each of the context's events, newest first: the agreement by its symbol. */
const growths: usize = memory.data(CONTEXT_EVENTS << 2, 4);

/** Number of events of all streams. */
let events: u32 = 0;

/** Lays the neighbours out as streams if they are windows, all of single symbols; returns whether they are. */
export function layOutWindows(): bool {
  const areSingle = neighbourCount() > 1 && neighbourSymbols() === neighbourEvents() && haveNoEmptyEvents();
  const haveRoom = symbolEnd() < MAX_NAMED_SYMBOLS && stepsLeft() > 2 * <f64>neighbourSymbols();
  return areSingle && haveRoom && findRuns() && areMostlyWindows() && sortBySlot() && layOut();
}

/** Number of windows, which is that of the neighbours. */
export function windowCount(): u32 {
  return <u32>(buffer.size(windows) / WINDOW_BYTES);
}

/** A window. */
export function windowAt(at: u32): Window {
  return changetype<Window>(buffer.start(windows) + <usize>at * WINDOW_BYTES);
}

/** The number of the last event of a window that shares a symbol with the context. */
export function lastShared(window: Window): u32 {
  return wordAt(shared, window.start + window.events - 1);
}

/** The symbol of an event. */
export function eventSymbol(event: u32): u32 {
  return wordAt(symbols, event);
}

/** Compares all events with the context, and names the outcomes. Its steps are those of naming model by model. */
export function nameInWindows(): void {
  countSteps(neighbourSymbols());
  const distinct = compareEvents();
  nameNearest(NAMING_NEIGHBOURS, distinct);
  if (outcomeCount() <= distinct) {
    findFirsts();
    nameFirsts();
  }
}

/** Counts what follows each occurrence, and the votes of the rule near. The outcomes are named. */
export function countWindows(): void {
  countSteps(neighbourSymbols());
  for (let back: u32 = 0; back < contextEvents(); back++) {
    store<u32>(growths + ((<usize>back) << 2), distinctIn(back) > 0 ? agreementOf(back, 1) : 0);
  }
  beginVotes();
  buffer.fit(seen, (<usize>outcomeCount()) << 2);
  memory.fill(buffer.start(seen), 0, buffer.size(seen));
  const few = areFew();
  for (let number: u32 = 0; number < streamCount(); number++) {
    const stream = streamAt(number);
    countStream(stream.start, endOf(number), stream.length, few);
  }
}

function haveNoEmptyEvents(): bool {
  for (let number: u32 = 0; number < segmentCount(); number++) {
    if (segmentAt(number).shortestEvent === 0) {
      return false;
    }
  }
  return true;
}

/** Whether at least half of the nearest neighbours are one event after the model before them. */
function areMostlyWindows(): bool {
  const looked = min(SAMPLED_NEIGHBOURS, neighbourCount());
  let count: u32 = 0;
  for (let at: u32 = 0; at < looked; at++) {
    const slot = nearestNeighbour(at).slot;
    count += <u32>(runStart(slot) !== placeOf(slot));
  }
  return count * 2 >= looked;
}

/**
 * Lays out the neighbours in the order of their slots; returns false when that takes too many events, or if the order of
 * a sum might matter.
 */
function layOut(): bool {
  const most = min(neighbourSymbols() / MIN_OVERLAP, MAX_EVENTS);
  const count = neighbourCount();
  const bytes = (<usize>most + 1) << 3;
  buffer.fit(symbols, (<usize>most) << 2);
  buffer.fit(frequencies, bytes);
  buffer.fit(votes, bytes);
  buffer.fit(windows, <usize>count * WINDOW_BYTES);
  buffer.truncate(streams, 0);
  events = 0;
  let segment = segmentAt(0);
  let run: u32 = u32.MAX_VALUE;
  let slot: u32 = 0;
  let start: u32 = 0;
  let length: u32 = 0;
  let longest: u32 = 0;
  let summed: u32 = 0;
  let frequency: f64 = 0;
  let vote: u64 = 0;
  for (let at: u32 = 0; at < count; at++) {
    const neighbour = slottedNeighbour(at);
    const moved = neighbour.slot - slot;
    slot = neighbour.slot;
    let added = moved;
    if (moved * 2 <= length && runOf(slot) === run) {
      start += moved * length;
    } else {
      segment = segmentOf(slot);
      run = runOf(slot);
      start = symbolStart(segment, placeOf(slot));
      length = symbolStart(segment, placeOf(slot) + 1) - start;
      longest = max(longest, length);
      added = length;
      addStream(length);
    }
    if (events + added > most) {
      return false;
    }
    if (added === 1) {
      store<u32>(wordsOf(symbols, events), symbolAt(segment, start + length - 1));
    } else {
      copySymbols(segment, start + length - added, added, wordsOf(symbols, events));
    }
    events += added;
    setWindow(windowAt(at), neighbour, length);
    summed = storeSums(summed, events - length, frequency, vote);
    frequency += neighbour.frequency;
    vote += <u64>voteOf(neighbour.shared) * <u64>neighbour.frequency;
  }
  storeSums(summed, events, frequency, vote);
  return frequency * <f64>longest < MAX_EXACT_FREQUENCY;
}

/** Sets the window of a neighbour, whose last event is the last of all so far. */
function setWindow(window: Window, neighbour: Candidate, length: u32): void {
  window.start = events - length;
  window.events = length;
  window.weight = weightOf(neighbour);
  window.nearness = nearnessOf(neighbour);
  window.frequency = neighbour.frequency;
}

/** The slot of the first model of a slot's run. */
function runOf(slot: u32): u32 {
  return slot - placeOf(slot) + runStart(slot);
}

function addStream(length: u32): void {
  const stream = changetype<Stream>(buffer.append(streams, STREAM_BYTES));
  stream.start = events;
  stream.length = length;
}

/**
 * Stores the frequency and the votes of the windows that begin before some events.
 * @param from the first of these events @param last the last of them
 * @returns the number of the next event
 */
function storeSums(from: u32, last: u32, frequency: f64, vote: u64): u32 {
  let event = from;
  for (; event <= last; event++) {
    store<f64>(buffer.start(frequencies) + ((<usize>event) << 3), frequency);
    store<u64>(buffer.start(votes) + ((<usize>event) << 3), vote);
  }
  return event;
}

/** Compares all events with the context; returns how many different symbols they hold. */
function compareEvents(): u32 {
  buffer.fit(agreements, (<usize>events) << 1);
  buffer.fit(shared, (<usize>events) << 2);
  buffer.fit(marks, symbolEnd());
  const symbolsAt = buffer.start(symbols);
  const sharedAt = buffer.start(shared);
  const aligned = buffer.start(agreements);
  const marked = buffer.start(marks);
  memory.fill(marked, 0, symbolEnd());
  const classes = classTable();
  let distinct: u32 = 0;
  let last: u32 = 0;
  // The bits of the event and of those after it, a lane each: an event that the context's event n holds sets bit n of
  // the event n after it.
  let next = i16x8.splat(0);
  let later = i16x8.splat(0);
  for (let event: usize = 0; event < <usize>events; event++) {
    const symbol = <usize>load<u32>(symbolsAt + (event << 2));
    const held = load<u32>(classes + (symbol << 2));
    distinct += 1 - <u32>load<u8>(marked + symbol);
    store<u8>(marked + symbol, 1);
    last = held !== 0 ? <u32>event : last;
    store<u32>(sharedAt + (event << 2), last);
    const bits = i16x8.splat(<i16>held);
    next = v128.or(next, v128.and(bits, i16x8(1, 2, 4, 8, 16, 32, 64, 128)));
    later = v128.or(later, v128.and(bits, i16x8(256, 512, 0, 0, 0, 0, 0, 0)));
    store<u16>(aligned + (event << 1), <u16>i16x8.extract_lane_u(next, 0));
    next = i16x8.shuffle(next, later, 1, 2, 3, 4, 5, 6, 7, 8);
    later = i16x8.shuffle(later, i16x8.splat(0), 1, 2, 3, 4, 5, 6, 7, 8);
  }
  return distinct;
}

/** For each symbol without a name: finds the nearest neighbour that holds it, and the first event there that does. */
function findFirsts(): void {
  const bytes = (<usize>symbolEnd()) << 3;
  buffer.fit(firsts, bytes);
  memory.fill(buffer.start(firsts), 0xff, bytes);
  const numbers = numberTable();
  let begun: u32 = 0;
  for (let event: u32 = 0; event < events; event++) {
    for (; begun < windowCount() && windowAt(begun).start <= event; ) {
      begun++;
    }
    const symbol = eventSymbol(event);
    if (numberOf(numbers, symbol) === UNNAMED) {
      const nearest = nearestOver(event, begun);
      const first = firstAt(symbol);
      if (load<u64>(first) === NO_FIRST || windowAt(nearest).nearness > windowAt(load<u32>(first)).nearness) {
        store<u32>(first, nearest);
        store<u32>(first, event, 4);
      }
    }
  }
}

/** The nearest of the windows that hold an event. @param begun how many begin at or before it; the last of them does */
function nearestOver(event: u32, begun: u32): u32 {
  let nearest = begun - 1;
  for (let at = begun; at-- > 0; ) {
    const window = windowAt(at);
    if (window.start + window.events <= event) {
      break;
    }
    nearest = window.nearness > windowAt(nearest).nearness ? at : nearest;
  }
  return nearest;
}

/** Names these symbols: of the nearest neighbour that holds one first, and of one neighbour in the order of events. */
function nameFirsts(): void {
  buffer.truncate(sorted, 0);
  for (let event: u32 = 0; event < events; event++) {
    const first = firstAt(eventSymbol(event));
    if (load<u64>(first) !== NO_FIRST && load<u32>(first, 4) === event) {
      store<u32>(buffer.append(sorted, 4), event);
    }
  }
  sortFirsts(<u32>(buffer.size(sorted) >> 2));
  for (let at: usize = 0; at < buffer.size(sorted); at += 4) {
    addOutcome(eventSymbol(load<u32>(buffer.start(sorted) + at)));
  }
}

/** Sorts these events: merge sort, bottom up. */
function sortFirsts(count: u32): void {
  buffer.fit(merged, (<usize>count) << 2);
  for (let width: u32 = 1; width < count; width <<= 1) {
    for (let from: u32 = 0; from < count; from += width << 1) {
      mergeFirsts(from, min(from + width, count), min(from + (width << 1), count));
    }
    memory.copy(buffer.start(sorted), buffer.start(merged), (<usize>count) << 2);
  }
}

/** Merges two adjacent sorted runs of events, the second of which may be empty. */
function mergeFirsts(from: u32, middle: u32, end: u32): void {
  let one = from;
  let other = middle;
  for (let to = from; to < end; to++) {
    const isOther = one === middle || (other < end && comesFirst(wordAt(sorted, other), wordAt(sorted, one)));
    store<u32>(wordsOf(merged, to), wordAt(sorted, isOther ? other : one));
    other += <u32>isOther;
    one += <u32>!isOther;
  }
}

/** Whether the symbol of an event is named before that of another. */
function comesFirst(event: u32, other: u32): bool {
  const nearness = windowAt(load<u32>(firstAt(eventSymbol(event)))).nearness;
  const others = windowAt(load<u32>(firstAt(eventSymbol(other)))).nearness;
  return nearness > others || (nearness === others && event < other);
}

/** Address of what {@link findFirsts} has found for a symbol. */
function firstAt(symbol: u32): usize {
  return buffer.start(firsts) + ((<usize>symbol) << 3);
}

/** Counts a stream, whose windows have `length` events. */
function countStream(start: u32, end: u32, length: u32, few: bool): void {
  const numbers = numberTable();
  const symbolsAt = buffer.start(symbols);
  const seenAt = buffer.start(seen);
  const votesAt = buffer.start(votes);
  const aligned = buffer.start(agreements);
  let before: u32 = 0;
  for (let event = start; event < end; event++) {
    const number = numberOf(numbers, load<u32>(symbolsAt + ((<usize>event) << 2)));
    // Each window votes once for a symbol: those that begin before this have ended, or have voted.
    const seenBefore = seenAt + ((<usize>number) << 2);
    const first = max(max(event + 1, start + length) - length, load<u32>(seenBefore));
    const sum = load<u64>(votesAt + ((<usize>event) << 3), 8) - load<u64>(votesAt + ((<usize>first) << 3));
    addVotes(number, sum);
    store<u32>(seenBefore, event + 1);
    if (before !== 0) {
      countAfter(event - 1, max(event + 1, start + length) - length, before, number, few);
    }
    before = load<u16>(aligned + ((<usize>event) << 1));
  }
}

/**
 * Counts what follows an event, for all windows that hold both: those that begin at `first` to the event. The later a
 * window begins, the fewer events agree; all that begin between two of these agree alike.
 * @param aligned the context's events that agree with those aligned with them, as bits
 * @param number of the outcome
 */
function countAfter(event: u32, first: u32, aligned: u32, number: u32, few: bool): void {
  const begun = buffer.start(frequencies) + ((<usize>(event + 1)) << 3);
  const deepest = event + 1 - first;
  const row = ctz(~((aligned & singleEvents()) | unknownEvents()));
  let agreement: u32 = 0;
  let order: u32 = 0;
  for (let rest = aligned; rest !== 0 && ctz(rest) < deepest; ) {
    const back = ctz(rest);
    rest &= rest - 1;
    agreement += load<u32>(growths + ((<usize>back) << 2));
    order += <u32>(back < row);
    const code = codeFor(agreement, order);
    if ((code & <u32>LEVEL_MASK) !== 0) {
      const until = rest !== 0 ? min(ctz(rest), deepest) : deepest;
      const frequency = load<f64>(begun - ((<usize>back) << 3)) - load<f64>(begun - ((<usize>until) << 3));
      if (frequency > 0) {
        if (few) {
          countPair(code, number, frequency);
        } else {
          countOnLevels(code, number, frequency);
        }
      }
    }
  }
}

function streamCount(): u32 {
  return <u32>(buffer.size(streams) / STREAM_BYTES);
}

function streamAt(number: u32): Stream {
  return changetype<Stream>(buffer.start(streams) + <usize>number * STREAM_BYTES);
}

/** The number after that of the last event of a stream. */
function endOf(number: u32): u32 {
  return number + 1 < streamCount() ? streamAt(number + 1).start : events;
}

function wordsOf(words: usize, at: u32): usize {
  return buffer.start(words) + ((<usize>at) << 2);
}

function wordAt(words: usize, at: u32): u32 {
  return load<u32>(wordsOf(words, at));
}
