/**
 * Adds a symbol to the entries of the models that hold it: its weight to their similarity to the context, and the
 * context's events that hold it. Knows how to read the postings of a symbol.
 */

import { log2 } from "../abi/host";
import { CHUNK_HEAD, chunkEnd, firstChunk, nextChunk, postingBytes } from "../corpus/postings";
import { symbolFrequency } from "../corpus/symbols";
import { countSteps } from "../match/steps";
import { MAX_SIMILARITY, SIMILARITY_STEPS } from "./neighbours";

/**
 * The low half of an entry is the similarity; the high half holds, as bits, the context's events that share a symbol
 * with the model. The lowest bit is the newest event.
 */
export const SHARED_SHIFT: u32 = 16;
export const SHARED_MASK: u32 = 0xffff_0000;
export const SHARED_WITH_NEWEST: u32 = 1 << SHARED_SHIFT;
/** Number of entries that {@link nearAmong} tests at once. */
export const ENTRIES_AT_ONCE: u32 = 16;

/** A position in the postings of one symbol. */
@unmanaged
export class Cursor {
  chunk: usize;
  /** The address of the next entry, and the end of the chunk. */
  at: usize;
  end: usize;
  /** The slot of the latest entry read; {@link NO_SLOT} after the last. */
  slot: u32;
  /** The symbol's weight in a similarity. */
  weight: u32;
  /** The context's events that hold the symbol, in the form of an entry. */
  shared: u32;
}

export const CURSOR_BYTES: usize = offsetof<Cursor>();
/** Greater than any slot. */
export const NO_SLOT: u32 = u32.MAX_VALUE;

/**
 * A symbol's weight in a similarity: 1 if it is as frequent as models are, and {@link SIMILARITY_STEPS} more each time
 * it is half as frequent.
 */
export function weightOf(symbol: u32, modelFrequencies: f64): u32 {
  const ratio = (modelFrequencies + 1) / (min(symbolFrequency(symbol), modelFrequencies) + 1);
  return 1 + <u32>(<f64>SIMILARITY_STEPS * log2(ratio) + 0.5);
}

/**
 * Sets a cursor on the first model that holds a symbol. The symbol's postings count as steps.
 * @param weight added to an entry's similarity; a two's complement to subtract
 * @param shared the events that an entry gets, in the form of an entry
 */
export function beginCursor(cursor: Cursor, symbol: u32, weight: u32, shared: u32): void {
  countSteps(<u64>postingBytes(symbol));
  cursor.weight = weight;
  cursor.shared = shared;
  cursor.slot = NO_SLOT;
  cursor.chunk = firstChunk(symbol);
  if (cursor.chunk !== 0) {
    cursor.at = cursor.chunk + CHUNK_HEAD;
    cursor.end = chunkEnd(cursor.chunk);
    advance(cursor);
  }
}

/**
 * Changes the entries of the models below a slot that hold the symbol. @param entries the address that slot 0's entry
 * would have
 */
export function addHoldersOf(cursor: Cursor, end: u32, entries: usize): void {
  const weight = cursor.weight;
  const shared = cursor.shared;
  let slot = cursor.slot;
  let at = cursor.at;
  let stop = cursor.end;
  while (slot < end) {
    const sum = entries + ((<usize>slot) << 2);
    const before = load<u32>(sum);
    store<u32>(sum, min((before & MAX_SIMILARITY) + weight, MAX_SIMILARITY) | (before & SHARED_MASK) | shared);
    // Most entries are a byte, or a byte and a count of one byte; which of the two cannot be predicted. So the byte after
    // an entry is always read, and ignored if it is not a count: memory reaches beyond every block. Do not take what is
    // behind the last entry of a chunk for an entry.
    const entry: u32 = at < stop ? load<u8>(at) : 0xff;
    const hasCount = entry & 1;
    if (((entry | (load<u8>(at + 1) & (0 - hasCount))) & 0x80) === 0) {
      at += 1 + <usize>hasCount;
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

/** Moves a cursor to its next entry, or past the last. */
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

/**
 * Which of sixteen entries are similar enough, as bits.
 * @param at address of the first @param leastOfNewest four times the least similarity of a model that holds a symbol of
 *   the newest event @param leastOfOthers the same for others
 */
export function nearAmong(at: usize, leastOfNewest: v128, leastOfOthers: v128): u32 {
  return bitsOf(
    isNear(v128.load(at), leastOfNewest, leastOfOthers),
    isNear(v128.load(at, 16), leastOfNewest, leastOfOthers),
    isNear(v128.load(at, 32), leastOfNewest, leastOfOthers),
    isNear(v128.load(at, 48), leastOfNewest, leastOfOthers),
  );
}

/** {@link nearAmong} for entries that are just as similar. */
export function equalAmong(at: usize, ofNewest: v128, ofOthers: v128): u32 {
  return bitsOf(
    isEqual(v128.load(at), ofNewest, ofOthers),
    isEqual(v128.load(at, 16), ofNewest, ofOthers),
    isEqual(v128.load(at, 32), ofNewest, ofOthers),
    isEqual(v128.load(at, 48), ofNewest, ofOthers),
  );
}

function isNear(four: v128, leastOfNewest: v128, leastOfOthers: v128): v128 {
  return i32x4.ge_u(similaritiesOf(four), byGroup(four, leastOfNewest, leastOfOthers));
}

function isEqual(four: v128, ofNewest: v128, ofOthers: v128): v128 {
  return i32x4.eq(similaritiesOf(four), byGroup(four, ofNewest, ofOthers));
}

function similaritiesOf(four: v128): v128 {
  return v128.and(four, i32x4.splat(MAX_SIMILARITY));
}

/** For each of four entries the one if its model holds a symbol of the newest event, else the other. */
function byGroup(four: v128, ofNewest: v128, ofOthers: v128): v128 {
  const newest = i32x4.splat(SHARED_WITH_NEWEST);
  return v128.bitselect(ofNewest, ofOthers, i32x4.eq(v128.and(four, newest), newest));
}

/** A bit for each of sixteen lanes of words, which are all zeros or all ones. */
function bitsOf(one: v128, two: v128, three: v128, four: v128): u32 {
  const first = i16x8.narrow_i32x4_s(one, two);
  const last = i16x8.narrow_i32x4_s(three, four);
  return i8x16.bitmask(i8x16.narrow_i16x8_s(first, last));
}
