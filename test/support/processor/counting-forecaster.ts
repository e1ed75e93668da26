/**
 * A simple forecaster for tests of what stands above the port: it counts what comes, in the models of a store, after events that hold a symbol
 * of the newest event, and shares the probability by these counts.
 */

import type {
  Forecast,
  ForecastContext,
  Forecaster,
  ForecastOutcome,
  ForecastQuery,
  ForecastRecord,
} from "../../../src/processor/ports/forecaster";
import type { MatchableModel } from "../../../src/processor/ports/matcher";
import type { Reader } from "../../../src/processor/ports/store";

/** The events of a sequence. */
function eventsOf({ symbols, lengths }: Pick<MatchableModel, "lengths" | "symbols">): number[][] {
  let from = 0;
  return [...lengths].map((length) => {
    from += length;
    return [...symbols.subarray(from - length, from)];
  });
}

/** Counts; see the head of the file. */
export class CountingForecaster implements Forecaster {
  readonly #store: Reader;
  /** Steps that each question takes. Tests set it. */
  steps = 0;
  /** How many questions it was asked. */
  questions = 0;

  constructor(store: Reader) {
    this.#store = store;
  }

  get neighbourSteps(): number {
    return this.steps;
  }

  series<Answer>(work: () => Answer): Answer {
    return work();
  }

  forecast(query: ForecastQuery): Forecast {
    this.questions++;
    const { horizon, top, compare } = query;
    const last = eventsOf(query).at(-1) ?? [];
    const models = [...this.#store.knowledge.corpus()].filter((model) => this.#speaks(model, query));
    const steps = Array.from({ length: horizon }, (_, ahead) => {
      const votes = new Map<number, { weight: number; ids: number[] }>();
      let [all, given] = [1, 0];
      for (const model of models) {
        const events = eventsOf(model);
        const at = events.findLastIndex((event) => event.some((symbol) => last.includes(symbol)));
        if (at < 0) continue;
        all += model.frequency;
        for (const symbol of new Set(events[at + 1 + ahead] ?? [])) {
          const vote = votes.get(symbol) ?? { weight: 0, ids: [] };
          votes.set(symbol, { weight: vote.weight + model.frequency, ids: [model.id, ...vote.ids] });
        }
        if (events.length > at + 1 + ahead) given += model.frequency;
      }
      const symbols = [...votes]
        .map(([symbol, { weight, ids }]) => {
          return { symbol, probability: weight / all, support: ids.length, models: ids.slice(0, 5) };
        })
        .sort((one, other) => other.probability - one.probability || compare(one.symbol, other.symbol));
      return { none: 1 - given / all, rest: 1, symbols: symbols.slice(0, top) };
    });
    return { context: query.lengths.length, models: models.length, steps, within: steps[0]?.symbols ?? [] };
  }

  consider<Answer>(
    query: ForecastQuery,
    work: (forecast: Forecast, together: (symbols: Uint32Array) => Float64Array) => Answer,
  ): Answer {
    const all = this.forecast({ ...query, top: Number.POSITIVE_INFINITY });
    const given = new Map(all.steps[0]?.symbols.map(({ symbol, probability }) => [symbol, probability]));
    const wanted = Float64Array.from(query.wanted ?? [], (symbol) => given.get(symbol) ?? 0);
    const steps = all.steps.map((step) => ({ ...step, symbols: step.symbols.slice(0, query.top) }));
    return work({ ...all, steps, wanted }, () => this.together());
  }

  probabilities(context: ForecastContext, symbols: Uint32Array): Float64Array {
    const all = { ...context, horizon: 1, top: Number.POSITIVE_INFINITY, compare: () => 0 };
    const given = new Map(this.forecast(all).steps[0]?.symbols.map(({ symbol, probability }) => [symbol, probability]));
    return Float64Array.from(symbols, (symbol) => given.get(symbol) ?? 0);
  }

  /** It counts no places, so nothing came together. */
  together(): Float64Array {
    return new Float64Array();
  }

  explain(): undefined {
    return undefined;
  }

  grade({ record }: ForecastOutcome): ForecastRecord {
    return record;
  }

  #speaks({ symbols, lengths }: MatchableModel, { symbols: asked, target }: ForecastContext): boolean {
    const lastEvent = symbols.subarray(symbols.length - (lengths.at(-1) ?? 0));
    const isAdmitted = target === undefined || lastEvent.includes(target);
    return isAdmitted && symbols.some((symbol) => asked.includes(symbol));
  }
}
