/**
 * Candidates that wait until sixteen can be matched together, in queues by the number of steps that their symbols take.
 * Those that turn out to have a pair wait again, for others with a pair.
 */

import { refreshNowAndThen } from "../filter/prune-limits";
import { beginBatchMatching, MAX_STEPS, STEP_SYMBOLS } from "../match/batch-singles";
import { HALVES } from "../memory/narrow";
import { clearQueue, enqueue, enqueueFrom, isEmpty, padQueue, QUEUE_BYTES } from "./batch-queue";
import { heldAt, settlePairs, settleSingles } from "./settle-batch";

/** Longer models are not batched. */
export const LONGEST_BATCHED: u32 = MAX_STEPS * STEP_SYMBOLS;
/** Nor are models of greater frequencies. */
export const MAX_BATCHED_FREQUENCY: u32 = 65535;

/** For each number of steps, a queue of models not matched yet, and one of models with a pair. */
const singlesQueues: usize = memory.data(MAX_STEPS * QUEUE_BYTES, 16);
const pairsQueues: usize = memory.data(MAX_STEPS * QUEUE_BYTES, 16);

/** Whether the symbols of the waiting models are two bytes wide, or one. */
let wide: bool = false;

/** Prepares, with empty queues, for a query of no more symbols than a lane has bits. */
export function beginBatches(): void {
  beginBatchMatching();
  for (let number: u32 = 0; number < MAX_STEPS; number++) {
    clearQueue(singlesQueue(number));
    clearQueue(pairsQueue(number));
  }
}

/**
 * Sets the width of the symbols of the following models: bytes or halves. Settles waiting models of another width
 * first.
 */
export function expectSymbolShift(shift: u32): void {
  if (wide !== (shift === HALVES)) {
    flushBatches();
    wide = shift === HALVES;
  }
}

/** Adds a live model of the target: its slot, the address of its `length` symbols, its frequency. */
export function addToBatch(slot: u32, symbols: usize, length: u32, frequency: u32): void {
  const number = (length - 1) / STEP_SYMBOLS;
  if (enqueue(singlesQueue(number), slot, symbols, length, frequency)) {
    settleSinglesQueue(number);
    refreshNowAndThen();
  }
}

/** Settles all waiting models. */
export function flushBatches(): void {
  for (let number: u32 = 0; number < MAX_STEPS; number++) {
    if (!isEmpty(singlesQueue(number))) {
      padQueue(singlesQueue(number));
      settleSinglesQueue(number);
    }
    if (!isEmpty(pairsQueue(number))) {
      padQueue(pairsQueue(number));
      settlePairsQueue(number);
    }
  }
}

function settleSinglesQueue(number: u32): void {
  const queue = singlesQueue(number);
  for (let lanes = settleSingles(queue, number + 1, wide); lanes !== 0; lanes &= lanes - 1) {
    const lane = <usize>ctz<u32>(lanes);
    if (enqueueFrom(pairsQueue(number), queue, lane, heldAt(lane))) {
      settlePairsQueue(number);
    }
  }
  clearQueue(queue);
}

function settlePairsQueue(number: u32): void {
  settlePairs(pairsQueue(number), number + 1, wide);
  clearQueue(pairsQueue(number));
}

function singlesQueue(number: u32): usize {
  return singlesQueues + <usize>number * QUEUE_BYTES;
}

function pairsQueue(number: u32): usize {
  return pairsQueues + <usize>number * QUEUE_BYTES;
}
