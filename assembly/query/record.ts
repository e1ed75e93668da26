/** Predictions written out for the host, as many at a time as fit a batch. */

import {
  MATCH_BYTES,
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
} from "../abi/layout";
import {
  copySymbols,
  eventLength,
  eventStart,
  frequencyAt,
  idAt,
  lengthAt,
  placeOf,
  segmentOf,
  symbolAt,
  symbolStart,
} from "../corpus/segment";
import { countTable } from "../corpus/symbols";
import { findPartners, listBlocks, matched, partnerOf } from "../match/outcome";
import { presentEnd, presentFrom, presentStart, presentTo } from "../match/present";
import { memoryLength, memorySymbol } from "../match/query-sequence";
import * as column from "../memory/buffer";
import { rankedCount, rankedSlot } from "../memory/ranking";
import { closeModel, metricOf, openModel } from "../score/score";
import { examine } from "./rescore";

/** Records are written until so many bytes are, so that the block stays small however many predictions there are. */
const BATCH_BYTES: usize = 262_144;

const records: usize = memory.data(12, 8);

/** Where the records written last are. */
export function recordsStart(): usize {
  return column.start(records);
}

/** How many bytes they take together. */
export function recordsSize(): usize {
  return column.size(records);
}

/** Writes the records of the predictions from a place of the answer on, one or more; answers how many. */
export function writeRecords(from: u32): u32 {
  column.cut(records, 0);
  let place = from;
  while (place < rankedCount() && column.size(records) < BATCH_BYTES) {
    writeRecord(rankedSlot(place));
    place++;
  }
  return place - from;
}

function writeRecord(slot: u32): void {
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  listBlocks(true);
  examine(slot);
  listBlocks(false);
  findPartners(memoryLength());
  const used = column.size(records);
  const at = column.append(records, bytesAtMost(segment, place));
  store<f64>(at, idAt(segment, place), MATCH_ID);
  store<f64>(at, frequencyAt(segment, place), MATCH_FREQUENCY);
  store<u32>(at, presentStart(), MATCH_PRESENT_START);
  store<u32>(at, presentEnd(), MATCH_PRESENT_END);
  store<u32>(at, lengthAt(segment, place), MATCH_SYMBOLS);
  store<u32>(at, eventsAt(segment, place), MATCH_LENGTHS);
  store<u32>(at, matched(), MATCH_MATCHES);
  writeMetrics(segment, place, at + MATCH_METRICS);
  const matches = writeModel(segment, place, at + MATCH_WORDS);
  const missing = writeMemory(matches, true);
  const extras = writeMissing(segment, symbolStart(segment, place), matches, missing);
  const end = writeMemory(extras, false);
  store<u32>(at, <u32>(extras - missing) >> 2, MATCH_MISSING);
  store<u32>(at, <u32>(end - extras) >> 2, MATCH_EXTRAS);
  const bytes = (end - at + 7) & ~7;
  store<u32>(at, <u32>bytes, MATCH_BYTES);
  column.cut(records, used + bytes);
}

function eventsAt(segment: usize, place: u32): u32 {
  return eventStart(segment, place + 1) - eventStart(segment, place);
}

function bytesAtMost(segment: usize, place: u32): usize {
  const words = lengthAt(segment, place) * 2 + eventsAt(segment, place) + memoryLength();
  return <usize>MATCH_WORDS + ((<usize>words) << 2) + 8;
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
  const lengths = copySymbols(segment, symbolStart(segment, place), lengthAt(segment, place), to);
  let words = lengths;
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

/** Writes the symbols of the present that are nowhere among the matches, which end at `to`. Their counts tell, and are zero again then. */
function writeMissing(segment: usize, start: u32, matches: usize, to: usize): usize {
  const counts = countTable();
  let words = to;
  count(matches, to, 1);
  for (let at = start + presentFrom(); at < start + presentTo(); at++) {
    const symbol = symbolAt(segment, at);
    store<u32>(words, symbol);
    words += load<u32>(counts + ((<usize>symbol) << 2)) === 0 ? 4 : 0;
  }
  count(matches, to, 0);
  return words;
}

/** Sets the counts of symbols. */
function count(from: usize, to: usize, number: u32): void {
  for (let at = from; at < to; at += 4) {
    store<u32>(countTable() + ((<usize>load<u32>(at)) << 2), number);
  }
}
