/** Answers a query: which models match, in which order, and what each of them says. */

import * as column from "./column";
import { eventsAt, frequencyAt, idOf, lengthAt, lengthsAt, slotCount, symbolsAt } from "./corpus";
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
  QUERY_HAS_TARGET,
  QUERY_MAX_PREDICTIONS,
  QUERY_MEMORY_LENGTH,
  QUERY_RECALL_THRESHOLD,
  QUERY_SORT_METRIC,
  QUERY_TARGET,
  QUERY_THRESHOLD,
  QUERY_THRESHOLD_AT_LEAST,
  QUERY_THRESHOLD_METRIC,
} from "./layout";
import { match, matched, openMatching, partnerOf } from "./match";
import { closeMemory, memoryLength, openMemory, symbolAt } from "./memory-sequence";
import { query } from "./query";
import { offer, openRanking, rankedCount, rankedSlot, sortRanking } from "./rank";
import {
  findPresent,
  keep,
  metrics,
  openScoring,
  presentEnd,
  presentFrom,
  presentStart,
  presentTo,
  score,
} from "./score";

/** Slots kept by the recall threshold. */
const kept: usize = memory.data(12, 8);
/** The match written last. */
const record: usize = memory.data(12, 8);

/** Prepares the answer to {@link query} about the memory at `input`; {@link endQuery} must follow. Answers how many predictions there are. */
export function predict(input: usize): u32 {
  openMemory(input, load<u32>(query, QUERY_MEMORY_LENGTH));
  openMatching();
  openScoring();
  openRanking(load<u32>(query, QUERY_MAX_PREDICTIONS));
  column.cut(kept, 0);
  for (let slot: u32 = 0; slot < slotCount(); slot++) {
    if (takesPart(slot) && passesRecall(slot)) {
      findPresent(slot);
      keep(slot);
      store<u32>(column.append(kept, 4), slot);
    }
  }
  for (let at: usize = 0; at < column.size(kept); at += 4) {
    const slot = load<u32>(column.start(kept) + at);
    evaluate(slot);
    if (passesThreshold()) {
      offer(metricAt(QUERY_SORT_METRIC), slot);
    }
  }
  sortRanking();
  return rankedCount();
}

/** Writes the prediction at a place of the answer, 0 the best, and says where. */
export function writeMatch(place: u32): usize {
  const slot = rankedSlot(place);
  evaluate(slot);
  const length = lengthAt(slot);
  const events = eventsAt(slot);
  column.cut(record, 0);
  const at = column.append(record, <usize>MATCH_WORDS + ((<usize>length * 3 + events + memoryLength()) << 2));
  store<f64>(at, idOf(slot), MATCH_ID);
  store<f64>(at, frequencyAt(slot), MATCH_FREQUENCY);
  memory.copy(at + MATCH_METRICS, metrics, 96);
  store<u32>(at, presentStart(), MATCH_PRESENT_START);
  store<u32>(at, presentEnd(), MATCH_PRESENT_END);
  store<u32>(at, length, MATCH_SYMBOLS);
  store<u32>(at, events, MATCH_LENGTHS);
  let words = at + MATCH_WORDS;
  memory.copy(words, symbolsAt(slot), length << 2);
  words += length << 2;
  memory.copy(words, lengthsAt(slot), events << 2);
  words += events << 2;
  const matches = words;
  words = writeMatches(slot, words);
  store<u32>(at, matched(), MATCH_MATCHES);
  const missing = words;
  words = writeMissing(slot, matches, words);
  store<u32>(at, <u32>(words - missing) >> 2, MATCH_MISSING);
  const extras = words;
  words = writeExtras(words);
  store<u32>(at, <u32>(words - extras) >> 2, MATCH_EXTRAS);
  return at;
}

/** Lets go of the query. */
export function endQuery(): void {
  closeMemory();
}

function takesPart(slot: u32): bool {
  return frequencyAt(slot) > 0 && (load<u32>(query, QUERY_HAS_TARGET) === 0 || hasTarget(slot));
}

function hasTarget(slot: u32): bool {
  const end = lengthAt(slot);
  const last = load<u32>(lengthsAt(slot) + ((<usize>(eventsAt(slot) - 1)) << 2));
  for (let at = end - last; at < end; at++) {
    if (load<u32>(symbolsAt(slot) + ((<usize>at) << 2)) === load<u32>(query, QUERY_TARGET)) {
      return true;
    }
  }
  return false;
}

function passesRecall(slot: u32): bool {
  match(symbolsAt(slot), lengthAt(slot));
  const similarity = (2 * <f64>matched()) / <f64>(lengthAt(slot) + memoryLength());
  return matched() > 0 && similarity >= load<f64>(query, QUERY_RECALL_THRESHOLD);
}

function evaluate(slot: u32): void {
  match(symbolsAt(slot), lengthAt(slot));
  findPresent(slot);
  score(slot);
}

function metricAt(field: u32): f64 {
  return load<f64>(metrics + ((<usize>load<u32>(query + field)) << 3));
}

function passesThreshold(): bool {
  const value = metricAt(QUERY_THRESHOLD_METRIC);
  const threshold = load<f64>(query, QUERY_THRESHOLD);
  return load<u32>(query, QUERY_THRESHOLD_AT_LEAST) !== 0 ? value >= threshold : value <= threshold;
}

function writeMatches(_slot: u32, to: usize): usize {
  let words = to;
  for (let at: u32 = 0; at < memoryLength(); at++) {
    if (partnerOf(at) >= 0) {
      store<u32>(words, symbolAt(at));
      words += 4;
    }
  }
  return words;
}

function writeMissing(slot: u32, matches: usize, to: usize): usize {
  const symbols = symbolsAt(slot);
  let words = to;
  for (let at = presentFrom(); at < presentTo(); at++) {
    const symbol = load<u32>(symbols + ((<usize>at) << 2));
    let found = false;
    for (let other = matches; other < to && !found; other += 4) {
      found = load<u32>(other) === symbol;
    }
    if (!found) {
      store<u32>(words, symbol);
      words += 4;
    }
  }
  return words;
}

function writeExtras(to: usize): usize {
  let words = to;
  for (let at: u32 = 0; at < memoryLength(); at++) {
    if (partnerOf(at) < 0) {
      store<u32>(words, symbolAt(at));
      words += 4;
    }
  }
  return words;
}

export function forgetQuery(): void {
  column.drop(kept);
  column.drop(record);
}
