/**
 * Up to how many matches, each a block of its own, a model of some length surely ranks below the floor. The floor only rises, and so
 * do these numbers; they are brought up to date now and then, because old ones are only less sharp.
 */

import { longestModel, shortestEvent, shortestModel } from "../corpus/corpus";
import { MOST_STEPS, STEP } from "../match/batch-singles";
import { memoryLength } from "../match/query-sequence";
import { isBelowFloor, rankedWorst } from "../memory/ranking";
import { highestMatched } from "./bound";
import { neededMatches } from "./recall";

/** Longer models are not asked about: they can't be matched together. */
const LONGEST: u32 = MOST_STEPS * STEP;
/** Per length, halfwords: the matches that keep a model, the most that are hopeless in singles, the most with a pair. */
const table: usize = memory.data(1032, 8);
const SINGLES: usize = 2;
const PAIRED: usize = 4;
/** Fewer matches than these are not asked about when there is a pair: the pair alone is one block, and bounded by itself. */
const FEWEST_PAIRED: u32 = 3;

let floor: f64 = -Infinity;
/** How often the numbers were brought up to date, and how often not since. */
let updates: u32 = 0;
let skipped: u32 = 0;

/** Starts a query: nothing is hopeless that is kept. */
export function openHopeless(): void {
  floor = -Infinity;
  updates = 0;
  skipped = 0;
  for (let length = shortestModel(); length <= longestAsked(); length++) {
    const needed = min<u32>(neededMatches(length), i16.MAX_VALUE);
    store<u16>(entryOf(length), <u16>needed);
    store<u16>(entryOf(length), <u16>(needed - 1), SINGLES);
    store<u16>(entryOf(length), <u16>(max(needed, FEWEST_PAIRED) - 1), PAIRED);
  }
}

/**
 * The most matches with which a model of `length` symbols surely ranks below the floor when it is kept and no block of it is longer
 * than 1; less than it takes to be kept when there are none such.
 */
export function hopelessMatches(length: u32): u32 {
  return load<u16>(entryOf(length), SINGLES);
}

/** The same when a pair matches, and every other match is a block of its own; of 3 matches or more. */
export function hopelessPaired(length: u32): u32 {
  return load<u16>(entryOf(length), PAIRED);
}

/** For models of such a length, the matches needed to be kept, and in the upper half {@link hopelessMatches}. */
export function limitsOf(length: u32): u32 {
  return load<u32>(entryOf(length));
}

/** Brings the numbers up to date, ever more rarely, if the floor has risen. */
export function followFloor(): void {
  if (rankedWorst() === floor) {
    return;
  }
  if (skipped < updates) {
    skipped++;
    return;
  }
  skipped = 0;
  updates++;
  updateHopeless();
}

/** Brings the numbers up to date, if the floor has risen. */
export function updateHopeless(): void {
  if (rankedWorst() === floor) {
    return;
  }
  floor = rankedWorst();
  for (let length = shortestModel(); length <= longestAsked(); length++) {
    raise(length);
  }
}

function raise(length: u32): void {
  store<u16>(entryOf(length), <u16>raised(hopelessMatches(length), length, 0), SINGLES);
  store<u16>(entryOf(length), <u16>raised(hopelessPaired(length), length, 1), PAIRED);
}

/** From `matches` on, how many are hopeless when they form fewer blocks than they are, by `less`. */
function raised(matches: u32, length: u32, less: u32): u32 {
  const most = min(length, memoryLength());
  let hopeless = matches;
  while (hopeless < most && isBelowFloor(highestMatched(hopeless + 1, hopeless + 1 - less, length, shortestEvent()))) {
    hopeless++;
  }
  return hopeless;
}

function longestAsked(): u32 {
  return min(longestModel(), LONGEST);
}

function entryOf(length: u32): usize {
  return table + ((<usize>length) << 3);
}
