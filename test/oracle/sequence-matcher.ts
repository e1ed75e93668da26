/**
 * Ratcliff-Obershelp matching, as plain as can be: the longest common block, then the same on both sides of it. The kernel must follow
 * this rule. It is slow on purpose.
 */

type Symbols = ArrayLike<number>;

/** A run of equal symbols: where it starts in the model and in the query, and how long it is. */
export interface Block {
  model: number;
  query: number;
  length: number;
}

/**
 * The longest common run of `model[modelStart, modelEnd)` and `query[queryStart, queryEnd)`; of equally long ones the earliest in
 * the model, then the earliest in the query. Its length is 0 when nothing is common.
 */
function longestBlock(
  model: Symbols,
  query: Symbols,
  modelStart: number,
  modelEnd: number,
  queryStart: number,
  queryEnd: number,
): Block {
  let best: Block = { model: modelStart, query: queryStart, length: 0 };
  for (let i = modelStart; i < modelEnd; i++) {
    for (let j = queryStart; j < queryEnd; j++) {
      let length = 0;
      while (i + length < modelEnd && j + length < queryEnd && model[i + length] === query[j + length]) {
        length++;
      }
      if (length > best.length) {
        best = { model: i, query: j, length };
      }
    }
  }
  return best;
}

/** All matching blocks of two sequences, in order; blocks that touch in both sequences are one. */
export function matchingBlocks(model: Symbols, query: Symbols): Block[] {
  const found: Block[] = [];
  const search = (modelStart: number, modelEnd: number, queryStart: number, queryEnd: number): void => {
    const best = longestBlock(model, query, modelStart, modelEnd, queryStart, queryEnd);
    if (best.length === 0) {
      return;
    }
    search(modelStart, best.model, queryStart, best.query);
    found.push(best);
    search(best.model + best.length, modelEnd, best.query + best.length, queryEnd);
  };
  search(0, model.length, 0, query.length);
  return joined(found);
}

/** Joins neighbouring blocks that touch in both sequences. */
function joined(blocks: Block[]): Block[] {
  const result: Block[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    if (last && last.model + last.length === block.model && last.query + last.length === block.query) {
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
export function similarity(matched: number, modelLength: number, queryLength: number): number {
  const length = modelLength + queryLength;
  return length === 0 ? 1 : (2 * matched) / length;
}
