/**
 * For each symbol a bit for each slot: whether the slot's model holds the symbol, as postings say, too. Where many models
 * hold a symbol, its bits are read faster. They are set once for each model, removed ones included, and kept until slots
 * change (`slot-changes.ts`).
 */

import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { SEGMENT_SLOTS, Segment, segmentAt, segmentCount, symbolAt, symbolStart } from "./segment";
import { slotChanges } from "./slot-changes";
import { symbolEnd } from "./symbols";

/** Maximum number of bytes of all rows: 512 KiB. */
const MAX_BYTES: u64 = 1 << 19;
/** Setting the bits takes as long as reading them saves in about this many forecasts, so it waits for as many. */
const MIN_ASKED: u32 = 16;
/** Bytes of a row for each segment. */
const BYTES_OF_SEGMENT: usize = SEGMENT_SLOTS >> 3;

/** A row for each symbol, all equally wide. */
const rows: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
let width: usize = 0;

/** The segments and the models of the last of them whose bits are set. */
let segments: u32 = 0;
let places: u32 = 0;
/** The {@link slotChanges} before them, and how often the bits were asked for since. */
let changes: u32 = 0;
let asked: u32 = 0;

/** Sets the bits of models that were added. Returns false if there are none yet, or they would take too much memory. */
export function findHolderBits(): bool {
  if (changes !== slotChanges()) {
    changes = slotChanges();
    asked = 0;
    width = 0;
  }
  asked = min(asked + 1, MIN_ASKED + 1);
  if (asked <= MIN_ASKED || !makeRoom()) {
    return false;
  }
  setBits();
  return true;
}

/** The address of a symbol's bits, that of slot 0 first, up to the last slot of all segments. */
export function holderBits(symbol: u32): usize {
  return buffer.start(rows) + <usize>symbol * width;
}

/** Makes rows for all symbols and all slots. Begins anew where rows have to be wider. */
function makeRoom(): bool {
  const needed = <usize>segmentCount() * BYTES_OF_SEGMENT;
  let wide = max(width, BYTES_OF_SEGMENT);
  while (wide < needed) {
    wide <<= 1;
  }
  if (<u64>wide * symbolEnd() > MAX_BYTES) {
    return false;
  }
  if (wide !== width) {
    width = wide;
    segments = 0;
    places = 0;
    buffer.truncate(rows, 0);
  }
  const bytes = wide * symbolEnd();
  if (buffer.size(rows) < bytes) {
    buffer.appendZeros(rows, bytes - buffer.size(rows));
  }
  return true;
}

function setBits(): void {
  const count = segmentCount();
  for (let number: u32 = max(segments, 1) - 1; number < count; number++) {
    const segment = segmentAt(number);
    for (let place: u32 = number + 1 === segments ? places : 0; place < segment.count; place++) {
      setBitsOf(segment, place, number * SEGMENT_SLOTS + place);
    }
    segments = number + 1;
    places = segment.count;
  }
}

function setBitsOf(segment: Segment, place: u32, slot: u32): void {
  const end = symbolStart(segment, place + 1);
  const bit: u32 = 1 << (slot & 7);
  for (let at = symbolStart(segment, place); at < end; at++) {
    const byte = holderBits(symbolAt(segment, at)) + (<usize>slot >> 3);
    store<u8>(byte, load<u8>(byte) | <u8>bit);
  }
}
