/**
 * How unusual the newest learned sequences were, each scored before it was learned. The latest scores are in the state;
 * each full block moves to a row of its own, so that only one learn in {@link SCORES_PER_ROW} writes an extra row.
 */

import type { LearnScores, ScoreBlock } from "../../ports/store";

/** Scores in a row. */
export const SCORES_PER_ROW = 64;

/** Number of newest learns that a rank compares with. */
export const MAX_SCORES = 10_000;

/** Minimum number of scores for a rank. */
export const MIN_SCORES = 20;

/** Number of rows; beyond it the oldest is overwritten. */
const BLOCKS = Math.ceil(MAX_SCORES / SCORES_PER_ROW);

/** Scores are whole numbers of 1/1024 bit. */
const UNITS_PER_BIT = 1024;

/**
 * The scores with one more; and the block to store, if one is full.
 *
 * @param bits of the sequence, before it is learned
 */
export function withScore(scores: LearnScores, bits: number): { scores: LearnScores; full?: ScoreBlock } {
  const latest = [...scores.latest, scoreOf(bits)];
  const count = scores.count + 1;
  if (latest.length < SCORES_PER_ROW) return { scores: { count, latest } };
  return { scores: { count, latest: [] }, full: { place: (count / SCORES_PER_ROW - 1) % BLOCKS, scores: latest } };
}

/** The newest scores, oldest first, at most {@link MAX_SCORES}. @param blocks all stored ones */
export function newestScores({ count, latest }: LearnScores, blocks: Iterable<ScoreBlock>): number[] {
  const full = (count - latest.length) / SCORES_PER_ROW;
  const byPlace = new Map(Array.from(blocks, ({ place, scores }) => [place, scores]));
  const newest: number[] = [];
  for (let block = Math.max(0, full - BLOCKS); block < full; block++)
    newest.push(...(byPlace.get(block % BLOCKS) ?? []));
  newest.push(...latest);
  return newest.slice(-MAX_SCORES);
}

/** The stored form of what {@link newestScores} returned. */
export function scoresFrom(newest: readonly number[]): { scores: LearnScores; blocks: ScoreBlock[] } {
  const full = Math.floor(newest.length / SCORES_PER_ROW);
  const blocks = Array.from({ length: full }, (_, place) => ({
    place,
    scores: newest.slice(place * SCORES_PER_ROW, (place + 1) * SCORES_PER_ROW),
  }));
  return { scores: { count: newest.length, latest: newest.slice(full * SCORES_PER_ROW) }, blocks };
}

/** The fraction of scores below these bits; `undefined` when there are too few scores. */
export function rankOf(bits: number, newest: readonly number[]): number | undefined {
  if (newest.length < MIN_SCORES) return undefined;
  const score = scoreOf(bits);
  return newest.filter((one) => one < score).length / newest.length;
}

function scoreOf(bits: number): number {
  return Math.round(bits * UNITS_PER_BIT);
}

/**
 * Size in symbols up to which every learn reads the whole knowledge; a larger one is read proportionally less often.
 */
const FEW_SYMBOLS = 1_000;
/** Knowledge with more symbols is not read to score a learn: that would take a tenth of a second. */
const MANY_SYMBOLS = 4_000_000;

/** 2^32 divided by the golden ratio: its multiples are evenly spread. */
const GOLDEN = 0x9e3779b1;

/**
 * Whether a learn is scored.
 *
 * @param symbols of all models together
 * @param learned number of learns before
 */
export function isScored(symbols: number, learned: number): boolean {
  if (symbols === 0 || symbols > MANY_SYMBOLS) return false;
  if (symbols <= FEW_SYMBOLS) return true;
  const bits = Math.ceil(Math.log2(symbols / FEW_SYMBOLS)) + 1;
  return Math.imul(learned % 2 ** 32, GOLDEN) >>> (32 - bits) === 0;
}
