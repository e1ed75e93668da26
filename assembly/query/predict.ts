/**
 * Answers a query: one pass over the candidates counts all kept models, then the remaining ones are scored exactly and
 * ranked.
 */

import { inputStart } from "../abi/input";
import { query } from "../abi/layout";
import { countAnswer, SECOND_PASS } from "../abi/trace";
import { longestModel } from "../corpus/corpus";
import { beginBounds } from "../filter/bound";
import { beginRecall } from "../filter/recall";
import { beginSurvivors, survivorCount, survivorSlot, thinSurvivors, tooManySurvivors } from "../filter/survivors";
import { beginMatching } from "../match/match";
import { endQuerySequence } from "../match/query-sequence";
import { beginSteps, countSteps, isOutOfSteps } from "../match/steps";
import { beginRanking, rankedCount, sortRanking } from "../memory/ranking";
import { endKept } from "../score/kept";
import { beginScoring } from "../score/score";
import { passOverCandidates } from "./candidates";
import { beginDeferred, endDeferring, tooManyDeferred } from "./deferred";
import { rankDeferred } from "./rank-deferred";
import { rescore } from "./rescore";

/**
 * Ranks the predictions for the query, whose symbols are in the input; returns their number. {@link endQuery} must
 * follow.
 */
export function predict(): u32 {
  beginSteps(query.steps);
  prepare(query.maxPredictions, true);
  passOverCandidates(false);
  rankRemaining(query.maxPredictions);
  if (isOutOfSteps()) {
    return 0;
  }
  sortRanking();
  return rankedCount();
}

/** Ends the query. */
export function endQuery(): void {
  endQuerySequence();
}

/**
 * Prepares the rooms from the bottom up: each step uses only what the previous steps prepared. `defer` tells whether
 * models may wait.
 */
export function prepare(wanted: u32, defer: bool): void {
  countSteps(query.length);
  beginMatching(inputStart(), query.length);
  beginScoring();
  beginBounds();
  beginRecall(longestModel());
  beginSurvivors(wanted);
  beginDeferred(defer);
}

/** Ranks the models that can still be predictions, once all kept models are counted. */
export function rankRemaining(wanted: u32): void {
  endKept();
  endDeferring();
  if (isOutOfSteps()) {
    return;
  }
  if (tooManySurvivors() || tooManyDeferred()) {
    countAnswer(SECOND_PASS);
    beginRanking(wanted);
    passOverCandidates(false);
    return;
  }
  thinSurvivors();
  beginRanking(wanted);
  for (let at: u32 = 0; at < survivorCount() && !isOutOfSteps(); at++) {
    rescore(survivorSlot(at));
  }
  rankDeferred();
}
