/**
 * How often the symbols of one event came together after similar events: for each level's occurrences, the number of
 * next events that hold the first n symbols of the event, for each n. The host turns that into a probability
 * (docs/surprise.md).
 */

import { inputStart } from "../abi/input";
import {
  eventLength,
  eventStart,
  eventsAt,
  lengthAt,
  placeOf,
  Segment,
  segmentOf,
  symbolAddress,
  symbolStart,
} from "../corpus/segment";
import { symbolEnd } from "../corpus/symbols";
import { countSteps, isOutOfSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { BYTES, HALVES } from "../memory/narrow";
import { alignmentOf, LEVEL_MASK, levelOf, sortAligned } from "./alignment";
import { MAX_LEVEL } from "./back-off";
import { neighbourCount, strongestNeighbour } from "./neighbours";
import { addOutcome, beginOutcomes, numberIn, outcomeAt, outcomeCount } from "./outcomes";
import { endRules } from "./rules";
import { addFirsts, wereCounted } from "./wanted";

/**
 * A row of doubles for each level from 1 on: the total frequency of the occurrences whose next event holds the first n
 * symbols, n from 0 on.
 */
const rows: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** The number of the current occurrence, so that a symbol is found once in an event. */
let occurrence: u32 = 0;

/**
 * Counts for the distinct symbols in the input, within a forecast; discards what was counted ahead. An unknown symbol
 * is in no event.
 * @returns address of the rows: {@link MAX_LEVEL} of `symbolCount` + 1 doubles each
 */
export function countTogether(symbolCount: u32): usize {
  endRules();
  const row = <usize>symbolCount + 1;
  buffer.truncate(rows, 0);
  buffer.appendZeros(rows, (<usize>MAX_LEVEL * row) << 3);
  if (wereCounted(symbolCount)) {
    for (let level: u32 = 1; level <= MAX_LEVEL; level++) {
      addFirsts(level, cell(level, row, 0));
    }
  } else {
    countNeighbours(symbolCount, row);
  }
  for (let level: u32 = 1; level <= MAX_LEVEL; level++) {
    for (let count = row - 1; count > 0; count--) {
      add(level, row, count - 1, load<f64>(cell(level, row, count)));
    }
  }
  return buffer.start(rows);
}

/** Counts in one pass over all neighbours. */
function countNeighbours(symbolCount: u32, row: usize): void {
  sortAligned();
  beginOutcomes(symbolCount + 1);
  for (let at: u32 = 0; at < symbolCount && wantedSymbol(at) < symbolEnd(); at++) {
    addOutcome(wantedSymbol(at));
  }
  occurrence = 0;
  for (let at: u32 = 0; at < neighbourCount() && !isOutOfSteps(); at++) {
    const neighbour = strongestNeighbour(at);
    countModel(segmentOf(neighbour.slot), placeOf(neighbour.slot), alignmentOf(at).codes, neighbour.frequency, row);
  }
  // Its outcomes are not those of a forecast.
  endRules();
}

function wantedSymbol(at: u32): u32 {
  return load<u32>(inputStart() + ((<usize>at) << 2));
}

function countModel(segment: Segment, at: u32, codes: usize, frequency: f64, row: usize): void {
  countSteps(lengthAt(segment, at));
  const shift: u32 = segment.symbolShift;
  if (shift === BYTES) {
    countIn<u8>(segment, at, codes, frequency, row);
  } else if (shift === HALVES) {
    countIn<u16>(segment, at, codes, frequency, row);
  } else {
    countIn<u32>(segment, at, codes, frequency, row);
  }
}

function countIn<T>(segment: Segment, at: u32, codes: usize, frequency: f64, row: usize): void {
  const first = eventStart(segment, at);
  const last = eventsAt(segment, at) - 1;
  let end = symbolAddress(segment, symbolStart(segment, at)) + <usize>eventLength(segment, first) * sizeof<T>();
  // Skip the last event, because nothing comes after it.
  for (let event: u32 = 0; event < last; event++) {
    const next = end + <usize>eventLength(segment, first + event + 1) * sizeof<T>();
    const code = <u32>load<u8>(codes + <usize>event);
    if ((code & LEVEL_MASK) !== 0) {
      add(levelOf(code), row, firstsIn<T>(end, next), frequency);
    }
    end = next;
  }
}

/**
 * The number of first symbols that an event holds, up to the first one missing. The outcomes are the symbols in their
 * order, from 1 on.
 */
function firstsIn<T>(from: usize, end: usize): u32 {
  occurrence++;
  for (let at = from; at < end; at += sizeof<T>()) {
    outcomeAt(numberIn(<u32>load<T>(at))).occurrence = occurrence;
  }
  let count: u32 = 0;
  while (count + 1 < outcomeCount() && outcomeAt(count + 1).occurrence === occurrence) {
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
