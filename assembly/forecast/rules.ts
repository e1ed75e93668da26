/**
 * The rules: what each gives every symbol for the events from `first` to `last` ahead. docs/forecast.md states them. Owns the pass over all
 * models that speak, and the sums that the rules divide by.
 */

import { frequencyAt, placeOf, segmentOf } from "../corpus/segment";
import { symbolFrequency } from "../corpus/symbols";
import { isOutOfSteps } from "../match/steps";
import {
  beginCounts,
  countRung,
  END,
  Entry,
  endCounts,
  entryAt,
  entryCount,
  entryOf,
  LEVEL_RUNGS,
  probability,
  RUNGS,
  rungCount,
  STRONGEST,
  setProbability,
  setStrongest,
  strongestOf,
} from "./counts";
import { likenessOf, nextIn, says, slotEnd, weightAt } from "./likeness";
import {
  agreementAt,
  eventCount,
  lastNewestEvent,
  lastSharedEvent,
  orderAt,
  readModel,
  startOf,
  symbolOf,
} from "./reading";

/** The rules by number. */
const ORDER: u32 = 0;
const FOLLOWS: u32 = 1;
const BEHIND: u32 = 2;
const BEHIND_NEWEST: u32 = 3;
const FREQUENCY: u32 = 4;
const ALIKE: u32 = 5;

/** A level is so many 256ths of agreement. */
export const LEVEL: u32 = 16;

/** A model counts double for each event that matches where the newest event lies on the last event that it shares, up to so many. */
const MOST_DOUBLINGS: u32 = 4;

/** What is taken off counts of 1, 2, and more (absolute discounting). */
const DISCOUNT_ONE: f64 = 0.8;
const DISCOUNT_TWO: f64 = 1.1;
const DISCOUNT_MORE: f64 = 1.4;

/** Per rung, the frequencies of its places, and of the symbols after them. */
const places: usize = memory.data(RUNGS << 3, 8);
const successors: usize = memory.data(RUNGS << 3, 8);

let first: u32 = 1;
let last: u32 = 1;
/** Counts places, so that a symbol is counted once a place. */
let place: u32 = 0;
/** The greatest order, and the greatest level, of a place; 0 without one. */
let longest: u32 = 0;
let highest: u32 = 0;
/** The likeness of the model that is counted. */
let likeness: u32 = 0;
let followsSum: f64 = 0;
let behindSum: f64 = 0;
let behindNewestSum: f64 = 0;
let crowded: bool = false;

/** Whether an event that was counted holds more than one symbol. */
export function isCrowded(): bool {
  return crowded;
}

/** Whether a rule has counted anything. */
export function speaks(rule: u32): bool {
  switch (rule) {
    case ORDER:
      return longest > 0;
    case FOLLOWS:
      return followsSum > 0;
    case BEHIND:
      return behindSum > 0;
    case BEHIND_NEWEST:
      return behindNewestSum > 0;
    case ALIKE:
      return highest > 0;
    default:
      return behindSum > 0;
  }
}

/**
 * Counts what all models say of the events from `from` to `to` ahead, and computes what each rule makes of it.
 * @param modelFrequencies of all models together @param symbolFrequencies of all symbols together
 */
export function applyRules(from: u32, to: u32, modelFrequencies: f64, symbolFrequencies: f64): void {
  endCounts();
  beginCounts();
  memory.fill(places, 0, RUNGS << 3);
  memory.fill(successors, 0, RUNGS << 3);
  first = from;
  last = to;
  place = 0;
  longest = 0;
  highest = 0;
  followsSum = 0;
  behindSum = 0;
  behindNewestSum = 0;
  crowded = false;
  const end = slotEnd();
  for (let slot = nextIn(0, end); slot < end && !isOutOfSteps(); slot = nextIn(slot + 1, end)) {
    if (says(slot)) {
      countModel(slot);
    }
  }
  divide(modelFrequencies + symbolFrequencies, modelFrequencies);
  climbDown(ORDER, 0, longest);
  climbDown(ALIKE, LEVEL_RUNGS, highest);
}

function countModel(slot: u32): void {
  const segment = segmentOf(slot);
  const frequency = frequencyAt(segment, placeOf(slot));
  readModel(segment, placeOf(slot));
  likeness = likenessOf(slot);
  for (let event: u32 = 0; event + first < eventCount(); event++) {
    const level = agreementAt(event) / LEVEL;
    if (level > 0) {
      countAfter(event, orderAt(event), level, frequency, slot);
    }
  }
  const weight = <f64>weightAt(slot);
  if (weight === 0) {
    return;
  }
  const shared = lastSharedEvent();
  countFollowing(shared, weight * <f64>(1 << min(orderAt(shared), MOST_DOUBLINGS)) * frequency, slot);
  behindSum += weight * frequency;
  countBehind(shared, weight, frequency, slot, false);
  if (lastNewestEvent() >= 0) {
    behindNewestSum += weight * frequency;
    countBehind(<u32>lastNewestEvent(), weight, frequency, slot, true);
  }
}

/** Counts the symbols ahead of a place that has a level, and perhaps an order. */
function countAfter(event: u32, order: u32, level: u32, frequency: f64, slot: u32): void {
  longest = max(longest, order);
  highest = max(highest, level);
  add(places, order, frequency);
  add(places, LEVEL_RUNGS + level, frequency);
  place++;
  const end = endOfWindow(event);
  for (let at = startOf(event + first); at < end; at++) {
    const entry = entryOf(symbolOf(at));
    if (entry.place !== place) {
      entry.place = place;
      noteSpeaker(entry, slot);
      if (order > 0) {
        countRung(entry, order, frequency);
        add(successors, order, frequency);
      }
      countRung(entry, LEVEL_RUNGS + level, frequency);
      add(successors, LEVEL_RUNGS + level, frequency);
    }
  }
}

/** Counts the symbols that follow the last event that a model shares. */
function countFollowing(event: u32, weight: f64, slot: u32): void {
  followsSum += weight;
  const from = event + first;
  if (from >= eventCount()) {
    entryAt(0).follows += weight;
    return;
  }
  place++;
  const end = endOfWindow(event);
  for (let at = startOf(from); at < end; at++) {
    const entry = entryOf(symbolOf(at));
    if (entry.place !== place) {
      entry.place = place;
      noteSpeaker(entry, slot);
      entry.follows += weight;
    }
  }
}

/** Divides a model's weight among the events behind one. */
function countBehind(event: u32, weight: f64, frequency: f64, slot: u32, newest: bool): void {
  const from = event + 1;
  const rest = eventCount() - from;
  if (rest < first) {
    if (newest) {
      entryAt(0).behindNewest += weight * frequency;
    } else {
      entryAt(0).behind += weight * frequency;
    }
    return;
  }
  const share = floor((weight * <f64>min(last - first + 1, rest)) / <f64>rest) * frequency;
  const end = startOf(eventCount());
  crowded = crowded || end - startOf(from) > rest;
  for (let at = startOf(from); at < end; at++) {
    const entry = entryOf(symbolOf(at));
    noteSpeaker(entry, slot);
    if (newest) {
      entry.behindNewest += share;
    } else {
      entry.behind += share;
    }
  }
}

/** Where the symbols of the events from `first` to `last` ahead of an event end. */
function endOfWindow(event: u32): u32 {
  const from = event + first;
  const to = min(event + last + 1, eventCount());
  const end = startOf(to);
  crowded = crowded || end - startOf(from) > to - from;
  return end;
}

function noteSpeaker(entry: Entry, slot: u32): void {
  if (entry.slot !== slot + 1) {
    entry.slot = slot + 1;
    entry.support++;
    if (likeness >= entry.floor) {
      rank(entry, slot);
    }
  }
}

/** Puts a model among the strongest of an entry. Slots ascend: of equals the later one is newer, and comes first. */
function rank(entry: Entry, slot: u32): void {
  let at = min(entry.support, STRONGEST) - 1;
  for (; at > 0 && likenessOf(strongestOf(entry, at - 1)) <= likeness; at--) {
    setStrongest(entry, at, strongestOf(entry, at - 1));
  }
  setStrongest(entry, at, slot);
  entry.floor = entry.support < STRONGEST ? 0 : likenessOf(strongestOf(entry, STRONGEST - 1));
}

/** Sets the probabilities of all rules but the first. */
function divide(all: f64, ends: f64): void {
  const width = <f64>(last - first + 1);
  for (let number: u32 = 0; number < entryCount(); number++) {
    const entry = entryAt(number);
    setProbability(entry, FOLLOWS, followsSum > 0 ? min(1, entry.follows / followsSum) : 0);
    setProbability(entry, BEHIND, behindSum > 0 ? min(1, entry.behind / behindSum) : 0);
    setProbability(entry, BEHIND_NEWEST, behindNewestSum > 0 ? min(1, entry.behindNewest / behindNewestSum) : 0);
    const frequency = entry.symbol === END ? ends : symbolFrequency(entry.symbol);
    setProbability(entry, FREQUENCY, min(1, (width * frequency) / all));
  }
}

/** Sets the probabilities of a ladder: from its highest rung that has a place to the lowest, each passes on what its discounts leave. */
function climbDown(rule: u32, base: u32, highestRung: u32): void {
  for (let number: u32 = 0; number < entryCount(); number++) {
    setProbability(entryAt(number), rule, 0);
    entryAt(number).place = 0;
  }
  if (highestRung === 0) {
    return;
  }
  let left: f64 = 1;
  for (let rung = base + highestRung; rung > base; rung--) {
    if (sum(successors, rung) > 0) {
      left *= applyRung(rule, rung, left);
    }
  }
  for (let number: u32 = 0; number < entryCount(); number++) {
    const entry = entryAt(number);
    setProbability(entry, rule, min(1, probability(entry, rule) + left * probability(entry, FREQUENCY)));
  }
}

/** Adds what one rung says, of which `left` is left; returns the part that it passes on. */
function applyRung(rule: u32, rung: u32, left: f64): f64 {
  let ones: f64 = 0;
  let twos: f64 = 0;
  let mores: f64 = 0;
  let seen: f64 = 0;
  for (let number: u32 = 0; number < entryCount(); number++) {
    const entry = entryAt(number);
    const count = rungCount(entry, rung) + <f64>entry.place;
    seen += <f64>entry.place;
    ones += <f64>(count === 1);
    twos += <f64>(count === 2);
    mores += <f64>(count > 2);
  }
  const all = sum(successors, rung) + seen;
  const scale = (all * sum(places, rung)) / sum(successors, rung);
  for (let number: u32 = 0; number < entryCount(); number++) {
    const entry = entryAt(number);
    const own = rungCount(entry, rung);
    const count = own + <f64>entry.place;
    if (count > 0) {
      const kept = count - discountOf(count);
      setProbability(entry, rule, probability(entry, rule) + (left * kept) / scale);
    }
    if (own > 0) {
      entry.place = 1;
    }
  }
  return min(1, (DISCOUNT_ONE * ones + DISCOUNT_TWO * twos + DISCOUNT_MORE * mores) / all);
}

function discountOf(count: f64): f64 {
  if (count === 1) {
    return DISCOUNT_ONE;
  }
  return count === 2 ? DISCOUNT_TWO : DISCOUNT_MORE;
}

function sum(table: usize, rung: u32): f64 {
  return load<f64>(table + ((<usize>rung) << 3));
}

function add(table: usize, rung: u32, frequency: f64): void {
  const at = table + ((<usize>rung) << 3);
  store<f64>(at, load<f64>(at) + frequency);
}
