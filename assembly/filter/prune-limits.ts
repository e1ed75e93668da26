/**
 * Prune limits: the number of matches up to which a batched model of a given length surely ranks below the floor. The
 * floor only rises, and so do the limits. They are refreshed only now and then, because outdated limits are safe: they
 * just prune less.
 */

import { longestModel, shortestEvent, shortestModel } from "../corpus/corpus";
import { MAX_STEPS, STEP_SYMBOLS } from "../match/batch-singles";
import { queryLength } from "../match/query-sequence";
import { isBelowRanking, rankedWorst } from "../memory/ranking";
import { highestMatched } from "./bound";
import { neededMatches } from "./recall";

/**
 * The limits for models of one length, in matches. Eight bytes, so that a batch can load needed and singles at once.
 */
@unmanaged
class Limits {
  /** Minimum that keeps the model. */
  needed: u16;
  /** Maximum that is surely below the floor if every match is a block of its own. */
  singles: u16;
  /** The same if there is one pair. */
  pairs: u16;
  unused: u16;
}

const LIMITS_BYTES: usize = offsetof<Limits>();
/** Length of the longest models that a batch can take. */
const LONGEST_BATCHED: u32 = MAX_STEPS * STEP_SYMBOLS;
/** By length, from 0 to the longest. */
const table: usize = memory.data((MAX_STEPS * STEP_SYMBOLS + 1) << 3, 8);
/** With a pair, a limit below this is not needed: a pair alone is one block and has a bound of its own. */
const MIN_WITH_PAIR: u32 = 3;

let floor: f64 = -Infinity;
/** Number of refreshes, and of those skipped since. */
let refreshes: u32 = 0;
let skipped: u32 = 0;

/** Prepares for a pass over all models, before anything kept is below the floor. */
export function beginPruneLimits(): void {
  floor = -Infinity;
  refreshes = 0;
  skipped = 0;
  for (let length = shortestModel(); length <= longestBatched(); length++) {
    const limits = limitsAt(length);
    const needed = min<u32>(neededMatches(length), i16.MAX_VALUE);
    limits.needed = <u16>needed;
    limits.singles = <u16>(needed - 1);
    limits.pairs = <u16>(max(needed, MIN_WITH_PAIR) - 1);
  }
}

/**
 * The maximum number of matches with which a kept model of `length` symbols surely ranks below the floor, if every
 * match is a block of its own; if there is none, less than it takes to be kept.
 */
export function singlesLimit(length: u32): u32 {
  return limitsAt(length).singles;
}

/** {@link singlesLimit} if one pair matches and every other match is a block of its own, for 3 matches or more. */
export function pairsLimit(length: u32): u32 {
  return limitsAt(length).pairs;
}

/** A word for models of a length: the matches needed to be kept, and in the upper half {@link singlesLimit}. */
export function neededAndSingles(length: u32): u32 {
  return load<u32>(changetype<usize>(limitsAt(length)));
}

/** Refreshes the limits if the floor has risen, at growing intervals. */
export function refreshNowAndThen(): void {
  if (rankedWorst() === floor) {
    return;
  }
  if (skipped < refreshes) {
    skipped++;
    return;
  }
  skipped = 0;
  refreshes++;
  refreshPruneLimits();
}

/** Refreshes the limits if the floor has risen. */
export function refreshPruneLimits(): void {
  if (rankedWorst() === floor) {
    return;
  }
  floor = rankedWorst();
  for (let length = shortestModel(); length <= longestBatched(); length++) {
    const limits = limitsAt(length);
    limits.singles = <u16>raised(limits.singles, length, 0);
    limits.pairs = <u16>raised(limits.pairs, length, 1);
  }
}

/** Raises a limit as far as the floor allows, for matches that form `less` blocks fewer than there are matches. */
function raised(limit: u32, length: u32, less: u32): u32 {
  const most = min(length, queryLength());
  let matches = limit;
  while (matches < most && isBelowRanking(highestMatched(matches + 1, matches + 1 - less, length, shortestEvent()))) {
    matches++;
  }
  return matches;
}

function longestBatched(): u32 {
  return min(longestModel(), LONGEST_BATCHED);
}

function limitsAt(length: u32): Limits {
  return changetype<Limits>(table + <usize>length * LIMITS_BYTES);
}
