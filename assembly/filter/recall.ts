/** Rules 0 and 1: which models take part, and how many of their symbols must match for the recall threshold to keep them. */

import { QUERY_RECALL_THRESHOLD, QUERY_TARGET } from "../abi/layout";
import { query } from "../abi/query";
import { eventLength, eventStart, symbolAt, symbolStart } from "../corpus/segment";
import { memoryLength } from "../match/query-sequence";

/** For models of fewer symbols than this, what {@link neededMatches} answers. */
const TABLE_LENGTHS: u32 = 1024;
const table: usize = memory.data(4096, 8);

/** Prepares for models of up to `longest` symbols. */
export function openRecall(longest: u32): void {
  for (let length: u32 = 1; length <= min(longest, TABLE_LENGTHS - 1); length++) {
    store<u32>(table + ((<usize>length) << 2), computeNeeded(length));
  }
}

/** The least number of matches, 1 or more, that keeps a model of `length` symbols; more than `length` when none does. */
export function neededMatches(length: u32): u32 {
  return length < TABLE_LENGTHS ? load<u32>(table + ((<usize>length) << 2)) : computeNeeded(length);
}

/** Whether the last event of the model at a place holds the target, which there is. */
export function holdsTarget(segment: usize, place: u32): bool {
  const end = symbolStart(segment, place + 1);
  const target = load<u32>(query, QUERY_TARGET);
  for (let at = end - eventLength(segment, eventStart(segment, place + 1) - 1); at < end; at++) {
    if (symbolAt(segment, at) === target) {
      return true;
    }
  }
  return false;
}

/** Starts from an estimate and moves to where the very comparison of rule 1 changes its answer. */
function computeNeeded(length: u32): u32 {
  const total = <f64>(length + memoryLength());
  const threshold = load<f64>(query, QUERY_RECALL_THRESHOLD);
  let needed = max<u32>(1, <u32>((threshold * total) / 2));
  while (needed > 1 && (2 * <f64>(needed - 1)) / total >= threshold) {
    needed--;
  }
  while ((2 * <f64>needed) / total < threshold) {
    needed++;
  }
  return needed;
}
