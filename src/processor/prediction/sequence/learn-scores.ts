/**
 * How unusual the newest learned sequences were, each before it was learned: in the state as long as they are few, then
 * block by block in rows of their own, so that a learn writes no more rows than before but for one in {@link BLOCK}.
 */

import type { LearnScores, ScoreBlock } from "../../ports/store";

/** How many scores a row has. */
export const BLOCK = 64;

/** Number of the newest learns among which a rank is given. */
export const MOST_SCORES = 10_000;

/** Of fewer, none is. */
export const FEWEST_SCORES = 20;

/** How many rows there are; from then on the oldest is written over. */
const BLOCKS = Math.ceil(MOST_SCORES / BLOCK);

/** Scores are whole numbers of such parts of a bit. */
const PARTS = 1024;

/**
 * The scores with one more; and the block to be kept, where one is full.
 *
 * @param bits of the sequence, before it is learned
 */
export function withScore(scores: LearnScores, bits: number): { scores: LearnScores; full?: ScoreBlock } {
  const latest = [...scores.latest, scoreOf(bits)];
  const count = scores.count + 1;
  if (latest.length < BLOCK) return { scores: { count, latest } };
  return { scores: { count, latest: [] }, full: { place: (count / BLOCK - 1) % BLOCKS, scores: latest } };
}

/** The newest scores, oldest first, at most {@link MOST_SCORES}. @param blocks all that are kept */
export function newestScores({ count, latest }: LearnScores, blocks: Iterable<ScoreBlock>): number[] {
  const full = (count - latest.length) / BLOCK;
  const byPlace = new Map(Array.from(blocks, ({ place, scores }) => [place, scores]));
  const newest: number[] = [];
  for (let block = Math.max(0, full - BLOCKS); block < full; block++)
    newest.push(...(byPlace.get(block % BLOCKS) ?? []));
  newest.push(...latest);
  return newest.slice(-MOST_SCORES);
}

/** How scores are kept that {@link newestScores} has given. */
export function scoresFrom(newest: readonly number[]): { scores: LearnScores; blocks: ScoreBlock[] } {
  const full = Math.floor(newest.length / BLOCK);
  const blocks = Array.from({ length: full }, (_, place) => ({
    place,
    scores: newest.slice(place * BLOCK, (place + 1) * BLOCK),
  }));
  return { scores: { count: newest.length, latest: newest.slice(full * BLOCK) }, blocks };
}

/** The share of scores that are less than that of these bits; `undefined` when there are too few. */
export function rankOf(bits: number, newest: readonly number[]): number | undefined {
  if (newest.length < FEWEST_SCORES) return undefined;
  const score = scoreOf(bits);
  return newest.filter((one) => one < score).length / newest.length;
}

function scoreOf(bits: number): number {
  return Math.round(bits * PARTS);
}

/** Symbols of a knowledge up to which it is read at each learn; a larger one is read in proportion more rarely. */
const FEW_SYMBOLS = 1_000;
/** One of more is not read to score a learn: it would take a tenth of a second. */
const MANY_SYMBOLS = 4_000_000;

/** 2^32 divided by the golden ratio: its multiples are spread evenly. */
const GOLDEN = 0x9e3779b1;

/**
 * Whether a learn is scored.
 *
 * @param symbols of all models together
 * @param learned how often any model was learned before
 */
export function isScored(symbols: number, learned: number): boolean {
  if (symbols === 0 || symbols > MANY_SYMBOLS) return false;
  if (symbols <= FEW_SYMBOLS) return true;
  const bits = Math.ceil(Math.log2(symbols / FEW_SYMBOLS)) + 1;
  return Math.imul(learned % 2 ** 32, GOLDEN) >>> (32 - bits) === 0;
}
