/**
 * Whether the model found last is still kept, for a memory that only had symbols added since. Its longest block stays
 * the longest, and what matches to its left stays the same, until a block that ends in an added symbol is as long. So
 * no matching is needed while the runs that end in added symbols stay short. Owns these runs, for one model and one
 * memory.
 */

import { query } from "../abi/layout";
import { lengthAt, placeOf, Segment, segmentOf, symbolAt, symbolStart } from "../corpus/segment";
import { holdsTarget, neededMatches } from "../filter/recall";
import { gather } from "../match/gather";
import { startMatch } from "../match/match";
import { finishLevels, matchedForCertain } from "../match/match-long";
import { clearOutcome, matched } from "../match/outcome";
import { queryLength, querySymbol } from "../match/query-sequence";
import { countSteps, isOutOfSteps } from "../match/steps";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { keeps } from "./growing";

/** Approximate number of runs extended in the time of a step. */
const RUNS_PER_STEP: u32 = 2;

/** A word for each symbol of the model: the length of the run that ends there and at the last symbol of the query. */
const runs: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** The memory queried last, and the slot of the model that the runs belong to; -1 for none. */
let ofMemory: f64 = 0;
let ofSlot: i32 = -1;
/** The query's length, and the symbols ever added to the memory, when the runs were last computed or extended. */
let ofLength: u32 = 0;
let ofAdded: f64 = 0;
/** The longest run that ended in a symbol added since the model was matched. */
let longestNew: u32 = 0;

/** Whether the recall threshold keeps the live model in a slot; the query is longer than a word has bits. */
export function isStillKept(slot: u32): bool {
  const isSame = query.memory !== 0 && query.memory === ofMemory;
  if (isSame && onlyAdded(slot)) {
    lengthenRuns(slot);
    if (matchedForCertain(longestNew + 1) >= neededMatches(lengthOf(slot))) {
      return true;
    }
  }
  ofSlot = -1;
  ofMemory = query.memory;
  // The runs cost more than one match, so they are only for a memory that is queried again.
  return isSame ? matchForRuns(slot) : keeps(slot);
}

/** Whether the runs belong to the model, and the memory has lost nothing since. */
function onlyAdded(slot: u32): bool {
  const added = query.added - ofAdded;
  return ofSlot === <i32>slot && queryLength() >= ofLength && added === <f64>(queryLength() - ofLength);
}

/** Matches the model in full; if it is kept, the runs are for it. */
function matchForRuns(slot: u32): bool {
  const segment = segmentOf(slot);
  const place = placeOf(slot);
  const length = lengthOf(slot);
  const needed = neededMatches(length);
  countSteps(length);
  if (query.hasTarget !== 0 && !holdsTarget(segment, place)) {
    return false;
  }
  if (needed > length || gather(segment, symbolStart(segment, place), length) < needed) {
    return false;
  }
  startMatch(segment, symbolStart(segment, place), length);
  clearOutcome(false);
  // Half as many again last until memory is half as long again.
  finishLevels(needed + (needed >> 1));
  if (isOutOfSteps() || matched() < needed) {
    return false;
  }
  findRuns(segment, symbolStart(segment, place), length);
  ofSlot = <i32>slot;
  ofLength = queryLength();
  ofAdded = query.added;
  longestNew = 0;
  return true;
}

/** Finds the runs that end at the last symbol of the query. None is longer than the longest block. */
function findRuns(segment: Segment, from: u32, length: u32): void {
  buffer.ensure(runs, (<usize>length) << 2);
  const end = queryLength();
  for (let at: u32 = 0; at < length; at++) {
    let run: u32 = 0;
    while (run <= at && run < end && symbolAt(segment, from + at - run) === querySymbol(end - 1 - run)) {
      run++;
    }
    countSteps(run);
    store<u32>(runAt(at), run);
  }
}

/** Extends the runs by the symbols added since. Walks downwards, so that a run is read before it is overwritten. */
function lengthenRuns(slot: u32): void {
  const segment = segmentOf(slot);
  const from = symbolStart(segment, placeOf(slot));
  const length = lengthOf(slot);
  countSteps((<u64>length * (queryLength() - ofLength)) / RUNS_PER_STEP);
  for (; ofLength < queryLength(); ofLength++) {
    const symbol = querySymbol(ofLength);
    for (let at = length; at-- > 0; ) {
      const before: u32 = at > 0 ? load<u32>(runAt(at - 1)) : 0;
      const run: u32 = symbolAt(segment, from + at) === symbol ? before + 1 : 0;
      store<u32>(runAt(at), run);
      longestNew = max(longestNew, run);
    }
  }
  ofAdded = query.added;
}

function lengthOf(slot: u32): u32 {
  return lengthAt(segmentOf(slot), placeOf(slot));
}

function runAt(at: u32): usize {
  return buffer.start(runs) + ((<usize>at) << 2);
}
