/**
 * Corrects the probability of a list's first symbol by past results: by a logistic calibration for the next event,
 * within a horizon by the calibration table of its part of the record (Zadrozny and Elkan 2001).
 */

import { FORECASTS, HITS } from "../../knowledge/forecast-record";
import { CONFIDENCE_BOUNDS, type ForecastCorrection, type RuleTable } from "../../ports/forecaster";
import { type Chances, NEXT_BELOW } from "./growing-list";
import { correctionTerms, factorOf, provedBy } from "./logistic-calibration";
import type { EstimatorSettings } from "./settings";

/** The confidence range of a probability. */
export function rangeOf(probability: number): number {
  const range = CONFIDENCE_BOUNDS.findIndex((bound) => probability < bound);
  return range < 0 ? CONFIDENCE_BOUNDS.length : range;
}

/**
 * Counts a forecast in the range of its first symbol.
 *
 * @param numbers of the part; they change
 * @param times the weight of the forecast
 */
export function countFirst(numbers: number[], probability: number, isRight: boolean, times: number): void {
  const range = rangeOf(probability);
  numbers[FORECASTS + range] = (numbers[FORECASTS + range] ?? 0) + times;
  if (isRight) numbers[HITS + range] = (numbers[HITS + range] ?? 0) + times;
}

/** The factor for the probabilities of the other symbols and of the unnamed rest. */
export function scaleOf({
  mixed,
  proved,
  isExclusive,
}: Pick<ForecastCorrection, "mixed" | "proved" | "isExclusive">): number {
  return isExclusive && mixed < 1 ? (1 - proved) / (1 - mixed) : 1;
}

/**
 * Corrects the first symbol's probability. If one symbol excludes the others, they share the rest. None of them may
 * exceed the first.
 *
 * @param chances changed in place
 * @param times the weight of a forecast in its range
 * @returns the correction; `undefined` if no symbol has a probability
 */
export function calibrate(
  { first, probabilities }: Chances,
  table: RuleTable,
  numbers: readonly number[],
  times: number,
  isExclusive: boolean,
  settings: EstimatorSettings,
): ForecastCorrection | undefined {
  if (first === 0) return undefined;
  const mixed = probabilities[first] ?? 0;
  const found = isExclusive
    ? nextProved(mixed, table, numbers, settings)
    : tableProved(mixed, numbers, settings.priorForecasts * times);
  const { proved } = found;
  const scale = scaleOf({ mixed, proved, isExclusive });
  const others = proved * NEXT_BELOW;
  for (let at = 1; at < probabilities.length; at++) {
    const probability = probabilities[at] ?? 0;
    probabilities[at] = Math.min(probability === mixed ? proved : others, probability * scale);
  }
  probabilities[first] = proved;
  return { first: table.symbols[first] ?? 0, mixed, isExclusive, ...found };
}

type Proved = Omit<ForecastCorrection, "first" | "mixed" | "isExclusive">;

/** The corrected probability of the next event. */
function nextProved(mixed: number, table: RuleTable, numbers: readonly number[], settings: EstimatorSettings): Proved {
  const terms = correctionTerms(mixed, table, numbers, settings);
  const factor = factorOf(terms);
  return { terms, factor, proved: provedBy(mixed, factor) };
}

/** The corrected probability of lists within a horizon. @param prior number of pseudo-forecasts */
function tableProved(mixed: number, numbers: readonly number[], prior: number): Proved {
  const range = rangeOf(mixed);
  const forecasts = numbers[FORECASTS + range] ?? 0;
  const right = numbers[HITS + range] ?? 0;
  const [from, to] = [CONFIDENCE_BOUNDS[range - 1] ?? 0, CONFIDENCE_BOUNDS[range] ?? 1];
  const proved = (right + prior * mixed) / (forecasts + prior);
  return { from, to, forecasts, right, prior, terms: [], proved };
}
