/**
 * The list within a horizon: a symbol cannot be more probable in one event than in any of several, nor in a few than in
 * more (docs/forecast.md). Owns how that raises what lists give. Knows nothing of rules and records.
 */

import type { ForecastQuery, LikelyStep, RuleTable } from "../../ports/forecaster";

/** A number times this is the next one below it. */
export const NEXT_BELOW = 1 - 2 ** -53;

/** Orders symbols of equal probability: below 0 when the first comes first. */
export type Compare = ForecastQuery["compare"];

/** What a list gives every symbol. */
export interface Chances {
  /**
   * The place in the table of the most probable symbol, of equals the first in order; 0 when no symbol has a
   * probability.
   */
  first: number;
  /** By place in the table; 0 for symbols that are left out, and for the end. */
  probabilities: Float64Array;
}

/** The next number above a probability, at most 1. */
function justAbove(probability: number): number {
  return Math.min(1, probability / NEXT_BELOW);
}

/**
 * What the list within a horizon gives symbols, as the horizon grows from 1 on: it gives each symbol no less than its
 * own estimate, the step at the horizon, and the list within the horizon before. Steps and lists must be taken in the
 * order of their horizons, of each the step first.
 */
export class GrowingList {
  readonly #compare: Compare;
  /** By symbol the place in the columns. */
  readonly #places = new Map<number, number>();
  readonly #symbols: number[] = [];
  readonly #probabilities: number[] = [];
  /** Where the probability was first given: twice the horizon, and 1 more in the list within it. */
  readonly #sources: number[] = [];

  constructor(compare: Compare) {
    this.#compare = compare;
  }

  /** Takes what the event at a horizon may hold. */
  takeStep(horizon: number, table: RuleTable, probabilities: Float64Array): void {
    this.#take(2 * horizon, table, probabilities);
  }

  /**
   * Takes the own estimate within a horizon. Its first symbol stays the first: it is put above all others.
   *
   * @returns what it was put above, of equals the nearest, and then the first in order; `undefined` where it is above
   *   all others anyway
   */
  takeList(horizon: number, table: RuleTable, { first, probabilities }: Chances): LikelyStep | undefined {
    const symbol = table.symbols[first] ?? 0;
    const rival = first === 0 ? undefined : this.#greatestBut(symbol);
    const source = 2 * horizon + 1;
    this.#take(source, table, probabilities);
    if (rival === undefined || rival.probability < this.probabilityOf(symbol)) return undefined;
    this.#raise(symbol, justAbove(rival.probability), source);
    return rival;
  }

  /** What it gives a symbol; 0 for none. */
  probabilityOf(symbol: number): number {
    return this.#probabilities[this.#places.get(symbol) ?? -1] ?? 0;
  }

  /** What it gives the symbols of a table, by their places there. */
  probabilitiesOf({ symbols }: RuleTable): Float64Array {
    const probabilities = new Float64Array(symbols.length);
    for (let at = 1; at < symbols.length; at++) probabilities[at] = this.probabilityOf(symbols[at] ?? 0);
    return probabilities;
  }

  /**
   * The nearest step, or list within a horizon, that gives a symbol what it has; `undefined` where nothing gives it
   * anything.
   */
  likeliestOf(symbol: number): LikelyStep | undefined {
    const place = this.#places.get(symbol);
    return place === undefined ? undefined : this.#stepAt(place);
  }

  #take(source: number, { symbols }: RuleTable, probabilities: Float64Array): void {
    for (let at = 1; at < symbols.length; at++) {
      const probability = probabilities[at] ?? 0;
      if (probability > 0) this.#raise(symbols[at] ?? 0, probability, source);
    }
  }

  #raise(symbol: number, probability: number, source: number): void {
    let place = this.#places.get(symbol);
    if (place === undefined) {
      place = this.#symbols.push(symbol) - 1;
      this.#places.set(symbol, place);
    } else if (probability <= (this.#probabilities[place] ?? 0)) return;
    this.#probabilities[place] = probability;
    this.#sources[place] = source;
  }

  #greatestBut(symbol: number): LikelyStep | undefined {
    let found = -1;
    for (let place = 0; place < this.#symbols.length; place++) {
      if (this.#symbols[place] !== symbol && (found < 0 || this.#order(place, found) < 0)) found = place;
    }
    return found < 0 ? undefined : this.#stepAt(found);
  }

  #order(one: number, other: number): number {
    const number = (column: readonly number[], place: number) => column[place] ?? 0;
    return (
      number(this.#probabilities, other) - number(this.#probabilities, one) ||
      number(this.#sources, one) - number(this.#sources, other) ||
      this.#compare(number(this.#symbols, one), number(this.#symbols, other))
    );
  }

  #stepAt(place: number): LikelyStep {
    const source = this.#sources[place] ?? 0;
    return {
      horizon: source >> 1,
      isWithin: (source & 1) === 1,
      symbol: this.#symbols[place] ?? 0,
      probability: this.#probabilities[place] ?? 0,
    };
  }
}
