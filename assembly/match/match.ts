/**
 * Ratcliff-Obershelp matching of one model against memory, by difflib's rules: the longest common block, of equal ones the earliest
 * in the model and then in memory, then the same on both sides of it. Chooses the matcher; all find the same.
 */

import { lengthAt, SYMBOL_SHIFT, SYMBOLS, symbolStart } from "../corpus/segment";
import { HALVES } from "../memory/narrow";
import { gather, openGathering } from "./gather";
import { LANE_MEMORY } from "./lanes";
import { hasMoreThanBest, laneSinglesReach, MOST_LANES, matchLaneSingles, openLanes, startLanes } from "./match-lanes";
import { finishLong, openLong, startLong } from "./match-long";
import { finishShort, openShort, SHORT_MEMORY, startShort, takeLanes } from "./match-short";
import { clearOutcome, matched, openOutcome } from "./outcome";
import { memoryLength } from "./query-sequence";

let inLanes: bool = false;
let run: u32 = 0;

/** Prepares for the open memory and the models there are. */
export function openMatching(): void {
  openGathering();
  openOutcome(memoryLength());
  if (memoryLength() <= LANE_MEMORY) {
    openLanes();
  }
  if (memoryLength() <= SHORT_MEMORY) {
    openShort();
  } else {
    openLong();
  }
}

/**
 * Starts with the model whose `count` symbols begin at the segment's symbol `from`; it has a symbol in common with memory. Answers the
 * length of its longest block.
 */
export function startMatch(segment: usize, from: u32, count: u32): u32 {
  const shift = load<u8>(segment, SYMBOL_SHIFT);
  inLanes = memoryLength() <= LANE_MEMORY && shift <= HALVES && count <= MOST_LANES;
  if (inLanes) {
    run = startLanes(<usize>load<u32>(segment, SYMBOLS) + ((<usize>from) << shift), shift, count);
  } else {
    const gathered = gather(segment, from, count);
    run = memoryLength() <= SHORT_MEMORY ? startShort(gathered) : startLong(gathered);
  }
  return run;
}

/** Whether finishing the model started costs less than bounding what it can come to: one pass over lanes does it. */
export function isQuickToFinish(): bool {
  return inLanes && run === 1;
}

/** Whether at least `needed` symbols of the model started match. Says nothing of the outcome. */
export function matchesAtLeast(needed: u32): bool {
  if (run >= needed) {
    return true;
  }
  if (inLanes && run === 1) {
    return laneSinglesReach(needed);
  }
  if (inLanes && run + 1 === needed) {
    return hasMoreThanBest();
  }
  finishMatch(needed);
  return matched() >= needed;
}

/** Finds the blocks of the model started, until `enough` symbols have matched. The outcome says what was found. */
export function finishMatch(enough: u32): void {
  clearOutcome();
  if (memoryLength() > SHORT_MEMORY) {
    finishLong(enough);
  } else if (inLanes && run === 1) {
    matchLaneSingles();
  } else {
    if (inLanes) {
      takeLanes(run);
    }
    finishShort(enough);
  }
}

/** Matches the model at a place of a segment in full; it has a symbol in common with memory. */
export function matchAll(segment: usize, place: u32): void {
  startMatch(segment, symbolStart(segment, place), lengthAt(segment, place));
  finishMatch(u32.MAX_VALUE);
}
