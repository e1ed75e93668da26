/**
 * Ratcliff-Obershelp matching of one model with the query, by difflib's rules: the longest common block, among equals
 * the earliest in the model and then in the query, then the same on both sides of it. Chooses the matcher; all matchers
 * find the same.
 */

import {
  countAnswer,
  DECIDED_BY_LANE_SINGLES,
  DECIDED_BY_LONGEST_BLOCK,
  MATCHED_LANE_SINGLES,
  MATCHED_LANES_THEN_SHORT,
  MATCHED_LONG,
  MATCHED_SHORT,
} from "../abi/trace";
import { lengthAt, Segment, symbolAddress, symbolStart } from "../corpus/segment";
import { HALVES } from "../memory/narrow";
import { beginGathering, gather } from "./gather";
import { LANE_POSITIONS } from "./lanes";
import { beginLanes, hasMoreThanBest, laneSinglesReach, MAX_LANES, matchLaneSingles, startLanes } from "./match-lanes";
import { beginLong, finishLong, startLong } from "./match-long";
import { beginShort, finishShort, SHORT_POSITIONS, startShort, takeLanes } from "./match-short";
import { beginOutcome, clearOutcome, matched } from "./outcome";
import { beginQuerySequence, queryLength } from "./query-sequence";

/** Whether the model started is in lanes. */
let inLanes: bool = false;
/** The length of its longest block. */
let run: u32 = 0;

/**
 * Prepares this room for a query of `count` symbols at `input`. Computes the class of each symbol first, because all
 * tables depend on it.
 */
export function beginMatching(input: usize, count: u32): void {
  beginQuerySequence(input, count);
  beginGathering();
  beginOutcome(count);
  if (count <= LANE_POSITIONS) {
    beginLanes();
  }
  if (count <= SHORT_POSITIONS) {
    beginShort();
  } else {
    beginLong();
  }
}

/**
 * Starts with the model whose `count` symbols begin at the segment's symbol `from`; it has a symbol in common with the
 * query. Returns the length of its longest block.
 */
export function startMatch(segment: Segment, from: u32, count: u32): u32 {
  const shift: u32 = segment.symbolShift;
  inLanes = queryLength() <= LANE_POSITIONS && shift <= HALVES && count <= MAX_LANES;
  if (inLanes) {
    run = startLanes(symbolAddress(segment, from), shift, count);
  } else {
    const gathered = gather(segment, from, count);
    run = queryLength() <= SHORT_POSITIONS ? startShort(gathered) : startLong(gathered);
  }
  return run;
}

/** Whether finishing the model started costs less than bounding its potential, because one pass over lanes suffices. */
export function isQuickToFinish(): bool {
  return inLanes && run === 1;
}

/** Whether at least `needed` symbols of the model started match. Leaves the outcome undefined. */
export function matchesAtLeast(needed: u32): bool {
  if (run >= needed) {
    return true;
  }
  if (inLanes && run === 1) {
    countAnswer(DECIDED_BY_LANE_SINGLES);
    return laneSinglesReach(needed);
  }
  if (inLanes && run + 1 === needed) {
    countAnswer(DECIDED_BY_LONGEST_BLOCK);
    return hasMoreThanBest();
  }
  finishMatch(needed);
  return matched() >= needed;
}

/** Finds the blocks of the model started, until `enough` symbols have matched. The outcome holds their sums. */
export function finishMatch(enough: u32): void {
  clearOutcome(false);
  finish(enough);
}

/**
 * Matches the model at a place in full; it has a symbol in common with the query. The outcome
 * holds the sums of its blocks.
 */
export function matchAll(segment: Segment, place: u32): void {
  startMatch(segment, symbolStart(segment, place), lengthAt(segment, place));
  finishMatch(u32.MAX_VALUE);
}

/** {@link matchAll}, which also lists the blocks for {@link findPartners}. */
export function matchAndList(segment: Segment, place: u32): void {
  startMatch(segment, symbolStart(segment, place), lengthAt(segment, place));
  clearOutcome(true);
  finish(u32.MAX_VALUE);
}

function finish(enough: u32): void {
  if (queryLength() > SHORT_POSITIONS) {
    countAnswer(MATCHED_LONG);
    finishLong(enough);
  } else if (!inLanes) {
    countAnswer(MATCHED_SHORT);
    finishShort(enough);
  } else if (run === 1) {
    countAnswer(MATCHED_LANE_SINGLES);
    matchLaneSingles();
  } else {
    countAnswer(MATCHED_LANES_THEN_SHORT);
    takeLanes(run);
    finishShort(enough);
  }
}
