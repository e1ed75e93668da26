/**
 * A sequence that is compared with all models: its symbols by number, from 0 on, and how often it holds each. Owns what
 * is counted of them.
 */

import { inputStart } from "../abi/input";
import { classTable, symbolEnd } from "../corpus/symbols";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

/** What the sequence holds of a symbol, and what models do. */
@unmanaged
export class Held {
  /** The symbol; u32.MAX_VALUE for one that no model holds. */
  symbol: u32;
  /** How often the sequence holds it. */
  wanted: u32;
  /** The frequencies of the models that have the count; while evidence is added, their weights. */
  having: f64;
  /** What a model's having the count adds to its logarithm. */
  term: f64;
  /** Weights times counts, of the models that have the count and of the others. */
  havingTimes: f64;
  otherTimes: f64;
}

/** Bytes of {@link Held} for the host, and where its results are. */
export const HELD_BYTES: usize = (offsetof<Held>() + 7) & ~7;
export const HELD_HAVING: u32 = offsetof<Held>("having");
export const HELD_HAVING_TIMES: u32 = offsetof<Held>("havingTimes");
export const HELD_OTHER_TIMES: u32 = offsetof<Held>("otherTimes");

const held: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
let numbers: u32 = 0;
let complete: bool = false;

/**
 * Takes a sequence: the input holds its different symbols, then how often it holds each, a word each.
 * @param count how many they are @param isComplete whether nothing more comes
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

/** How many different symbols it has. */
export function numberCount(): u32 {
  return numbers;
}

/** Whether nothing more comes: else it is enough when a model holds as many of a symbol. */
export function isComplete(): bool {
  return complete;
}

/** Where the {@link Held | symbols} are, by number. */
export function heldStart(): usize {
  return buffer.start(held) + HELD_BYTES;
}

/** One of them. */
export function heldAt(number: u32): Held {
  return heldBy(number + 1);
}

/** The same by {@link numberAfter}. 0 gives one that stands for all other symbols, whose count no model has. */
export function heldBy(after: u32): Held {
  return changetype<Held>(buffer.start(held) + <usize>after * HELD_BYTES);
}

/** Whether a model that holds a symbol so often has the count of the sequence. */
export function hasCount(one: Held, count: u32): bool {
  return complete ? count === one.wanted : count >= one.wanted;
}

/** The number of a symbol, and one; 0 when the sequence does not have it. */
export function numberAfter(symbol: u32): u32 {
  return load<u32>(classTable() + ((<usize>symbol) << 2));
}

function setNumber(symbol: u32, number: u32): void {
  if (symbol < symbolEnd()) {
    store<u32>(classTable() + ((<usize>symbol) << 2), number);
  }
}
