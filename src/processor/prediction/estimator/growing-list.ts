/**
 * Makes steps and lists within a horizon agree: a symbol is at most as probable in one event as in any of several, in a
 * few as in more, and in any of several as the sum over each of them (docs/forecast.md). Knows nothing of rules and
 * records.
 */

import type { ForecastCorrection, ForecastQuery, LikelyStep } from "../../ports/forecaster";

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

/** A list with its symbols. */
export interface GrownList {
  /** By place; valid as long as the list is. */
  symbols: Uint32Array;
  chances: Chances;
}

/** How a list within a horizon was changed. */
export interface Grown {
  /**
   * The entry above which the list's first symbol was raised: the nearest among equals, then the first in order. Absent
   * if it was the greatest anyway.
   */
  rival?: LikelyStep;
  /** How the step at the horizon was changed; absent if it was not. */
  raise?: ForecastCorrection;
}

/** The first symbol of a list within a horizon. */
interface FirstWithin {
  symbol: number;
  /** Its place in the step at the horizon; negative if it has none there. */
  at: number;
  /** Its probability in the list, above all others. */
  within: number;
  /** As in {@link Grown}. */
  rival?: LikelyStep;
}

/** Twice the horizon for a step, plus 1 for the list within it. */
function sourceOf({ horizon, isWithin }: LikelyStep): number {
  return 2 * horizon + Number(isWithin);
}

/** The next number above a probability, at most 1. */
function justAbove(probability: number): number {
  return Math.min(1, probability / NEXT_BELOW);
}

/** The amount by which a sum falls short: the least number found that raises it to this or more. */
function missingFrom(sum: number, least: number): number {
  const missing = least - sum;
  return sum + missing < least ? justAbove(missing) : missing;
}

/**
 * Raises a symbol of a step. The other symbols and the unnamed rest share what remains in proportion.
 *
 * @param step changed in place
 */
function raiseStep({ chances: { probabilities } }: GrownList, at: number, proved: number): void {
  const scale = (1 - proved) / (1 - (probabilities[at] ?? 0));
  for (let other = 1; other < probabilities.length; other++) {
    probabilities[other] = (probabilities[other] ?? 0) * scale;
  }
  probabilities[at] = proved;
}

/**
 * The list within a horizon, as the horizon grows from 1 on. Each symbol gets the maximum of the list's own estimate,
 * the step at the horizon, and the list within the previous horizon. Where symbols exclude each other, that is at most
 * the sum over the steps: for the list's first symbol, the one that past forecasts correct, the step is raised by the
 * difference; the estimates of the others are limited.
 */
export class GrowingList {
  readonly #compare: Compare;
  /** The place of each symbol in the columns. */
  readonly #places = new Map<number, number>();
  readonly #symbols: number[] = [];
  readonly #probabilities: number[] = [];
  /** The sum over the steps so far, added from the nearest. */
  readonly #sums: number[] = [];
  /** Where the probability was first reached, as {@link sourceOf} numbers it. */
  readonly #sources: number[] = [];

  /** @param next the next event */
  constructor(compare: Compare, next: GrownList) {
    this.#compare = compare;
    this.#takeStep(1, next);
  }

  /**
   * Adds the next horizon, the one after the last that was added, from 2 on.
   *
   * @param list the list's own estimate
   * @param step the event at the horizon; changed in place so that it agrees with the list
   * @param isExclusive whether symbols exclude each other in the list
   */
  grow(horizon: number, list: GrownList, step: GrownList, isExclusive: boolean): Grown {
    const { symbols, chances } = list;
    const isAgreed = isExclusive && chances.first > 0;
    const first = this.#firstWithin(horizon, list, step);
    const raise = isAgreed ? this.#raiseOf(first, step) : undefined;
    this.#takeStep(horizon, step);
    const source = 2 * horizon + 1;
    for (let at = 1; at < symbols.length; at++) {
      const probability = chances.probabilities[at] ?? 0;
      if (probability <= 0) continue;
      const place = this.#placeOf(symbols[at] ?? 0);
      this.#raise(place, isExclusive ? Math.min(probability, this.#sums[place] ?? 0) : probability, source);
    }
    if (chances.first > 0) this.#raise(this.#placeOf(first.symbol), first.within, source);
    return { ...(first.rival !== undefined && { rival: first.rival }), ...(raise !== undefined && { raise }) };
  }

  /** The probability of a symbol; 0 for none. */
  probabilityOf(symbol: number): number {
    return this.#probabilities[this.#places.get(symbol) ?? -1] ?? 0;
  }

  /** The sum of a symbol's probabilities over the steps so far, added from the nearest; 0 for none. */
  sumOf(symbol: number): number {
    return this.#sums[this.#places.get(symbol) ?? -1] ?? 0;
  }

  /** The probabilities of the symbols of a table, by their places there. */
  probabilitiesOf({ symbols }: Pick<GrownList, "symbols">): Float64Array {
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

  /** The first symbol of a list, and its probability there. @param step as the rules have it */
  #firstWithin(horizon: number, { symbols, chances }: GrownList, step: GrownList): FirstWithin {
    const symbol = symbols[chances.first] ?? 0;
    const at = step.symbols.indexOf(symbol, 1);
    const own = chances.probabilities[chances.first] ?? 0;
    const within = Math.max(own, at > 0 ? (step.chances.probabilities[at] ?? 0) : 0, this.probabilityOf(symbol));
    const rival = chances.first > 0 ? this.#greatestBut(symbol, horizon, step) : undefined;
    if (rival === undefined || rival.probability < within) return { symbol, at, within };
    return { symbol, at, within: justAbove(rival.probability), rival };
  }

  /**
   * Raises the step of a list's first symbol by the amount that its sum falls short. @returns `undefined` if it does
   * not
   */
  #raiseOf({ symbol, at, within }: FirstWithin, step: GrownList): ForecastCorrection | undefined {
    const before = this.sumOf(symbol);
    const mixed = step.chances.probabilities[at] ?? 0;
    const proved = missingFrom(before, within);
    if (at < 0 || proved <= mixed) return undefined;
    raiseStep(step, at, proved);
    return { first: symbol, mixed, within, sumBefore: before, proved, isExclusive: true, terms: [] };
  }

  #takeStep(horizon: number, { symbols, chances: { probabilities } }: GrownList): void {
    for (let at = 1; at < symbols.length; at++) {
      const probability = probabilities[at] ?? 0;
      if (probability <= 0) continue;
      const place = this.#placeOf(symbols[at] ?? 0);
      this.#sums[place] = (this.#sums[place] ?? 0) + probability;
      this.#raise(place, probability, 2 * horizon);
    }
  }

  #placeOf(symbol: number): number {
    let place = this.#places.get(symbol);
    if (place === undefined) {
      place = this.#symbols.push(symbol) - 1;
      this.#places.set(symbol, place);
      this.#probabilities.push(0);
      this.#sums.push(0);
      this.#sources.push(0);
    }
    return place;
  }

  #raise(place: number, probability: number, source: number): void {
    if (probability <= (this.#probabilities[place] ?? 0)) return;
    this.#probabilities[place] = probability;
    this.#sources[place] = source;
  }

  /** The greatest entry of another symbol: of what was added, or of a step. */
  #greatestBut(symbol: number, horizon: number, step: GrownList): LikelyStep | undefined {
    const [added, there] = [this.#greatestAddedBut(symbol), this.#greatestThereBut(symbol, horizon, step)];
    if (added === undefined || there === undefined) return added ?? there;
    return this.#order(added, there) < 0 ? added : there;
  }

  #greatestAddedBut(symbol: number): LikelyStep | undefined {
    let found: LikelyStep | undefined;
    for (let place = 0; place < this.#symbols.length; place++) {
      if (this.#symbols[place] === symbol || (this.#probabilities[place] ?? 0) < (found?.probability ?? 0)) continue;
      const entry = this.#stepAt(place);
      if (found === undefined || this.#order(entry, found) < 0) found = entry;
    }
    return found;
  }

  #greatestThereBut(symbol: number, horizon: number, { symbols, chances }: GrownList): LikelyStep | undefined {
    let found: LikelyStep | undefined;
    for (let at = 1; at < symbols.length; at++) {
      const probability = chances.probabilities[at] ?? 0;
      if (symbols[at] === symbol || probability < (found?.probability ?? Number.MIN_VALUE)) continue;
      const entry = { horizon, isWithin: false, symbol: symbols[at] ?? 0, probability };
      if (found === undefined || this.#order(entry, found) < 0) found = entry;
    }
    return found;
  }

  /** The more probable entry first, of equals the nearest, then the first in order. */
  #order(one: LikelyStep, other: LikelyStep): number {
    return (
      other.probability - one.probability || sourceOf(one) - sourceOf(other) || this.#compare(one.symbol, other.symbol)
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
