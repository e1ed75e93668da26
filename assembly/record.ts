/** A prediction written out for the host. */

import * as column from "./column";
import { examine } from "./final";
import {
  MATCH_EXTRAS,
  MATCH_FREQUENCY,
  MATCH_ID,
  MATCH_LENGTHS,
  MATCH_MATCHES,
  MATCH_METRICS,
  MATCH_MISSING,
  MATCH_PRESENT_END,
  MATCH_PRESENT_START,
  MATCH_SYMBOLS,
  MATCH_WORDS,
  METRICS,
} from "./layout";
import { memoryLength, memorySymbol } from "./memory-sequence";
import { findPartners, matched, partnerOf } from "./outcome";
import { presentEnd, presentFrom, presentStart, presentTo } from "./present";
import { closeModel, metricOf, openModel } from "./score";
import {
  eventLength,
  eventStart,
  frequencyAt,
  idAt,
  lengthAt,
  placeOf,
  segmentOf,
  symbolAt,
  symbolStart,
} from "./segment";

/** The record written last. */
const record: usize = memory.data(12, 8);

/** Writes the prediction of the model in a slot and says where; the MATCH_ offsets say what is in it. */
export function writeRecord(slot: u32): usize {
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  const length = lengthAt(segment, place);
  const events = eventStart(segment, place + 1) - eventStart(segment, place);
  examine(slot);
  findPartners(memoryLength());
  column.hold(record, <usize>MATCH_WORDS + ((<usize>length * 2 + events + 2 * memoryLength()) << 2));
  const at = column.start(record);
  store<f64>(at, idAt(segment, place), MATCH_ID);
  store<f64>(at, frequencyAt(segment, place), MATCH_FREQUENCY);
  store<u32>(at, presentStart(), MATCH_PRESENT_START);
  store<u32>(at, presentEnd(), MATCH_PRESENT_END);
  store<u32>(at, length, MATCH_SYMBOLS);
  store<u32>(at, events, MATCH_LENGTHS);
  store<u32>(at, matched(), MATCH_MATCHES);
  writeMetrics(segment, place, at + MATCH_METRICS);
  let words = writeModel(segment, place, at + MATCH_WORDS);
  const matches = words;
  words = writeMemory(words, true);
  const missing = words;
  words = writeMissing(segment, symbolStart(segment, place), matches, words);
  store<u32>(at, <u32>(words - missing) >> 2, MATCH_MISSING);
  const extras = words;
  words = writeMemory(words, false);
  store<u32>(at, <u32>(words - extras) >> 2, MATCH_EXTRAS);
  return at;
}

function writeMetrics(segment: usize, place: u32, to: usize): void {
  openModel(segment, place);
  for (let metric: u32 = 0; metric < METRICS; metric++) {
    store<f64>(to + ((<usize>metric) << 3), metricOf(metric));
  }
  closeModel();
}

/** Writes the symbols and the event lengths; answers where the next word goes. */
function writeModel(segment: usize, place: u32, to: usize): usize {
  let words = to;
  for (let at = symbolStart(segment, place); at < symbolStart(segment, place + 1); at++, words += 4) {
    store<u32>(words, symbolAt(segment, at));
  }
  for (let at = eventStart(segment, place); at < eventStart(segment, place + 1); at++, words += 4) {
    store<u32>(words, eventLength(segment, at));
  }
  return words;
}

/** Writes the symbols of memory that matched, or those that did not. Matches cross in no place, so memory's order is the model's. */
function writeMemory(to: usize, wantMatched: bool): usize {
  let words = to;
  for (let at: u32 = 0; at < memoryLength(); at++) {
    const isMatched: bool = partnerOf(at) >= 0;
    if (isMatched === wantMatched) {
      store<u32>(words, memorySymbol(at));
      words += 4;
    }
  }
  return words;
}

/** Writes the symbols of the present that are nowhere among the matches, which end at `to`. */
function writeMissing(segment: usize, start: u32, matches: usize, to: usize): usize {
  let words = to;
  for (let at = start + presentFrom(); at < start + presentTo(); at++) {
    const symbol = symbolAt(segment, at);
    let match = matches;
    while (match < to && load<u32>(match) !== symbol) {
      match += 4;
    }
    if (match === to) {
      store<u32>(words, symbol);
      words += 4;
    }
  }
  return words;
}

export function forgetRecord(): void {
  column.drop(record);
}
