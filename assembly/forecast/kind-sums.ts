/**
 * Counts by level and kind where the rule alike is alone in a series, for the next event: how often an event of each
 * kind follows an occurrence of each level. Only at the end are the kinds' symbols counted on the levels. Many
 * occurrences share a level and a kind. The sums are those of `rules.ts`, which counts event by event.
 */

import { eventsAt, placeOf, segmentOf } from "../corpus/segment";
import { symbolEnd } from "../corpus/symbols";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { AGREEMENTS, addCount, countedLevel, MAX_LEVEL } from "./back-off";
import { contextSerial } from "./context";
import { EventKind, hasKinds, kindAt, kindSymbols, kindsFound, kindsOf, SUMS_BYTES } from "./event-kinds";
import { MAX_NAMED_SYMBOLS } from "./near";
import { neighbourAt, neighbourCount } from "./neighbours";
import { numberOf, numberTable } from "./outcomes";
import { countWanted, countWantedIn } from "./wanted";

/**
 * For each kind, a double for each level from 0 on: the total frequency of the occurrences of that level that an event
 * of the kind follows. Level 0 is none.
 */
const sums: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** A word for each distinct symbol of a kind: its number as an outcome. */
const numbers: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Sums are exact below this: then their order does not matter. */
const MAX_EXACT: f64 = 9_007_199_254_740_992;

/**
 * Begins with sums of 0; returns whether sums by kind say the same as counting event by event: if the events of all
 * neighbours have kinds, all symbols can be named, and all sums are exact.
 */
export function beginKindSums(): bool {
  if (!hasKinds() || symbolEnd() > MAX_NAMED_SYMBOLS) {
    return false;
  }
  let most: f64 = 0;
  for (let at: u32 = 0; at < neighbourCount(); at++) {
    const neighbour = neighbourAt(at);
    const slot = neighbour.slot;
    if (kindsOf(slot) === 0) {
      return false;
    }
    most += neighbour.frequency * <f64>eventsAt(segmentOf(slot), placeOf(slot));
  }
  if (most > MAX_EXACT) {
    return false;
  }
  const bytes = <usize>kindsFound() * SUMS_BYTES;
  buffer.fit(sums, bytes);
  memory.fill(buffer.start(sums), 0, bytes);
  return true;
}

/** Their address. */
export function kindSums(): usize {
  return buffer.start(sums);
}

/**
 * Counts the sums on the levels of agreement. The outcomes must have been named.
 * @param few whether there are few outcomes @param wanted whether wanted symbols are counted together
 */
export function spreadKindSums(few: bool, wanted: bool): void {
  for (let number: u32 = 0; number < kindsFound(); number++) {
    const kind = kindAt(number);
    if (kind.context === contextSerial()) {
      spread(kind, buffer.start(sums) + <usize>number * SUMS_BYTES, few, wanted);
    }
  }
}

/** Forgets all sums, and frees the memory. */
export function endKindSums(): void {
  buffer.free(sums);
  buffer.free(numbers);
}

function spread(kind: EventKind, row: usize, few: bool, wanted: bool): void {
  const distinct = distinctOutcomes(kind);
  for (let number: u32 = 1; number <= MAX_LEVEL; number++) {
    const frequency = load<f64>(row + ((<usize>number) << 3));
    if (frequency === 0) {
      continue;
    }
    const level = countedLevel(AGREEMENTS + number);
    level.occurrences += frequency;
    for (let at: u32 = 0; at < distinct; at++) {
      addCount(level, load<u32>(buffer.start(numbers) + ((<usize>at) << 2)), frequency);
    }
    if (wanted && few) {
      countWanted(number, kind.outcomes, frequency);
    } else if (wanted) {
      const from = kindSymbols(kind);
      countWantedIn<u32>(number, from, from + ((<usize>kind.length) << 2), frequency);
    }
  }
}

/** Lists the outcomes that an event of a kind holds, each once; returns how many. */
function distinctOutcomes(kind: EventKind): u32 {
  const table = numberTable();
  const from = kindSymbols(kind);
  buffer.fit(numbers, (<usize>kind.length) << 2);
  const to = buffer.start(numbers);
  let count: u32 = 0;
  for (let at: u32 = 0; at < kind.length; at++) {
    const number = numberOf(table, load<u32>(from + ((<usize>at) << 2)));
    store<u32>(to + ((<usize>count) << 2), number);
    count += <u32>isNew(to, count, number);
  }
  return count;
}

function isNew(list: usize, count: u32, number: u32): bool {
  for (let at: u32 = 0; at < count; at++) {
    if (load<u32>(list + ((<usize>at) << 2)) === number) {
      return false;
    }
  }
  return true;
}
