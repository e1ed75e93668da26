/** A forecast, made from the forecaster's answer by replacing numbers with symbols and names of models. */

import type { Forecast as Numbered, ForecastSymbol as NumberedSymbol } from "../ports/forecaster";
import type { When } from "./event-times";

/** A symbol that may come. */
export interface ForecastSymbol {
  symbol: string;
  /** Above 0, at most 1. */
  probability: number;
  /** Number of models that predict it. */
  support: number;
  /** The names, without prefix, of at most 5 of them, strongest first. */
  models: string[];
}

/** One event ahead. */
export interface ForecastStep {
  /** The probability of the end, or of nothing known; 1 when no model speaks. */
  none: number;
  /** Most probable first, ties by code point. */
  symbols: ForecastSymbol[];
  /** When it comes; absent if nothing is known. */
  when?: When | undefined;
}

/** What comes next, and how likely. */
export interface Forecast {
  /** Number of the memory's events taken into account. */
  context: number;
  /** Number of models that count. */
  models: number;
  /** One for each event ahead, the nearest first. */
  steps: ForecastStep[];
  /** Symbols by the probability that at least one of these events holds them, most probable first. */
  within: ForecastSymbol[];
}

/** The forecast when no model counts. @param horizon number of events ahead */
export function emptyForecast(horizon: number): Forecast {
  const steps = Array.from({ length: horizon }, () => ({ none: 1, symbols: [] }));
  return { context: 0, models: 0, steps, within: [] };
}

/**
 * Names symbols and models.
 *
 * @param nameOf the symbol for a number
 * @param namesOf the names of models, in the order of their ids
 * @param when the times of the events ahead; unknown if absent
 */
export function named(
  { context, models, steps, within }: Numbered,
  nameOf: (symbol: number) => string,
  namesOf: (ids: readonly number[]) => readonly string[],
  when: readonly (When | undefined)[] = [],
): Forecast {
  const lists = [...steps.map(({ symbols }) => symbols), within];
  const ids = [...new Set(lists.flatMap((list) => list.flatMap((symbol) => symbol.models)))];
  const names = namesOf(ids);
  const nameById = new Map(ids.map((id, at) => [id, names[at] ?? ""]));
  const symbolOf = ({ symbol, probability, support, models: strongest }: NumberedSymbol): ForecastSymbol => ({
    symbol: nameOf(symbol),
    probability,
    support,
    models: strongest.map((id) => nameById.get(id) ?? ""),
  });
  return {
    context,
    models,
    steps: steps.map(({ none, symbols }, at) => {
      const step = { none, symbols: symbols.map(symbolOf) };
      return when[at] === undefined ? step : { ...step, when: when[at] };
    }),
    within: within.map(symbolOf),
  };
}
