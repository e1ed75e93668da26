/**
 * How often the symbols of one event came together where the latest events were alike: after each level's places, how many next events hold the first
 * symbols of the event, one more each time. The host makes a probability of that (docs/surprise.md).
 */

import { inputStart } from "../abi/input";
import { frequencyAt, placeOf, segmentOf } from "../corpus/segment";
import { symbolEnd } from "../corpus/symbols";
import { isOutOfSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { beginCounts, endCounts, entryAt, entryCount, entryOf, hasEntry, MOST_LEVEL } from "./counts";
import { nextIn, says, slotEnd } from "./likeness";
import { agreementAt, eventCount, readModel, startOf, symbolOf } from "./reading";
import { LEVEL } from "./rules";

/** For each level from 1 on a row of doubles: the frequencies of the places whose next event holds the first n symbols, n from 0 on. */
const rows: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Counts places, so that a symbol of an event is found once. */
let place: u32 = 0;

/**
 * Counts, within a forecast, for the distinct symbols in the input; what was counted ahead is forgotten. An unknown symbol is in no event.
 * @returns where the rows are: {@link MOST_LEVEL} of `symbolCount` + 1 doubles each
 */
export function countTogether(symbolCount: u32): usize {
  endCounts();
  beginCounts();
  for (let at: u32 = 0; at < symbolCount && wantedSymbol(at) < symbolEnd(); at++) {
    entryOf(wantedSymbol(at));
  }
  const row = <usize>symbolCount + 1;
  buffer.truncate(rows, 0);
  buffer.appendZeros(rows, (<usize>MOST_LEVEL * row) << 3);
  place = 0;
  const end = slotEnd();
  for (let slot = nextIn(0, end); slot < end && !isOutOfSteps(); slot = nextIn(slot + 1, end)) {
    if (says(slot)) {
      countModel(slot, row);
    }
  }
  for (let level: u32 = 1; level <= MOST_LEVEL; level++) {
    for (let count = row - 1; count > 0; count--) {
      add(level, row, count - 1, load<f64>(cell(level, row, count)));
    }
  }
  return buffer.start(rows);
}

function wantedSymbol(at: u32): u32 {
  return load<u32>(inputStart() + ((<usize>at) << 2));
}

function countModel(slot: u32, row: usize): void {
  const segment = segmentOf(slot);
  const frequency = frequencyAt(segment, placeOf(slot));
  readModel(segment, placeOf(slot));
  for (let event: u32 = 0; event + 1 < eventCount(); event++) {
    const level = agreementAt(event) / LEVEL;
    if (level > 0) {
      add(level, row, firstsIn(event + 1), frequency);
    }
  }
}

/** How many of the first symbols an event holds, up to the first that it does not. The entries are the symbols in their order, from 1 on. */
function firstsIn(event: u32): u32 {
  place++;
  const end = startOf(event + 1);
  for (let at = startOf(event); at < end; at++) {
    if (hasEntry(symbolOf(at))) {
      entryOf(symbolOf(at)).place = place;
    }
  }
  let count: u32 = 0;
  while (count + 1 < entryCount() && entryAt(count + 1).place === place) {
    count++;
  }
  return count;
}

function cell(level: u32, row: usize, count: usize): usize {
  return buffer.start(rows) + ((<usize>(level - 1) * row + count) << 3);
}

function add(level: u32, row: usize, count: usize, by: f64): void {
  store<f64>(cell(level, row, count), load<f64>(cell(level, row, count)) + by);
}
