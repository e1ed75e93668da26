/**
 * Counts the models that each of many recall thresholds would keep. Every model of the target is matched as for
 * predictions; none is ranked.
 */

import { inputStart } from "../abi/input";
import { query } from "../abi/layout";
import { longestModel } from "../corpus/corpus";
import { frequencyUpTo, lengthAt, SEGMENT_SLOTS, Segment, segmentAt, segmentCount } from "../corpus/segment";
import { beginOverlaps, collectOverlaps, entriesAbout, overlapIn, overlaps } from "../filter/overlap";
import { beginRecall, holdsTarget, neededMatches } from "../filter/recall";
import { beginMatching, matchAll } from "../match/match";
import { matched } from "../match/outcome";
import { queryClasses, queryLength } from "../match/query-sequence";
import { beginSteps, countSteps, isOutOfSteps } from "../match/steps";

/**
 * The thresholds, as ascending doubles, followed by a double for each: the number of models that it keeps and the next
 * one does not.
 */
let thresholds: usize = 0;
let counts: usize = 0;
let thresholdCount: u32 = 0;

/**
 * Counts the models that thresholds keep. The input holds `count` thresholds, ascending doubles; as many doubles of 0;
 * and the symbols of the query. The threshold of the query block is the first of them. Afterwards, the second doubles
 * count the models that a threshold keeps and the next one does not. {@link endQuery} must follow.
 */
export function countMatching(count: u32): void {
  thresholdCount = count;
  thresholds = inputStart();
  counts = thresholds + ((<usize>count) << 3);
  beginSteps(query.steps);
  countSteps(query.length);
  beginMatching(counts + ((<usize>count) << 3), query.length);
  beginRecall(longestModel());
  beginOverlaps();
  const segmentSteps = <u64>SEGMENT_SLOTS + queryClasses() + entriesAbout() / max<u32>(segmentCount(), 1);
  for (let number: u32 = 0; number < segmentCount() && !isOutOfSteps(); number++) {
    countSteps(segmentSteps);
    if (collectOverlaps(number * SEGMENT_SLOTS)) {
      countSegment(segmentAt(number));
    }
  }
}

function countSegment(segment: Segment): void {
  const count = segment.count;
  for (let place: u32 = 0; place < count && !isOutOfSteps(); place++) {
    const overlap = overlapIn(load<u32>(overlaps + ((<usize>place) << 2)));
    if (overlap !== 0 && overlap >= neededMatches(lengthAt(segment, place)) && takesPart(segment, place)) {
      countModel(<f64>matchesOf(segment, place, overlap), <f64>(lengthAt(segment, place) + queryLength()));
    }
  }
}

/** Whether the model is live and of the target. */
function takesPart(segment: Segment, place: u32): bool {
  return frequencyUpTo(segment, place, 1) !== 0 && (query.hasTarget === 0 || holdsTarget(segment, place));
}

/** Number of matching symbols. A single common symbol is a block by itself, and needs no matching. */
function matchesOf(segment: Segment, place: u32, overlap: u32): u32 {
  if (overlap === 1) {
    return 1;
  }
  matchAll(segment, place);
  return matched();
}

/** Counts a model at the greatest threshold that keeps it, with the exact comparison of rule 1. */
function countModel(matches: f64, total: f64): void {
  const similarity = (2 * matches) / total;
  let low: u32 = 0;
  let high = thresholdCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (similarity >= load<f64>(thresholds + ((<usize>middle) << 3))) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low > 0) {
    const count = counts + ((<usize>(low - 1)) << 3);
    store<f64>(count, load<f64>(count) + 1);
  }
}
