/**
 * The minds that share this memory: one is entered, and the calls that follow are about it. The state of the
 * others waits in a block.
 */

import { clearModels } from "../corpus/knowledge";
import { allocate, release } from "../memory/arena";
import { MIND_BYTES, mind, mindState } from "../memory/mind";
import { clearVectors } from "../vectors/vectors";

/** The block of the mind that is entered; 0 for none. */
let entered: usize = 0;

/** Makes an empty mind and enters it; returns its block, which names it. */
export function createMind(): usize {
  leave();
  memory.fill(mindState, 0, MIND_BYTES);
  entered = allocate(MIND_BYTES);
  clearModels();
  return entered;
}

/** Enters a mind. */
export function enterMind(block: usize): void {
  if (block !== entered) {
    leave();
    memory.copy(mindState, block, MIND_BYTES);
    entered = block;
  }
}

/** Forgets a mind and gives all of its blocks back. Returns how many bytes it still held then: 0. */
export function releaseMind(block: usize): usize {
  enterMind(block);
  clearModels();
  clearVectors();
  release(block, MIND_BYTES);
  entered = 0;
  return mind.held;
}

/** How many bytes the mind that is entered holds, the unused parts of its blocks included. */
export function mindBytes(): usize {
  return mind.held;
}

function leave(): void {
  if (entered !== 0) {
    memory.copy(entered, mindState, MIND_BYTES);
    entered = 0;
  }
}
