/**
 * The probability of a sequence's symbol counts: the sum over all models of frequency times the probability that the
 * model gives each symbol's count. A model is right about the count of a symbol except with probability {@link
 * MISCOUNT_PROBABILITY}; then the count is distributed as in all learned sequences.
 */

import type { SymbolTable } from "../../knowledge/symbol-table";
import type { Comparison } from "../../ports/comparison";
import { log2 } from "../logarithms";
import {
  MAX_BITS_BEHIND_BEST,
  MISCOUNT_PROBABILITY,
  SEEN_WEIGHT,
  UNITS_PER_BIT,
  UNSEEN_COUNT_SEQUENCES,
} from "./constants";
import type { NumberedSequence } from "./numbered-sequence";
import { powerBelow } from "./unit-powers";
import { type UnitSums, unitSums } from "./unit-sums";

/**
 * The contribution of a symbol's count to the bits of a model that has this count, and of one that does not: logarithms
 * of probabilities.
 */
interface Terms {
  equal: number;
  other: number;
}

/** A sequence to judge. */
export interface CountedSequence {
  readonly sequence: NumberedSequence;
  /** Whether it has ended. If not, a model matches a count when it holds the symbol at least as often. */
  readonly complete: boolean;
}

/** What was learned when the sequence was counted. */
interface Learned {
  readonly symbols: SymbolTable;
  /** The number of models, and the sum of their frequencies. */
  readonly models: number;
  readonly frequencies: number;
}

/**
 * The terms of a count, from the share of learned sequences that have it. @param count 0 or more @param share
 * frequencies, of `all`
 */
function termsOf(count: number, share: number, all: number): Terms {
  const unseen = UNSEEN_COUNT_SEQUENCES / ((1 + count) * Math.sqrt(1 + count));
  const usual = (SEEN_WEIGHT * share + unseen) / all;
  return {
    equal: log2(1 - MISCOUNT_PROBABILITY + MISCOUNT_PROBABILITY * usual),
    other: log2(MISCOUNT_PROBABILITY * usual),
  };
}

/** The probabilities that the models give the counts of one sequence. */
export class CountedModels {
  readonly #sequence: NumberedSequence;
  readonly #complete: boolean;
  readonly #learned: Learned;
  readonly #terms: Terms[];
  /** By the number of sequences that hold a symbol: the terms of that symbol's absence from the sequence. */
  readonly #absent = new Map<number, Terms>();
  /** By units of logarithm, negative: the sum of the models' frequencies. */
  readonly #sums: UnitSums;

  /** Weighs all models. */
  constructor({ sequence, complete }: CountedSequence, learned: Learned, comparison: Comparison) {
    this.#sequence = sequence;
    this.#complete = complete;
    this.#learned = learned;
    const { counts } = sequence;
    const { frequencies } = learned;
    this.#terms = Array.from(counts, (count, number) => termsOf(count, comparison.having[number] ?? 0, frequencies));
    const having = Float64Array.from(this.#terms, ({ equal, other }) => equal - other);
    const deepest = MAX_BITS_BEHIND_BEST * UNITS_PER_BIT;
    const sums = unitSums(deepest, learned.models);
    this.#sums = sums;
    const terms = { deepest, base: this.#baseBits(), having, holding: this.#holdingBits() };
    comparison.weigh(terms, (weighed) => sums.add(weighed));
  }

  /** The logarithm of an empty model, which shares nothing with the sequence. */
  #baseBits(): number {
    let base = this.#complete ? this.#absentBits() : 0;
    for (const [number, id] of this.#sequence.ids.entries()) if (id >= 0) base += this.#terms[number]?.other ?? 0;
    return base;
  }

  /** By symbol that the sequence lacks: the term of a model that holds it; empty if more may come. */
  #holdingBits(): Float64Array {
    const { symbols } = this.#learned;
    const bits = new Float64Array(this.#complete ? symbols.numbers : 0);
    for (let id = 0; id < bits.length; id++) {
      const { equal, other } = this.absentTerms(symbols.memberFrequencyOf(id));
      bits[id] = other - equal;
    }
    return bits;
  }

  /** The logarithm of all absences in an empty model. */
  #absentBits(): number {
    const { symbols } = this.#learned;
    const spread = new Map(symbols.memberSpread());
    for (const id of this.#sequence.ids) {
      const members = id < 0 ? 0 : symbols.memberFrequencyOf(id);
      if (members > 0) spread.set(members, (spread.get(members) ?? 0) - 1);
    }
    // Sorted, because sums of doubles depend on the order.
    const ascending = [...spread].sort(([one], [other]) => one - other);
    return ascending.reduce((sum, [members, count]) => sum + count * this.absentTerms(members).equal, 0);
  }

  /** The greatest logarithm of a model, in units. */
  get greatest(): number {
    return this.#sums.greatest;
  }

  /** −log2 of the probability of the counts, 0 or more. Every unknown symbol adds to it. */
  get bits(): number {
    const { counts, ids } = this.#sequence;
    const { frequencies } = this.#learned;
    const { greatest } = this.#sums;
    let sum = 0;
    this.#sums.visit((units, frequency) => {
      sum += frequency * powerBelow(greatest - units);
    });
    let bits = -greatest / UNITS_PER_BIT - log2(sum / frequencies);
    for (const [number, id] of ids.entries()) {
      if (id < 0) bits += log2(4 * frequencies) + log2(1 + (counts[number] ?? 0));
    }
    return Math.max(0, bits);
  }

  /** The terms of a sequence symbol's count. */
  termsOf(number: number): Terms {
    return this.#terms[number] ?? { equal: 0, other: 0 };
  }

  /** The terms of a symbol's absence. @param members the sum of the frequencies of the models that hold it */
  absentTerms(members: number): Terms {
    const known = this.#absent.get(members);
    if (known !== undefined) return known;
    const { frequencies } = this.#learned;
    const terms = termsOf(0, frequencies - members, frequencies);
    this.#absent.set(members, terms);
    return terms;
  }
}
