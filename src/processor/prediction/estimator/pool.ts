/**
 * The logarithmic pool of the rules (Genest and Zidek 1986): a symbol's share is the product of what the rules give it,
 * each to the power of its weight, divided by the sum over all outcomes. Weights depend on a small situation and follow
 * the logarithmic score by Newton's method (docs/forecast.md).
 */

import { CURVATURE, gradingsOf, MOST_RECORD_WEIGHT } from "../../knowledge/forecast-record";
import {
  ALIKE,
  BUCKET_NUMBERS,
  type ForecastRecord,
  ORDER,
  PART_ENDS,
  RECORD_NUMBERS,
  RULE_PAIRS,
  RULES,
  type RuleTable,
} from "../../ports/forecaster";
import { exp, log, rememberedLog } from "../logarithms";
import { newtonStep } from "./newton-step";
import type { EstimatorSettings } from "./settings";

/** The bounds between which the mean number of events behind, and the longest order, fall into another bucket. */
export const BEHIND_BOUNDS = [1.5, 4, 16] as const;
export const ORDER_BOUNDS = [2, 4] as const;

/** The numbers of a part of which nothing was graded. */
const NOTHING: readonly number[] = new Array<number>(RECORD_NUMBERS).fill(0);

/** The part of the record that a list uses. @param last the last event ahead that it is about, 1 to 10 */
export function partOf(last: number): number {
  return PART_ENDS.findIndex((end) => last <= end);
}

/**
 * The numbers of the part of the record that a list uses; zeros where nothing was graded.
 *
 * @param last as in {@link partOf}
 */
export function numbersOf(record: ForecastRecord, last: number): readonly number[] {
  const numbers = record[partOf(last)] ?? NOTHING;
  return numbers.length === RECORD_NUMBERS ? numbers : NOTHING;
}

/** Whether a rule has anything to go by. */
export function isSpeaking({ speaking }: RuleTable, rule: number): boolean {
  return ((speaking >> rule) & 1) === 1;
}

function rankOf(value: number, bounds: readonly number[]): number {
  const rank = bounds.findIndex((bound) => value < bound);
  return rank < 0 ? bounds.length : rank;
}

/** The bucket of a table: by the events that are left behind the last shared one, and by how long an order matches. */
export function bucketOf({ behind, longestOrder }: Pick<RuleTable, "behind" | "longestOrder">): number {
  return rankOf(behind, BEHIND_BOUNDS) * (ORDER_BOUNDS.length + 1) + rankOf(longestOrder, ORDER_BOUNDS);
}

/** Where the numbers of a bucket begin: first how many gradings it has seen, then its weights. */
function bucketStart(bucket: number): number {
  return RULES + bucket * BUCKET_NUMBERS;
}

/** The weights of the rules for a table. */
export function weightsOf(table: RuleTable, numbers: readonly number[], { firstWeight }: EstimatorSettings): number[] {
  const start = bucketStart(bucketOf(table)) + 1;
  return Array.from({ length: RULES }, (_, rule) => firstWeight + (numbers[rule] ?? 0) + (numbers[start + rule] ?? 0));
}

/** The shares of all outcomes: the named symbols by their places in the table, and at place 0 all others together. */
export interface Pooled {
  readonly weights: readonly number[];
  /** They sum to 1. */
  readonly shares: Float64Array;
  /**
   * ln of what each rule gives each outcome, smoothed: {@link RULES} numbers an outcome. Empty where it was not asked
   * for.
   */
  readonly logs: Float64Array;
  /** By which shares sum to 1: ln share = Σ weight · ln probability − normalizer. */
  readonly normalizer: number;
}

/** Which outcome comes at a place in the order in which sums are added: the named symbols first, then the others. */
function outcomeAt(at: number, outcomes: number): number {
  return at + 1 < outcomes ? at + 1 : 0;
}

/**
 * What of a rule's probability counts in the pool: mostly its own, and some of the base, the mean of the two rules that
 * are always defined. A rule that has nothing to go by gives the base; so does the first, which is part of it.
 *
 * @param at an outcome: a place of the table, and 0 for all others
 */
export function smoothedOf(
  { probabilities, rests, speaking }: RuleTable,
  at: number,
  rule: number,
  { ownPart, basePart, leastProbability }: EstimatorSettings,
): number {
  const given = at === 0 ? rests : probabilities;
  const from = at * RULES;
  const base = 0.5 * ((given[from + ORDER] ?? 0) + (given[from + ALIKE] ?? 0));
  const isBase = rule === ORDER || ((speaking >> rule) & 1) === 0;
  const smoothed = isBase ? base : ownPart * (given[from + rule] ?? 0) + basePart * base;
  return smoothed < leastProbability ? leastProbability : smoothed;
}

/**
 * Pools what the rules give. No event counted holds several symbols: outcomes exclude each other.
 *
 * @param numbers of the list's part of the record
 * @param keepsLogs whether {@link Pooled.logs} are wanted
 */
export function pooled(
  table: RuleTable,
  numbers: readonly number[],
  settings: EstimatorSettings,
  keepsLogs: boolean,
): Pooled {
  const outcomes = table.symbols.length;
  const weights = weightsOf(table, numbers, settings);
  const shares = new Float64Array(outcomes);
  const logs = new Float64Array(keepsLogs ? outcomes * RULES : 0);
  let most = Number.NEGATIVE_INFINITY;
  // A loop over thousands of symbols: it makes nothing.
  for (let place = 0; place < outcomes; place++) {
    const at = outcomeAt(place, outcomes);
    let score = 0;
    for (let rule = 0; rule < RULES; rule++) {
      const ln = rememberedLog(smoothedOf(table, at, rule, settings));
      if (keepsLogs) logs[at * RULES + rule] = ln;
      score += (weights[rule] ?? 0) * ln;
    }
    shares[at] = score;
    if (score > most) most = score;
  }
  let sum = 0;
  for (let place = 0; place < outcomes; place++) {
    const at = outcomeAt(place, outcomes);
    const share = exp((shares[at] ?? 0) - most);
    shares[at] = share;
    sum += share;
  }
  for (let at = 0; at < outcomes; at++) shares[at] = (shares[at] ?? 0) / sum;
  return { weights, shares, logs, normalizer: most + log(sum) };
}

/** The probability that an outcome comes in one of some events, if it has this share in each. */
export function withinEvents(share: number, events: number): number {
  let none = 1;
  for (let event = 0; event < events; event++) none *= 1 - share;
  return 1 - none;
}

function cut(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}

/** Where the logarithmic score of what came rises with the weight of each rule: Σ (came − share) · ln probability. */
function gradientOf({ shares, logs }: Pooled, came: Float64Array, rule: number): number {
  let gradient = 0;
  for (let place = 0; place < shares.length; place++) {
    const at = outcomeAt(place, shares.length);
    gradient += ((came[at] ?? 0) - (shares[at] ?? 0)) * (logs[at * RULES + rule] ?? 0);
  }
  return gradient;
}

/** What ln probability of a rule is on average, by the shares. */
function meanLogOf({ shares, logs }: Pooled, rule: number): number {
  let mean = 0;
  for (let place = 0; place < shares.length; place++) {
    const at = outcomeAt(place, shares.length);
    mean += (shares[at] ?? 0) * (logs[at * RULES + rule] ?? 0);
  }
  return mean;
}

/** Two rules, each once: {@link RULE_PAIRS} of them, row by row from the diagonal on. */
const PAIRS = Array.from({ length: RULES }, (_, one) =>
  Array.from({ length: RULES - one }, (_, more) => [one, one + more] as const),
).flat();

/**
 * The covariance of what two rules give, as logarithms, by the shares: how much the logarithmic score bends with their
 * weights (Fisher's information). It bends downwards everywhere.
 *
 * @param means of all rules
 */
function covarianceOf({ shares, logs }: Pooled, means: readonly number[], one: number, other: number): number {
  const [meanOfOne, meanOfOther] = [means[one] ?? 0, means[other] ?? 0];
  let covariance = 0;
  for (let place = 0; place < shares.length; place++) {
    const at = outcomeAt(place, shares.length);
    const from = at * RULES;
    covariance += (shares[at] ?? 0) * ((logs[from + one] ?? 0) - meanOfOne) * ((logs[from + other] ?? 0) - meanOfOther);
  }
  return covariance;
}

/**
 * Moves the weights of a part towards what came: a step of Newton's method, by the curvature of all gradings so far. A
 * bucket has the same part of that as of the gradings.
 *
 * @param numbers of the part; they change
 * @param bucket whose weights move
 * @param came the part of the events in which each outcome came; sums to 1
 * @param weight how much the grading counts
 */
export function teach(
  numbers: number[],
  bucket: number,
  pool: Pooled,
  came: Float64Array,
  weight: number,
  { priorCurvature }: EstimatorSettings,
): void {
  const rules = Array.from({ length: RULES }, (_, rule) => rule);
  const gradient = rules.map((rule) => weight * gradientOf(pool, came, rule));
  const means = rules.map((rule) => meanLogOf(pool, rule));
  const curvature = PAIRS.map(([one, other], pair) => {
    const sum = (numbers[CURVATURE + pair] ?? 0) + weight * covarianceOf(pool, means, one, other);
    return cut(sum, Number.MAX_SAFE_INTEGER);
  });
  numbers.splice(CURVATURE, RULE_PAIRS, ...curvature);
  const start = bucketStart(bucket);
  numbers[start] = (numbers[start] ?? 0) + weight;
  const general = newtonStep(curvature, 1, priorCurvature, gradient);
  const own = newtonStep(curvature, (numbers[start] ?? 0) / gradingsOf(numbers), priorCurvature, gradient);
  for (const rule of rules) {
    const at = start + 1 + rule;
    numbers[rule] = cut((numbers[rule] ?? 0) + (general[rule] ?? 0), MOST_RECORD_WEIGHT);
    numbers[at] = cut((numbers[at] ?? 0) + (own[rule] ?? 0), MOST_RECORD_WEIGHT);
  }
}
