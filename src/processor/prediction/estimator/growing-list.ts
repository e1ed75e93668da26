/**
 * The list within a horizon: a symbol cannot be more probable in one event than in any of several, nor in a few than in
 * more (docs/forecast.md). Raises the probabilities of lists accordingly. Knows nothing of rules and records.
 */

import type { ForecastQuery, LikelyStep, RuleTable } from "../../ports/forecaster";

/** A factor that turns a number into the next one below it. */
export const NEXT_BELOW = 1 - 2 ** -53;

/** Orders symbols of equal probability: negative when the first comes first. */
export type Compare = ForecastQuery["compare"];

/** The probabilities of a list, for every symbol. */
export interface Chances {
  /**
   * The most probable symbol's place in the table, the first in order among equals; 0 when no symbol has a probability.
   */
  first: number;
  /** By place in the table; 0 for the end, and for symbols left out. */
  probabilities: Float64Array;
}

/** The next number above a probability, at most 1. */
function justAbove(probability: number): number {
  return Math.min(1, probability / NEXT_BELOW);
}

/**
 * The list within a horizon, as the horizon grows from 1 on. Each symbol gets the maximum of the list's own estimate,
 * the step at the horizon, and the list within the previous horizon. Add steps and lists in the order of their
 * horizons, and each horizon's step first.
 */
export class GrowingList {
  readonly #compare: Compare;
  /** The place of each symbol in the columns. */
  readonly #places = new Map<number, number>();
  readonly #symbols: number[] = [];
  readonly #probabilities: number[] = [];
  /** Where the probability was first reached: twice the horizon for a step, plus 1 for the list within it. */
  readonly #sources: number[] = [];

  constructor(compare: Compare) {
    this.#compare = compare;
  }

  /** Adds the step at a horizon. */
  takeStep(horizon: number, table: RuleTable, probabilities: Float64Array): void {
    this.#take(2 * horizon, table, probabilities);
  }

  /**
   * Adds the own estimate within a horizon. Its first symbol is raised above all others if it is not already.
   *
   * @returns the entry above which it was raised, the nearest among equals, then the first in order; `undefined` if it
   *   was the greatest anyway
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

  /** The probability of a symbol; 0 for none. */
  probabilityOf(symbol: number): number {
    return this.#probabilities[this.#places.get(symbol) ?? -1] ?? 0;
  }

  /** The probabilities of the symbols of a table, by their places there. */
  probabilitiesOf({ symbols }: RuleTable): Float64Array {
    const probabilities = new Float64Array(symbols.length);
    for (let at = 1; at < symbols.length; at++) probabilities[at] = this.probabilityOf(symbols[at] ?? 0);
    return probabilities;
  }

  /**
   * The nearest step, or list within a horizon, from which a symbol has its probability; `undefined` if it has none.
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
