/**
 * The rules: what each gives every symbol for the events from `first` to `last` ahead. docs/forecast.md states them. Owns the pass over all
 * models that are heard, and the sums that the rules divide by.
 */

import {
  eventLength,
  eventStart,
  eventsAt,
  frequencyAt,
  lengthAt,
  placeOf,
  Segment,
  segmentOf,
  symbolAddress,
  symbolStart,
} from "../corpus/segment";
import { symbolFrequency } from "../corpus/symbols";
import { countSteps, isOutOfSteps } from "../match/steps";
import { BYTES, HALVES } from "../memory/narrow";
import { beginAdmitted } from "./admission";
import {
  behindIn,
  behindsStart,
  dropOthers,
  END,
  Entry,
  endCounts,
  entriesStart,
  entryAt,
  entryCount,
  entryIn,
  followsAt,
  LEVEL_RUNGS,
  listedOn,
  listOf,
  MOST_LEVEL,
  MOST_ORDER,
  makeRow,
  noteSpeaker,
  numberOf,
  numberTable,
  rowOf,
  ruleAt,
  setListed,
  symbolOf,
} from "./counts";
import { heardCount, heardSlot, heardWeight } from "./heard";
import { beginLadders, climbDown, countPlace } from "./ladder";
import { beginReading, heldThere, levelThere, orderThere, readEvent } from "./reading";

/** The rules by number. */
const ORDER: u32 = 0;
const FOLLOWS: u32 = 1;
const BEHIND: u32 = 2;
const BEHIND_NEWEST: u32 = 3;
const FREQUENCY: u32 = 4;
const ALIKE: u32 = 5;

/** A model counts double for each event that matches where the newest event lies on the last event that it shares, up to so many. */
const MOST_DOUBLINGS: u32 = 4;

/** Alike places are a sample of what may follow: a level counts as if it had so many places more, of which nothing is known. */
const DOUBT: f64 = 3;

let first: u32 = 1;
let last: u32 = 1;
/** Counts places, so that a symbol is counted once a place. */
let place: u32 = 0;
/** The first place of the model that is read: a symbol of a later place has been said by it. */
let firstPlace: u32 = 0;
/** Whether there was a place with an order, and one with a level. */
let ordered: bool = false;
let levelled: bool = false;
let followsSum: f64 = 0;
let behindSum: f64 = 0;
let behindNewestSum: f64 = 0;
let crowded: bool = false;
/** What the two ladders leave, of 1. */
let orderRest: f64 = 0;
let alikeRest: f64 = 0;

/** The model that is read. */
let slot: u32 = 0;
let frequency: f64 = 0;
let modelWeight: f64 = 0;
let events: u32 = 0;
let modelEnd: usize = 0;
/** Its last event that shares a symbol with the context: its number, where it ends, the order there, and the window of events ahead of it. */
let shared: u32 = 0;
let sharedEnd: usize = 0;
let sharedOrder: u32 = 0;
let windowStart: usize = 0;
let windowEnd: usize = 0;
/** Its last event that shares one with the newest event, and where that ends; 0 for none. */
let newest: u32 = 0;
let newestEnd: usize = 0;

/** Whether an event that was counted holds more than one symbol. */
export function isCrowded(): bool {
  return crowded;
}

/** Whether a rule has counted anything. */
export function speaks(rule: u32): bool {
  switch (rule) {
    case ORDER:
      return ordered;
    case FOLLOWS:
      return followsSum > 0;
    case BEHIND:
      return behindSum > 0;
    case BEHIND_NEWEST:
      return behindNewestSum > 0;
    case ALIKE:
      return levelled;
    default:
      return behindSum > 0;
  }
}

/** What a rule leaves, of 1, to be divided as often as symbols occur at all. */
export function restOf(rule: u32): f64 {
  switch (rule) {
    case ORDER:
      return orderRest;
    case ALIKE:
      return alikeRest;
    default:
      return <f64>(rule === FREQUENCY);
  }
}

/**
 * Counts what all models say of the events from `from` to `to` ahead, and computes what each rule makes of it.
 * @param modelFrequencies of all models together @param symbolFrequencies of all symbols together
 */
export function applyRules(from: u32, to: u32, modelFrequencies: f64, symbolFrequencies: f64): void {
  endCounts();
  beginAdmitted();
  beginLadders();
  first = from;
  last = to;
  place = 0;
  ordered = false;
  levelled = false;
  followsSum = 0;
  behindSum = 0;
  behindNewestSum = 0;
  crowded = false;
  for (let at: u32 = 0; at < heardCount() && !isOutOfSteps(); at++) {
    slot = heardSlot(at);
    modelWeight = <f64>heardWeight(at);
    countModel(segmentOf(slot), placeOf(slot));
  }
  divide(modelFrequencies + symbolFrequencies, modelFrequencies);
  orderRest = climbDown(ORDER, 0, MOST_ORDER, FREQUENCY, 0);
  alikeRest = climbDown(ALIKE, LEVEL_RUNGS, MOST_LEVEL, FREQUENCY, DOUBT);
  dropOthers();
}

function countModel(segment: Segment, at: u32): void {
  countSteps(lengthAt(segment, at));
  frequency = frequencyAt(segment, at);
  const shift: u32 = segment.symbolShift;
  if (shift === BYTES) {
    countIn<u8>(segment, at);
  } else if (shift === HALVES) {
    countIn<u16>(segment, at);
  } else {
    countIn<u32>(segment, at);
  }
}

function countIn<T>(segment: Segment, at: u32): void {
  modelEnd = symbolAddress(segment, symbolStart(segment, at + 1));
  firstPlace = place + 1;
  countPlaces<T>(segment, at);
  const weight = modelWeight;
  if (weight > 0) {
    countFollowing<T>(weight * <f64>(1 << min(sharedOrder, MOST_DOUBLINGS)) * frequency);
    countBehind<T>(weight);
  }
}

/** Counts what is ahead of each place, and finds the last events that share symbols. */
function countPlaces<T>(segment: Segment, at: u32): void {
  const number = eventStart(segment, at);
  events = eventsAt(segment, at);
  newestEnd = 0;
  let from = symbolAddress(segment, symbolStart(segment, at));
  let start = from + bytesUpTo<T>(segment, number, first);
  let end = from + bytesUpTo<T>(segment, number, last + 1);
  beginReading(events);
  for (let event: u32 = 0; event < events; event++) {
    const next = first === 1 ? start : from + bytesOf<T>(segment, number + event);
    readEvent<T>(event, from, next);
    if (heldThere() !== 0) {
      noteShared(event, next, start, end);
    }
    if (levelThere() > 0 && event + first < events) {
      countAhead<T>(event, start, end);
    }
    from = next;
    if (first === last) {
      start = end;
    } else if (event + first < events) {
      start += bytesOf<T>(segment, number + event + first);
    }
    end += event + last + 1 < events ? bytesOf<T>(segment, number + event + last + 1) : 0;
  }
}

/** How many bytes the symbols of so many events take, of those that the model has. */
function bytesUpTo<T>(segment: Segment, from: u32, count: u32): usize {
  let bytes: usize = 0;
  for (let event: u32 = 0; event < min(count, events); event++) {
    bytes += bytesOf<T>(segment, from + event);
  }
  return bytes;
}

/** How many bytes an event's symbols take. */
function bytesOf<T>(segment: Segment, event: u32): usize {
  return <usize>eventLength(segment, event) * sizeof<T>();
}

/** Notes an event that shares a symbol with the context, and the window ahead of it. */
function noteShared(event: u32, eventEnd: usize, start: usize, end: usize): void {
  shared = event;
  sharedEnd = eventEnd;
  sharedOrder = orderThere();
  windowStart = start;
  windowEnd = end;
  if ((heldThere() & 1) !== 0) {
    newest = event;
    newestEnd = eventEnd;
  }
}

/** Counts the symbols ahead of a place that has a level, and perhaps an order. */
function countAhead<T>(event: u32, start: usize, end: usize): void {
  noteWindow<T>(event, start, end);
  const level = levelThere();
  const order = orderThere();
  levelled = true;
  const count = say<T>(start, end, LEVEL_RUNGS + level);
  countPlace(LEVEL_RUNGS + level, frequency, frequency * <f64>count);
  if (order > 0) {
    ordered = true;
    say<T>(start, end, order);
    countPlace(order, frequency, frequency * <f64>count);
  }
}

/** Counts the distinct symbols of a window on a rung; returns how many they are. */
function say<T>(start: usize, end: usize, rung: u32): u32 {
  makeRow(rung);
  const numbers = numberTable();
  const entries = entriesStart();
  const row = rowOf(rung);
  const list = listOf(rung);
  const now = ++place;
  let length = listedOn(rung);
  let count: u32 = 0;
  for (let at = start; at < end; at += sizeof<T>()) {
    const number = numberOf(numbers, <u32>load<T>(at));
    if (isNew(entryIn(entries, number), number, now)) {
      length += addTo(row, list, length, number);
      count++;
    }
  }
  setListed(rung, length);
  return count;
}

/** Counts an entry in a row; returns 1 if it had not been counted, and was added to the end of the list. There is room for one too many. */
function addTo(row: usize, list: usize, length: u32, number: u32): u32 {
  const at = row + ((<usize>number) << 3);
  const before = load<f64>(at);
  store<f64>(at, before + frequency);
  store<u32>(list + ((<usize>length) << 2), number);
  return <u32>(before === 0);
}

/** Notes that the model says a symbol at a place; returns whether that is new. */
function isNew(entry: Entry, number: u32, now: u32): bool {
  const before = entry.place;
  if (before === now) {
    return false;
  }
  entry.place = now;
  if (before < firstPlace) {
    noteSpeaker(entry, number, slot);
  }
  return true;
}

/** Counts the symbols that follow the last event that a model shares. */
function countFollowing<T>(weight: f64): void {
  followsSum += weight;
  if (shared + first >= events) {
    giveFollowing(0, weight);
    return;
  }
  noteWindow<T>(shared, windowStart, windowEnd);
  const now = ++place;
  for (let at = windowStart; at < windowEnd; at += sizeof<T>()) {
    const number = numberOf(numberTable(), <u32>load<T>(at));
    if (isNew(entryAt(number), number, now)) {
      giveFollowing(number, weight);
    }
  }
}

/** Divides a model's weight among the events behind the last one that it shares, and behind the last one that it shares with the newest. */
function countBehind<T>(weight: f64): void {
  behindSum += weight * frequency;
  const share = shareOf<T>(BEHIND, shared, sharedEnd, weight);
  let shareOfNewest: f64 = 0;
  let from = sharedEnd;
  if (newestEnd !== 0) {
    behindNewestSum += weight * frequency;
    shareOfNewest = shareOf<T>(BEHIND_NEWEST, newest, newestEnd, weight);
    from = newestEnd;
  }
  place++;
  // Nothing stands behind the newest where the events behind are too few; then nothing does behind the shared one, which comes later.
  if (events - (newestEnd !== 0 ? newest : shared) > first) {
    giveBehind<T>(from, min(sharedEnd, modelEnd), 0, shareOfNewest);
    if (events - shared > first) {
      giveBehind<T>(sharedEnd, modelEnd, share, shareOfNewest);
    } else {
      giveBehind<T>(sharedEnd, modelEnd, 0, shareOfNewest);
    }
  }
}

/** What each place behind an event gets; 0 where the end gets all. */
function shareOf<T>(rule: u32, event: u32, eventEnd: usize, weight: f64): f64 {
  const rest = events - event - 1;
  if (rest < first) {
    const behind = behindIn(behindsStart(), 0) + (rule === BEHIND ? 0 : 8);
    store<f64>(behind, load<f64>(behind) + weight * frequency);
    return 0;
  }
  crowded = crowded || modelEnd - eventEnd > <usize>rest * sizeof<T>();
  return floor((weight * <f64>min(last - first + 1, rest)) / <f64>rest) * frequency;
}

/** Gives each place of a range a share for the one rule, and another for the other. */
function giveBehind<T>(from: usize, end: usize, share: f64, shareOfNewest: f64): void {
  const numbers = numberTable();
  const entries = entriesStart();
  const behinds = behindsStart();
  const both = f64x2.replace_lane(f64x2.splat(share), 1, shareOfNewest);
  const now = place;
  for (let at = from; at < end; at += sizeof<T>()) {
    const number = numberOf(numbers, <u32>load<T>(at));
    isNew(entryIn(entries, number), number, now);
    const behind = behindIn(behinds, number);
    v128.store(behind, f64x2.add(v128.load(behind), both));
  }
}

function giveFollowing(number: u32, by: f64): void {
  const at = followsAt(number);
  store<f64>(at, load<f64>(at) + by);
}

/** Notes whether an event of the window ahead of one holds several symbols. */
function noteWindow<T>(event: u32, start: usize, end: usize): void {
  const width = min(event + last + 1, events) - (event + first);
  crowded = crowded || end - start > <usize>width * sizeof<T>();
}

/** Sets the probabilities of all rules that are no ladder, and 0 for the others. */
function divide(all: f64, ends: f64): void {
  const width = <f64>(last - first + 1);
  for (let number: u32 = 0; number < entryCount(); number++) {
    const behind = behindIn(behindsStart(), number);
    store<f64>(ruleAt(number, ORDER), 0);
    take(number, FOLLOWS, load<f64>(followsAt(number)), followsSum);
    take(number, BEHIND, load<f64>(behind), behindSum);
    take(number, BEHIND_NEWEST, load<f64>(behind, 8), behindNewestSum);
    const symbol = symbolOf(number);
    const times = symbol === END ? ends : symbolFrequency(symbol);
    store<f64>(ruleAt(number, FREQUENCY), min(1, (width * times) / all));
    store<f64>(ruleAt(number, ALIKE), 0);
  }
}

/** Makes a probability of what a rule gives. */
function take(number: u32, rule: u32, given: f64, sum: f64): void {
  store<f64>(ruleAt(number, rule), given > 0 ? min(1, given / sum) : 0);
}
