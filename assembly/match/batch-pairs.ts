/**
 * Matches a batch of sixteen models whose longest common block is a pair, a lane each, in full. `batch-singles.ts`
 * finds out which models have a pair at all.
 *
 * The block is the first pair of the model, at its first place in the query. On its left there is no other pair, or
 * that one would be the first: every match there is a single symbol. So is every match on its right, unless another
 * pair is there, which is left to other matchers. Singles are matched by one pass from left to right.
 */

import { fillMasks, LANES_BYTES, masks, STEP_MASK_BYTES, STEP_SYMBOLS } from "./batch-singles";

/** Results, a lane for each model. Number of matching symbols; valid if {@link unfinishedRows} is zero. */
export const pairMatchedRows: usize = memory.data(LANES_BYTES, 16);
/** Nonzero for a model with a run longer than a pair, or with another pair to the right of the first. */
export const unfinishedRows: usize = memory.data(LANES_BYTES, 16);
/** The position in the model at which the first pair ends. */
export const pairEndRows: usize = memory.data(LANES_BYTES, 16);

/** The query positions before the first pair, and those after it. */
const belowRows: usize = memory.data(LANES_BYTES, 16);
const aboveRows: usize = memory.data(LANES_BYTES, 16);

/** Matches a batch whose models all have a pair; the parameters are those of {@link matchBatchSingles}. */
export function matchBatchPairs(rows: usize, rests: usize, steps: u32, wide: bool): void {
  for (let step: u32 = 0; step < steps; step++) {
    fillMasks(rows, rests, step, step === steps - 1, wide);
  }
  for (let half: usize = 0; half < 32; half += 16) {
    findPairs(half, steps);
    matchAround(half, steps);
  }
}

/** For eight models, finds the first pair, and whether there is a run of three. */
function findPairs(half: usize, steps: u32): void {
  const zero = i64x2(0, 0);
  const one = i16x8.splat(1);
  let before = zero;
  let pairsBefore = zero;
  let triples = zero;
  let found = zero;
  let end = zero;
  let bits = zero;
  let position = zero;
  for (let offset = half; offset < <usize>steps * STEP_MASK_BYTES; offset += 32) {
    const mask = v128.load(masks + offset);
    const pairs = v128.and(mask, i16x8.add(before, before));
    triples = v128.or(triples, v128.and(pairs, i16x8.add(pairsBefore, pairsBefore)));
    const fresh = v128.andnot(i16x8.ne(pairs, zero), found);
    found = v128.or(found, fresh);
    end = v128.or(end, v128.and(position, fresh));
    bits = v128.or(bits, v128.and(v128.and(pairs, i16x8.neg(pairs)), fresh));
    before = mask;
    pairsBefore = pairs;
    position = i16x8.add(position, one);
  }
  v128.store(unfinishedRows + half, triples);
  v128.store(pairEndRows + half, end);
  v128.store(belowRows + half, i16x8.sub(i16x8.shr_u(bits, 1), one));
  v128.store(aboveRows + half, v128.not(i16x8.sub(i16x8.add(bits, bits), one)));
}

/** For eight models, matches what is before and after the first pair, and notes whether another pair follows it. */
function matchAround(half: usize, steps: u32): void {
  const zero = i64x2(0, 0);
  const one = i16x8.splat(1);
  const below = v128.load(belowRows + half);
  const above = v128.load(aboveRows + half);
  const end = v128.load(pairEndRows + half);
  const start = i16x8.sub(end, one);
  let unfinished = v128.load(unfinishedRows + half);
  let taken = zero;
  let missed = zero;
  let behindBefore = zero;
  let position = zero;
  for (let offset = half; offset < <usize>steps * STEP_MASK_BYTES; offset += 32) {
    const mask = v128.load(masks + offset);
    const ahead = v128.and(mask, v128.and(below, i16x8.lt_s(position, start)));
    const behind = v128.and(mask, v128.and(above, i16x8.gt_s(position, end)));
    unfinished = v128.or(unfinished, v128.and(behind, i16x8.add(behindBefore, behindBefore)));
    behindBefore = behind;
    const left = v128.andnot(v128.or(ahead, behind), taken);
    taken = v128.or(taken, v128.xor(left, i16x8.sub_sat_u(left, one)));
    missed = i16x8.add(missed, i16x8.eq(left, zero));
    position = i16x8.add(position, one);
  }
  v128.store(unfinishedRows + half, unfinished);
  v128.store(pairMatchedRows + half, i16x8.add(i16x8.splat(<i16>(steps * STEP_SYMBOLS + 2)), missed));
}
