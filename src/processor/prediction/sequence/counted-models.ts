/**
 * How probable it is that a sequence holds its symbols as often as it does: the sum over all models of how often each was learned, times what
 * it makes of each symbol's count. A model is right about the count of a symbol but for {@link MISCOUNT}; then it is as in any sequence.
 */

import type { SymbolTable } from "../../knowledge/symbol-table";
import { log2 } from "../logarithms";
import { DEEPEST, MISCOUNT, SEEN_PART, UNITS, UNSEEN } from "./constants";
import type { ReadModel } from "./learned-models";
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

/** What the models make of the counts of one sequence. Call {@link note} for each model, then {@link settle}, then {@link add} for each. */
export class CountedModels {
  readonly #sequence: NumberedSequence;
  readonly #complete: boolean;
  readonly #learned: Learned;
  /** By number: the frequencies of the models that have the count. */
  readonly #having: Float64Array;
  #terms: Terms[] = [];
  /** The logarithm of a model that shares nothing with the sequence and holds nothing. */
  #base = 0;
  /** By how often sequences hold a symbol: the terms of a symbol that the sequence does not have. */
  readonly #absent = new Map<number, Terms>();
  /** By units of logarithm, negative: the frequencies of the models. */
  readonly #sums = new Map<number, number>();
  #greatest = Number.NEGATIVE_INFINITY;

  constructor({ sequence, complete }: CountedSequence, learned: Learned) {
    this.#sequence = sequence;
    this.#complete = complete;
    this.#learned = learned;
    this.#having = new Float64Array(sequence.names.length);
  }

  /** Counts which of the sequence's counts a model has. */
  note({ shared, counts, frequency }: ReadModel): void {
    for (const number of shared) {
      if (this.has(number, counts)) this.#having[number] = (this.#having[number] ?? 0) + frequency;
    }
  }

  /** Works out the terms when all models are noted. */
  settle(): void {
    const { counts, ids } = this.#sequence;
    const { frequencies } = this.#learned;
    this.#terms = Array.from(counts, (count, number) => termsOf(count, this.#having[number] ?? 0, frequencies));
    this.#base = this.#complete ? this.#absentBits() : 0;
    for (const [number, id] of ids.entries()) if (id >= 0) this.#base += this.#terms[number]?.other ?? 0;
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

  /** The logarithm of what a model makes of the sequence, in whole units. */
  unitsOf({ shared, counts, others }: ReadModel): number {
    let sum = this.#base;
    for (const number of shared) {
      if (!this.has(number, counts)) continue;
      const { equal, other } = this.termsOf(number);
      sum += equal - other;
    }
    if (this.#complete) {
      const { symbols } = this.#learned;
      for (const id of others) {
        const { equal, other } = this.absentTerms(symbols.memberFrequencyOf(id));
        sum += other - equal;
      }
    }
    return Math.round(sum * UNITS);
  }

  /** Adds a model to the sum. */
  add(model: ReadModel): void {
    const units = this.unitsOf(model);
    if (units < this.#greatest - DEEPEST * UNITS) return;
    this.#greatest = Math.max(this.#greatest, units);
    this.#sums.set(units, (this.#sums.get(units) ?? 0) + model.frequency);
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

  /** Whether a model has the count of a symbol that it shares: as many, or at least as many where more may come. */
  has(number: number, counts: Float64Array): boolean {
    const wanted = this.#sequence.counts[number] ?? 0;
    const got = counts[number] ?? 0;
    return this.#complete ? got === wanted : got >= wanted;
  }
}
