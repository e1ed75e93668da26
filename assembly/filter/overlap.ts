/**
 * For the models of one segment at a time, how many symbols each has in common with memory, repeats counted: the size of the
 * multiset intersection, read off the postings. No matching can match more, so this bounds it from above. Owns one cursor per class
 * of memory; the segments must be asked for in order.
 */

import { CHUNK_HEAD, chunkEnd, firstChunk, nextChunk, postingBytes } from "../corpus/postings";
import { SEGMENT_SLOTS } from "../corpus/segment";
import { classOccurrences, classSymbol, memoryClasses, memoryLength } from "../match/query-sequence";
import * as column from "../memory/buffer";

/**
 * One word per slot of the segment. The lower half is the overlap. The upper half has a bit for each class that the model holds;
 * memories of more than 16 classes share the bits.
 */
export const overlaps: usize = memory.data(4096, 16);
const OVERLAP_MASK: u32 = 0xffff;

/** Per slot with an overlap, a halfword: a class of memory whose symbol it holds once, or 0. */
const holders: usize = memory.data(2048, 16);

/** A cursor: chunk, address of the next entry, end of the chunk, slot and count of the entry read last. */
const CURSOR_BYTES: usize = 20;
const CHUNK: usize = 0;
const AT: usize = 4;
const END: usize = 8;
const SLOT: usize = 12;
const COUNT: usize = 16;
const NO_SLOT: u32 = u32.MAX_VALUE;

const cursors: usize = memory.data(12, 8);

/** Points the cursors at the first entries of memory's symbols. */
export function openOverlaps(): void {
  column.cut(cursors, 0);
  column.appendZeros(cursors, (<usize>memoryClasses() + 1) * CURSOR_BYTES);
  for (let number: u32 = 1; number <= memoryClasses(); number++) {
    const cursor = cursorOf(number);
    const chunk = firstChunk(classSymbol(number));
    store<u32>(cursor, NO_SLOT, SLOT);
    if (chunk !== 0) {
      store<u32>(cursor, <u32>chunk, CHUNK);
      store<u32>(cursor, <u32>(chunk + CHUNK_HEAD), AT);
      store<u32>(cursor, <u32>chunkEnd(chunk), END);
      read(cursor, u32.MAX_VALUE);
    }
  }
}

/** Over all models, how many overlaps there are to read, about: a byte of postings is an entry or a part of one. */
export function entriesAbout(): u32 {
  let bytes: u32 = 0;
  for (let number: u32 = 1; number <= memoryClasses(); number++) {
    bytes += postingBytes(classSymbol(number));
  }
  return bytes;
}

/** The overlap in a word of {@link overlaps}. One that does not fit is as great as can be: all of memory. */
export function overlapIn(word: u32): u32 {
  const overlap = word & OVERLAP_MASK;
  return overlap === OVERLAP_MASK ? memoryLength() : overlap;
}

/** The bit of a class in a word of {@link overlaps}. */
export function classBit(number: u32): u32 {
  return (<u32>0x1_0000) << (number & 15);
}

/** The class that a model with an overlap of 1 has in common with memory; 0 if it holds the symbol more than once. */
export function onlyClass(place: u32): u32 {
  return load<u16>(holders + ((<usize>place) << 1));
}

/** Fills {@link overlaps} for the segment that starts at the slot `base`; answers whether any model has one. */
export function collectOverlaps(base: u32): bool {
  memory.fill(overlaps, 0, (<usize>SEGMENT_SLOTS) << 2);
  let any = false;
  const end = base + SEGMENT_SLOTS;
  for (let number: u32 = 1; number <= memoryClasses(); number++) {
    const cursor = cursorOf(number);
    if (load<u32>(cursor, SLOT) < end) {
      collect(cursor, base, end, number);
      any = true;
    }
  }
  return any;
}

function cursorOf(number: u32): usize {
  return column.start(cursors) + <usize>number * CURSOR_BYTES;
}

/** Adds the entries of one class below the slot `end`. */
function collect(cursor: usize, base: u32, end: u32, number: u32): void {
  // Where overlaps might not fit, they are all as great as can be.
  const fits = memoryLength() < OVERLAP_MASK;
  const occurrences: u32 = fits ? classOccurrences(number) : 0;
  const bits = fits ? classBit(number) : classBit(number) | OVERLAP_MASK;
  const holder = <u16>(number > 0xffff ? 0 : number);
  let slot = load<u32>(cursor, SLOT);
  let count = load<u32>(cursor, COUNT);
  let at: usize = load<u32>(cursor, AT);
  let stop: usize = load<u32>(cursor, END);
  while (slot < end) {
    const overlap = overlaps + ((<usize>(slot - base)) << 2);
    store<u32>(overlap, (load<u32>(overlap) + min(count, occurrences)) | bits);
    store<u16>(holders + ((<usize>(slot - base)) << 1), count === 1 ? holder : 0);
    if (at === stop) {
      store<u32>(cursor, <u32>at, AT);
      if (!turn(cursor)) {
        return;
      }
      at = load<u32>(cursor, AT);
      stop = load<u32>(cursor, END);
    }
    let entry: u32 = load<u8>(at++);
    if (entry > 0x7f) {
      store<u32>(cursor, <u32>at, AT);
      entry = readRest(cursor, entry);
      at = load<u32>(cursor, AT);
    }
    slot += entry >> 1;
    count = 1;
    if ((entry & 1) !== 0) {
      store<u32>(cursor, <u32>at, AT);
      count = readNumber(cursor);
      at = load<u32>(cursor, AT);
    }
  }
  store<u32>(cursor, slot, SLOT);
  store<u32>(cursor, count, COUNT);
  store<u32>(cursor, <u32>at, AT);
}

/** Goes to the next chunk; without one, the cursor is at its end. */
function turn(cursor: usize): bool {
  const next = nextChunk(load<u32>(cursor, CHUNK));
  if (next === 0) {
    store<u32>(cursor, NO_SLOT, SLOT);
    return false;
  }
  store<u32>(cursor, <u32>next, CHUNK);
  store<u32>(cursor, <u32>(next + CHUNK_HEAD), AT);
  store<u32>(cursor, <u32>chunkEnd(next), END);
  return true;
}

/** Reads the entry at the cursor, whose slot counts from `before`. */
function read(cursor: usize, before: u32): void {
  const entry = readNumber(cursor);
  store<u32>(cursor, before + (entry >> 1), SLOT);
  store<u32>(cursor, (entry & 1) !== 0 ? readNumber(cursor) : 1, COUNT);
}

function readNumber(cursor: usize): u32 {
  const at: usize = load<u32>(cursor, AT);
  store<u32>(cursor, <u32>(at + 1), AT);
  const first: u32 = load<u8>(at);
  return first > 0x7f ? readRest(cursor, first) : first;
}

/** The number whose first byte, already read, was `first`. */
function readRest(cursor: usize, first: u32): u32 {
  let at: usize = load<u32>(cursor, AT);
  let value = first & 0x7f;
  let shift: u32 = 7;
  let byte: u32 = 0x80;
  for (; byte > 0x7f; shift += 7) {
    byte = load<u8>(at++);
    value |= (byte & 0x7f) << shift;
  }
  store<u32>(cursor, <u32>at, AT);
  return value;
}
