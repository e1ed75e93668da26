/**
 * Predictions from knowledge that is spread over several kernels. A first question computes the sums that the metrics
 * of each model depend on, and keeps the models that can still be predictions; a second one ranks these, once the sums
 * of all kernels are known.
 *
 * A kernel's own sums are never greater than the sums over all kernels. So a model that the first question's bounds
 * exclude is not a prediction, and a lower bound of a metric still holds.
 */

import { inputStart } from "../abi/input";
import { query } from "../abi/layout";
import { countAnswer, SECOND_PASS } from "../abi/trace";
import { restoreSurvivors, thinSurvivors, tooManySurvivors } from "../filter/survivors";
import { beginSteps, isOutOfSteps } from "../match/steps";
import { beginRanking, rankedCount, setFloor, sortRanking } from "../memory/ranking";
import { endKept, setKept } from "../score/kept";
import { passOverCandidates } from "./candidates";
import { endDeferring, restoreDeferred, tooManyDeferred } from "./deferred";
import { prepare, rankRemaining } from "./predict";

/**
 * Counts the kept models for the query, whose symbols are in the input. Afterwards the ranking holds the greatest lower
 * bounds of the sort metric among models that surely pass the prediction threshold. {@link endQuery} must follow.
 * @returns whether the survivors and the deferred models include all possible predictions; if not, they are useless
 */
export function sumUp(): bool {
  beginSteps(query.steps);
  prepare(query.maxPredictions, true);
  passOverCandidates(false);
  endKept();
  endDeferring();
  if (isOutOfSteps() || tooManySurvivors()) {
    return false;
  }
  thinSurvivors();
  return !tooManySurvivors() && !tooManyDeferred();
}

/**
 * Begins the second question, with the sums over all kernels. The input holds the symbols of the query, then a word for
 * each of them: whether the present of a kept model has it. {@link endQuery} must follow.
 * @param frequencies the sum of the frequencies of all kept models
 */
export function takeSums(frequencies: f64): void {
  beginSteps(query.steps);
  prepare(query.maxPredictions, false);
  setKept(frequencies, inputStart() + ((<usize>query.length) << 2));
}

/**
 * Ranks the predictions, in a pass over all candidates.
 * @param floor a minimum of the sort metric: no model below it is a prediction
 * @returns number of predictions
 */
export function rankAll(floor: f64): u32 {
  countAnswer(SECOND_PASS);
  setFloor(floor);
  beginRanking(query.maxPredictions);
  passOverCandidates(false);
  return ranked();
}

/**
 * {@link rankAll} for the models that an earlier question kept: after what {@link takeSums} reads, the input holds its
 * survivors, its deferred models that share one symbol, and those that match in single symbols.
 */
export function rankLeft(floor: f64, survivors: u32, shared: u32, singles: u32): u32 {
  setFloor(floor);
  const from = inputStart() + ((<usize>query.length) << 3);
  restoreSurvivors(from, survivors);
  restoreDeferred(from + survivors, shared, singles);
  rankRemaining(query.maxPredictions);
  return ranked();
}

function ranked(): u32 {
  setFloor(-Infinity);
  if (isOutOfSteps()) {
    return 0;
  }
  sortRanking();
  return rankedCount();
}
