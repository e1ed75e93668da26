/** A forecast, made from the forecaster's answer by replacing numbers with symbols and names of models. */

import type { Forecast, ForecastSymbol, ForecastWhen } from "../../gen/plain";
import type { Forecast as Numbered, ForecastSymbol as NumberedSymbol } from "../ports/forecaster";

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
  when: readonly (ForecastWhen | undefined)[] = [],
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
