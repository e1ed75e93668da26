/**
 * The similarity of each model to the context: the sum of the weights of the context's symbols that it holds. Rare
 * symbols weigh more. Passes over all models, a segment at a time, and hands each candidate to `neighbours.ts`. Owns a
 * cursor in the postings of each of the context's symbols.
 */

import { query } from "../abi/layout";
import { deadModels } from "../corpus/corpus";
import { frequencyAt, SEGMENT_SLOTS, Segment, SLOT_BITS, segmentAt, segmentCount } from "../corpus/segment";
import { holdsTarget } from "../filter/recall";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { holdersOf, knownCount, knownSymbol } from "./context";
import { addHoldersOf, beginCursor, CURSOR_BYTES, Cursor, NEWEST, SHARED_SHIFT, weightOf } from "./holders";
import { beginCandidates, endCandidates, leastNewest, leastOther, MOST_SIMILARITY, takeCandidate } from "./neighbours";
import { seriesEntries } from "./series";

/** An entry for each slot of the segment; 0 for a model that is not a candidate. */
const ENTRIES_BYTES: usize = (<usize>SEGMENT_SLOTS) << 2;
const entries: usize = memory.data(SEGMENT_SLOTS << 2, 16);

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
  beginCandidates();
  const kept = seriesEntries(modelFrequencies);
  if (kept !== 0) {
    takeKept(kept);
  } else {
    takeAll(modelFrequencies);
  }
  endCandidates(greatest);
}

/** Takes the candidates of all segments from existing entries. @param from the entry of slot 0 */
function takeKept(from: usize): void {
  for (let number: u32 = 0; number < segmentCount(); number++) {
    const base = number << SLOT_BITS;
    const own = from + ((<usize>base) << 2);
    const segment = segmentAt(number);
    if (hasOthers(number)) {
      memory.copy(entries, own, ENTRIES_BYTES);
      dropOthers(segment, base);
      takeCandidates(segment, base, entries);
    } else {
      takeCandidates(segment, base, own);
    }
  }
}

/** Adds up the entries, a segment at a time, and takes its candidates. */
function takeAll(modelFrequencies: f64): void {
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
      dropOthers(segment, base);
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

function entryAt(place: u32): usize {
  return entries + ((<usize>place) << 2);
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

/** Sets the entries of models without a counted occurrence, and of those that the target does not admit, to 0. */
function dropOthers(segment: Segment, base: u32): void {
  for (let place: u32 = 0; place < segment.count; place++) {
    const at = entryAt(place);
    if (load<u32>(at) === 0) {
      continue;
    }
    if (countedFrequency(segment, base, place) <= 0 || (query.hasTarget !== 0 && !holdsTarget(segment, place))) {
      store<u32>(at, 0);
    }
  }
}

/**
 * Counts the candidates of a segment, and takes those that may become neighbours: tests four at a time, because most
 * cannot.
 * @param from address of the segment's entries
 */
function takeCandidates(segment: Segment, base: u32, from: usize): void {
  const whole = i32x4.splat(MOST_SIMILARITY);
  const ofNewest = i32x4.splat(NEWEST);
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
      takeCandidate(base + at, entry & MOST_SIMILARITY, entry >> SHARED_SHIFT, countedFrequency(segment, base, at));
    }
  }
  noteGreatest(most);
}

/** Notes the greatest of four similarities. */
function noteGreatest(four: v128): void {
  greatest = max(greatest, max(i32x4.extract_lane(four, 0), i32x4.extract_lane(four, 1)));
  greatest = max(greatest, max(i32x4.extract_lane(four, 2), i32x4.extract_lane(four, 3)));
}
