/**
 * All models, oldest first, in segments. A removed model stays as a slot of frequency 0 until the corpus is packed.
 * Owns finding a model by its id and changing it; knows no postings and no queries.
 */

import { allocate, release } from "../memory/arena";
import { readNumber, shiftFor, writeNumber } from "../memory/narrow";
import { tenant } from "../memory/tenant";
import { incomingSymbols } from "./incoming";
import { appendOpen, dropOpen, openCount, openGrowthBytes, sealOpen } from "./open-segment";
import {
  forgetSegments,
  frequencyAt,
  idAt,
  lengthAt,
  placeOf,
  Segment,
  SLOT_BITS,
  segmentAt,
  segmentCount,
  segmentGrowthBytes,
  segmentOf,
} from "./segment";

/** Number of slots of removed models. */
export function deadModels(): u32 {
  return tenant.dead;
}

/** Number of live models. */
export function liveModels(): u32 {
  return tenant.live;
}

/** Number of symbols of the live models together. */
export function liveSymbols(): f64 {
  return tenant.liveSymbols;
}

/** The average number of symbols of the live models, rounded down. There must be a live model. */
export function averageLength(): u32 {
  return <u32>(tenant.liveSymbols / <f64>tenant.live);
}

/** Length of the longest model in symbols, including removed models. */
export function longestModel(): u32 {
  return tenant.longest;
}

/** Length of the shortest model in symbols, including removed models. */
export function shortestModel(): u32 {
  return tenant.shortest;
}

/** Length of the shortest event of any model in symbols, including removed models. */
export function shortestEvent(): u32 {
  return tenant.shortestEvent;
}

/** Maximum number of new bytes that the incoming model needs here. */
export function modelGrowthBytes(): usize {
  return openGrowthBytes() + segmentGrowthBytes();
}

/** Adds the incoming model; returns its slot. */
export function appendModel(id: f64, frequency: f64): u32 {
  tenant.live++;
  tenant.liveSymbols += <f64>incomingSymbols();
  tenant.longest = max(tenant.longest, incomingSymbols());
  const slot = appendOpen(id, frequency);
  const segment = segmentOf(slot);
  tenant.shortest = min(tenant.shortest, segment.shortestModel);
  tenant.shortestEvent = min(tenant.shortestEvent, segment.shortestEvent);
  return slot;
}

/** The slot of the live model with this id, -1 for none. A binary search, because ids grow with slots. */
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

/** Sets a live model's frequency, 1 or more. Widens the column if needed, even beyond the budget. */
export function changeFrequency(slot: u32, frequency: f64): void {
  const segment = segmentOf(slot);
  if (shiftFor(frequency) > segment.frequencyShift) {
    widenFrequencies(segment, shiftFor(frequency));
  }
  writeNumber(segment.frequencies, segment.frequencyShift, placeOf(slot), frequency);
}

/** Marks a live model as removed. */
export function killModel(slot: u32): void {
  const segment = segmentOf(slot);
  writeNumber(segment.frequencies, segment.frequencyShift, placeOf(slot), 0);
  tenant.live--;
  tenant.liveSymbols -= <f64>lengthAt(segment, placeOf(slot));
  tenant.dead++;
}

/** Seals all segments and sets the counts to zero: the start of packing, which adds all live models again. */
export function restartModels(): void {
  if (openCount() > 0) {
    sealOpen();
  }
  tenant.live = 0;
  tenant.liveSymbols = 0;
  tenant.dead = 0;
}

/** Frees the blocks of a sealed segment; an open one has none of its own. */
export function releaseSegment(segment: Segment): void {
  if (segment.block !== 0) {
    release(segment.block, segment.blockBytes);
    release(segment.frequencies, (<usize>segment.count) << segment.frequencyShift);
  }
}

/** Forgets all models and frees their blocks. */
export function forgetModels(): void {
  for (let number: u32 = 0; number < segmentCount(); number++) {
    releaseSegment(segmentAt(number));
  }
  dropOpen();
  forgetSegments();
  tenant.live = 0;
  tenant.liveSymbols = 0;
  tenant.dead = 0;
  tenant.longest = 0;
  tenant.shortest = u32.MAX_VALUE;
  tenant.shortestEvent = u32.MAX_VALUE;
}

function slotInside(number: u32, id: f64): i32 {
  const segment = segmentAt(number);
  let low: u32 = 0;
  let high = segment.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (idAt(segment, middle) < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const found = low < segment.count && idAt(segment, low) === id && frequencyAt(segment, low) > 0;
  return found ? <i32>((number << SLOT_BITS) + low) : -1;
}

function widenFrequencies(segment: Segment, shift: u32): void {
  const count = segment.count;
  const old = segment.frequencies;
  const oldShift: u32 = segment.frequencyShift;
  const wide = allocate((<usize>count) << shift);
  for (let at: u32 = 0; at < count; at++) {
    writeNumber(wide, shift, at, readNumber(old, oldShift, at));
  }
  release(old, (<usize>count) << oldShift);
  segment.frequencies = wide;
  segment.frequencyShift = <u8>shift;
}
