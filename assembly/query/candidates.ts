/**
 * One pass over all candidates, the models that may match the query. If few models share symbols with it, the postings
 * tell which models do, and how many symbols: a model whose overlap is below the matches that the threshold needs is
 * not kept, because no matching matches more than the overlap. If nearly all models do, reading the postings costs more
 * than it saves, and every model is a candidate.
 */

import { query } from "../abi/layout";
import { averageLength, liveModels } from "../corpus/corpus";
import {
  frequencyUpTo,
  SEGMENT_SLOTS,
  Segment,
  segmentAt,
  segmentCount,
  symbolAddress,
  symbolStart,
} from "../corpus/segment";
import { highestByOverlap } from "../filter/bound";
import { beginOverlaps, collectOverlaps, entriesAbout, onlyClass, overlapIn, overlaps } from "../filter/overlap";
import { beginPruneLimits } from "../filter/prune-limits";
import { holdsTarget, neededMatches } from "../filter/recall";
import { beginSieve, beginSieveSegment, sieve } from "../filter/sieve";
import { surelyPassed } from "../filter/survivors";
import { gather } from "../match/gather";
import { LANE_POSITIONS } from "../match/lanes";
import { queryClasses, queryLength } from "../match/query-sequence";
import { countSteps, isOutOfSteps } from "../match/steps";
import { HALVES } from "../memory/narrow";
import { isBelowRanking } from "../memory/ranking";
import { holdsUnseen, unseenPositions } from "../score/kept";
import {
  addToBatch,
  beginBatches,
  expectSymbolShift,
  flushBatches,
  LONGEST_BATCHED,
  MAX_BATCHED_FREQUENCY,
} from "./batches";
import { considerAlone, considerShared } from "./consider";
import { mayDefer } from "./deferred";

/** Whether the pass stops as soon as one model is surely a prediction. */
let stopsEarly: bool = false;
/** Whether models of the current segment can be batched. */
let batching: bool = false;
/** Models of the current segment whose overlap is not greater than this surely rank below the floor. */
let prunedOverlap: u32 = 0;

/** Examines all candidates; with `stopEarly`, until one is surely a prediction. */
export function passOverCandidates(stopEarly: bool): void {
  stopsEarly = stopEarly;
  beginPruneLimits();
  beginBatches();
  const all = areNearlyAllCandidates();
  const segmentSteps = stepsPerSegment(all);
  if (!all) {
    beginOverlaps();
    beginSieve();
  }
  for (let number: u32 = 0; number < segmentCount() && !isDone(); number++) {
    chooseBatching(number);
    countSteps(segmentSteps);
    if (all) {
      lookAtAll(number);
    } else if (collectOverlaps(number * SEGMENT_SLOTS)) {
      lookAtOverlaps(number);
    }
  }
  flushBatches();
}

/** The cost of examining a segment: its symbols, or its share of the postings plus each class and slot. */
function stepsPerSegment(all: bool): u64 {
  if (all) {
    return <u64>SEGMENT_SLOTS * averageLength();
  }
  return <u64>SEGMENT_SLOTS + queryClasses() + entriesAbout() / max<u32>(segmentCount(), 1);
}

function isDone(): bool {
  return (stopsEarly && surelyPassed()) || isOutOfSteps();
}

/** Whether an average model has clearly more symbols in common with the query than it takes to keep it. */
function areNearlyAllCandidates(): bool {
  const models = liveModels();
  return (
    queryLength() <= LANE_POSITIONS &&
    models > 0 &&
    <f64>entriesAbout() > <f64>models * (<f64>neededMatches(averageLength()) + 0.5)
  );
}

/** If one prediction suffices, it is likely among the first models, so these do not wait for a full batch. */
function chooseBatching(number: u32): void {
  const shift: u32 = segmentAt(number).symbolShift;
  batching = queryLength() <= LANE_POSITIONS && shift <= HALVES && !(stopsEarly && number === 0);
  if (batching) {
    expectSymbolShift(shift);
  }
}

/** Examines every model of a segment. */
function lookAtAll(number: u32): void {
  const segment = segmentAt(number);
  const count = segment.count;
  let start: u32 = 0;
  for (let place: u32 = 0; place < count && !isDone(); place++) {
    const end = symbolStart(segment, place + 1);
    const frequency = frequencyUpTo(segment, place, MAX_BATCHED_FREQUENCY + 1);
    if (takesPart(segment, place, frequency)) {
      lookAtUnknown(segment, number * SEGMENT_SLOTS + place, start, end - start, frequency);
    }
    start = end;
  }
}

/** Examines a model whose overlap with the query is unknown. */
function lookAtUnknown(segment: Segment, slot: u32, start: u32, length: u32, frequency: u32): void {
  if (canBatch(length, frequency)) {
    addToBatch(slot, symbolAddress(segment, start), length, frequency);
  } else if (gather(segment, start, length) > 0) {
    considerAlone(slot, queryLength(), unseenPositions() !== 0, false);
  }
}

/** Examines the models of a segment whose overlap suffices to be kept. */
function lookAtOverlaps(number: u32): void {
  const segment = segmentAt(number);
  const count = segment.count;
  findPrunedOverlap(segment);
  beginSieveSegment(segment);
  for (let from: u32 = 0; from < count && !isDone(); from += 16) {
    for (let places = sieve(from); places !== 0; places &= places - 1) {
      const place = from + ctz<u32>(places);
      if (place < count) {
        lookAtOverlap(segment, number * SEGMENT_SLOTS + place, place);
      }
    }
  }
}

function lookAtOverlap(segment: Segment, slot: u32, place: u32): void {
  const start = symbolStart(segment, place);
  const length = symbolStart(segment, place + 1) - start;
  const needed = neededMatches(length);
  const word = load<u32>(overlaps + ((<usize>place) << 2));
  const overlap = overlapIn(word);
  const frequency = frequencyUpTo(segment, place, MAX_BATCHED_FREQUENCY + 1);
  if (overlap < needed || !takesPart(segment, place, frequency)) {
    return;
  }
  if (overlap === 1 && mayDefer() && onlyClass(place) !== 0) {
    considerShared(slot, segment, place, onlyClass(place), holdsUnseen(word));
  } else if (canBatch(length, frequency)) {
    addToBatch(slot, symbolAddress(segment, start), length, frequency);
  } else {
    considerAlone(slot, overlap, holdsUnseen(word), overlap <= prunedOverlap);
  }
}

/** Whether the model is live and of the target. */
function takesPart(segment: Segment, place: u32, frequency: u32): bool {
  return frequency !== 0 && (query.hasTarget === 0 || holdsTarget(segment, place));
}

function canBatch(length: u32, frequency: u32): bool {
  return batching && length <= LONGEST_BATCHED && frequency <= MAX_BATCHED_FREQUENCY;
}

function findPrunedOverlap(segment: Segment): void {
  const most = queryLength();
  prunedOverlap = 0;
  while (
    prunedOverlap < most &&
    isBelowRanking(highestByOverlap(query.sortMetric, prunedOverlap + 1, segment.shortestModel, segment.shortestEvent))
  ) {
    prunedOverlap++;
  }
}
