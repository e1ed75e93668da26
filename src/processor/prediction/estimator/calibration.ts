/**
 * Gives the first symbol of a list the probability that has proved true: by a logistic calibration for the next event,
 * within a horizon by the calibration table of its part of the record (Zadrozny and Elkan 2001).
 */

import { FORECASTS, RIGHT } from "../../knowledge/forecast-record";
import { CONFIDENCE_BOUNDS, type ForecastCorrection, type RuleTable } from "../../ports/forecaster";
import { type Chances, NEXT_BELOW } from "./growing-list";
import { correctionTerms, factorOf, provedBy } from "./logistic-calibration";
import type { EstimatorSettings } from "./settings";

/** The range of a probability. */
export function rangeOf(probability: number): number {
  const range = CONFIDENCE_BOUNDS.findIndex((bound) => probability < bound);
  return range < 0 ? CONFIDENCE_BOUNDS.length : range;
}

/**
 * Counts a forecast in the range of its first symbol.
 *
 * @param numbers of the part; they change
 * @param times how many forecasts it counts as
 */
export function countFirst(numbers: number[], probability: number, isRight: boolean, times: number): void {
  const range = rangeOf(probability);
  numbers[FORECASTS + range] = (numbers[FORECASTS + range] ?? 0) + times;
  if (isRight) numbers[RIGHT + range] = (numbers[RIGHT + range] ?? 0) + times;
}

/** By what the symbols but the first, and what is left to those that are not named, are multiplied. */
export function scaleOf({
  mixed,
  proved,
  isExclusive,
}: Pick<ForecastCorrection, "mixed" | "proved" | "isExclusive">): number {
  return isExclusive && mixed < 1 ? (1 - proved) / (1 - mixed) : 1;
}

/**
 * Gives the first symbol the probability that has proved true; where one symbol excludes the others, these share what
 * is left. None of them becomes greater than the first.
 *
 * @param chances they change
 * @param times how many times a forecast counts in its range
 * @returns what it took; `undefined` where no symbol has a probability
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

/** What has proved true of the next event. */
function nextProved(mixed: number, table: RuleTable, numbers: readonly number[], settings: EstimatorSettings): Proved {
  const terms = correctionTerms(mixed, table, numbers, settings);
  const factor = factorOf(terms);
  return { terms, factor, proved: provedBy(mixed, factor) };
}

/** What has proved true of lists within a horizon. @param prior the number of pseudo-forecasts */
function tableProved(mixed: number, numbers: readonly number[], prior: number): Proved {
  const range = rangeOf(mixed);
  const forecasts = numbers[FORECASTS + range] ?? 0;
  const right = numbers[RIGHT + range] ?? 0;
  const [from, to] = [CONFIDENCE_BOUNDS[range - 1] ?? 0, CONFIDENCE_BOUNDS[range] ?? 1];
  const proved = (right + prior * mixed) / (forecasts + prior);
  return { from, to, forecasts, right, prior, terms: [], proved };
}
