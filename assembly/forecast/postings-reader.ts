/** Reads the postings of one symbol from the first slot to the last. */

import { CHUNK_HEAD, chunkEnd, firstChunk, nextChunk } from "../corpus/postings";

/** Behind the last posting. */
export const NO_SLOT: u32 = u32.MAX_VALUE;

let chunk: usize = 0;
let at: usize = 0;
let end: usize = 0;
let slot: u32 = 0;

/** Begins with the first posting of a symbol. */
export function beginPostings(symbol: u32): void {
  enter(firstChunk(symbol));
  slot = u32.MAX_VALUE;
}

/** The slot of the next posting; {@link NO_SLOT} when there is none. */
export function nextPosting(): u32 {
  if (at === end) {
    if (chunk === 0) {
      return NO_SLOT;
    }
    enter(nextChunk(chunk));
    if (chunk === 0) {
      return NO_SLOT;
    }
  }
  const entry = readVarying();
  slot += entry >> 1;
  if ((entry & 1) !== 0) {
    readVarying();
  }
  return slot;
}

function enter(next: usize): void {
  chunk = next;
  at = next === 0 ? 0 : next + CHUNK_HEAD;
  end = next === 0 ? 0 : chunkEnd(next);
}

function readVarying(): u32 {
  let value: u32 = load<u8>(at++);
  if (value <= 0x7f) {
    return value;
  }
  value &= 0x7f;
  let byte: u32 = 0x80;
  for (let shift: u32 = 7; byte > 0x7f; shift += 7) {
    byte = load<u8>(at++);
    value |= (byte & 0x7f) << shift;
  }
  return value;
}
