/**
 * Which symbols a forecast can name: the first {@link MOST_SYMBOLS} different ones that the models hold which are heard, the most alike model's first. So what
 * a forecast counts has a bound, however many symbols there are. Owns the list of them, where it does not hold all.
 */

import { lengthAt, placeOf, Segment, segmentOf, symbolAt, symbolStart } from "../corpus/segment";
import { symbolEnd } from "../corpus/symbols";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { addOthers, admit, beginCounts, dismiss, numberIn } from "./counts";
import { heardCount, heardSlot, heardSymbols } from "./heard";

/** With the end and all others, this makes room for a number of entries that wastes no memory. */
const MOST_SYMBOLS: u32 = 8190;

/** A word each. */
const admitted: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let count: u32 = 0;
let isFull: bool = false;

/** Finds them. {@link endAdmission} must follow. */
export function beginAdmission(): void {
  isFull = false;
  count = min(symbolEnd(), heardSymbols());
  if (count <= MOST_SYMBOLS) {
    return;
  }
  count = 0;
  buffer.fit(admitted, (<usize>MOST_SYMBOLS) << 2);
  for (let at: u32 = 0; at < heardCount() && !isFull; at++) {
    const slot = heardSlot(at);
    admitSymbols(segmentOf(slot), placeOf(slot));
  }
  dismissAll();
}

/** Begins to count, with room for them. */
export function beginAdmitted(): void {
  beginCounts(count + 2);
  if (isFull) {
    addOthers();
    for (let at: u32 = 0; at < count; at++) {
      admit(admittedAt(at));
    }
  }
}

/** Sets the tables back to zeros. */
export function endAdmission(): void {
  if (isFull) {
    dismissAll();
  }
}

function admitSymbols(segment: Segment, place: u32): void {
  const from = symbolStart(segment, place);
  const end = from + lengthAt(segment, place);
  for (let at = from; at < end && !isFull; at++) {
    const symbol = symbolAt(segment, at);
    if (numberIn(symbol) !== 0) {
      continue;
    }
    if (count === MOST_SYMBOLS) {
      isFull = true;
    } else {
      admit(symbol);
      store<u32>(buffer.start(admitted) + ((<usize>count) << 2), symbol);
      count++;
    }
  }
}

function dismissAll(): void {
  for (let at: u32 = 0; at < count; at++) {
    dismiss(admittedAt(at));
  }
}

function admittedAt(at: u32): u32 {
  return load<u32>(buffer.start(admitted) + ((<usize>at) << 2));
}
