/**
 * Looks at every model that has a symbol in common with memory, counts those that the recall threshold keeps, and hands on those that
 * can be among the predictions.
 *
 * Each step lets go only what cannot matter, and says so exactly:
 * - A model whose overlap is below the matches that the threshold needs is not kept: no matching matches more than the overlap.
 * - A model that surely ranks below the floor needs no score, only the answer whether it is kept: matching stops once it has enough.
 *   When one match is enough, the overlap answers that, because a common symbol is a common block.
 * - While memory has a symbol that no kept model was seen to have in its present, models that hold it are matched in full (their
 *   overlap is marked), so that what is seen is complete in the end.
 */

import { highestByOverlap, highestByRun, highestOf, lowestOf } from "./bound";
import { rankExactly } from "./final";
import { countKept, seePresent } from "./kept";
import { QUERY_SORT_METRIC, QUERY_THRESHOLD, QUERY_THRESHOLD_AT_LEAST, QUERY_THRESHOLD_METRIC } from "./layout";
import { finishMatch, startMatch } from "./match";
import { firstPosition, lastPosition, matched } from "./outcome";
import { collectOverlaps, MARKED, overlaps } from "./overlap";
import { findPresent } from "./present";
import { query } from "./query";
import { reachesRanking } from "./rank";
import { holdsTarget, neededMatches } from "./recall";
import { closeModel, openModel } from "./score";
import { COUNT, frequencyAt, lengthAt, SEGMENT_SLOTS, SHORTEST_EVENT, segmentAt, segmentCount } from "./segment";
import { survive } from "./survivors";

const FAILS: u32 = 0;
const MAY_PASS: u32 = 1;
const PASSES: u32 = 2;

let sortMetric: u32 = 0;
let stopAtFirst: bool = false;
let finals: bool = false;
let passed: bool = false;

/** Looks at all candidates. With `any`, stops at the first that is surely a prediction and answers `true`. */
export function findCandidates(any: bool): bool {
  finals = false;
  stopAtFirst = any;
  lookThroughAll();
  return passed;
}

/** Looks at all candidates once more, when all kept models are counted, and ranks those that are predictions. */
export function findFinalists(): void {
  finals = true;
  stopAtFirst = false;
  lookThroughAll();
}

function lookThroughAll(): void {
  sortMetric = load<u32>(query, QUERY_SORT_METRIC);
  passed = false;
  for (let number: u32 = 0; number < segmentCount() && !(stopAtFirst && passed); number++) {
    if (collectOverlaps(number * SEGMENT_SLOTS)) {
      lookThrough(number);
    }
  }
}

function lookThrough(number: u32): void {
  const segment = segmentAt(number);
  const count = load<u32>(segment, COUNT);
  for (let place: u32 = 0; place < count; place += 4) {
    if (v128.any_true(v128.load(overlaps + ((<usize>place) << 2)))) {
      for (let at = place; at < min(place + 4, count); at++) {
        const overlap = load<u32>(overlaps + ((<usize>at) << 2));
        if (overlap !== 0 && frequencyAt(segment, at) > 0) {
          consider(segment, at, number * SEGMENT_SLOTS + at, overlap);
        }
        if (stopAtFirst && passed) {
          return;
        }
      }
    }
  }
}

function consider(segment: usize, place: u32, slot: u32, markedOverlap: u32): void {
  const overlap = markedOverlap & ~MARKED;
  const length = lengthAt(segment, place);
  const needed = neededMatches(length);
  if (overlap < needed || !holdsTarget(segment, place)) {
    return;
  }
  const marked = markedOverlap !== overlap;
  const shortest = load<u32>(segment, SHORTEST_EVENT);
  let hopeless = !marked && !reachesRanking(highestByOverlap(sortMetric, overlap, length, shortest), slot);
  if (hopeless && needed === 1) {
    if (!finals) {
      countKept(frequencyAt(segment, place));
    }
    return;
  }
  const run = startMatch(segment, place);
  hopeless = hopeless || (!marked && !reachesRanking(highestByRun(sortMetric, overlap, run, length, shortest), slot));
  if (!hopeless || run < needed) {
    finishMatch(hopeless ? needed : u32.MAX_VALUE);
    if (matched() < needed) {
      return;
    }
  }
  if (finals) {
    if (!hopeless) {
      rankExactly(slot);
    }
    return;
  }
  countKept(frequencyAt(segment, place));
  if (!hopeless) {
    findPresent(segment, place, firstPosition(), lastPosition());
    if (marked) {
      seePresent(segment, place);
    }
    assess(segment, place, slot);
  }
}

/** Hands on a kept model, matched in full, if it can be a prediction as far as is known by now. */
function assess(segment: usize, place: u32, slot: u32): void {
  openModel(segment, place);
  const frequency = frequencyAt(segment, place);
  const verdict = judge(frequency);
  if (verdict !== FAILS) {
    passed = passed || verdict === PASSES;
    const highest = highestOf(sortMetric);
    if (reachesRanking(highest, slot)) {
      survive(slot, highest, frequency, verdict === PASSES);
    }
  }
  closeModel();
}

/** Whether the model passes the prediction threshold; a metric that depends on the kept models is only bounded yet. */
function judge(frequency: f64): u32 {
  const metric = load<u32>(query, QUERY_THRESHOLD_METRIC);
  const threshold = load<f64>(query, QUERY_THRESHOLD);
  const highest = highestOf(metric);
  const lowest = lowestOf(metric, highest, frequency);
  const atLeast = load<u32>(query, QUERY_THRESHOLD_AT_LEAST) !== 0;
  if (atLeast ? highest < threshold : lowest > threshold) {
    return FAILS;
  }
  return (atLeast ? lowest >= threshold : highest <= threshold) ? PASSES : MAY_PASS;
}
