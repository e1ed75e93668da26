/**
 * How often a few wanted symbols came together in the next event, counted in the pass over all neighbours that a
 * forecast makes anyway: by the level of agreement, and which of them the event holds. Then `together.ts` needs no pass
 * of its own.
 */

import { inputStart } from "../abi/input";
import { symbolEnd } from "../corpus/symbols";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { MAX_LEVEL } from "./back-off";
import { hasUnnamed } from "./near";
import { numberIn, numberOf, numberTable, outcomeCount, UNNAMED } from "./outcomes";

/** Maximum number of symbols counted: there is a sum for each set of them. */
export const MAX_WANTED: u32 = 8;

/** A word for each wanted symbol: the symbol, and then its number as an outcome. */
const symbols: usize = memory.data(MAX_WANTED << 2, 4);
const numbers: usize = memory.data(MAX_WANTED << 2, 4);
/**
 * For each level from 1 on, a double for each set of wanted symbols: the total frequency of the events that hold
 * exactly this set.
 */
const sums: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** A byte for each outcome: its bit among the wanted symbols, 0 for others. Filled where many are named. */
const bits: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let count: u32 = 0;
let counted: bool = false;

/** Requests counts of how often the distinct symbols in the input came together; at most {@link MAX_WANTED}. */
export function wantTogether(symbolCount: u32): void {
  count = symbolCount;
  counted = false;
  memory.copy(symbols, inputStart(), (<usize>symbolCount) << 2);
}

/** Whether any are requested. */
export function isAnyWanted(): bool {
  return count > 0;
}

/** Cancels the request. */
export function dropWanted(): void {
  count = 0;
  counted = false;
}

/**
 * Begins to count if requested; returns whether it does. Call it after the outcomes are named.
 * @param few whether few outcomes are named: then {@link countWanted} counts, else {@link countWantedIn}
 */
export function beginWanted(few: bool): bool {
  if (count === 0) {
    return false;
  }
  for (let at: u32 = 0; at < count; at++) {
    const symbol = wordAt(symbols, at);
    const number = symbol < symbolEnd() ? numberIn(symbol) : UNNAMED;
    if (number === UNNAMED && symbol < symbolEnd() && hasUnnamed()) {
      return false;
    }
    store<u32>(numbers + ((<usize>at) << 2), number);
  }
  if (!few) {
    fillBits();
  }
  const bytes = ((<usize>MAX_LEVEL) << (<usize>count)) << 3;
  buffer.fit(sums, bytes);
  memory.fill(buffer.start(sums), 0, bytes);
  counted = true;
  return true;
}

/** Counts an event. @param level its level of agreement, 1 or more @param outcomes of the event, as bits */
export function countWanted(level: u32, outcomes: u64, frequency: f64): void {
  let set: u32 = 0;
  for (let at: u32 = 0; at < count; at++) {
    // An unnamed symbol is in no event: its bit is never set.
    set |= (<u32>(outcomes >> <u64>wordAt(numbers, at)) & 1) << at;
  }
  addWanted(level, set, frequency);
}

/** Counts an event by the symbols that it holds, where many outcomes are named. @param from of the event's symbols */
export function countWantedIn<T>(level: u32, from: usize, end: usize, frequency: f64): void {
  const table = numberTable();
  const start = buffer.start(bits);
  let set: u32 = 0;
  for (let at = from; at < end; at += sizeof<T>()) {
    set |= <u32>load<u8>(start + <usize>numberOf(table, <u32>load<T>(at)));
  }
  addWanted(level, set, frequency);
}

/** Whether the distinct symbols in the input were counted, in any order. */
export function wereCounted(symbolCount: u32): bool {
  if (!counted || symbolCount !== count) {
    return false;
  }
  for (let at: u32 = 0; at < count; at++) {
    if (placeOf(at) === count) {
      return false;
    }
  }
  return true;
}

/**
 * Adds up the events of a level by the number of first symbols that they hold, up to the first one missing.
 * @param to a double for each number of symbols, from 0 on
 */
export function addFirsts(level: u32, to: usize): void {
  for (let set: u32 = 0; set < 1 << count; set++) {
    const frequency = load<f64>(sumAt(level, set));
    if (frequency > 0) {
      let held: u32 = 0;
      while (held < count && ((set >> placeOf(held)) & 1) !== 0) {
        held++;
      }
      const sum = to + ((<usize>held) << 3);
      store<f64>(sum, load<f64>(sum) + frequency);
    }
  }
}

/** The index of an input symbol among the wanted ones; their number if it is not among them. */
function placeOf(at: u32): u32 {
  const symbol = wordAt(inputStart(), at);
  let place: u32 = 0;
  while (place < count && wordAt(symbols, place) !== symbol) {
    place++;
  }
  return place;
}

function fillBits(): void {
  buffer.fit(bits, outcomeCount());
  memory.fill(buffer.start(bits), <u8>0, outcomeCount());
  for (let at: u32 = 0; at < count; at++) {
    const number = wordAt(numbers, at);
    if (number !== UNNAMED) {
      store<u8>(buffer.start(bits) + <usize>number, <u8>((<u32>1) << at));
    }
  }
}

function addWanted(level: u32, set: u32, frequency: f64): void {
  const sum = sumAt(level, set);
  store<f64>(sum, load<f64>(sum) + frequency);
}

function sumAt(level: u32, set: u32): usize {
  return buffer.start(sums) + ((((<usize>(level - 1)) << (<usize>count)) + <usize>set) << 3);
}

function wordAt(words: usize, at: u32): u32 {
  return load<u32>(words + ((<usize>at) << 2));
}
