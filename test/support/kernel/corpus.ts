/** Random models and queries, of kinds that are hard for a matcher. */

import {
  type MatchableModel,
  type Matcher,
  METRICS,
  type Query,
  type Totals,
  UNKNOWN_SYMBOL_BASE,
} from "../../../src/processor/ports/matcher";
import type { Random } from "../random";

/** How a corpus is drawn. */
export interface Shape {
  models: number;
  symbols: number;
  /** Each model has 1 to this many events. */
  events: number;
  /** Each event has 1 to this many symbols. */
  eventSymbols: number;
  /** Memory has 1 to this many symbols. */
  memory: number;
  /** How often which symbol is drawn: all equally, small numbers far more often, or nearly always symbol 0. */
  skew: "flat" | "steep" | "one";
  /** Frequencies are 1 to this. */
  frequency: number;
}

/** How many different symbols each model has: every query asks for it anew. */
const memberCounts = new WeakMap<MatchableModel, number>();

function memberCount(model: MatchableModel): number {
  let count = memberCounts.get(model);
  if (count === undefined) {
    count = new Set(model.symbols).size;
    memberCounts.set(model, count);
  }
  return count;
}

/** The models that the matchers of a test should hold. */
export class Corpus {
  readonly models: MatchableModel[] = [];
  readonly #random: Random;
  readonly #shape: Shape;
  #nextId = 1;

  constructor(random: Random, shape: Shape) {
    this.#random = random;
    this.#shape = shape;
    for (let count = 0; count < shape.models; count++) {
      this.models.push(this.draw());
    }
  }

  /** A new model, with a greater id than any before. */
  draw(): MatchableModel {
    const lengths = this.#numbers(1 + this.#random.below(this.#shape.events), () => this.#length());
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const earlier = this.models.length > 0 && this.#random.below(8) === 0 ? this.#random.pick(this.models) : undefined;
    this.#nextId += 1 + this.#random.below(3);
    return {
      id: this.#nextId,
      frequency: 1 + this.#random.below(this.#shape.frequency),
      symbols: earlier?.symbols ?? this.#numbers(total, () => this.#symbol()),
      lengths: earlier?.lengths ?? lengths,
    };
  }

  /** Fills a matcher with all models and the frequencies of their symbols. */
  fill(matcher: Pick<Matcher, "add" | "setSymbolFrequency">): void {
    for (const model of this.models) {
      matcher.add(model);
    }
    this.count(matcher);
  }

  /** Tells a matcher how often each symbol occurs now. */
  count(matcher: Pick<Matcher, "setSymbolFrequency">): void {
    const frequencies = new Float64Array(this.#shape.symbols);
    for (const { symbols, frequency } of this.models) {
      for (const symbol of symbols) {
        frequencies[symbol] = (frequencies[symbol] ?? 0) + frequency;
      }
    }
    frequencies.forEach((frequency, symbol) => {
      matcher.setSymbolFrequency(symbol, frequency);
    });
  }

  /** A random query. About every third memory is a damaged copy of a model. */
  query(): Query {
    const random = this.#random;
    return {
      symbols: this.#memory(),
      target: random.below(5) === 0 ? this.#symbol() : undefined,
      recallThreshold: random.pick([0, 0.1, 0.1, 0.1, 0.25, 0.5, random.fraction(), 1]),
      maxPredictions: random.pick([1, 3, 10, 100, 10_000]),
      sortMetric: random.pick(METRICS),
      thresholdMetric: random.pick(METRICS),
      threshold: random.pick([0, 0, 0, 0.1, 0.5, 1, random.fraction(), 3 * random.fraction()]),
      thresholdAtLeast: random.below(4) > 0,
      totals: this.#totals(),
      knownSymbols: this.#knownSymbols(),
      steps: Number.MAX_SAFE_INTEGER,
    };
  }

  #totals(): Totals {
    const totals = { modelFrequencies: 0, memberFrequencies: 0, symbolFrequencies: 0 };
    for (const model of this.models) {
      const { symbols, frequency } = model;
      totals.modelFrequencies += frequency;
      totals.memberFrequencies += memberCount(model) * frequency;
      totals.symbolFrequencies += symbols.length * frequency;
    }
    return totals;
  }

  #knownSymbols(): number {
    const isKnown = new Uint8Array(this.#shape.symbols);
    for (const { symbols } of this.models) for (const symbol of symbols) isKnown[symbol] = 1;
    return isKnown.reduce((sum, each) => sum + each, 0);
  }

  #memory(): Uint32Array {
    const random = this.#random;
    const length = 1 + random.below(this.#shape.memory);
    if (this.models.length === 0 || random.below(3) > 0) {
      return this.#numbers(length, () => this.#heard());
    }
    const copy = [...random.pick(this.models).symbols].filter(() => random.below(6) > 0).slice(0, length);
    return Uint32Array.from(copy.length > 0 ? copy : [0], (symbol) => (random.below(8) > 0 ? symbol : this.#heard()));
  }

  /** Now and then a symbol that no model holds. */
  #heard(): number {
    return this.#random.below(12) === 0 ? UNKNOWN_SYMBOL_BASE + this.#random.below(3) : this.#symbol();
  }

  #length(): number {
    return 1 + this.#random.below(this.#shape.eventSymbols);
  }

  #symbol(): number {
    const { skew, symbols } = this.#shape;
    if (skew === "flat") {
      return this.#random.below(symbols);
    }
    if (skew === "steep") {
      return Math.floor(symbols * this.#random.fraction() ** 3);
    }
    return this.#random.below(10) === 0 ? this.#random.below(symbols) : 0;
  }

  #numbers(count: number, draw: () => number): Uint32Array {
    return Uint32Array.from({ length: count }, draw);
  }
}
