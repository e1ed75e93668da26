/**
 * Random models and queries for measuring, the same for the same seed. Symbols follow Zipf's law, as the words of a language do: few
 * occur often, most are rare.
 */

import type { MatchableModel } from "../../src/processor/ports/matcher";
import { Random } from "../support/random";

/** The parameters of a random store. */
export interface Workload {
  name: string;
  vocabulary: number;
  /** Symbol number k is drawn in proportion to (k + 1) ** -exponent. */
  exponent: number;
  /** The least and the most events of a model. */
  events: readonly [number, number];
  /** The least and the most symbols of an event; `undefined` when `modelSymbols` are cut into events at random places. */
  eventSymbols: readonly [number, number] | undefined;
  /** The symbols of a model whose events are cut at random places. */
  modelSymbols: number;
  /** The symbols of a query. */
  memory: number;
}

/** Small vocabulary: nearly every model shares symbols with every query. */
export const A: Workload = {
  name: "A",
  vocabulary: 200,
  exponent: 0.8,
  events: [2, 5],
  eventSymbols: [3, 15],
  modelSymbols: 0,
  memory: 10,
};

/** A larger vocabulary. */
export const B: Workload = { ...A, name: "B", vocabulary: 5_000 };

/** Many short models and a vocabulary like a language's. */
export const C: Workload = {
  ...A,
  name: "C",
  vocabulary: 50_000,
  eventSymbols: undefined,
  modelSymbols: 10,
};

/** Draws the models and queries of a workload. */
export class Generator {
  readonly #workload: Workload;
  readonly #random: Random;
  readonly #cumulative: Float64Array;

  constructor(workload: Workload, seed: number) {
    this.#workload = workload;
    this.#random = new Random(seed);
    let sum = 0;
    this.#cumulative = Float64Array.from({ length: workload.vocabulary }, (_, rank) => {
      sum += (rank + 1) ** -workload.exponent;
      return sum;
    });
  }

  /** The next model; ids count from 1. */
  model(id: number): MatchableModel {
    const lengths = this.#lengths();
    const total = lengths.reduce((sum, length) => sum + length, 0);
    return {
      id,
      frequency: 1,
      symbols: Uint32Array.from({ length: total }, () => this.#symbol()),
      lengths: Uint32Array.from(lengths),
    };
  }

  /** The next query. */
  memory(): Uint32Array {
    return Uint32Array.from({ length: this.#workload.memory }, () => this.#symbol());
  }

  #lengths(): number[] {
    const { events, eventSymbols, modelSymbols } = this.#workload;
    const count = this.#between(events);
    if (eventSymbols) {
      return Array.from({ length: count }, () => this.#between(eventSymbols));
    }
    const lengths = new Array<number>(count).fill(1);
    for (let left = modelSymbols - count; left > 0; left--) {
      const at = this.#random.below(count);
      lengths[at] = (lengths[at] ?? 0) + 1;
    }
    return lengths;
  }

  #between([from, to]: readonly [number, number]): number {
    return from + this.#random.below(to - from + 1);
  }

  #symbol(): number {
    const target = this.#random.fraction() * (this.#cumulative.at(-1) ?? 0);
    let low = 0;
    let high = this.#cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#cumulative[middle] ?? 0) > target) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
