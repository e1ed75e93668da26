/**
 * Candidates that wait until sixteen of them can be matched together, in queues by how many steps their symbols take. Those that turn
 * out to have a pair wait once more, for others that have one.
 */

import { followFloor } from "../filter/prune-limits";
import { MOST_STEPS, openSixteen, STEP } from "../match/batch-singles";
import { HALVES } from "../memory/narrow";
import { clearQueue, enqueue, enqueueFrom, fillUp, isEmpty, QUEUE_BYTES } from "./batch-queue";
import { heldAt, settlePaired, settleSingles } from "./settle-batch";

/** Longer models can't wait. */
export const LONGEST_WAITING: u32 = MOST_STEPS * STEP;
/** Nor can those of greater frequencies. */
export const GREATEST_FREQUENCY: u32 = 65535;

/** Per number of steps, a queue of models not yet matched, and one of models that have a pair. */
const singles: usize = memory.data(2304, 16);
const paired: usize = memory.data(2304, 16);

let wide: bool = false;

/** Prepares for the open memory, which has no more positions than a lane; no model waits. */
export function openWaiting(): void {
  openSixteen();
  for (let number: u32 = 0; number < MOST_STEPS; number++) {
    clearQueue(singlesAt(number));
    clearQueue(pairedAt(number));
  }
}

/** Says how wide the symbols of the models that follow are: bytes or halves. Those of another width are settled first. */
export function expectShift(shift: u32): void {
  if (wide !== (shift === HALVES)) {
    settleAll();
    wide = shift === HALVES;
  }
}

/** Lets a live model of the target wait: its slot, the address of its `length` symbols, its frequency. */
export function wait(slot: u32, symbols: usize, length: u32, frequency: u32): void {
  const number = (length - 1) / STEP;
  if (enqueue(singlesAt(number), slot, symbols, length, frequency)) {
    settleQueue(number);
    followFloor();
  }
}

/** Settles all that wait. */
export function settleAll(): void {
  for (let number: u32 = 0; number < MOST_STEPS; number++) {
    if (!isEmpty(singlesAt(number))) {
      fillUp(singlesAt(number));
      settleQueue(number);
    }
    if (!isEmpty(pairedAt(number))) {
      fillUp(pairedAt(number));
      settlePairs(number);
    }
  }
}

function settleQueue(number: u32): void {
  const queue = singlesAt(number);
  for (let lanes = settleSingles(queue, number + 1, wide); lanes !== 0; lanes &= lanes - 1) {
    const lane = <usize>ctz<u32>(lanes);
    if (enqueueFrom(pairedAt(number), queue, lane, heldAt(lane))) {
      settlePairs(number);
    }
  }
  clearQueue(queue);
}

function settlePairs(number: u32): void {
  settlePaired(pairedAt(number), number + 1, wide);
  clearQueue(pairedAt(number));
}

function singlesAt(number: u32): usize {
  return singles + <usize>number * QUEUE_BYTES;
}

function pairedAt(number: u32): usize {
  return paired + <usize>number * QUEUE_BYTES;
}
