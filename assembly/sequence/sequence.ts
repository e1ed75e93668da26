/**
 * A sequence to compare with all models: its symbols, numbered from 0 on, and their counts. Owns the sums over models
 * for each of them.
 */

import { inputStart } from "../abi/input";
import { classTable, symbolEnd } from "../corpus/symbols";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

/** A symbol's count in the sequence, and the sums over models. */
@unmanaged
export class Held {
  /** The symbol; u32.MAX_VALUE for one that no model holds. */
  symbol: u32;
  /** Its count in the sequence. */
  wanted: u32;
  /** The total frequency of the models that have the count; while evidence is added, their total weight. */
  having: f64;
  /** The term of a model that has the count. */
  term: f64;
  /** Weights times counts, of the models that have the count and of the others. */
  havingTimes: f64;
  otherTimes: f64;
}

/** Bytes of {@link Held} for the host, and the offsets of its results. */
export const HELD_BYTES: usize = (offsetof<Held>() + 7) & ~7;
export const HELD_HAVING: u32 = offsetof<Held>("having");
export const HELD_HAVING_TIMES: u32 = offsetof<Held>("havingTimes");
export const HELD_OTHER_TIMES: u32 = offsetof<Held>("otherTimes");

const held: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
let numbers: u32 = 0;
let complete: bool = false;

/**
 * Sets the sequence. The input holds its distinct symbols, then their counts, a word each.
 * @param count number of distinct symbols @param isComplete whether the sequence has ended
 */
export function takeSequence(count: u32, isComplete: bool): void {
  numbers = count;
  complete = isComplete;
  const bytes = (<usize>count + 1) * HELD_BYTES;
  buffer.fit(held, bytes);
  memory.fill(buffer.start(held), 0, bytes);
  heldBy(0).wanted = u32.MAX_VALUE;
  for (let number: u32 = 0; number < count; number++) {
    const one = heldAt(number);
    one.symbol = load<u32>(inputStart() + ((<usize>number) << 2));
    one.wanted = load<u32>(inputStart() + ((<usize>(count + number)) << 2));
    setNumber(one.symbol, number + 1);
  }
}

/** Forgets it. */
export function dropSequence(): void {
  for (let number: u32 = 0; number < numbers; number++) {
    setNumber(heldAt(number).symbol, 0);
  }
  numbers = 0;
  buffer.free(held);
}

/** Number of its distinct symbols. */
export function numberCount(): u32 {
  return numbers;
}

/** Whether it has ended. If not, a model matches a count when it holds the symbol at least as often. */
export function isComplete(): bool {
  return complete;
}

/** Address of the {@link Held | symbols}, by number. */
export function heldStart(): usize {
  return buffer.start(held) + HELD_BYTES;
}

/** One of them. */
export function heldAt(number: u32): Held {
  return heldBy(number + 1);
}

/** {@link heldAt} by {@link numberAfter}. 0 stands for all other symbols, whose count no model has. */
export function heldBy(after: u32): Held {
  return changetype<Held>(buffer.start(held) + <usize>after * HELD_BYTES);
}

/** Whether a model that holds a symbol `count` times has the count of the sequence. */
export function hasCount(one: Held, count: u32): bool {
  return complete ? count === one.wanted : count >= one.wanted;
}

/** The number of a symbol, plus one; 0 if the sequence does not have it. */
export function numberAfter(symbol: u32): u32 {
  return load<u32>(classTable() + ((<usize>symbol) << 2));
}

function setNumber(symbol: u32, number: u32): void {
  if (symbol < symbolEnd()) {
    store<u32>(classTable() + ((<usize>symbol) << 2), number);
  }
}
