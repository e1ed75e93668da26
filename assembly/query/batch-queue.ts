/** A queue of up to sixteen models that are to be matched together: what is needed to match them, and what to do with the outcome. */

import { limitsOf } from "../filter/prune-limits";
import { STEP, TOGETHER } from "../match/batch-singles";

/** Per model: the address of its symbols, its slot and its limits (words), its frequency and the positions of memory whose symbols it
 * holds (halfwords), the symbols in its last step (a byte). Then how many models wait. */
export const ROWS: usize = 0;
const SLOTS: usize = 64;
const LIMITS: usize = 128;
const FREQUENCIES: usize = 192;
const HELD: usize = 224;
export const RESTS: usize = 256;
const COUNT: usize = 272;
export const QUEUE_BYTES: usize = 288;

/** Adds a model to a queue that has room: its slot, the address of its `length` symbols, its frequency. Answers whether it is full. */
export function enqueue(queue: usize, slot: u32, symbols: usize, length: u32, frequency: u32): bool {
  const lane: usize = load<u32>(queue, COUNT);
  const word = queue + (lane << 2);
  store<u32>(word, <u32>symbols, ROWS);
  store<u32>(word, slot, SLOTS);
  store<u32>(word, limitsOf(length), LIMITS);
  store<u16>(queue + (lane << 1), <u16>frequency, FREQUENCIES);
  store<u8>(queue + lane, <u8>(((length - 1) & (STEP - 1)) + 1), RESTS);
  store<u32>(queue, <u32>lane + 1, COUNT);
  return lane + 1 === TOGETHER;
}

/** Adds a model of another queue, with the positions of memory whose symbols it holds. Answers whether the queue is full. */
export function enqueueFrom(queue: usize, other: usize, from: usize, held: u32): bool {
  const lane: usize = load<u32>(queue, COUNT);
  const word = queue + (lane << 2);
  const old = other + (from << 2);
  store<u32>(word, load<u32>(old, ROWS), ROWS);
  store<u32>(word, load<u32>(old, SLOTS), SLOTS);
  store<u32>(word, load<u32>(old, LIMITS), LIMITS);
  store<u16>(queue + (lane << 1), load<u16>(other + (from << 1), FREQUENCIES), FREQUENCIES);
  store<u16>(queue + (lane << 1), <u16>held, HELD);
  store<u8>(queue + lane, load<u8>(other + from, RESTS), RESTS);
  store<u32>(queue, <u32>lane + 1, COUNT);
  return lane + 1 === TOGETHER;
}

/** Empties a queue. */
export function clearQueue(queue: usize): void {
  store<u32>(queue, 0, COUNT);
}

/** Whether no model waits in a queue. */
export function isEmpty(queue: usize): bool {
  return load<u32>(queue, COUNT) === 0;
}

/** The lanes that hold a model, a bit each. */
export function usedLanes(queue: usize): u32 {
  return ((<u32>1) << load<u32>(queue, COUNT)) - 1;
}

/** Repeats the first model in the lanes that hold none, with nothing to count; what is found in them is not looked at. */
export function fillUp(queue: usize): void {
  for (let lane = <usize>load<u32>(queue, COUNT); lane < TOGETHER; lane++) {
    store<u32>(queue + (lane << 2), load<u32>(queue, ROWS), ROWS);
    store<u8>(queue + lane, load<u8>(queue, RESTS), RESTS);
    store<u16>(queue + (lane << 1), 0, FREQUENCIES);
  }
}

/** The slot of the model in a lane. */
export function queuedSlot(queue: usize, lane: usize): u32 {
  return load<u32>(queue + (lane << 2), SLOTS);
}

/** The positions of memory whose symbols the model in a lane holds, a bit each, if {@link enqueueFrom} put it there. */
export function queuedHeld(queue: usize, lane: usize): u32 {
  return load<u16>(queue + (lane << 1), HELD);
}

/** Of eight models from a byte offset of halfwords on, 0 or 16, the matches needed to be kept. */
export function neededOf(queue: usize, half: usize): v128 {
  const limits = queue + LIMITS + (half << 1);
  return v128.shuffle<i16>(v128.load(limits), v128.load(limits, 16), 0, 2, 4, 6, 8, 10, 12, 14);
}

/** Of eight models, the most matches in single symbols that are hopeless. */
export function hopelessOf(queue: usize, half: usize): v128 {
  const limits = queue + LIMITS + (half << 1);
  return v128.shuffle<i16>(v128.load(limits), v128.load(limits, 16), 1, 3, 5, 7, 9, 11, 13, 15);
}

/** The frequencies of eight models, those of them whose lanes are set, together. */
export function frequenciesOf(queue: usize, half: usize, lanes: v128): f64 {
  const numbers = v128.and(v128.load(queue + half, FREQUENCIES), lanes);
  const fours = i32x4.extadd_pairwise_i16x8_u(numbers);
  const twos = i32x4.add(fours, v128.shuffle<i32>(fours, fours, 2, 3, 0, 1));
  return <f64>(<u32>(i32x4.extract_lane(twos, 0) + i32x4.extract_lane(twos, 1)));
}
