/**
 * Finds every model that may match memory. Where few models have a symbol in common with it, their postings say which do and how many
 * symbols that are: a model whose overlap is below the matches that the threshold needs is not kept, because no matching matches more
 * than the overlap. Where nearly all models do, reading the postings costs more than it saves, and every model is a candidate.
 */

import { QUERY_HAS_TARGET, QUERY_SORT_METRIC } from "../abi/layout";
import { query } from "../abi/query";
import { averageLength, liveModels } from "../corpus/corpus";
import {
  COUNT,
  frequencyUpTo,
  placeOf,
  SEGMENT_SLOTS,
  SHORTEST_EVENT,
  SHORTEST_MODEL,
  SYMBOL_SHIFT,
  SYMBOLS,
  segmentAt,
  segmentCount,
  symbolStart,
} from "../corpus/segment";
import { surelyPassed } from "../filter/assess";
import { highestByOverlap } from "../filter/bound";
import { collectOverlaps, entriesAbout, onlyClass, openOverlaps, overlapIn, overlaps } from "../filter/overlap";
import { openHopeless } from "../filter/prune-limits";
import { holdsTarget, neededMatches } from "../filter/recall";
import { openSieve, openSieves, sieve } from "../filter/sieve";
import { gather } from "../match/gather";
import { LANE_MEMORY } from "../match/lanes";
import { memoryLength } from "../match/query-sequence";
import { HALVES } from "../memory/narrow";
import { isBelowFloor } from "../memory/ranking";
import { holdsUnseen, unseenPositions } from "../score/kept";
import { expectShift, GREATEST_FREQUENCY, LONGEST_WAITING, openWaiting, settleAll, wait } from "./batches";
import { ASKING, COUNTING, consider, considerLater, openConsidering, RANKING } from "./consider";

let asking: bool = false;
/** Whether a single match keeps most models: then those are counted by their overlap alone, and put off. */
let single: bool = false;
let targeted: bool = false;
let sortMetric: u32 = 0;
/** Whether the models of the segment being looked through can wait to be matched together. */
let together: bool = false;
/** Of models of the segment being looked through, those with no greater overlap surely rank below the floor. */
let hopelessOverlap: u32 = 0;

/** Counts all kept models; those that can be predictions survive or are put off. */
export function findCandidates(): void {
  lookThroughAll(COUNTING);
}

/** Stops when one is surely a prediction, and answers whether; none is put off. */
export function findAnyCandidate(): bool {
  lookThroughAll(ASKING);
  return surelyPassed();
}

/** Looks at all candidates once more, when all kept models are counted, and ranks those that are predictions. */
export function findFinalists(): void {
  lookThroughAll(RANKING);
}

function lookThroughAll(purpose: u32): void {
  asking = purpose === ASKING;
  single = purpose === COUNTING && liveModels() > 0 && neededMatches(averageLength()) === 1;
  sortMetric = load<u32>(query, QUERY_SORT_METRIC);
  targeted = load<u32>(query, QUERY_HAS_TARGET) !== 0;
  openConsidering(purpose);
  openHopeless();
  openWaiting();
  const all = areNearlyAllCandidates();
  if (!all) {
    openOverlaps();
    openSieves();
  }
  for (let number: u32 = 0; number < segmentCount() && !(asking && surelyPassed()); number++) {
    chooseMatching(number);
    if (all) {
      lookAtAll(number);
    } else if (collectOverlaps(number * SEGMENT_SLOTS)) {
      lookThrough(number);
    }
  }
  settleAll();
}

/** Whether models have, on the average, clearly more symbols in common with memory than it takes to keep them. */
function areNearlyAllCandidates(): bool {
  const models = liveModels();
  return (
    memoryLength() <= LANE_MEMORY &&
    models > 0 &&
    <f64>entriesAbout() > <f64>models * (<f64>neededMatches(averageLength()) + 0.5)
  );
}

/** One that is asked for will likely be found among the first: there is no need to wait for sixteen. */
function chooseMatching(number: u32): void {
  const shift = load<u8>(segmentAt(number), SYMBOL_SHIFT);
  together = memoryLength() <= LANE_MEMORY && shift <= HALVES && !(asking && number === 0);
  if (together) {
    expectShift(shift);
  }
}

/** Takes every model of a segment for a candidate. */
function lookAtAll(number: u32): void {
  const segment = segmentAt(number);
  const count = load<u32>(segment, COUNT);
  let start: u32 = 0;
  for (let place: u32 = 0; place < count && !(asking && surelyPassed()); place++) {
    const end = symbolStart(segment, place + 1);
    const frequency = frequencyUpTo(segment, place, GREATEST_FREQUENCY + 1);
    if (takesPart(segment, place, frequency)) {
      lookAtUnknown(segment, number * SEGMENT_SLOTS + place, start, end - start, frequency);
    }
    start = end;
  }
}

/** Looks at the models of a segment whose overlap lets them be kept. */
function lookThrough(number: u32): void {
  const segment = segmentAt(number);
  const count = load<u32>(segment, COUNT);
  findHopelessOverlap(segment);
  openSieve(segment, count);
  for (let from: u32 = 0; from < count; from += 16) {
    for (let places = sieve(from); places !== 0; places &= places - 1) {
      const place = from + ctz<u32>(places);
      if (place < count) {
        lookAt(segment, number * SEGMENT_SLOTS + place, place);
      }
    }
    if (asking && surelyPassed()) {
      return;
    }
  }
}

function lookAt(segment: usize, slot: u32, place: u32): void {
  const start = symbolStart(segment, place);
  const length = symbolStart(segment, place + 1) - start;
  const needed = neededMatches(length);
  const word = load<u32>(overlaps + ((<usize>place) << 2));
  const frequency = frequencyUpTo(segment, place, GREATEST_FREQUENCY + 1);
  if (overlapIn(word) >= needed && takesPart(segment, place, frequency)) {
    if (single && needed === 1) {
      considerLater(slot, segment, place, overlapIn(word), holdsUnseen(word), onlyClass(place));
    } else if (canWait(length, frequency)) {
      wait(slot, symbolsOf(segment, start), length, frequency);
    } else {
      lookAtOverlap(slot, word);
    }
  }
}

/** Whether the model is live and of the target. */
function takesPart(segment: usize, place: u32, frequency: u32): bool {
  return frequency !== 0 && (!targeted || holdsTarget(segment, place));
}

function canWait(length: u32, frequency: u32): bool {
  return together && length <= LONGEST_WAITING && frequency <= GREATEST_FREQUENCY;
}

/** The address of the symbols that start at the segment's symbol `start`. */
function symbolsOf(segment: usize, start: u32): usize {
  return <usize>load<u32>(segment, SYMBOLS) + ((<usize>start) << load<u8>(segment, SYMBOL_SHIFT));
}

/** Looks at a model without knowing what it has in common with memory. */
function lookAtUnknown(segment: usize, slot: u32, start: u32, length: u32, frequency: u32): void {
  if (canWait(length, frequency)) {
    wait(slot, symbolsOf(segment, start), length, frequency);
  } else if (gather(segment, start, length) > 0) {
    consider(slot, memoryLength(), unseenPositions() !== 0, false, 0);
  }
}

/** Considers a model whose overlap is known by itself. */
function lookAtOverlap(slot: u32, word: u32): void {
  const overlap = overlapIn(word);
  consider(slot, overlap, holdsUnseen(word), overlap <= hopelessOverlap, onlyClass(placeOf(slot)));
}

function findHopelessOverlap(segment: usize): void {
  const length = load<u32>(segment, SHORTEST_MODEL);
  const event = load<u32>(segment, SHORTEST_EVENT);
  hopelessOverlap = 0;
  while (
    hopelessOverlap < memoryLength() &&
    isBelowFloor(highestByOverlap(sortMetric, hopelessOverlap + 1, length, event))
  ) {
    hopelessOverlap++;
  }
}
