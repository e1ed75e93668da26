/**
 * How probable it is that a sequence holds its symbols as often as it does: the sum over all models of how often each was learned, times what
 * it makes of each symbol's count. A model is right about the count of a symbol but for {@link MISCOUNT}; then it is as in any sequence.
 */

import type { SymbolTable } from "../../knowledge/symbol-table";
import type { Comparison } from "../../ports/comparison";
import { log2 } from "../logarithms";
import { DEEPEST, MISCOUNT, SEEN_PART, UNITS, UNSEEN } from "./constants";
import type { NumberedSequence } from "./numbered-sequence";

/** What a symbol's count adds to the bits of a model that has it and of one that does not: logarithms of probabilities. */
interface Terms {
  equal: number;
  other: number;
}

/** What is judged of a sequence. */
export interface CountedSequence {
  readonly sequence: NumberedSequence;
  /** Whether it has ended: else more may come, so that it is enough when a model holds as many. */
  readonly complete: boolean;
}

/** How often all models were learned, as it was when the sequence was counted. */
interface Learned {
  readonly symbols: SymbolTable;
  /** The sum of the frequencies. */
  readonly frequencies: number;
}

/** The terms of a share of learned sequences that have a count. @param count 0 or more @param share frequencies, of `all` */
function termsOf(count: number, share: number, all: number): Terms {
  const unseen = UNSEEN / ((1 + count) * Math.sqrt(1 + count));
  const usual = (SEEN_PART * share + unseen) / all;
  return { equal: log2(1 - MISCOUNT + MISCOUNT * usual), other: log2(MISCOUNT * usual) };
}

/** What the models make of the counts of one sequence. */
export class CountedModels {
  readonly #sequence: NumberedSequence;
  readonly #complete: boolean;
  readonly #learned: Learned;
  readonly #terms: Terms[];
  /** By how often sequences hold a symbol: the terms of a symbol that the sequence does not have. */
  readonly #absent = new Map<number, Terms>();
  /** By units of logarithm, negative: the frequencies of the models. */
  readonly #sums = new Map<number, number>();
  #greatest = Number.NEGATIVE_INFINITY;

  /** Weighs all models. */
  constructor({ sequence, complete }: CountedSequence, learned: Learned, comparison: Comparison) {
    this.#sequence = sequence;
    this.#complete = complete;
    this.#learned = learned;
    const { counts } = sequence;
    const { frequencies } = learned;
    this.#terms = Array.from(counts, (count, number) => termsOf(count, comparison.having[number] ?? 0, frequencies));
    const having = Float64Array.from(this.#terms, ({ equal, other }) => equal - other);
    const terms = { deepest: DEEPEST * UNITS, base: this.#baseBits(), having, holding: this.#holdingBits() };
    comparison.weigh(terms, (units, frequency) => this.#add(units, frequency));
  }

  /** The logarithm of a model that shares nothing with the sequence and holds nothing. */
  #baseBits(): number {
    let base = this.#complete ? this.#absentBits() : 0;
    for (const [number, id] of this.#sequence.ids.entries()) if (id >= 0) base += this.#terms[number]?.other ?? 0;
    return base;
  }

  /** By symbol: what a model adds that holds it, though the sequence does not; empty where more may come. */
  #holdingBits(): Float64Array {
    const { symbols } = this.#learned;
    const bits = new Float64Array(this.#complete ? symbols.numbers : 0);
    for (let id = 0; id < bits.length; id++) {
      const { equal, other } = this.absentTerms(symbols.memberFrequencyOf(id));
      bits[id] = other - equal;
    }
    return bits;
  }

  /** The logarithm of what a model makes of all that neither it nor the sequence holds, if it holds nothing. */
  #absentBits(): number {
    const { symbols } = this.#learned;
    const spread = new Map(symbols.memberSpread());
    for (const id of this.#sequence.ids) {
      const members = id < 0 ? 0 : symbols.memberFrequencyOf(id);
      if (members > 0) spread.set(members, (spread.get(members) ?? 0) - 1);
    }
    // In this order, because sums of doubles depend on it.
    const ascending = [...spread].sort(([one], [other]) => one - other);
    return ascending.reduce((sum, [members, count]) => sum + count * this.absentTerms(members).equal, 0);
  }

  #add(units: number, frequency: number): void {
    if (units < this.#greatest - DEEPEST * UNITS) return;
    if (units > this.#greatest) this.#greatest = units;
    this.#sums.set(units, (this.#sums.get(units) ?? 0) + frequency);
  }

  /** The greatest logarithm of a model, in units. */
  get greatest(): number {
    return this.#greatest;
  }

  /** −log2 of the probability of the counts, 0 or more. Every unknown symbol adds to it. */
  get bits(): number {
    const { counts, ids } = this.#sequence;
    const { frequencies } = this.#learned;
    let sum = 0;
    for (const units of [...this.#sums.keys()].sort((one, other) => other - one)) {
      if (units < this.#greatest - DEEPEST * UNITS) break;
      sum += (this.#sums.get(units) ?? 0) * 2 ** ((units - this.#greatest) / UNITS);
    }
    let bits = -this.#greatest / UNITS - log2(sum / frequencies);
    for (const [number, id] of ids.entries()) {
      if (id < 0) bits += log2(4 * frequencies) + log2(1 + (counts[number] ?? 0));
    }
    return Math.max(0, bits);
  }

  /** What the count of a symbol of the sequence adds. */
  termsOf(number: number): Terms {
    return this.#terms[number] ?? { equal: 0, other: 0 };
  }

  /** What it adds that a sequence does not have a symbol. @param members the frequencies of the models that hold it */
  absentTerms(members: number): Terms {
    const known = this.#absent.get(members);
    if (known !== undefined) return known;
    const { frequencies } = this.#learned;
    const terms = termsOf(0, frequencies - members, frequencies);
    this.#absent.set(members, terms);
    return terms;
  }
}
