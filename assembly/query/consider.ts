/**
 * One candidate by itself: whether the recall threshold keeps it, and whether it can be among the predictions.
 *
 * While kept models are being counted, a kept model is counted and survives if it can still be a prediction.
 * Afterwards, when all candidates are looked at a second time, it is ranked at once by its exact metrics. Each step
 * drops only what cannot matter:
 * - A model that surely ranks below the floor needs no score, only an answer whether it is kept: matching stops
 *   as soon as that is clear.
 * - While the query has a symbol that no present of a kept model was seen to have, models that hold it are matched in
 *   full, so that the symbols seen are complete in the end.
 */

import { query } from "../abi/layout";
import { frequencyAt, lengthAt, placeOf, Segment, segmentOf, symbolStart } from "../corpus/segment";
import { highestPotential, highestPotentialMatched } from "../filter/bound";
import { neededMatches } from "../filter/recall";
import { assess } from "../filter/survivors";
import { POTENTIAL } from "../gen/metrics";
import { finishMatch, isQuickToFinish, matchAll, matchesAtLeast, startMatch } from "../match/match";
import { blocks, firstPosition, lastPosition, matched } from "../match/outcome";
import { findPresent } from "../match/present";
import { reachesRanking } from "../memory/ranking";
import { countKept, isCounting, notePresent } from "../score/kept";
import { deferShared } from "./deferred";
import { rescoreMatched } from "./rescore";

/**
 * Considers a live model of the target that has at least one and at most `overlap` symbols in common with the query.
 * `see` means that its present may have a symbol not seen yet, `pruned` that it surely ranks below the floor.
 */
export function considerAlone(slot: u32, overlap: u32, see: bool, pruned: bool): void {
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  const length = lengthAt(segment, place);
  const needed = neededMatches(length);
  const run = startMatch(segment, symbolStart(segment, place), length);
  if (!see && (pruned || isPruned(slot, overlap, run, needed, length, segment.shortestEvent))) {
    if (isCounting() && matchesAtLeast(needed)) {
      countKept(frequencyAt(segment, place));
    }
    return;
  }
  finishMatch(u32.MAX_VALUE);
  if (matched() >= needed) {
    countKept(frequencyAt(segment, place));
    const span = max(lastPosition() - firstPosition() + 1, segment.shortestEvent);
    if (see || canReach(slot, highestPotentialMatched(matched(), blocks(), length, span))) {
      considerKept(slot);
    }
  }
}

/** Considers the model matched last, which is kept and counted. */
export function considerKept(slot: u32): void {
  if (!isCounting()) {
    rescoreMatched(slot);
    return;
  }
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  findPresent(segment, place, firstPosition(), lastPosition());
  notePresent(segment, place);
  assess(segment, place, slot);
}

/**
 * Considers a model that one match keeps and that shares only the symbol of a class, once. The common
 * symbol is a common block, so the model is kept without being matched, unless its present must be seen. It
 * is counted and deferred.
 */
export function considerShared(slot: u32, segment: Segment, place: u32, number: u32, see: bool): void {
  countKept(frequencyAt(segment, place));
  if (see) {
    matchAll(segment, place);
    findPresent(segment, place, firstPosition(), lastPosition());
    notePresent(segment, place);
  }
  deferShared(slot, number);
}

/** Whether the model started surely ranks below the floor. A model that is quick to finish is finished instead. */
function isPruned(slot: u32, overlap: u32, run: u32, needed: u32, length: u32, event: u32): bool {
  return !isQuickToFinish() && !canReach(slot, highestPotential(overlap, run, needed, length, event));
}

/** Whether a model with at most this potential can reach the floor; true if another metric sorts. */
function canReach(slot: u32, potential: f64): bool {
  return query.sortMetric !== POTENTIAL || reachesRanking(potential, slot);
}
