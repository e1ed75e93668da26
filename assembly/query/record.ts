/** Writes predictions as records for the host, as many at a time as fit into a block of limited size. */

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
  query,
} from "../abi/layout";
import { slotOf } from "../corpus/corpus";
import {
  copySymbols,
  eventLength,
  eventStart,
  eventsAt,
  frequencyAt,
  idAt,
  lengthAt,
  placeOf,
  Segment,
  segmentOf,
  symbolAt,
  symbolStart,
} from "../corpus/segment";
import { countTable } from "../corpus/symbols";
import { holdsTarget, neededMatches } from "../filter/recall";
import { gather } from "../match/gather";
import { matchAll, matchAndList } from "../match/match";
import { findPartners, firstPosition, lastPosition, matched, partnerOf } from "../match/outcome";
import { findPresent, presentEnd, presentFrom, presentStart, presentTo } from "../match/present";
import { queryLength, querySymbol } from "../match/query-sequence";
import { countSteps, isOutOfSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { rankedCount, rankedNumber } from "../memory/ranking";
import { beginModel, endModel, metricOf } from "../score/score";

/** Number of written bytes after which the rest waits for the next call, so that the block stays small. */
const WRITTEN_AT_ONCE_BYTES: usize = 262_144;

/** Total cost of a symbol in a record: the host reads it, and writes it out as text. */
const STEPS_PER_SYMBOL: u64 = 128;

const records: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Address of the records written last. */
export function recordsStart(): usize {
  return buffer.start(records);
}

/** Bytes of the records written last. */
export function recordsSize(): usize {
  return buffer.size(records);
}

/**
 * Writes the records of the predictions from a place of the answer on, 0 being the best; returns their number, at least
 * one if any is left.
 */
export function writeMatches(from: u32): u32 {
  buffer.truncate(records, 0);
  let place = from;
  while (place < rankedCount() && buffer.size(records) < WRITTEN_AT_ONCE_BYTES && (place === from || !isOutOfSteps())) {
    writeRecord(rankedNumber(place));
    place++;
  }
  return place - from;
}

/**
 * Writes the record of one model, whether it is among the predictions or not, and finds its partners. All kept
 * models were counted. Returns 1; 0 and no record when there is no such model, or the target or the recall
 * threshold does not keep it.
 */
export function writeMatchOf(id: f64): u32 {
  buffer.truncate(records, 0);
  const slot = slotOf(id);
  if (slot < 0) {
    return 0;
  }
  const segment = segmentOf(<u32>slot);
  const place = placeOf(<u32>slot);
  const length = lengthAt(segment, place);
  if (query.hasTarget !== 0 && !holdsTarget(segment, place)) {
    return 0;
  }
  if (gather(segment, symbolStart(segment, place), length) === 0) {
    return 0;
  }
  matchAll(segment, place);
  if (matched() < neededMatches(length)) {
    return 0;
  }
  writeRecord(<u32>slot);
  return 1;
}

function writeRecord(slot: u32): void {
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  matchAndList(segment, place);
  findPresent(segment, place, firstPosition(), lastPosition());
  findPartners(queryLength());
  countSteps(<u64>(queryLength() + lengthAt(segment, place)) * STEPS_PER_SYMBOL);
  const used = buffer.size(records);
  const at = buffer.append(records, bytesAtMost(segment, place));
  store<f64>(at, idAt(segment, place), MATCH_ID);
  store<f64>(at, frequencyAt(segment, place), MATCH_FREQUENCY);
  store<u32>(at, presentStart(), MATCH_PRESENT_START);
  store<u32>(at, presentEnd(), MATCH_PRESENT_END);
  store<u32>(at, lengthAt(segment, place), MATCH_SYMBOLS);
  store<u32>(at, eventsAt(segment, place), MATCH_LENGTHS);
  store<u32>(at, matched(), MATCH_MATCHES);
  writeMetrics(segment, place, at + MATCH_METRICS);
  const matches = writeModel(segment, place, at + MATCH_WORDS);
  const missing = writeQuery(matches, true);
  const extras = writeMissing(segment, symbolStart(segment, place), matches, missing);
  const end = writeQuery(extras, false);
  store<u32>(at, <u32>(extras - missing) >> 2, MATCH_MISSING);
  store<u32>(at, <u32>(end - extras) >> 2, MATCH_EXTRAS);
  const bytes = (end - at + 7) & ~7;
  store<u32>(at, <u32>bytes, MATCH_BYTES);
  buffer.truncate(records, used + bytes);
}

function bytesAtMost(segment: Segment, place: u32): usize {
  const words = lengthAt(segment, place) * 2 + eventsAt(segment, place) + queryLength();
  return <usize>MATCH_WORDS + ((<usize>words) << 2) + 8;
}

function writeMetrics(segment: Segment, place: u32, to: usize): void {
  beginModel(segment, place);
  for (let metric: u32 = 0; metric < METRICS; metric++) {
    store<f64>(to + ((<usize>metric) << 3), metricOf(metric));
  }
  endModel();
}

/** Writes the symbols and the event lengths; returns the address after them. */
function writeModel(segment: Segment, place: u32, to: usize): usize {
  const lengths = copySymbols(segment, symbolStart(segment, place), lengthAt(segment, place), to);
  let words = lengths;
  for (let at = eventStart(segment, place); at < eventStart(segment, place + 1); at++, words += 4) {
    store<u32>(words, eventLength(segment, at));
  }
  return words;
}

/**
 * Writes the query's symbols that matched, or those that did not. Blocks never cross, so they are in the model's order
 * too.
 */
function writeQuery(to: usize, wantMatched: bool): usize {
  let words = to;
  for (let at: u32 = 0; at < queryLength(); at++) {
    const isMatched: bool = partnerOf(at) >= 0;
    if (isMatched === wantMatched) {
      store<u32>(words, querySymbol(at));
      words += 4;
    }
  }
  return words;
}

/**
 * Writes the symbols of the present that are not among the matches, which end at `to`. The table of
 * counts marks the matches.
 */
function writeMissing(segment: Segment, start: u32, matches: usize, to: usize): usize {
  const counts = countTable();
  let words = to;
  mark(matches, to, 1);
  for (let at = start + presentFrom(); at < start + presentTo(); at++) {
    const symbol = symbolAt(segment, at);
    store<u32>(words, symbol);
    words += load<u32>(counts + ((<usize>symbol) << 2)) === 0 ? 4 : 0;
  }
  mark(matches, to, 0);
  return words;
}

/** Sets the marks of the symbols from `from` to `to`. */
function mark(from: usize, to: usize, number: u32): void {
  for (let at = from; at < to; at += 4) {
    store<u32>(countTable() + ((<usize>load<u32>(at)) << 2), number);
  }
}
