/**
 * All models, oldest first, in segments. A removed model stays as a slot of frequency 0 until the corpus is packed. Owns finding a
 * model by its id and changing it; knows nothing of queries.
 */

import { allocate, release } from "../memory/arena";
import { readNumber, shiftFor, writeNumber } from "../memory/narrow";
import { incomingSymbols } from "./incoming";
import { appendOpen, dropOpen, openCount, openGrowthBytes, sealOpen } from "./open-segment";
import {
  BLOCK,
  BLOCK_BYTES,
  COUNT,
  FREQUENCIES,
  FREQUENCY_SHIFT,
  forgetSegments,
  frequencyAt,
  idAt,
  lengthAt,
  placeOf,
  SHORTEST_EVENT,
  SHORTEST_MODEL,
  SLOT_BITS,
  segmentAt,
  segmentCount,
  segmentGrowthBytes,
  segmentOf,
} from "./segment";

let live: u32 = 0;
let dead: u32 = 0;
let liveSymbols: f64 = 0;
let longest: u32 = 0;
let shortest: u32 = u32.MAX_VALUE;
let shortestEventLength: u32 = u32.MAX_VALUE;

/** How many slots of removed models there are. */
export function deadModels(): u32 {
  return dead;
}

/** How many models there are. */
export function liveModels(): u32 {
  return live;
}

/** How many symbols a live model has on the average, rounded down; there must be one. */
export function averageLength(): u32 {
  return <u32>(liveSymbols / <f64>live);
}

/** How many symbols the longest model has, models since removed counted. */
export function longestModel(): u32 {
  return longest;
}

/** How many symbols the shortest model has, models since removed counted. */
export function shortestModel(): u32 {
  return shortest;
}

/** How many symbols the shortest event of any model has, models since removed counted. */
export function shortestEvent(): u32 {
  return shortestEventLength;
}

/** The most new bytes that the incoming model may need here. */
export function modelGrowthBytes(): usize {
  return openGrowthBytes() + segmentGrowthBytes();
}

/** Adds the incoming model and answers its slot. */
export function appendModel(id: f64, frequency: f64): u32 {
  live++;
  liveSymbols += <f64>incomingSymbols();
  longest = max(longest, incomingSymbols());
  const slot = appendOpen(id, frequency);
  const segment = segmentOf(slot);
  shortest = min(shortest, load<u32>(segment, SHORTEST_MODEL));
  shortestEventLength = min(shortestEventLength, load<u32>(segment, SHORTEST_EVENT));
  return slot;
}

/** The slot of the live model with this id; -1 when there is none. Ids grow with slots, so it is searched by halves. */
export function slotOf(id: f64): i32 {
  let low: u32 = 0;
  let high = segmentCount();
  while (low < high) {
    const middle = (low + high) >> 1;
    if (idAt(segmentAt(middle), 0) <= id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low === 0 ? -1 : slotInside(low - 1, id);
}

/** Sets a live model's frequency, 1 or more. Its column widens when it must, beyond the budget if need be. */
export function changeFrequency(slot: u32, frequency: f64): void {
  const segment = segmentOf(slot);
  if (shiftFor(frequency) > load<u8>(segment, FREQUENCY_SHIFT)) {
    widenFrequencies(segment, shiftFor(frequency));
  }
  writeNumber(load<u32>(segment, FREQUENCIES), load<u8>(segment, FREQUENCY_SHIFT), placeOf(slot), frequency);
}

/** Makes a live model's slot dead. */
export function killModel(slot: u32): void {
  const segment = segmentOf(slot);
  writeNumber(load<u32>(segment, FREQUENCIES), load<u8>(segment, FREQUENCY_SHIFT), placeOf(slot), 0);
  live--;
  liveSymbols -= <f64>lengthAt(segment, placeOf(slot));
  dead++;
}

/** Counts no models any more, so that those of all segments, sealed now, can be taken away and added anew. */
export function restartModels(): void {
  if (openCount() > 0) {
    sealOpen();
  }
  live = 0;
  liveSymbols = 0;
  dead = 0;
}

/** Gives the blocks of a sealed segment back; an open one has none of its own. */
export function releaseSegment(segment: usize): void {
  if (load<u32>(segment, BLOCK) !== 0) {
    release(load<u32>(segment, BLOCK), load<u32>(segment, BLOCK_BYTES));
    release(load<u32>(segment, FREQUENCIES), (<usize>load<u32>(segment, COUNT)) << load<u8>(segment, FREQUENCY_SHIFT));
  }
}

/** Forgets all models and gives their blocks back. */
export function forgetModels(): void {
  for (let number: u32 = 0; number < segmentCount(); number++) {
    releaseSegment(segmentAt(number));
  }
  dropOpen();
  forgetSegments();
  live = 0;
  liveSymbols = 0;
  dead = 0;
  longest = 0;
  shortest = u32.MAX_VALUE;
  shortestEventLength = u32.MAX_VALUE;
}

function slotInside(number: u32, id: f64): i32 {
  const segment = segmentAt(number);
  let low: u32 = 0;
  let high = load<u32>(segment, COUNT);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (idAt(segment, middle) < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const found = low < load<u32>(segment, COUNT) && idAt(segment, low) === id && frequencyAt(segment, low) > 0;
  return found ? <i32>((number << SLOT_BITS) + low) : -1;
}

function widenFrequencies(segment: usize, shift: u32): void {
  const count = load<u32>(segment, COUNT);
  const old = load<u32>(segment, FREQUENCIES);
  const oldShift = load<u8>(segment, FREQUENCY_SHIFT);
  const wide = allocate((<usize>count) << shift);
  for (let at: u32 = 0; at < count; at++) {
    writeNumber(wide, shift, at, readNumber(old, oldShift, at));
  }
  release(old, (<usize>count) << oldShift);
  store<u32>(segment, <u32>wide, FREQUENCIES);
  store<u8>(segment, <u8>shift, FREQUENCY_SHIFT);
}
