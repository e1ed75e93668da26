/**
 * Ratcliff-Obershelp matching, as plain as can be: the longest common block, then the same on both sides of it. The kernel must follow
 * this rule. It is slow on purpose.
 */

type Symbols = ArrayLike<number>;

/** A run of equal symbols: where it starts in the model and in memory, and how long it is. */
export interface Block {
  model: number;
  memory: number;
  length: number;
}

/**
 * The longest common run of `model[modelStart, modelEnd)` and `memory[memoryStart, memoryEnd)`; of equally long ones the earliest in
 * the model, then the earliest in memory. Its length is 0 when nothing is common.
 */
function longestBlock(
  model: Symbols,
  memory: Symbols,
  modelStart: number,
  modelEnd: number,
  memoryStart: number,
  memoryEnd: number,
): Block {
  let best: Block = { model: modelStart, memory: memoryStart, length: 0 };
  for (let i = modelStart; i < modelEnd; i++) {
    for (let j = memoryStart; j < memoryEnd; j++) {
      let length = 0;
      while (i + length < modelEnd && j + length < memoryEnd && model[i + length] === memory[j + length]) {
        length++;
      }
      if (length > best.length) {
        best = { model: i, memory: j, length };
      }
    }
  }
  return best;
}

/** All matching blocks of two sequences, in order; blocks that touch in both sequences are one. */
export function matchingBlocks(model: Symbols, memory: Symbols): Block[] {
  const found: Block[] = [];
  const search = (modelStart: number, modelEnd: number, memoryStart: number, memoryEnd: number): void => {
    const best = longestBlock(model, memory, modelStart, modelEnd, memoryStart, memoryEnd);
    if (best.length === 0) {
      return;
    }
    search(modelStart, best.model, memoryStart, best.memory);
    found.push(best);
    search(best.model + best.length, modelEnd, best.memory + best.length, memoryEnd);
  };
  search(0, model.length, 0, memory.length);
  return joined(found);
}

/** Joins neighbouring blocks that touch in both sequences. */
function joined(blocks: Block[]): Block[] {
  const result: Block[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    if (last && last.model + last.length === block.model && last.memory + last.length === block.memory) {
      last.length += block.length;
    } else {
      result.push({ ...block });
    }
  }
  return result;
}

/** How many symbols all blocks have. */
export function matchedCount(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + block.length, 0);
}

/** Twice the matched symbols over all symbols; 1 for two empty sequences. */
export function similarity(matched: number, modelLength: number, memoryLength: number): number {
  const length = modelLength + memoryLength;
  return length === 0 ? 1 : (2 * matched) / length;
}
