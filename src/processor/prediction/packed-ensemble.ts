/**
 * An ensemble as columns, in which each symbol is spelled once: for senders to whom a string per occurrence costs more than the
 * predictions themselves. Says the same as a list of predictions.
 */

import type { Recollection } from "../knowledge/model-summaries";
import type { Emotive } from "../ports/gdf";
import type { Match, Metric } from "../ports/matcher";

/**
 * Predictions, best first. What belongs to one stands at its place; columns that hold several values a prediction follow each other,
 * as many as a column of counts says. A symbol is a number: its place in `symbols`.
 */
export interface PackedEnsemble {
  /** Distinct. */
  symbols: string[];
  /** The models' names, without prefix. */
  names: string[];
  frequencies: number[];
  /** Events before the present, of it, and after it. */
  pastCounts: number[];
  presentCounts: number[];
  futureCounts: number[];
  /** One an event. */
  eventLengths: number[];
  eventSymbols: number[];
  matchCounts: number[];
  matches: number[];
  missingCounts: number[];
  missing: number[];
  extraCounts: number[];
  extras: number[];
  emotiveCounts: number[];
  emotives: Emotive[];
  confidence: number[];
  confluence: number[];
  entropy: number[];
  evidence: number[];
  fragmentation: number[];
  grandHamiltonian: number[];
  hamiltonian: number[];
  itfdfSimilarity: number[];
  potential: number[];
  similarity: number[];
  snr: number[];
}

/** The symbols named so far, by the matcher's numbers. */
class Spelling {
  readonly symbols: string[] = [];
  readonly #places = new Map<number, number>();
  readonly #nameOf: (id: number) => string;

  constructor(nameOf: (id: number) => string) {
    this.#nameOf = nameOf;
  }

  /** The places of symbols of all matches, one match after the other. */
  placesOf(columns: readonly Uint32Array[]): number[] {
    const places: number[] = [];
    for (const column of columns) for (const id of column) places.push(this.#placeOf(id));
    return places;
  }

  #placeOf(id: number): number {
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    const place = this.symbols.push(this.#nameOf(id)) - 1;
    this.#places.set(id, place);
    return place;
  }
}

/**
 * Packs matches.
 * @param recollections what is recalled of their models, in the same order
 * @param nameOf the symbol behind a number, of the models or of memory; asked once a symbol
 */
export function packedFrom(
  matches: readonly Match[],
  recollections: readonly Recollection[],
  nameOf: (id: number) => string,
): PackedEnsemble {
  const spelling = new Spelling(nameOf);
  const metric = (name: Metric): number[] => matches.map(({ metrics }) => metrics[name]);
  return {
    symbols: spelling.symbols,
    names: recollections.map(({ name }) => name),
    frequencies: matches.map(({ frequency }) => frequency),
    pastCounts: matches.map(({ presentStart }) => presentStart),
    presentCounts: matches.map(({ presentStart, presentEnd }) => presentEnd - presentStart),
    futureCounts: matches.map(({ presentEnd, lengths }) => lengths.length - presentEnd),
    eventLengths: matches.flatMap(({ lengths }) => [...lengths]),
    eventSymbols: spelling.placesOf(matches.map(({ symbols }) => symbols)),
    matchCounts: matches.map((match) => match.matches.length),
    matches: spelling.placesOf(matches.map((match) => match.matches)),
    missingCounts: matches.map(({ missing }) => missing.length),
    missing: spelling.placesOf(matches.map(({ missing }) => missing)),
    extraCounts: matches.map(({ extras }) => extras.length),
    extras: spelling.placesOf(matches.map(({ extras }) => extras)),
    emotiveCounts: recollections.map(({ emotives }) => emotives.length),
    emotives: recollections.flatMap(({ emotives }) => emotives),
    confidence: metric("confidence"),
    confluence: metric("confluence"),
    entropy: metric("entropy"),
    evidence: metric("evidence"),
    fragmentation: metric("fragmentation"),
    grandHamiltonian: metric("grand_hamiltonian"),
    hamiltonian: metric("hamiltonian"),
    itfdfSimilarity: metric("itfdf_similarity"),
    potential: metric("potential"),
    similarity: metric("similarity"),
    snr: metric("snr"),
  };
}
