/** How many models have the sequence's counts: by the postings of its symbols, as most models hold few of them. */

import { CHUNK_HEAD, chunkEnd, firstChunk, nextChunk } from "../corpus/postings";
import { frequencyAt, placeOf, Segment, SLOT_BITS, segmentAt } from "../corpus/segment";
import { symbolEnd } from "../corpus/symbols";
import { Held, hasCount, heldAt, numberCount } from "./sequence";

/** Sets the frequencies of the models that have each count. */
export function countHaving(): void {
  for (let number: u32 = 0; number < numberCount(); number++) {
    const one = heldAt(number);
    if (one.symbol < symbolEnd()) {
      one.having = havingOf(one);
    }
  }
}

function havingOf(one: Held): f64 {
  const hasOnce = hasCount(one, 1);
  let having: f64 = 0;
  let slot: u32 = u32.MAX_VALUE;
  // Nearly all postings of a symbol are in the segment of the one before.
  let number: u32 = u32.MAX_VALUE;
  let segment = changetype<Segment>(0);
  for (let chunk = firstChunk(one.symbol); chunk !== 0; chunk = nextChunk(chunk)) {
    const end = chunkEnd(chunk);
    for (let at = chunk + CHUNK_HEAD; at < end; ) {
      let entry: u32 = load<u8>(at);
      if (entry > 0x7f) {
        entry = numberIn(at);
        at += bytesOf(at);
      } else {
        at++;
      }
      let isHeld = hasOnce;
      if ((entry & 1) !== 0) {
        isHeld = hasCount(one, numberIn(at));
        at += bytesOf(at);
      }
      slot += entry >> 1;
      if (slot >> SLOT_BITS !== number) {
        number = slot >> SLOT_BITS;
        segment = segmentAt(number);
      }
      // A removed model has the frequency 0.
      having += isHeld ? frequencyAt(segment, placeOf(slot)) : 0;
    }
  }
  return having;
}

/** A number of the postings. */
function numberIn(at: usize): u32 {
  let byte: u32 = load<u8>(at);
  let value = byte & 0x7f;
  for (let shift: u32 = 7; byte > 0x7f; shift += 7) {
    byte = load<u8>(at + <usize>(shift / 7));
    value |= (byte & 0x7f) << shift;
  }
  return value;
}

/** How many bytes it takes. */
function bytesOf(at: usize): usize {
  let bytes: usize = 1;
  while (load<u8>(at + bytes - 1) > 0x7f) {
    bytes++;
  }
  return bytes;
}
