/**
 * Whether a query has any prediction. Much less work than finding them: the model found last is examined first, for a
 * memory that grew only what its growth can affect is examined, and the first model that surely passes ends the search.
 */

import { HAS_PREDICTION, NO_PREDICTION, NUMBER_OF_BLOCKS, query, UNDECIDED } from "../abi/layout";
import { slotOf } from "../corpus/corpus";
import { idAt, lengthAt, placeOf, segmentOf, symbolStart } from "../corpus/segment";
import { holdsTarget } from "../filter/recall";
import { beginSurvivors, passedSlot, surelyPassed } from "../filter/survivors";
import { CONFIDENCE, EVIDENCE, FRAGMENTATION, POTENTIAL, SIMILARITY, SNR } from "../gen/metrics";
import { gather } from "../match/gather";
import { LANE_POSITIONS } from "../match/lanes";
import { SHORT_POSITIONS } from "../match/match-short";
import { queryLength } from "../match/query-sequence";
import { beginSteps, isOutOfSteps } from "../match/steps";
import { rankedCount, rankedNumber } from "../memory/ranking";
import { passOverCandidates } from "./candidates";
import { considerAlone } from "./consider";
import { findKept, keeps, lacksLength, noneFor } from "./growing";
import { endQuery, prepare, rankRemaining } from "./predict";
import { isStillKept } from "./still-kept";

let found: f64 = 0;
let none: f64 = 0;

/**
 * Whether {@link predict} would find any: NO_PREDICTION, HAS_PREDICTION or UNDECIDED. {@link endQuery} must follow. No
 * model is deferred, so that the pass can stop early. With `glance`, examines only the model found last.
 */
export function predictsAny(glance: bool): u32 {
  found = 0;
  none = 0;
  beginSteps(query.steps);
  prepare(1, false);
  const slot = findAny(glance);
  if (isOutOfSteps()) {
    return UNDECIDED;
  }
  if (slot < 0) {
    return glance && none === 0 ? UNDECIDED : NO_PREDICTION;
  }
  found = idAt(segmentOf(slot), placeOf(slot));
  return HAS_PREDICTION;
}

/** The id of the model that {@link predictsAny} found, 0 for none. */
export function foundModel(): f64 {
  return found;
}

/**
 * Number of further symbols during which there is no prediction, if memory does not get shorter and {@link predictsAny}
 * found none; 0 if unknown.
 */
export function noneForSymbols(): f64 {
  return none;
}

/** The slot of a prediction; -1 for none. */
function findAny(glance: bool): i32 {
  none = <f64>lacksLength();
  if (none > 0) {
    return -1;
  }
  const last = slotOf(query.hint);
  if (last >= 0 && passesAgain(last)) {
    return last;
  }
  if (glance) {
    return -1;
  }
  if (queryLength() > LANE_POSITIONS) {
    const kept = findKept();
    if (isOutOfSteps()) {
      return -1;
    }
    if (kept < 0) {
      none = noneFor();
      return -1;
    }
    if (everyKeptPasses()) {
      return kept;
    }
    beginSurvivors(1);
  }
  return findAmongAll();
}

/** Whether the model found last is still surely a prediction. */
function passesAgain(slot: u32): bool {
  if (everyKeptPasses()) {
    return queryLength() > SHORT_POSITIONS ? isStillKept(slot) : keeps(slot);
  }
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  const takesPart = query.hasTarget === 0 || holdsTarget(segment, place);
  if (!takesPart || gather(segment, symbolStart(segment, place), lengthAt(segment, place)) === 0) {
    return false;
  }
  considerAlone(slot, queryLength(), true, false);
  if (surelyPassed()) {
    return true;
  }
  // The pass over all models counts it again, so forget what was counted.
  endQuery();
  prepare(1, false);
  return false;
}

/** One pass over all models, until one is surely a prediction. */
function findAmongAll(): i32 {
  passOverCandidates(true);
  if (surelyPassed()) {
    return passedSlot();
  }
  rankRemaining(1);
  return !isOutOfSteps() && rankedCount() > 0 ? <i32>rankedNumber(0) : -1;
}

/**
 * Whether the prediction threshold excludes nothing: it is a minimum of at most 0 for a metric that is greater for
 * every match.
 */
function everyKeptPasses(): bool {
  return query.thresholdAtLeast !== 0 && query.threshold <= 0 && isNeverBelowZero(query.thresholdMetric);
}

function isNeverBelowZero(metric: u32): bool {
  switch (metric) {
    case CONFIDENCE:
    case EVIDENCE:
    case FRAGMENTATION:
    case NUMBER_OF_BLOCKS:
    case POTENTIAL:
    case SIMILARITY:
    case SNR:
      return true;
    default:
      return false;
  }
}
