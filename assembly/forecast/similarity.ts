/**
 * How similar each model is to the context: the sum of the weights of the context's symbols that it holds. Rare symbols
 * weigh more. Goes over all models, a segment at a time, and gives each candidate to `neighbours.ts`. Owns a cursor in
 * the postings of each of the context's symbols.
 */

import { log2 } from "../abi/host";
import { query } from "../abi/layout";
import { deadModels } from "../corpus/corpus";
import { CHUNK_HEAD, chunkEnd, firstChunk, nextChunk, postingBytes } from "../corpus/postings";
import { frequencyAt, placeOf, SEGMENT_SLOTS, Segment, SLOT_BITS, segmentAt, segmentCount } from "../corpus/segment";
import { symbolFrequency } from "../corpus/symbols";
import { holdsTarget } from "../filter/recall";
import { countSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { holdersOf, knownCount, knownSymbol } from "./context";
import {
  beginCandidates,
  endCandidates,
  leastNewest,
  leastOther,
  MOST_SIMILARITY,
  SIMILARITY_STEPS,
  takeCandidate,
} from "./neighbours";

/**
 * The low half of an entry is the similarity; the high half says which of the context's events share a symbol with the
 * model, a bit each, the newest the lowest.
 */
const SHARED_SHIFT: u32 = 16;
const SHARED: u32 = 0xffff_0000;
const NEWEST: u32 = 1 << SHARED_SHIFT;

/** An entry for each slot of the segment; 0 for a model that is no candidate. */
const ENTRIES_BYTES: usize = (<usize>SEGMENT_SLOTS) << 2;
const entries: usize = memory.data(SEGMENT_SLOTS << 2, 16);

/** A place in the postings of one symbol. */
@unmanaged
class Cursor {
  chunk: usize;
  /** The address of the next entry, and the end of the chunk. */
  at: usize;
  end: usize;
  /** The slot of the entry read last. */
  slot: u32;
  /** What the symbol adds to a similarity. */
  weight: u32;
  /** Which of the context's events hold the symbol, as an entry says it. */
  shared: u32;
}

const CURSOR_BYTES: usize = offsetof<Cursor>();
/** The slot of a cursor that has read all entries. */
const NO_SLOT: u32 = u32.MAX_VALUE;

const cursors: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let candidates: u32 = 0;
let greatest: u32 = 0;
/** The slot of a model of which one occurrence is left out, or -1. */
let excluded: i32 = -1;

/**
 * Finds the neighbours.
 * @param modelFrequencies of all models together
 * @param leftOut the slot of a model of which one occurrence is left out, or -1
 */
export function findNeighbours(modelFrequencies: f64, leftOut: i32): void {
  candidates = 0;
  greatest = 0;
  excluded = leftOut;
  beginCandidates();
  buffer.fit(cursors, <usize>knownCount() * CURSOR_BYTES);
  for (let number: u32 = 0; number < knownCount(); number++) {
    beginCursor(cursorOf(number), knownSymbol(number), modelFrequencies);
  }
  for (let number: u32 = 0; number < segmentCount(); number++) {
    const base = number << SLOT_BITS;
    if (!addHolders(base)) {
      continue;
    }
    const segment = segmentAt(number);
    if (deadModels() > 0 || query.hasTarget !== 0 || isExcludedIn(number)) {
      dropOthers(segment, base);
    }
    takeCandidates(segment, base);
  }
  endCandidates(greatest);
}

/** How many candidates there are: models that share a symbol with the context, and that the target admits. */
export function candidateCount(): u32 {
  return candidates;
}

function isExcludedIn(number: u32): bool {
  return excluded >= 0 && <u32>excluded >> SLOT_BITS === number;
}

/** How many occurrences of a model count. */
function countedFrequency(segment: Segment, base: u32, place: u32): f64 {
  return frequencyAt(segment, place) - <f64>(<i32>(base + place) === excluded);
}

/**
 * 1 for a symbol that is as frequent as models are, and {@link SIMILARITY_STEPS} more each time it is half as frequent.
 */
function weightOf(symbol: u32, modelFrequencies: f64): u32 {
  const ratio = (modelFrequencies + 1) / (min(symbolFrequency(symbol), modelFrequencies) + 1);
  return 1 + <u32>(<f64>SIMILARITY_STEPS * log2(ratio) + 0.5);
}

function cursorOf(number: u32): Cursor {
  return changetype<Cursor>(buffer.start(cursors) + <usize>number * CURSOR_BYTES);
}

function entryAt(place: u32): usize {
  return entries + ((<usize>place) << 2);
}

function beginCursor(cursor: Cursor, symbol: u32, modelFrequencies: f64): void {
  countSteps(<u64>postingBytes(symbol));
  cursor.weight = weightOf(symbol, modelFrequencies);
  cursor.shared = holdersOf(symbol) << SHARED_SHIFT;
  cursor.slot = NO_SLOT;
  cursor.chunk = firstChunk(symbol);
  if (cursor.chunk !== 0) {
    cursor.at = cursor.chunk + CHUNK_HEAD;
    cursor.end = chunkEnd(cursor.chunk);
    advance(cursor);
  }
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
      addHoldersOf(cursor, end);
    }
  }
  return any;
}

/** Adds the weight of a symbol to the models below a slot that hold it. */
function addHoldersOf(cursor: Cursor, end: u32): void {
  const weight = cursor.weight;
  const shared = cursor.shared;
  let slot = cursor.slot;
  let at = cursor.at;
  let stop = cursor.end;
  while (slot < end) {
    const sum = entryAt(placeOf(slot));
    const before = load<u32>(sum);
    store<u32>(sum, min((before & MOST_SIMILARITY) + weight, MOST_SIMILARITY) | (before & SHARED) | shared);
    // Most entries are a byte, or a byte and a count of a byte. Behind the last one of a chunk nothing is read.
    const entry: u32 = at < stop ? load<u8>(at) : 0xff;
    if (entry <= 0x7f && ((entry & 1) === 0 || load<u8>(at + 1) <= 0x7f)) {
      at += 1 + <usize>(entry & 1);
      slot += entry >> 1;
    } else {
      cursor.slot = slot;
      cursor.at = at;
      advance(cursor);
      slot = cursor.slot;
      at = cursor.at;
      stop = cursor.end;
    }
  }
  cursor.slot = slot;
  cursor.at = at;
}

/** Moves a cursor to its next entry, or behind the last. */
function advance(cursor: Cursor): void {
  if (cursor.at === cursor.end) {
    cursor.chunk = nextChunk(cursor.chunk);
    if (cursor.chunk === 0) {
      cursor.slot = NO_SLOT;
      return;
    }
    cursor.at = cursor.chunk + CHUNK_HEAD;
    cursor.end = chunkEnd(cursor.chunk);
  }
  const entry = readVarying(cursor);
  cursor.slot += entry >> 1;
  if ((entry & 1) !== 0) {
    readVarying(cursor);
  }
}

function readVarying(cursor: Cursor): u32 {
  let at = cursor.at;
  let value: u32 = 0;
  let byte: u32 = 0x80;
  for (let shift: u32 = 0; byte > 0x7f; shift += 7) {
    byte = load<u8>(at++);
    value |= (byte & 0x7f) << shift;
  }
  cursor.at = at;
  return value;
}

/** Sets the entries of models of which nothing counts, and of those that the target does not admit, to 0. */
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

/** Counts the candidates of a segment, and takes those that may be neighbours: four at a time, because most may not. */
function takeCandidates(segment: Segment, base: u32): void {
  const whole = i32x4.splat(MOST_SIMILARITY);
  const ofNewest = i32x4.splat(NEWEST);
  let most = i32x4.splat(0);
  for (let place: u32 = 0; place < SEGMENT_SLOTS; place += 4) {
    const four = v128.load(entryAt(place));
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
      const entry = load<u32>(entryAt(at));
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
