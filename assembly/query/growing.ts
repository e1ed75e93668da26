/**
 * Whether the recall threshold keeps any model for a memory that is queried repeatedly while it grows. Results are kept
 * for each model: one more symbol in memory raises an upper bound of its matches by at most one, and the matches needed
 * never fall while memory does not shrink. So a model that lacks k matches need not be checked before k symbols have
 * been added. Owns, for the memory queried last, the date at which each model is due again.
 */

import { query } from "../abi/layout";
import { shortestModel } from "../corpus/corpus";
import {
  frequencyUpTo,
  lengthAt,
  placeOf,
  SEGMENT_SLOTS,
  Segment,
  segmentAt,
  segmentCount,
  segmentOf,
  symbolStart,
} from "../corpus/segment";
import { beginOverlaps, collectOverlaps, entriesAbout, overlapIn, overlaps } from "../filter/overlap";
import { holdsTarget, neededMatches } from "../filter/recall";
import { beginCommon, mostCommon } from "../match/common-subsequence";
import { gather } from "../match/gather";
import { matchesAtLeast, startMatch } from "../match/match";
import { queryClasses, queryLength } from "../match/query-sequence";
import { countSteps, isOutOfSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { beginRanking, offer, rankedCount, rankedNumber, sortRanking } from "../memory/ranking";

/**
 * Number of models of a segment that are matched before the next segment is examined: those with the most promising
 * overlap.
 */
const BEST_OF_SEGMENT: u32 = 4;
/** The date of a model that cannot be kept however much memory grows; and the greatest age at which another is due. */
const NEVER_KEPT: u32 = 0xffff;
const LATEST: u32 = 0xfffe;
/** Approximate number of due dates read in the time of a step. */
const DATES_PER_STEP: u32 = 8;

/** A halfword for each slot: the age of the memory at which its model is due; 0 if unknown. */
const dates: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** The memory that the dates belong to: its number, the symbols added to it at age 0, and its greatest length. */
let ofMemory: f64 = 0;
let addedAtStart: f64 = 0;
let longest: u32 = 0;
/** Number of symbols added since age 0. */
let age: u32 = 0;

/**
 * Finds a model of the target that the recall threshold keeps; returns its slot, or -1 for none. Undefined when the
 * steps are used up.
 */
export function findKept(): i32 {
  beginCommon();
  if (!goesOn()) {
    restart();
    const slot = findAmongBest();
    if (slot >= 0 || isOutOfSteps()) {
      return slot;
    }
  }
  return findAmongDue();
}

/** Whether the recall threshold keeps the live model in a slot. */
export function keeps(slot: u32): bool {
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  const length = lengthAt(segment, place);
  const needed = neededMatches(length);
  countSteps(length);
  if (query.hasTarget !== 0 && !holdsTarget(segment, place)) {
    return false;
  }
  return needed <= length && gather(segment, symbolStart(segment, place), length) >= needed && isKept(slot);
}

/**
 * Number of further symbols during which nothing is kept, if memory does not get shorter and {@link findKept} found
 * none. Infinite when no model is long enough.
 */
export function noneFor(): f64 {
  const end = <usize>segmentCount() * SEGMENT_SLOTS;
  let first: u32 = NEVER_KEPT;
  for (let slot: usize = 0; slot < end; slot++) {
    first = min<u32>(first, load<u16>(buffer.start(dates) + (slot << 1)));
  }
  return first === NEVER_KEPT ? Infinity : <f64>(first - age);
}

/**
 * For a memory shorter than every model: the number of matches that it lacks even if all of it matched; 0 if that
 * decides nothing.
 */
export function lacksLength(): u32 {
  const shortest = shortestModel();
  const needed = queryLength() < shortest ? neededMatches(shortest) : 0;
  return needed > queryLength() ? needed - queryLength() : 0;
}

/** Whether the dates belong to the queried memory, unchanged or grown. */
function goesOn(): bool {
  const grown = query.added - addedAtStart;
  const isSame =
    query.memory !== 0 &&
    query.memory === ofMemory &&
    queryLength() >= longest &&
    grown >= <f64>age &&
    grown < <f64>LATEST;
  if (isSame) {
    age = <u32>grown;
    longest = queryLength();
  }
  return isSame;
}

function restart(): void {
  ofMemory = query.memory;
  addedAtStart = query.added;
  longest = queryLength();
  age = 0;
  buffer.truncate(dates, 0);
  buffer.appendZeros(dates, (<usize>segmentCount() * SEGMENT_SLOTS) << 1);
}

/** Dates all models by their overlaps, and examines the best ones of each segment. */
function findAmongBest(): i32 {
  beginOverlaps();
  const steps = <u64>SEGMENT_SLOTS + queryClasses() + entriesAbout() / max<u32>(segmentCount(), 1);
  for (let number: u32 = 0; number < segmentCount() && !isOutOfSteps(); number++) {
    countSteps(steps);
    collectOverlaps(number * SEGMENT_SLOTS);
    beginRanking(BEST_OF_SEGMENT);
    dateSegment(number);
    sortRanking();
    for (let at: u32 = 0; at < rankedCount(); at++) {
      const slot = rankedNumber(at);
      if (isKept(slot)) {
        return <i32>slot;
      }
      if (!dateUnkept(slot)) {
        dateMissed(slot);
      }
    }
  }
  return -1;
}

function dateSegment(number: u32): void {
  const segment = segmentAt(number);
  for (let place: u32 = 0; place < SEGMENT_SLOTS; place++) {
    const slot = number * SEGMENT_SLOTS + place;
    if (place >= segment.count || !takesPart(segment, place)) {
      setDate(slot, NEVER_KEPT);
      continue;
    }
    const length = lengthAt(segment, place);
    const overlap = overlapIn(load<u32>(overlaps + ((<usize>place) << 2)));
    if (!dateByBound(slot, length, overlap)) {
      offer((2 * <f64>overlap) / <f64>(length + queryLength()), slot);
    }
  }
}

/** Examines every model that is due. */
function findAmongDue(): i32 {
  const end = segmentCount() * SEGMENT_SLOTS;
  countSteps(end / DATES_PER_STEP);
  for (let slot: u32 = 0; slot < end && !isOutOfSteps(); slot++) {
    if (dateOf(slot) <= age && look(slot)) {
      return <i32>slot;
    }
  }
  return -1;
}

/** Whether the model in a slot is kept; dates it if not. Bounds come first: most due models need no more. */
function look(slot: u32): bool {
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  if (place >= segment.count || !takesPart(segment, place)) {
    setDate(slot, NEVER_KEPT);
    return false;
  }
  if (dateUnkept(slot)) {
    return false;
  }
  if (isKept(slot)) {
    return true;
  }
  dateMissed(slot);
  return false;
}

/** Dates a live model by bounds of its matches, the cheapest first; returns false if they do not rule it out. */
function dateUnkept(slot: u32): bool {
  const segment = segmentOf(slot);
  const length = lengthAt(segment, placeOf(slot));
  countSteps(length);
  const gathered = gather(segment, symbolStart(segment, placeOf(slot)), length);
  return dateByBound(slot, length, gathered) || dateByBound(slot, length, mostCommon(gathered));
}

/** Dates a model that only matching ruled out: one more symbol can change that. */
function dateMissed(slot: u32): void {
  if (!isOutOfSteps()) {
    setDate(slot, age + 1);
  }
}

/** Whether a live model of the target that shares a symbol with the query is kept. */
function isKept(slot: u32): bool {
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  const length = lengthAt(segment, place);
  startMatch(segment, symbolStart(segment, place), length);
  return matchesAtLeast(neededMatches(length));
}

/** Dates a model of `length` symbols that matches at most `most` of them; returns whether these are too few. */
function dateByBound(slot: u32, length: u32, most: u32): bool {
  const needed = neededMatches(length);
  if (most >= needed) {
    return false;
  }
  setDate(slot, needed > length ? NEVER_KEPT : min(age + (needed - most), LATEST));
  return true;
}

function takesPart(segment: Segment, place: u32): bool {
  return frequencyUpTo(segment, place, 1) !== 0 && (query.hasTarget === 0 || holdsTarget(segment, place));
}

function dateOf(slot: u32): u32 {
  return load<u16>(buffer.start(dates) + ((<usize>slot) << 1));
}

function setDate(slot: u32, date: u32): void {
  store<u16>(buffer.start(dates) + ((<usize>slot) << 1), <u16>date);
}
