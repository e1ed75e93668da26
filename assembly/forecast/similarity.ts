/**
 * The similarity of each model to the context: the sum of the weights of the context's symbols that it holds. Rare
 * symbols weigh more. Passes over all models, a segment at a time, and hands each candidate to `neighbours.ts`. Owns a
 * cursor in the postings of each of the context's symbols.
 */

import { query } from "../abi/layout";
import { deadModels } from "../corpus/corpus";
import {
  frequencyAt,
  greatestFrequency,
  placeOf,
  SEGMENT_SLOTS,
  Segment,
  SLOT_BITS,
  segmentAt,
  segmentCount,
} from "../corpus/segment";
import { holdsTarget } from "../filter/recall";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { greatestLane } from "../memory/lanes";
import { BYTES, HALVES } from "../memory/narrow";
import { holdersOf, knownCount, knownSymbol } from "./context";
import {
  addHoldersOf,
  beginCursor,
  CURSOR_BYTES,
  Cursor,
  nearAmong,
  SHARED_SHIFT,
  SHARED_WITH_NEWEST,
  weightOf,
} from "./holders";
import {
  beginCandidates,
  endCandidates,
  leastNewest,
  leastOther,
  MAX_SIMILARITY,
  nextNewest,
  nextOther,
  takeCandidate,
} from "./neighbours";
import { selectedFrom, selectNeighbours } from "./selection";
import { allEntries, areEntriesKept } from "./series";

/** An entry for each slot of the segment; 0 for a model that is not a candidate. */
const ENTRIES_BYTES: usize = (<usize>SEGMENT_SLOTS) << 2;
const entries: usize = memory.data(SEGMENT_SLOTS << 2, 16);

/** An entry for each slot of all segments, without those of models that are not candidates. */
const admitted: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const cursors: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let candidates: u32 = 0;
let greatest: u32 = 0;
/** The slot of a model to count one occurrence less of, or -1. */
let excluded: i32 = -1;

/**
 * Finds the neighbours.
 * @param modelFrequencies their sum over all models
 * @param leftOut the slot of a model to count one occurrence less of, or -1
 */
export function findNeighbours(modelFrequencies: f64, leftOut: i32): void {
  candidates = 0;
  greatest = 0;
  excluded = leftOut;
  const all = allEntries(modelFrequencies);
  beginCandidates(all !== 0);
  if (all !== 0 && selectNeighbours(withoutOthers(all), leftOut)) {
    candidates = selectedFrom;
    return;
  }
  if (all !== 0) {
    takeAll(all);
  } else {
    takeInTurn(modelFrequencies);
  }
  endCandidates(greatest);
}

/**
 * Takes the candidates of all segments from existing entries, the newest first: of equals the newest become neighbours,
 * so most of the others need not be added. @param from the entry of slot 0
 */
function takeAll(from: usize): void {
  for (let number = segmentCount(); number-- > 0; ) {
    const base = number << SLOT_BITS;
    const own = from + ((<usize>base) << 2);
    const segment = segmentAt(number);
    if (hasOthers(number)) {
      memory.copy(entries, own, ENTRIES_BYTES);
      dropOthers(segment, base, entries);
      takeNewestFirst(segment, base, entries);
    } else {
      takeNewestFirst(segment, base, own);
    }
  }
}

/**
 * The address of entries without those of other models. In a series they are copied, as its next forecast needs them.
 * @param from the entry of slot 0
 */
function withoutOthers(from: usize): usize {
  let cleaned = from;
  for (let number: u32 = 0; number < segmentCount(); number++) {
    if (hasOthers(number)) {
      if (cleaned === from && areEntriesKept()) {
        const bytes = (<usize>(segmentCount() * SEGMENT_SLOTS)) << 2;
        buffer.fit(admitted, bytes);
        cleaned = buffer.start(admitted);
        memory.copy(cleaned, from, bytes);
      }
      const base = number << SLOT_BITS;
      dropOthers(segmentAt(number), base, cleaned + ((<usize>base) << 2));
    }
  }
  return cleaned;
}

/** Adds up the entries, a segment at a time, and takes its candidates. */
function takeInTurn(modelFrequencies: f64): void {
  buffer.fit(cursors, <usize>knownCount() * CURSOR_BYTES);
  for (let number: u32 = 0; number < knownCount(); number++) {
    const symbol = knownSymbol(number);
    const shared = holdersOf(symbol) << SHARED_SHIFT;
    beginCursor(cursorOf(number), symbol, weightOf(symbol, modelFrequencies), shared);
  }
  for (let number: u32 = 0; number < segmentCount(); number++) {
    const base = number << SLOT_BITS;
    if (!addHolders(base)) {
      continue;
    }
    const segment = segmentAt(number);
    if (hasOthers(number)) {
      dropOthers(segment, base, entries);
    }
    takeCandidates(segment, base, entries);
  }
}

/** Whether a segment may have entries of models that are not candidates. */
function hasOthers(number: u32): bool {
  return deadModels() > 0 || query.hasTarget !== 0 || isExcludedIn(number);
}

/** Number of candidates: models that share a symbol with the context, and that the target admits. */
export function candidateCount(): u32 {
  return candidates;
}

function isExcludedIn(number: u32): bool {
  return excluded >= 0 && <u32>excluded >> SLOT_BITS === number;
}

/** Number of a model's occurrences that count. */
function countedFrequency(segment: Segment, base: u32, place: u32): f64 {
  return frequencyAt(segment, place) - <f64>(<i32>(base + place) === excluded);
}

function cursorOf(number: u32): Cursor {
  return changetype<Cursor>(buffer.start(cursors) + <usize>number * CURSOR_BYTES);
}

/** Adds up the entries of the segment that starts at a slot; returns whether any model has one. */
function addHolders(base: u32): bool {
  const end = base + SEGMENT_SLOTS;
  let any = false;
  for (let number: u32 = 0; number < knownCount(); number++) {
    const cursor = cursorOf(number);
    if (cursor.slot < end) {
      if (!any) {
        memory.fill(entries, 0, ENTRIES_BYTES);
        any = true;
      }
      addHoldersOf(cursor, end, entries - ((<usize>base) << 2));
    }
  }
  return any;
}

/**
 * Sets the entries of models without a counted occurrence, and of those that the target does not admit, to 0.
 * @param from address of the segment's entries
 */
function dropOthers(segment: Segment, base: u32, from: usize): void {
  const shift: u32 = segment.frequencyShift;
  if (query.hasTarget !== 0 || shift > HALVES) {
    dropOneByOne(segment, base, from);
    return;
  }
  if (shift === BYTES) {
    dropRemoved<u8>(segment, from);
  } else {
    dropRemoved<u16>(segment, from);
  }
  if (isExcludedIn(base >> SLOT_BITS) && countedFrequency(segment, base, placeOf(excluded)) <= 0) {
    store<u32>(from + ((<usize>placeOf(excluded)) << 2), 0);
  }
}

function dropOneByOne(segment: Segment, base: u32, from: usize): void {
  for (let place: u32 = 0; place < segment.count; place++) {
    const at = from + ((<usize>place) << 2);
    if (load<u32>(at) === 0) {
      continue;
    }
    if (countedFrequency(segment, base, place) <= 0 || (query.hasTarget !== 0 && !holdsTarget(segment, place))) {
      store<u32>(at, 0);
    }
  }
}

/** Sets the entries of removed models to 0, eight at a time. @param T the width of a frequency */
function dropRemoved<T>(segment: Segment, from: usize): void {
  const frequencies = segment.frequencies;
  const count = segment.count;
  for (let place: u32 = 0; place < count; place += 8) {
    const at = frequencies + <usize>place * sizeof<T>();
    const removed = i16x8.eq(sizeof<T>() === 1 ? v128.load8x8_u(at) : v128.load(at), i16x8.splat(0));
    if (v128.any_true(removed)) {
      const four = from + ((<usize>place) << 2);
      v128.store(four, v128.andnot(v128.load(four), i32x4.extend_low_i16x8_s(removed)));
      v128.store(four, v128.andnot(v128.load(four, 16), i32x4.extend_high_i16x8_s(removed)), 16);
    }
  }
}

/**
 * Counts the candidates of a segment, and takes those that may become neighbours: tests four at a time, because most
 * cannot.
 * @param from address of the segment's entries
 */
function takeCandidates(segment: Segment, base: u32, from: usize): void {
  const whole = i32x4.splat(MAX_SIMILARITY);
  const ofNewest = i32x4.splat(SHARED_WITH_NEWEST);
  let most = i32x4.splat(0);
  for (let place: u32 = 0; place < SEGMENT_SLOTS; place += 4) {
    const four = v128.load(from + ((<usize>place) << 2));
    if (!v128.any_true(four)) {
      continue;
    }
    candidates += <u32>popcnt(i32x4.bitmask(i32x4.ne(four, i32x4.splat(0))));
    const similarities = v128.and(four, whole);
    most = i32x4.max_u(most, similarities);
    const isNewest = i32x4.eq(v128.and(four, ofNewest), ofNewest);
    const least = v128.bitselect(i32x4.splat(leastNewest()), i32x4.splat(leastOther()), isNewest);
    for (let rest = i32x4.bitmask(i32x4.ge_u(similarities, least)); rest !== 0; rest &= rest - 1) {
      const at = place + ctz(rest);
      const entry = load<u32>(from + ((<usize>at) << 2));
      takeCandidate(base + at, entry & MAX_SIMILARITY, entry >> SHARED_SHIFT, countedFrequency(segment, base, at));
    }
  }
  greatest = max(greatest, greatestLane(most));
}

/**
 * The same, the newest first, sixteen at a time. Ties with the last of a group that is full are passed over, unless a
 * model of the segment is more frequent than that.
 */
function takeNewestFirst(segment: Segment, base: u32, from: usize): void {
  const zero = i32x4.splat(0);
  const mostFrequent = greatestFrequency(segment);
  let leastOfNewest = i32x4.splat(nextNewest(mostFrequent));
  let leastOfOthers = i32x4.splat(nextOther(mostFrequent));
  let least = i32x4.min_u(leastOfNewest, leastOfOthers);
  let none = zero;
  for (let place = <i32>SEGMENT_SLOTS - 16; place >= 0; place -= 16) {
    const at = from + ((<usize>place) << 2);
    const one = v128.load(at);
    const two = v128.load(at, 16);
    const three = v128.load(at, 32);
    const four = v128.load(at, 48);
    none = i32x4.sub(none, i32x4.add(i32x4.eq(one, zero), i32x4.eq(two, zero)));
    none = i32x4.sub(none, i32x4.add(i32x4.eq(three, zero), i32x4.eq(four, zero)));
    // Mostly none of the sixteen is near enough for either group.
    const most = i32x4.max_u(greatestOf(one, two), greatestOf(three, four));
    if (!v128.any_true(i32x4.ge_u(most, least))) {
      continue;
    }
    const near = nearAmong(at, leastOfNewest, leastOfOthers);
    if (near !== 0) {
      takeNear(segment, base + <u32>place, at, near);
      leastOfNewest = i32x4.splat(nextNewest(mostFrequent));
      leastOfOthers = i32x4.splat(nextOther(mostFrequent));
      least = i32x4.min_u(leastOfNewest, leastOfOthers);
    }
  }
  candidates += SEGMENT_SLOTS - sumOf(none);
}

/** The greater similarities of four entries and four others. */
function greatestOf(four: v128, others: v128): v128 {
  const whole = i32x4.splat(MAX_SIMILARITY);
  return i32x4.max_u(v128.and(four, whole), v128.and(others, whole));
}

/** Takes some of sixteen candidates, a bit each, the newest first. The most similar of all is always one. */
function takeNear(segment: Segment, slot: u32, from: usize, near: u32): void {
  const base = slot - placeOf(slot);
  let rest = near;
  while (rest !== 0) {
    const lane = 31 - clz(rest);
    rest ^= 1 << lane;
    const entry = load<u32>(from + ((<usize>lane) << 2));
    const similarity = entry & MAX_SIMILARITY;
    const frequency = countedFrequency(segment, base, placeOf(slot) + lane);
    greatest = max(greatest, similarity);
    takeCandidate(slot + lane, similarity, entry >> SHARED_SHIFT, frequency);
  }
}

function sumOf(four: v128): u32 {
  const first = i32x4.extract_lane(four, 0) + i32x4.extract_lane(four, 1);
  return first + i32x4.extract_lane(four, 2) + i32x4.extract_lane(four, 3);
}
