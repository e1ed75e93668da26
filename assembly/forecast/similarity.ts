/**
 * How similar each model is to the context: the sum of the weights of the context's symbols that it holds. Rare symbols weigh more. Goes over all models, a
 * segment at a time, and gives each candidate to `neighbours.ts`. Owns a cursor in the postings of each of the context's symbols.
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
import { beginCandidates, endCandidates, leastNewest, leastOther, SIMILARITY_STEPS, takeCandidate } from "./neighbours";

/** This bit of a halfword says that the model holds a symbol of the newest event; the others are its similarity. */
const NEWEST: u32 = 0x8000;
/** The greatest similarity; a greater sum reads as this. */
const MOST_SIMILARITY: u32 = 0x0fff;

/** A halfword per slot of the segment: its similarity, with {@link NEWEST} if it holds a symbol of the newest event; 0 for a model that is no candidate. */
const SIMILARITY_BYTES: usize = (<usize>SEGMENT_SLOTS) << 1;
const similarities: usize = memory.data(SEGMENT_SLOTS << 1, 16);

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
  /** {@link NEWEST} for a symbol of the newest event. */
  mark: u32;
}

const CURSOR_BYTES: usize = offsetof<Cursor>();
/** The slot of a cursor that has read all entries. */
const NO_SLOT: u32 = u32.MAX_VALUE;

const cursors: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let candidates: u32 = 0;
let greatest: u32 = 0;
/** The slot of a model of which one occurrence is left out, or -1. */
let excluded: i32 = -1;

/** Finds the neighbours. @param modelFrequencies of all models together @param leftOut the slot of a model of which one occurrence is left out, or -1 */
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

/** 1 for a symbol that is as frequent as models are, and {@link SIMILARITY_STEPS} more each time it is half as frequent. */
function weightOf(symbol: u32, modelFrequencies: f64): u32 {
  const ratio = (modelFrequencies + 1) / (min(symbolFrequency(symbol), modelFrequencies) + 1);
  return 1 + <u32>(<f64>SIMILARITY_STEPS * log2(ratio) + 0.5);
}

function cursorOf(number: u32): Cursor {
  return changetype<Cursor>(buffer.start(cursors) + <usize>number * CURSOR_BYTES);
}

function similarityAt(place: u32): usize {
  return similarities + ((<usize>place) << 1);
}

function beginCursor(cursor: Cursor, symbol: u32, modelFrequencies: f64): void {
  countSteps(<u64>postingBytes(symbol));
  cursor.weight = weightOf(symbol, modelFrequencies);
  cursor.mark = (holdersOf(symbol) & 1) !== 0 ? NEWEST : 0;
  cursor.slot = NO_SLOT;
  cursor.chunk = firstChunk(symbol);
  if (cursor.chunk !== 0) {
    cursor.at = cursor.chunk + CHUNK_HEAD;
    cursor.end = chunkEnd(cursor.chunk);
    advance(cursor);
  }
}

/** Adds up the similarities of the segment that starts at a slot; returns whether any model has one. */
function addHolders(base: u32): bool {
  const end = base + SEGMENT_SLOTS;
  let any = false;
  for (let number: u32 = 0; number < knownCount(); number++) {
    const cursor = cursorOf(number);
    if (cursor.slot < end) {
      if (!any) {
        memory.fill(similarities, 0, SIMILARITY_BYTES);
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
  const mark = cursor.mark;
  let slot = cursor.slot;
  let at = cursor.at;
  let stop = cursor.end;
  while (slot < end) {
    const similarity = similarityAt(placeOf(slot));
    const before = <u32>load<u16>(similarity);
    store<u16>(similarity, min((before & MOST_SIMILARITY) + weight, MOST_SIMILARITY) | (before & NEWEST) | mark);
    const entry: u32 = at < stop ? load<u8>(at) : 0xff;
    if (entry <= 0x7f && (entry & 1) === 0) {
      // Most entries are a byte without a count.
      at++;
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

/** Sets models of which nothing counts, and those that the target does not admit, to 0. */
function dropOthers(segment: Segment, base: u32): void {
  for (let place: u32 = 0; place < segment.count; place++) {
    const at = similarityAt(place);
    if (load<u16>(at) === 0) {
      continue;
    }
    if (countedFrequency(segment, base, place) <= 0 || (query.hasTarget !== 0 && !holdsTarget(segment, place))) {
      store<u16>(at, 0);
    }
  }
}

/** Counts the candidates of a segment, and takes those that may be neighbours: eight at a time, because most may not. */
function takeCandidates(segment: Segment, base: u32): void {
  const ofNewest = i16x8.splat(<i16>NEWEST);
  const whole = i16x8.splat(<i16>MOST_SIMILARITY);
  let most = i16x8.splat(0);
  for (let place: u32 = 0; place < SEGMENT_SLOTS; place += 8) {
    const eight = v128.load(similarityAt(place));
    if (!v128.any_true(eight)) {
      continue;
    }
    candidates += <u32>popcnt(i16x8.bitmask(i16x8.ne(eight, i16x8.splat(0))));
    most = i16x8.max_u(most, v128.and(eight, whole));
    const newest = i16x8.ge_u(eight, i16x8.splat(<i16>(NEWEST | leastNewest())));
    const others = v128.and(i16x8.ge_u(eight, i16x8.splat(<i16>leastOther())), i16x8.lt_u(eight, ofNewest));
    for (let rest = i16x8.bitmask(v128.or(newest, others)); rest !== 0; rest &= rest - 1) {
      const at = place + ctz(rest);
      const entry = <u32>load<u16>(similarityAt(at));
      const frequency = countedFrequency(segment, base, at);
      takeCandidate(base + at, entry & MOST_SIMILARITY, frequency, (entry & NEWEST) !== 0);
    }
  }
  noteGreatest(most);
}

/** Notes the greatest of eight similarities. */
function noteGreatest(eight: v128): void {
  for (let half = 0; half < 8; half++) {
    v128.store(similarities, eight);
    greatest = max(greatest, <u32>load<u16>(similarities + ((<usize>half) << 1)));
  }
}
