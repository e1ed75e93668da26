/**
 * One candidate by itself: whether the recall threshold keeps it, and whether it can be among the predictions.
 *
 * Each step lets go only what cannot matter, and says so exactly:
 * - A model that surely ranks below the floor needs no score, only the answer whether it is kept: matching stops once it has enough.
 * - When one match is enough, a common symbol alone answers that, because it is a common block. Such a model is counted at once and
 *   put off until all kept models are counted, when its metrics can be bounded best.
 * - While memory has a symbol that no kept model was seen to have in its present, models that hold it are matched in full, so that
 *   what is seen is complete in the end.
 */

import { POTENTIAL, QUERY_SORT_METRIC } from "../abi/layout";
import { query } from "../abi/query";
import { frequencyAt, lengthAt, placeOf, SHORTEST_EVENT, segmentOf, symbolStart } from "../corpus/segment";
import { assess } from "../filter/assess";
import { highestPotential, highestPotentialMatched } from "../filter/bound";
import { neededMatches } from "../filter/recall";
import { finishMatch, isQuickToFinish, matchAll, matchesAtLeast, startMatch } from "../match/match";
import { blocks, firstPosition, lastPosition, matched } from "../match/outcome";
import { findPresent } from "../match/present";
import { reachesRanking } from "../memory/ranking";
import { countKept, seePresent } from "../score/kept";
import { putOff, putOffOnly } from "./deferred";
import { rankFound, rankMatched } from "./rescore";

/** What to do with a model that is kept: let it survive, or do so only until one is surely a prediction, or rank it exactly. */
export const COUNTING: u32 = 0;
export const ASKING: u32 = 1;
export const RANKING: u32 = 2;

let purpose: u32 = COUNTING;
let sortMetric: u32 = 0;

/** Says what is to be done with the models considered from now on. */
export function openConsidering(what: u32): void {
  purpose = what;
  sortMetric = load<u32>(query, QUERY_SORT_METRIC);
}

/** What is done with models that are kept. */
export function considersFor(): u32 {
  return purpose;
}

/**
 * Considers a live model of the target that has at least one and at most `overlap` symbols in common with memory. `see` says that its
 * present may have to be seen, `hopeless` that it surely ranks below the floor, and `only`, if it is not 0, the class whose symbol is
 * all that the model has in common with memory, once.
 */
export function consider(slot: u32, overlap: u32, see: bool, hopeless: bool, only: u32): void {
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  const length = lengthAt(segment, place);
  const needed = neededMatches(length);
  if (needed === 1 && purpose === COUNTING) {
    considerLater(slot, segment, place, overlap, see, only);
    return;
  }
  const run = startMatch(segment, symbolStart(segment, place), length);
  const event = load<u32>(segment, SHORTEST_EVENT);
  const mustSee = see && purpose !== RANKING;
  if (mustSee || !(hopeless || isHopeless(slot, overlap, run, needed, length, event))) {
    keep(slot, needed, length, event, mustSee);
  } else if (purpose !== RANKING && matchesAtLeast(needed)) {
    countKept(frequencyAt(segment, place));
  }
}

/** The same for a model that is kept and counted already, and whose present need not be seen. */
export function considerCounted(slot: u32): void {
  matchAll(segmentOf(slot), placeOf(slot));
  considerFound(slot);
}

/** The same when it is the model matched last. */
export function considerFound(slot: u32): void {
  if (purpose === RANKING) {
    rankFound(slot);
    return;
  }
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  findPresent(segment, place, firstPosition(), lastPosition());
  seePresent(segment, place);
  assess(segment, place, slot);
}

/** Whether the model started surely ranks below the floor. One that is quick to finish is finished first. */
function isHopeless(slot: u32, overlap: u32, run: u32, needed: u32, length: u32, event: u32): bool {
  return !isQuickToFinish() && !canReach(slot, highestPotential(overlap, run, needed, length, event));
}

/** Counts a model that one match keeps, and puts it off. The parameters are those of {@link consider}, and where the model is. */
export function considerLater(slot: u32, segment: usize, place: u32, overlap: u32, see: bool, only: u32): void {
  countKept(frequencyAt(segment, place));
  if (see) {
    matchAll(segment, place);
    findPresent(segment, place, firstPosition(), lastPosition());
    seePresent(segment, place);
  }
  if (overlap === 1 && only !== 0) {
    putOffOnly(slot, only);
  } else {
    putOff(slot, overlap);
  }
}

/** Whether a model of at most this potential can rank at the floor or above. */
function canReach(slot: u32, potential: f64): bool {
  return sortMetric !== POTENTIAL || reachesRanking(potential, slot);
}

/** Finishes the model started; if the threshold keeps it, sees its present, if that is asked, and hands it on, if that can matter. */
function keep(slot: u32, needed: u32, length: u32, event: u32, see: bool): void {
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  finishMatch(u32.MAX_VALUE);
  if (matched() < needed) {
    return;
  }
  if (purpose !== RANKING) {
    countKept(frequencyAt(segment, place));
  }
  const span = max(lastPosition() - firstPosition() + 1, event);
  const reaches = canReach(slot, highestPotentialMatched(matched(), blocks(), length, span));
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
