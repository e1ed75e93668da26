/** A queue of up to sixteen models that are matched together, with the data for matching and settling them. */

import { neededAndSingles } from "../filter/prune-limits";
import { BATCH_MODELS, STEP_SYMBOLS } from "../match/batch-singles";

/**
 * Parts of a queue, each with an entry for each model. First words: the address of the symbols, the slot, the limits
 * (two halfwords).
 */
export const QUEUE_ROWS: usize = 0;
const QUEUE_SLOTS: usize = QUEUE_ROWS + 4 * BATCH_MODELS;
const QUEUE_LIMITS: usize = QUEUE_SLOTS + 4 * BATCH_MODELS;
/** Then halfwords: the frequency, and the query positions whose symbols the model holds. */
const QUEUE_FREQUENCIES: usize = QUEUE_LIMITS + 4 * BATCH_MODELS;
const QUEUE_HELD: usize = QUEUE_FREQUENCIES + 2 * BATCH_MODELS;
/** Then a byte: the number of symbols in the last step. */
export const QUEUE_RESTS: usize = QUEUE_HELD + 2 * BATCH_MODELS;
/** Last, the number of models in the queue. */
const QUEUE_COUNT: usize = QUEUE_RESTS + BATCH_MODELS;
/** Bytes of a queue, a multiple of 16. */
export const QUEUE_BYTES: i32 = <i32>((QUEUE_COUNT + 4 + 15) & ~15);

/**
 * Adds a model to a queue that has room: its slot, the address of its `length` symbols, its frequency.
 * Returns whether it is full now.
 */
export function enqueue(queue: usize, slot: u32, symbols: usize, length: u32, frequency: u32): bool {
  const lane: usize = load<u32>(queue, QUEUE_COUNT);
  const word = queue + (lane << 2);
  store<u32>(word, <u32>symbols, QUEUE_ROWS);
  store<u32>(word, slot, QUEUE_SLOTS);
  store<u32>(word, neededAndSingles(length), QUEUE_LIMITS);
  store<u16>(queue + (lane << 1), <u16>frequency, QUEUE_FREQUENCIES);
  store<u8>(queue + lane, <u8>(((length - 1) & (STEP_SYMBOLS - 1)) + 1), QUEUE_RESTS);
  store<u32>(queue, <u32>lane + 1, QUEUE_COUNT);
  return lane + 1 === BATCH_MODELS;
}

/**
 * Adds a model from another queue, with the query positions whose symbols it holds. Returns whether the queue is full
 * now.
 */
export function enqueueFrom(queue: usize, other: usize, from: usize, held: u32): bool {
  const lane: usize = load<u32>(queue, QUEUE_COUNT);
  const word = queue + (lane << 2);
  const old = other + (from << 2);
  store<u32>(word, load<u32>(old, QUEUE_ROWS), QUEUE_ROWS);
  store<u32>(word, load<u32>(old, QUEUE_SLOTS), QUEUE_SLOTS);
  store<u32>(word, load<u32>(old, QUEUE_LIMITS), QUEUE_LIMITS);
  store<u16>(queue + (lane << 1), load<u16>(other + (from << 1), QUEUE_FREQUENCIES), QUEUE_FREQUENCIES);
  store<u16>(queue + (lane << 1), <u16>held, QUEUE_HELD);
  store<u8>(queue + lane, load<u8>(other + from, QUEUE_RESTS), QUEUE_RESTS);
  store<u32>(queue, <u32>lane + 1, QUEUE_COUNT);
  return lane + 1 === BATCH_MODELS;
}

/** Empties a queue. */
export function clearQueue(queue: usize): void {
  store<u32>(queue, 0, QUEUE_COUNT);
}

/** Whether a queue has no model. */
export function isEmpty(queue: usize): bool {
  return load<u32>(queue, QUEUE_COUNT) === 0;
}

/** The lanes that hold a model, as bits. */
export function usedLanes(queue: usize): u32 {
  return ((<u32>1) << load<u32>(queue, QUEUE_COUNT)) - 1;
}

/** Repeats the first model, with frequency 0, in empty lanes, whose results are ignored. */
export function padQueue(queue: usize): void {
  for (let lane = <usize>load<u32>(queue, QUEUE_COUNT); lane < BATCH_MODELS; lane++) {
    store<u32>(queue + (lane << 2), load<u32>(queue, QUEUE_ROWS), QUEUE_ROWS);
    store<u8>(queue + lane, load<u8>(queue, QUEUE_RESTS), QUEUE_RESTS);
    store<u16>(queue + (lane << 1), 0, QUEUE_FREQUENCIES);
  }
}

/** The slot of the model in a lane. */
export function queuedSlot(queue: usize, lane: usize): u32 {
  return load<u32>(queue + (lane << 2), QUEUE_SLOTS);
}

/** The query positions whose symbols the model in a lane holds, as bits; known only if {@link enqueueFrom} added it. */
export function queuedHeld(queue: usize, lane: usize): u32 {
  return load<u16>(queue + (lane << 1), QUEUE_HELD);
}

/** For eight models, beginning at a byte offset in rows of halfwords (0 or 16): the matches needed to be kept. */
export function neededOf(queue: usize, half: usize): v128 {
  const limits = queue + QUEUE_LIMITS + (half << 1);
  return v128.shuffle<i16>(v128.load(limits), v128.load(limits, 16), 0, 2, 4, 6, 8, 10, 12, 14);
}

/** For eight models, the maximum number of matches in single symbols that surely ranks below the floor. */
export function singlesLimitsOf(queue: usize, half: usize): v128 {
  const limits = queue + QUEUE_LIMITS + (half << 1);
  return v128.shuffle<i16>(v128.load(limits), v128.load(limits, 16), 1, 3, 5, 7, 9, 11, 13, 15);
}

/** For eight models, the sum of the frequencies in the lanes that are set. */
export function frequenciesOf(queue: usize, half: usize, lanes: v128): f64 {
  const numbers = v128.and(v128.load(queue + half, QUEUE_FREQUENCIES), lanes);
  const fours = i32x4.extadd_pairwise_i16x8_u(numbers);
  const twos = i32x4.add(fours, v128.shuffle<i32>(fours, fours, 2, 3, 0, 1));
  return <f64>(<u32>(i32x4.extract_lane(twos, 0) + i32x4.extract_lane(twos, 1)));
}
