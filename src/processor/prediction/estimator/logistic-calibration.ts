/**
 * The logistic calibration of the next event (Platt 1999): the odds of its first symbol are multiplied by a factor
 * fitted to past results, which depends on the probability and on the number of events behind. First symbols come more
 * often inside sequences than at their ends, and the events behind are the only sign of where the context is
 * (docs/forecast.md).
 */

import { CORRECTION, CORRECTION_CURVATURE, MAX_RECORD_WEIGHT } from "../../knowledge/forecast-record";
import { CORRECTION_TERMS, type CorrectionTerm, type RuleTable, TERM_PAIRS } from "../../ports/forecaster";
import { exp, log } from "../logarithms";
import { newtonStep } from "./newton-step";
import type { EstimatorSettings } from "./settings";

/** Bound of the exponent of the factor, in both directions. */
const MAX_EXPONENT = 20;

/** The pairs of terms, each once, row by row from the diagonal on. */
const PAIRS = Array.from({ length: CORRECTION_TERMS }, (_, one) =>
  Array.from({ length: CORRECTION_TERMS - one }, (_, more) => [one, one + more] as const),
).flat();

function cut(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}

/**
 * The terms of the correction.
 *
 * @param mixed the pooled probability of the first symbol, above 0
 * @param numbers of the part of the next event
 */
export function correctionTerms(
  mixed: number,
  { behind }: Pick<RuleTable, "behind">,
  numbers: readonly number[],
  { leastProbability, mostBehind, behindUnit }: EstimatorSettings,
): CorrectionTerm[] {
  const probable = Math.max(leastProbability, Math.min(1 - leastProbability, mixed));
  const values = [log(probable) - log(1 - probable), mixed, Math.min(mostBehind, behind) / behindUnit];
  return values.map((value, term) => ({ value, weight: numbers[CORRECTION + term] ?? 0 }));
}

/** The factor of the first symbol's odds; finite and above 0. */
export function factorOf(terms: readonly CorrectionTerm[]): number {
  const exponent = terms.reduce((sum, { value, weight }) => sum + weight * value, 0);
  return exp(cut(exponent, MAX_EXPONENT));
}

/** The corrected probability. @param mixed as in {@link correctionTerms} @param factor of its odds */
export function provedBy(mixed: number, factor: number): number {
  const odds = mixed * factor;
  return odds / (odds + (1 - mixed));
}

/**
 * Fits the weights of the correction to an outcome: a step of Newton's method for the logarithmic score.
 *
 * @param numbers of the part; changed in place
 * @param came whether the first symbol came
 * @param times the weight of the forecast
 * @param sequences the current weight of a forecast
 */
export function teachCorrection(
  numbers: number[],
  { mixed, came, times, sequences }: { mixed: number; came: boolean; times: number; sequences: number },
  table: Pick<RuleTable, "behind">,
  settings: EstimatorSettings,
): void {
  const terms = correctionTerms(mixed, table, numbers, settings);
  const proved = provedBy(mixed, factorOf(terms));
  const missed = times * (Number(came) - proved);
  const bend = times * proved * (1 - proved);
  const of = (term: number) => terms[term]?.value ?? 0;
  const curvature = PAIRS.map(([one, other], pair) =>
    cut((numbers[CORRECTION_CURVATURE + pair] ?? 0) + bend * of(one) * of(other), Number.MAX_SAFE_INTEGER),
  );
  numbers.splice(CORRECTION_CURVATURE, TERM_PAIRS, ...curvature);
  const gradient = terms.map(({ value }) => missed * value);
  const step = newtonStep(curvature, 1, settings.priorCorrection * sequences, gradient);
  step.forEach((by, term) => {
    const at = CORRECTION + term;
    numbers[at] = cut((numbers[at] ?? 0) + by, MAX_RECORD_WEIGHT);
  });
}
