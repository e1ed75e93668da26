/** The newest scores of learns: which are kept, where, and what a rank makes of them. */

import { expect, test } from "vitest";
import { NO_SCORES, type ScoreBlock } from "../../../../src/processor/ports/store";
import {
  isScored,
  MAX_SCORES,
  newestScores,
  rankOf,
  SCORES_PER_ROW,
  scoresFrom,
  withScore,
} from "../../../../src/processor/prediction/sequence/learn-scores";

const PARTS = 1024;

/** Keeps scores of 0, 1, 2, … bits; `check` sees them after each. */
function keep(count: number, check: (newest: () => number[], kept: number) => void) {
  let scores = NO_SCORES;
  const blocks = new Map<number, ScoreBlock>();
  let written = 0;
  for (let kept = 1; kept <= count; kept++) {
    const { scores: next, full } = withScore(scores, kept - 1);
    scores = next;
    if (full !== undefined) {
      written++;
      blocks.set(full.place, full);
    }
    check(() => newestScores(scores, blocks.values()), kept);
  }
  return { scores, blocks, written };
}

test("the newest are kept in their order, whatever was written over", () => {
  const { blocks, written } = keep(25_000, (newest, kept) => {
    if (kept % 997 !== 0 && Math.abs(kept - MAX_SCORES) > 2) return;
    const first = Math.max(0, kept - MAX_SCORES);
    expect(newest()).toEqual(Array.from({ length: kept - first }, (_, at) => (first + at) * PARTS));
  });
  expect(written).toBe(Math.floor(25_000 / SCORES_PER_ROW));
  expect(blocks.size).toBe(Math.ceil(MAX_SCORES / SCORES_PER_ROW));
});

test("what a backup took is what it brings back, and goes on", () => {
  const { scores, blocks } = keep(10_100, () => {});
  const newest = newestScores(scores, blocks.values());
  const back = scoresFrom(newest);
  expect(newestScores(back.scores, back.blocks)).toEqual(newest);
  const more = withScore(back.scores, 0.5);
  const all = more.full === undefined ? back.blocks : [...back.blocks, more.full];
  expect(newestScores(more.scores, all)).toEqual([...newest.slice(1), PARTS / 2]);
});

test("a rank is the share with fewer bits, from twenty scores on", () => {
  const nineteen = Array.from({ length: 19 }, (_, at) => at * PARTS);
  expect(rankOf(5, nineteen)).toBeUndefined();
  const twenty = [...nineteen, 5 * PARTS];
  expect(rankOf(0, twenty)).toBe(0);
  expect(rankOf(5, twenty)).toBe(0.25);
  expect(rankOf(5.001, twenty)).toBe(0.35);
  expect(rankOf(99, twenty)).toBe(1);
});

test("each learn of a small knowledge is scored, and of a large one as many as keep learning fast", () => {
  const share = (symbols: number) => {
    const learned = Array.from({ length: 8_192 }, (_, at) => at);
    return learned.filter((at) => isScored(symbols, at)).length / learned.length;
  };
  expect(share(0)).toBe(0);
  expect(share(1_000)).toBe(1);
  expect(share(1_001)).toBeCloseTo(1 / 4, 2);
  expect(share(100_000)).toBeCloseTo(1 / 256, 3);
  expect(share(4_000_001)).toBe(0);
});
