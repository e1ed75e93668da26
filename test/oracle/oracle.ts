/**
 * A slow, obvious Matcher: it matches every model with the query, one after the other, and sorts. The kernel must give exactly its
 * answers, to the last bit of every number.
 */

import type { ComparedSequence, Comparison } from "../../src/processor/ports/comparison";
import {
  type ExplainedMatch,
  type Match,
  type MatchableModel,
  type Matcher,
  METRIC,
  METRICS,
  type Metric,
  type ModelBatch,
  type Query,
} from "../../src/processor/ports/matcher";
import { type Candidate, cut } from "./candidate";
import { SlowComparison } from "./comparison";
import { OracleForecastRules } from "./forecast";
import { type Context, score } from "./scoring";

/** A Matcher for tests. It may hold any number of models. */
export class Oracle implements Matcher {
  readonly bytes = 0;
  /** It does not count: no budget stops it. */
  readonly steps = 0;
  readonly limitBytes = Number.POSITIVE_INFINITY;
  readonly #models = new Map<number, MatchableModel>();
  readonly #frequencies = new Map<number, number>();
  /** How the models match the symbols that were asked about last. Questions about them mostly differ in what is kept. */
  #cuts: { symbols: string; candidates: Candidate[] } | undefined;
  /** What the rules of forecasts say of its models. */
  readonly forecastRules = new OracleForecastRules(
    () => [...this.#models.values()],
    (symbol) => this.#frequencies.get(symbol) ?? 0,
  );

  add(model: MatchableModel): void {
    this.#cuts = undefined;
    this.#models.set(model.id, { ...model, symbols: model.symbols.slice(), lengths: model.lengths.slice() });
  }

  addBatch({ ids, frequencies, eventCounts, lengths, symbols }: ModelBatch): void {
    let event = 0;
    let symbol = 0;
    ids.forEach((id, at) => {
      const own = Uint32Array.from(lengths.slice(event, event + (eventCounts[at] ?? 0)));
      const end = symbol + own.reduce((sum, length) => sum + length, 0);
      const frequency = frequencies[at] ?? 0;
      this.add({ id, frequency, lengths: own, symbols: Uint32Array.from(symbols.slice(symbol, end)) });
      event += own.length;
      symbol = end;
    });
  }

  remove(id: number): void {
    this.#cuts = undefined;
    this.#models.delete(id);
  }

  setFrequency(id: number, frequency: number): void {
    const model = this.#models.get(id);
    if (!model) {
      throw new Error(`no model has the id ${id}`);
    }
    model.frequency = frequency;
  }

  setSymbolFrequency(symbol: number, frequency: number): void {
    this.#frequencies.set(symbol, frequency);
  }

  clear(): void {
    this.#cuts = undefined;
    this.#models.clear();
    this.#frequencies.clear();
  }

  get symbolCount(): number {
    return [...this.#models.values()].reduce((sum, { symbols }) => sum + symbols.length, 0);
  }

  compare<Answer>(sequence: ComparedSequence, work: (comparison: Comparison) => Answer): Answer {
    return work(new SlowComparison(sequence, [...this.#models.values()]));
  }

  predict(query: Query): Match[] {
    const kept = this.#kept(query);
    const context = this.#contextOf(query, kept);
    return kept
      .map((candidate) => matchOf(candidate, context))
      .sort((a, b) => metricOf(b, query.sortMetric) - metricOf(a, query.sortMetric) || b.id - a.id)
      .filter((match) => {
        const value = metricOf(match, query.thresholdMetric);
        return query.thresholdAtLeast ? value >= query.threshold : value <= query.threshold;
      })
      .slice(0, query.maxPredictions);
  }

  matchesAny(query: Query): boolean {
    return this.predict(query).length > 0;
  }

  explain(query: Query, id: number): ExplainedMatch | undefined {
    const kept = this.#kept(query);
    const context = this.#contextOf(query, kept);
    const candidate = kept.find(({ model }) => model.id === id);
    if (candidate === undefined) return undefined;
    const partners = new Int32Array(query.symbols.length).fill(-1);
    for (const { model, query: from, length } of candidate.blocks) {
      for (let at = 0; at < length; at++) partners[from + at] = model + at;
    }
    const weighs = Uint8Array.from(query.symbols, (symbol) => Number(context.weighed.has(symbol)));
    return { match: matchOf(candidate, context), partners, weighs, keptFrequencies: context.keptFrequencies };
  }

  #contextOf(query: Query, kept: readonly Candidate[]): Context {
    return {
      query,
      probability: (symbol) => (this.#frequencies.get(symbol) ?? 0) / query.totals.memberFrequencies,
      weighed: new Set(kept.flatMap((candidate) => [...candidate.matches, ...candidate.missing])),
      keptFrequencies: kept.reduce((sum, candidate) => sum + candidate.model.frequency, 0),
    };
  }

  countMatching(query: Query, thresholds: Float64Array): number[] {
    const candidates = this.#candidates(query);
    return [...thresholds].map((threshold) => candidates.filter(({ similarity }) => similarity >= threshold).length);
  }

  /** The models of the target class that rule 1 keeps. */
  #kept(query: Query): Candidate[] {
    return this.#candidates(query).filter(({ similarity }) => similarity >= query.recallThreshold);
  }

  /** The models of the target class that have a symbol in common with the query. */
  #candidates({ symbols, target }: Query): Candidate[] {
    return this.#cutBy(symbols).filter(({ model }) => ofTarget(model, target));
  }

  /** The models that have a symbol in common with others. */
  #cutBy(symbols: Uint32Array): Candidate[] {
    const key = symbols.join();
    if (this.#cuts?.symbols !== key) {
      this.#cuts = {
        symbols: key,
        candidates: [...this.#models.values()].flatMap((model) => cut(model, symbols) ?? []),
      };
    }
    return this.#cuts.candidates;
  }
}

function ofTarget(model: MatchableModel, target: number | undefined): boolean {
  const lastEvent = model.symbols.slice(model.symbols.length - (model.lengths.at(-1) ?? 0));
  return target === undefined || lastEvent.includes(target);
}

function matchOf(candidate: Candidate, context: Context): Match {
  return {
    ...candidate.model,
    presentStart: candidate.presentStart,
    presentEnd: candidate.presentEnd,
    matches: Uint32Array.from(candidate.matches),
    missing: Uint32Array.from(candidate.missing),
    extras: Uint32Array.from(candidate.extras),
    metrics: metricValues(score(candidate, context)),
  };
}

function metricValues(metrics: Readonly<Record<Metric, number>>): Float64Array {
  return Float64Array.from(METRICS, (name) => metrics[name]);
}

/** One of the metrics of a match. */
export function metricOf({ metrics }: Match, name: Metric): number {
  return metrics[METRIC[name]] ?? Number.NaN;
}
