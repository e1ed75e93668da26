/**
 * Looks at every model that has a symbol in common with memory, counts those that the recall threshold keeps, and hands on those that
 * can be among the predictions.
 *
 * Each step lets go only what cannot matter, and says so exactly:
 * - A model whose overlap is below the matches that the threshold needs is not kept: no matching matches more than the overlap.
 * - A model that surely ranks below the floor needs no score, only the answer whether it is kept: matching stops once it has enough.
 * - When one match is enough, the overlap alone answers that, because a common symbol is a common block. Such a model is counted at
 *   once and put off until all kept models are counted, when its metrics can be bounded best.
 * - While memory has a symbol that no kept model was seen to have in its present, models that hold it are matched in full, so that
 *   what is seen is complete in the end.
 */

import { assess, surelyPassed } from "./assess";
import { highestByOverlap, highestPotential, highestPotentialMatched } from "./bound";
import { rankMatched } from "./final";
import { countKept, holdsUnseen, seePresent } from "./kept";
import { POTENTIAL, QUERY_HAS_TARGET, QUERY_SORT_METRIC } from "./layout";
import { finishMatch, isQuickToFinish, matchAll, matchesAtLeast, startMatch } from "./match";
import { memoryLength } from "./memory-sequence";
import { blocks, firstPosition, lastPosition, matched } from "./outcome";
import { collectOverlaps, onlyClass, overlapIn, overlaps } from "./overlap";
import { findPresent } from "./present";
import { putOff, putOffSingle } from "./put-off";
import { query } from "./query";
import { isBelowFloor, reachesRanking } from "./rank";
import { holdsTarget, neededMatches } from "./recall";
import {
  COUNT,
  frequencyAt,
  SEGMENT_SLOTS,
  SHORTEST_EVENT,
  SHORTEST_MODEL,
  segmentAt,
  segmentCount,
  symbolStart,
} from "./segment";

/** What to do with a model that is kept: let it survive, or do so only until one is surely a prediction, or rank it exactly. */
const COUNTING: u32 = 0;
const ASKING: u32 = 1;
const RANKING: u32 = 2;

let purpose: u32 = COUNTING;
let targeted: bool = false;
let sortMetric: u32 = 0;
/** The model being considered: where its symbols start, and how many they are. */
let modelStart: u32 = 0;
let modelLength: u32 = 0;
/** Of models of the segment being looked through, those with no greater overlap surely rank below the floor. */
let hopelessOverlap: u32 = 0;

/** Counts all kept models; those that can be predictions survive or are put off. */
export function findCandidates(): void {
  purpose = COUNTING;
  lookThroughAll();
}

/** Stops when one is surely a prediction, and answers whether; none is put off. */
export function findAnyCandidate(): bool {
  purpose = ASKING;
  lookThroughAll();
  return surelyPassed();
}

/** Looks at all candidates once more, when all kept models are counted, and ranks those that are predictions. */
export function findFinalists(): void {
  purpose = RANKING;
  lookThroughAll();
}

function lookThroughAll(): void {
  sortMetric = load<u32>(query, QUERY_SORT_METRIC);
  targeted = load<u32>(query, QUERY_HAS_TARGET) !== 0;
  for (let number: u32 = 0; number < segmentCount(); number++) {
    if (collectOverlaps(number * SEGMENT_SLOTS)) {
      lookThrough(number);
    }
    if (purpose === ASKING && surelyPassed()) {
      return;
    }
  }
}

function lookThrough(number: u32): void {
  const segment = segmentAt(number);
  const count = load<u32>(segment, COUNT);
  findHopelessOverlap(segment);
  for (let place: u32 = 0; place < count; place += 4) {
    if (v128.any_true(v128.load(overlaps + ((<usize>place) << 2)))) {
      lookAtFour(segment, number * SEGMENT_SLOTS, place, min(place + 4, count));
      if (purpose === ASKING && surelyPassed()) {
        return;
      }
    }
  }
}

function lookAtFour(segment: usize, base: u32, from: u32, to: u32): void {
  for (let place = from; place < to; place++) {
    const word = load<u32>(overlaps + ((<usize>place) << 2));
    if (word !== 0) {
      modelStart = symbolStart(segment, place);
      modelLength = symbolStart(segment, place + 1) - modelStart;
      const needed = neededMatches(modelLength);
      if (overlapIn(word) >= needed && takesPart(segment, place)) {
        consider(segment, place, base + place, word, needed);
      }
    }
  }
}

/** Whether the model is live and of the target. */
function takesPart(segment: usize, place: u32): bool {
  return frequencyAt(segment, place) !== 0 && (!targeted || holdsTarget(segment, place));
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

function consider(segment: usize, place: u32, slot: u32, word: u32, needed: u32): void {
  if (needed === 1 && purpose === COUNTING) {
    considerLater(segment, place, slot, word);
    return;
  }
  const overlap = overlapIn(word);
  const run = startMatch(segment, modelStart, modelLength);
  const event = load<u32>(segment, SHORTEST_EVENT);
  const hopeless =
    overlap <= hopelessOverlap ||
    (!isQuickToFinish() && !canReach(slot, highestPotential(overlap, run, needed, modelLength, event)));
  const see = purpose !== RANKING && holdsUnseen(word);
  if (!hopeless || see) {
    keep(segment, place, slot, needed, see);
  } else if (purpose !== RANKING && matchesAtLeast(needed)) {
    countKept(frequencyAt(segment, place));
  }
}

/** Counts a model that one match keeps, and puts it off. */
function considerLater(segment: usize, place: u32, slot: u32, word: u32): void {
  countKept(frequencyAt(segment, place));
  if (holdsUnseen(word)) {
    matchAll(segment, place);
    findPresent(segment, place, firstPosition(), lastPosition());
    seePresent(segment, place);
  }
  const overlap = overlapIn(word);
  const only = onlyClass(place);
  if (overlap === 1 && only !== 0) {
    putOffSingle(slot, only);
  } else {
    putOff(slot, overlap);
  }
}

/** Whether a model of at most this potential can rank at the floor or above. */
function canReach(slot: u32, potential: f64): bool {
  return sortMetric !== POTENTIAL || reachesRanking(potential, slot);
}

/** Finishes the model started; if the threshold keeps it, sees its present, if that is asked, and hands it on, if that can matter. */
function keep(segment: usize, place: u32, slot: u32, needed: u32, see: bool): void {
  finishMatch(u32.MAX_VALUE);
  if (matched() < needed) {
    return;
  }
  if (purpose !== RANKING) {
    countKept(frequencyAt(segment, place));
  }
  const span = max(lastPosition() - firstPosition() + 1, load<u32>(segment, SHORTEST_EVENT));
  const reaches = canReach(slot, highestPotentialMatched(matched(), blocks(), modelLength, span));
  if (!reaches && !see) {
    return;
  }
  findPresent(segment, place, firstPosition(), lastPosition());
  if (purpose === RANKING) {
    rankMatched(segment, place, slot);
    return;
  }
  seePresent(segment, place);
  assess(segment, place, slot);
}
