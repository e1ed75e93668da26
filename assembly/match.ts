/**
 * Ratcliff-Obershelp matching of one model against memory, by difflib's rules: the longest common block, of equal ones the earliest
 * in the model and then in memory, then the same on both sides of it. Chooses the matcher; both find the same.
 */

import { gather, openGathering } from "./gather";
import { finishLong, openLong, startLong } from "./match-long";
import { finishShort, openShort, SHORT_MEMORY, startShort } from "./match-short";
import { memoryLength } from "./memory-sequence";
import { clearOutcome, openOutcome } from "./outcome";
import { lengthAt, symbolStart } from "./segment";

let short: bool = true;

/** Prepares for the open memory and the models there are. */
export function openMatching(): void {
  short = memoryLength() <= SHORT_MEMORY;
  openGathering();
  openOutcome(memoryLength());
  if (short) {
    openShort();
  } else {
    openLong();
  }
}

/** Starts with the model at a place of a segment; answers the length of its longest block with memory, 0 for none. */
export function startMatch(segment: usize, place: u32): u32 {
  const count = gather(segment, symbolStart(segment, place), lengthAt(segment, place));
  return short ? startShort(count) : startLong(count);
}

/** Finds the blocks of the model started, until `enough` symbols have matched. The outcome says what was found. */
export function finishMatch(enough: u32): void {
  clearOutcome(memoryLength());
  if (short) {
    finishShort(enough);
  } else {
    finishLong(enough);
  }
}

/** Matches the model at a place of a segment in full. */
export function matchAll(segment: usize, place: u32): void {
  startMatch(segment, place);
  finishMatch(u32.MAX_VALUE);
}
