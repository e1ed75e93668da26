/**
 * A prediction: one model that matches the query, cut into past, present and future, and scored. Alone, and among the
 * columns of an ensemble, which hold each symbol once: a string for each occurrence would cost more to send than the
 * predictions themselves.
 */

import type { PackedEnsemble, Prediction } from "../../gen/plain";
import type { ModelSummary } from "../knowledge/model-summaries";
import { eventsOf, symbolsOf } from "../knowledge/symbol-table";
import { type Match, MEMBER_METRICS, type MemberMetric } from "../ports/matcher";

/**
 * Replaces the numbers of a match by symbols, and adds the model's name and emotives.
 * @param nameOf the symbol for a number of the model or of the query
 */
export function predictionFrom(match: Match, summary: ModelSummary, nameOf: (id: number) => string): Prediction {
  const events = eventsOf(match, nameOf);
  return {
    name: summary.name,
    frequency: match.frequency,
    past: events.slice(0, match.presentStart),
    present: events.slice(match.presentStart, match.presentEnd),
    future: events.slice(match.presentEnd),
    matches: symbolsOf(match.matches, nameOf),
    missing: symbolsOf(match.missing, nameOf),
    extras: symbolsOf(match.extras, nameOf),
    emotives: summary.emotives,
    ...metricsOf(match),
  };
}

function metricsOf({ metrics }: Match): Record<MemberMetric, number> {
  const values = MEMBER_METRICS.map(({ member, code }) => [member, metrics[code] ?? 0]);
  return Object.fromEntries(values) as Record<MemberMetric, number>;
}

/** Collects the distinct symbols of an ensemble and gives each an index. */
class SymbolIndex {
  readonly symbols: string[] = [];
  readonly #indices = new Map<number, number>();
  readonly #nameOf: (id: number) => string;

  constructor(nameOf: (id: number) => string) {
    this.#nameOf = nameOf;
  }

  /** The indices of the symbols of all matches, one match after the other. */
  indicesOf(columns: readonly Uint32Array[]): number[] {
    const indices: number[] = [];
    for (const column of columns) for (const id of column) indices.push(this.#indexOf(id));
    return indices;
  }

  #indexOf(id: number): number {
    const known = this.#indices.get(id);
    if (known !== undefined) return known;
    const index = this.symbols.push(this.#nameOf(id)) - 1;
    this.#indices.set(id, index);
    return index;
  }
}

/**
 * Packs matches.
 * @param summaries the summaries of their models, in the same order
 * @param nameOf the symbol with a number of the models or of the query; called once per symbol
 */
export function packEnsemble(
  matches: readonly Match[],
  summaries: readonly ModelSummary[],
  nameOf: (id: number) => string,
): PackedEnsemble {
  const index = new SymbolIndex(nameOf);
  return {
    symbols: index.symbols,
    names: summaries.map(({ name }) => name),
    frequencies: matches.map(({ frequency }) => frequency),
    pastCounts: matches.map(({ presentStart }) => presentStart),
    presentCounts: matches.map(({ presentStart, presentEnd }) => presentEnd - presentStart),
    futureCounts: matches.map(({ presentEnd, lengths }) => lengths.length - presentEnd),
    eventLengths: matches.flatMap(({ lengths }) => [...lengths]),
    eventSymbols: index.indicesOf(matches.map(({ symbols }) => symbols)),
    matchCounts: matches.map((match) => match.matches.length),
    matches: index.indicesOf(matches.map((match) => match.matches)),
    missingCounts: matches.map(({ missing }) => missing.length),
    missing: index.indicesOf(matches.map(({ missing }) => missing)),
    extraCounts: matches.map(({ extras }) => extras.length),
    extras: index.indicesOf(matches.map(({ extras }) => extras)),
    emotiveCounts: summaries.map(({ emotives }) => emotives.length),
    emotives: summaries.flatMap(({ emotives }) => emotives),
    ...metricColumns(matches),
  };
}

function metricColumns(matches: readonly Match[]): Record<MemberMetric, number[]> {
  const columns = MEMBER_METRICS.map(({ member, code }) => [member, matches.map(({ metrics }) => metrics[code] ?? 0)]);
  return Object.fromEntries(columns) as Record<MemberMetric, number[]>;
}
