/**
 * The logarithmic pool of the rules (Genest and Zidek 1986): a symbol's share is the product of the rules'
 * probabilities, each to the power of its weight, divided by the sum over all outcomes. The weights depend on the
 * situation and are fitted to the logarithmic score by Newton's method (docs/forecast.md).
 */

import { CURVATURE, ENDS_LEFT_OUT, gradingsOf, MAX_RECORD_WEIGHT } from "../../knowledge/forecast-record";
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

/** The bounds of the buckets: for the mean number of events behind, and for the longest order. */
export const BEHIND_BOUNDS = [1.5, 4, 16] as const;
export const ORDER_BOUNDS = [2, 4] as const;

/** The numbers of a part without gradings. */
const NO_GRADINGS: readonly number[] = new Array<number>(RECORD_NUMBERS).fill(0);

/** The part of the record that a list uses. @param last the last event ahead in the list, 1 to 10 */
export function partOf(last: number): number {
  return PART_ENDS.findIndex((end) => last <= end);
}

/**
 * The numbers of the part of the record that a list uses; zeros if nothing was graded.
 *
 * @param last as in {@link partOf}
 */
export function numbersOf(record: ForecastRecord, last: number): readonly number[] {
  const numbers = record[partOf(last)] ?? NO_GRADINGS;
  return numbers.length === RECORD_NUMBERS ? numbers : NO_GRADINGS;
}

/** Whether a rule has any evidence. */
export function isSpeaking({ speaking }: RuleTable, rule: number): boolean {
  return ((speaking >> rule) & 1) === 1;
}

function rankOf(value: number, bounds: readonly number[]): number {
  const rank = bounds.findIndex((bound) => value < bound);
  return rank < 0 ? bounds.length : rank;
}

/**
 * The bucket of a table, by the mean number of events behind the last shared one and by the longest order that matches.
 */
export function bucketOf({ behind, longestOrder }: Pick<RuleTable, "behind" | "longestOrder">): number {
  return rankOf(behind, BEHIND_BOUNDS) * (ORDER_BOUNDS.length + 1) + rankOf(longestOrder, ORDER_BOUNDS);
}

/** Where the numbers of a bucket begin: its number of gradings, then its weights. */
function bucketStart(bucket: number): number {
  return RULES + bucket * BUCKET_NUMBERS;
}

/** The weights of the rules for a table. */
export function weightsOf(table: RuleTable, numbers: readonly number[], { firstWeight }: EstimatorSettings): number[] {
  const start = bucketStart(bucketOf(table)) + 1;
  return Array.from({ length: RULES }, (_, rule) => firstWeight + (numbers[rule] ?? 0) + (numbers[start + rule] ?? 0));
}

/** The shares of all outcomes: each named symbol at its place in the table, all others together at place 0. */
export interface Pooled {
  readonly weights: readonly number[];
  /** They sum to 1. */
  readonly shares: Float64Array;
  /**
   * ln of each rule's smoothed probability of each outcome: {@link RULES} numbers for an outcome. Empty if not
   * requested.
   */
  readonly logs: Float64Array;
  /** Normalizes the shares to a sum of 1: ln share = Σ weight · ln probability − normalizer. */
  readonly normalizer: number;
}

/** The outcome at a position in the order of summation: the named symbols first, then all others. */
function outcomeAt(at: number, outcomes: number): number {
  return at + 1 < outcomes ? at + 1 : 0;
}

/** The probability of an outcome by a rule without evidence: the mean of the two rules that are always defined. */
function baseOf(given: ArrayLike<number>, from: number): number {
  return 0.5 * ((given[from + ORDER] ?? 0) + (given[from + ALIKE] ?? 0));
}

function atLeast(least: number, probability: number): number {
  return probability < least ? least : probability;
}

/** The probability of an outcome by a rule with evidence: its own, mixed with the base. */
function mixedOf(own: number, base: number, { ownPart, basePart, leastProbability }: EstimatorSettings): number {
  return atLeast(leastProbability, ownPart * own + basePart * base);
}

/**
 * A rule's probability in the pool: mostly its own, mixed with the base, which is the mean of the two rules that are
 * always defined. A rule without evidence gives the base; so does the first rule, which is part of it.
 *
 * @param at an outcome: a place of the table; 0 for all others
 */
export function smoothedOf(table: RuleTable, at: number, rule: number, settings: EstimatorSettings): number {
  const given = at === 0 ? table.rests : table.probabilities;
  const base = baseOf(given, at * RULES);
  if (isBase(table, rule)) return atLeast(settings.leastProbability, base);
  return mixedOf(given[at * RULES + rule] ?? 0, base, settings);
}

/** Whether a rule gives the base. */
function isBase(table: RuleTable, rule: number): boolean {
  return rule === ORDER || !isSpeaking(table, rule);
}

/**
 * The sum over the rules of weight · ln probability, for each outcome, and the greatest of them.
 *
 * @param logs as {@link Pooled.logs}; filled unless it is empty
 */
function scoresOf(
  table: RuleTable,
  weights: readonly number[],
  logs: Float64Array,
  settings: EstimatorSettings,
): { scores: Float64Array; most: number } {
  const { probabilities, rests } = table;
  const scores = new Float64Array(table.symbols.length);
  const areBase = weights.map((_, rule) => isBase(table, rule));
  let most = Number.NEGATIVE_INFINITY;
  // No allocation in this loop: it runs over thousands of symbols. The logarithm of a base is taken once.
  for (let at = 0; at < scores.length; at++) {
    const given = at === 0 ? rests : probabilities;
    const from = at * RULES;
    const base = baseOf(given, from);
    const lnOfBase = rememberedLog(atLeast(settings.leastProbability, base));
    let score = 0;
    for (let rule = 0; rule < RULES; rule++) {
      const ln = areBase[rule] ? lnOfBase : rememberedLog(mixedOf(given[from + rule] ?? 0, base, settings));
      if (logs.length > 0) logs[from + rule] = ln;
      score += (weights[rule] ?? 0) * ln;
    }
    scores[at] = score;
    if (score > most) most = score;
  }
  return { scores, most };
}

/**
 * Pools the rules' probabilities, for lists whose counted events hold one symbol each, so that outcomes exclude each
 * other.
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
  const logs = new Float64Array(keepsLogs ? outcomes * RULES : 0);
  const { scores: shares, most } = scoresOf(table, weights, logs, settings);
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

/**
 * The number of occurrences of the longest order that the shares of the next event are worth: the more outcomes were
 * left out of the gradings, because sequences share their ends, the fewer.
 *
 * @param numbers of the part of the next event, which has left out ends
 */
export function priorOf(numbers: readonly number[], { priorOccurrences }: EstimatorSettings): number {
  const leftOut = numbers[ENDS_LEFT_OUT] ?? 0;
  return (priorOccurrences * (gradingsOf(numbers) + leftOut)) / leftOut;
}

/** Whether something updates the shares of the next event. @param numbers of its part of the record */
export function isUpdated({ counted }: RuleTable, numbers: readonly number[]): boolean {
  return counted > 0 && (numbers[ENDS_LEFT_OUT] ?? 0) > 0;
}

/**
 * The probabilities of the outcomes of the next event: the shares, as a prior, updated by what followed the longest
 * order (the posterior mean of a Dirichlet distribution; MacKay and Peto 1995).
 *
 * @param numbers of the part of the next event
 */
export function updatedBy(
  table: RuleTable,
  { shares }: Pooled,
  numbers: readonly number[],
  settings: EstimatorSettings,
): Float64Array {
  if (!isUpdated(table, numbers)) return shares;
  const { counts, counted } = table;
  const prior = priorOf(numbers, settings);
  const updated = new Float64Array(shares.length);
  for (let at = 0; at < shares.length; at++) {
    updated[at] = ((counts[at] ?? 0) + prior * (shares[at] ?? 0)) / (counted + prior);
  }
  return updated;
}

/** The probability that an outcome comes in at least one of several events, if it has this share in each. */
export function withinEvents(share: number, events: number): number {
  let none = 1;
  for (let event = 0; event < events; event++) none *= 1 - share;
  return 1 - none;
}

function cut(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}

/** The gradient of the outcome's logarithmic score in a rule's weight: Σ (came − share) · ln probability. */
function gradientOf({ shares, logs }: Pooled, came: Float64Array, rule: number): number {
  let gradient = 0;
  for (let place = 0; place < shares.length; place++) {
    const at = outcomeAt(place, shares.length);
    gradient += ((came[at] ?? 0) - (shares[at] ?? 0)) * (logs[at * RULES + rule] ?? 0);
  }
  return gradient;
}

/** The mean of a rule's ln probability, weighted by the shares. */
function meanLogOf({ shares, logs }: Pooled, rule: number): number {
  let mean = 0;
  for (let place = 0; place < shares.length; place++) {
    const at = outcomeAt(place, shares.length);
    mean += (shares[at] ?? 0) * (logs[at * RULES + rule] ?? 0);
  }
  return mean;
}

/** The pairs of rules, each once: {@link RULE_PAIRS}, row by row from the diagonal on. */
const PAIRS = Array.from({ length: RULES }, (_, one) =>
  Array.from({ length: RULES - one }, (_, more) => [one, one + more] as const),
).flat();

/**
 * The covariance of two rules' logarithms, weighted by the shares: the curvature of the logarithmic score in their
 * weights (Fisher information). The score is concave everywhere.
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
 * Fits the weights of a part to an outcome: a step of Newton's method, with the curvature of all gradings so far. A
 * bucket's fraction of the curvature is its fraction of the gradings.
 *
 * @param numbers of the part; changed in place
 * @param bucket whose weights are fitted
 * @param came for each outcome, the fraction of the events in which it came; sums to 1
 * @param weight the weight of the grading
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
    numbers[rule] = cut((numbers[rule] ?? 0) + (general[rule] ?? 0), MAX_RECORD_WEIGHT);
    numbers[at] = cut((numbers[at] ?? 0) + (own[rule] ?? 0), MAX_RECORD_WEIGHT);
  }
}
