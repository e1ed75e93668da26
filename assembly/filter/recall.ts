/** Rules 0 and 1: which models take part, and the number of matches that the recall threshold requires. */

import { query } from "../abi/layout";
import { eventLength, eventStart, Segment, symbolAt, symbolStart } from "../corpus/segment";
import { queryLength } from "../match/query-sequence";

/** A word for each length below this: {@link neededMatches}. */
const TABLE_LENGTHS: i32 = 1024;
const table: usize = memory.data(TABLE_LENGTHS << 2, 8);

/** Prepares for models of up to `longest` symbols. */
export function beginRecall(longest: u32): void {
  for (let length: u32 = 1; length <= min<u32>(longest, TABLE_LENGTHS - 1); length++) {
    store<u32>(table + ((<usize>length) << 2), computeNeeded(length));
  }
}

/**
 * The minimum number of matches, 1 or more, that keeps a model of `length` symbols; more than `length` when none does.
 */
export function neededMatches(length: u32): u32 {
  return length < <u32>TABLE_LENGTHS ? load<u32>(table + ((<usize>length) << 2)) : computeNeeded(length);
}

/** Whether the last event of the model at a place holds the target; the query has one. */
export function holdsTarget(segment: Segment, place: u32): bool {
  const end = symbolStart(segment, place + 1);
  for (let at = end - eventLength(segment, eventStart(segment, place + 1) - 1); at < end; at++) {
    if (symbolAt(segment, at) === query.target) {
      return true;
    }
  }
  return false;
}

/** Starts from an estimate and moves to where the exact comparison of rule 1 changes its result. */
function computeNeeded(length: u32): u32 {
  const total = <f64>(length + queryLength());
  const threshold = query.recallThreshold;
  let needed = max<u32>(1, <u32>((threshold * total) / 2));
  while (needed > 1 && (2 * <f64>(needed - 1)) / total >= threshold) {
    needed--;
  }
  while ((2 * <f64>needed) / total < threshold) {
    needed++;
  }
  return needed;
}
