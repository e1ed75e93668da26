/**
 * The number of symbols that each model of a segment shares with the query, with repeats: the size of the multiset
 * intersection, computed from the postings. No matching can match more, so this is an upper bound. Owns a cursor for
 * each class of the query; segments must be requested in order.
 */

import { CHUNK_HEAD, chunkEnd, firstChunk, nextChunk, postingBytes } from "../corpus/postings";
import { SEGMENT_SLOTS } from "../corpus/segment";
import { classBit, classOccurrences, classSymbol, queryClasses, queryLength } from "../match/query-sequence";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

/**
 * A word for each slot of the segment. The lower half is the overlap. The upper half has the `classBit` of each class
 * that the model holds.
 */
const OVERLAPS_BYTES: i32 = SEGMENT_SLOTS << 2;
export const overlaps: usize = memory.data(OVERLAPS_BYTES, 16);
/** Overlaps of this or more are stored as this. */
const OVERLAP_MASK: u32 = 0xffff;

/**
 * A halfword for each slot with an overlap: the last class that it shares if the model holds that symbol once, else 0.
 */
const holders: usize = memory.data(SEGMENT_SLOTS << 1, 16);

/** A position in the postings of one class. */
@unmanaged
class Cursor {
  chunk: usize;
  /** The address of the next entry, and the end of the chunk. */
  at: usize;
  end: usize;
  /** The latest entry read. */
  slot: u32;
  count: u32;
}

const CURSOR_BYTES: usize = offsetof<Cursor>();
/** The slot of a cursor that has read all entries. */
const NO_SLOT: u32 = u32.MAX_VALUE;

/** A cursor for each class; entry 0 is unused. */
const cursors: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Puts the cursors on the first entries of the query's symbols. */
export function beginOverlaps(): void {
  buffer.truncate(cursors, 0);
  buffer.appendZeros(cursors, (<usize>queryClasses() + 1) * CURSOR_BYTES);
  for (let number: u32 = 1; number <= queryClasses(); number++) {
    const cursor = cursorOf(number);
    const chunk = firstChunk(classSymbol(number));
    cursor.slot = NO_SLOT;
    if (chunk !== 0) {
      cursor.chunk = chunk;
      cursor.at = chunk + CHUNK_HEAD;
      cursor.end = chunkEnd(chunk);
      readEntry(cursor, u32.MAX_VALUE);
    }
  }
}

/** Approximate number of entries in the query's postings: a byte is an entry or a part of one. */
export function entriesAbout(): u32 {
  let bytes: u32 = 0;
  for (let number: u32 = 1; number <= queryClasses(); number++) {
    bytes += postingBytes(classSymbol(number));
  }
  return bytes;
}

/**
 * The overlap in a word of {@link overlaps}. One that does not fit counts as the greatest possible: the query's length.
 */
export function overlapIn(word: u32): u32 {
  const overlap = word & OVERLAP_MASK;
  return overlap === OVERLAP_MASK ? queryLength() : overlap;
}

/** The class that a model with an overlap of 1 shares; 0 if the model holds the symbol more than once. */
export function onlyClass(place: u32): u32 {
  return load<u16>(holders + ((<usize>place) << 1));
}

/** Fills {@link overlaps} for the segment that starts at the slot `base`; returns whether any model has an overlap. */
export function collectOverlaps(base: u32): bool {
  memory.fill(overlaps, 0, OVERLAPS_BYTES);
  let any = false;
  const end = base + SEGMENT_SLOTS;
  for (let number: u32 = 1; number <= queryClasses(); number++) {
    const cursor = cursorOf(number);
    if (cursor.slot < end) {
      collect(cursor, base, end, number);
      any = true;
    }
  }
  return any;
}

function cursorOf(number: u32): Cursor {
  return changetype<Cursor>(buffer.start(cursors) + <usize>number * CURSOR_BYTES);
}

/** Adds the entries of one class below the slot `end`. */
function collect(cursor: Cursor, base: u32, end: u32, number: u32): void {
  // If an overlap might not fit, all of them read as the greatest.
  const fits = queryLength() < OVERLAP_MASK;
  const occurrences: u32 = fits ? classOccurrences(number) : 0;
  const bits = fits ? classBit(number) : classBit(number) | OVERLAP_MASK;
  const holder = <u16>(number > 0xffff ? 0 : number);
  let slot = cursor.slot;
  let count = cursor.count;
  let at = cursor.at;
  let stop = cursor.end;
  while (slot < end) {
    const overlap = overlaps + ((<usize>(slot - base)) << 2);
    store<u32>(overlap, (load<u32>(overlap) + min(count, occurrences)) | bits);
    store<u16>(holders + ((<usize>(slot - base)) << 1), count === 1 ? holder : 0);
    if (at === stop) {
      cursor.at = at;
      if (!moveToNextChunk(cursor)) {
        return;
      }
      at = cursor.at;
      stop = cursor.end;
    }
    let entry: u32 = load<u8>(at++);
    if (entry > 0x7f) {
      cursor.at = at;
      entry = readRest(cursor, entry);
      at = cursor.at;
    }
    slot += entry >> 1;
    count = 1;
    if ((entry & 1) !== 0) {
      cursor.at = at;
      count = readVarying(cursor);
      at = cursor.at;
    }
  }
  cursor.slot = slot;
  cursor.count = count;
  cursor.at = at;
}

/** Returns false when there is no next chunk: the cursor has read all entries. */
function moveToNextChunk(cursor: Cursor): bool {
  const next = nextChunk(cursor.chunk);
  if (next === 0) {
    cursor.slot = NO_SLOT;
    return false;
  }
  cursor.chunk = next;
  cursor.at = next + CHUNK_HEAD;
  cursor.end = chunkEnd(next);
  return true;
}

/** Reads the entry at the cursor. Its gap counts from the slot `before`. */
function readEntry(cursor: Cursor, before: u32): void {
  const entry = readVarying(cursor);
  cursor.slot = before + (entry >> 1);
  cursor.count = (entry & 1) !== 0 ? readVarying(cursor) : 1;
}

function readVarying(cursor: Cursor): u32 {
  const first: u32 = load<u8>(cursor.at++);
  return first > 0x7f ? readRest(cursor, first) : first;
}

/** The rest of a number whose first byte, `first`, was already read. */
function readRest(cursor: Cursor, first: u32): u32 {
  let at = cursor.at;
  let value = first & 0x7f;
  let shift: u32 = 7;
  let byte: u32 = 0x80;
  for (; byte > 0x7f; shift += 7) {
    byte = load<u8>(at++);
    value |= (byte & 0x7f) << shift;
  }
  cursor.at = at;
  return value;
}
