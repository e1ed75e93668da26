/** Compares a sequence with the models of all parts, by adding up the parts' whole numbers. */

import type { ComparedSequence, Comparison, Gathered, ModelTerms } from "../ports/comparison";
import type { PartAnswers, Parts } from "../ports/parts";

/** The sum of some columns, place by place. A part that knows fewer symbols has fewer places. */
function sumOf(columns: readonly Float64Array[]): Float64Array {
  const sums = new Float64Array(Math.max(0, ...columns.map(({ length }) => length)));
  for (const column of columns) {
    for (let at = 0; at < column.length; at++) sums[at] = (sums[at] ?? 0) + (column[at] ?? 0);
  }
  return sums;
}

/** A comparison that all parts have begun, or will be asked to begin. */
export class SplitComparison implements Comparison {
  readonly having: Float64Array;
  readonly followers: Float64Array;
  readonly beginnings: Float64Array;
  readonly #parts: Parts;
  readonly #sequence: ComparedSequence;
  /**
   * Whether the parts have compared the sequence. If not, questions that depend on the comparison cannot be asked yet.
   */
  readonly #isKnown: boolean;
  /** `undefined` until the models are weighed. */
  #terms: ModelTerms | undefined;
  /** By units: the sum of the frequencies of the models of all parts. */
  readonly #frequencies = new Map<number, number>();

  constructor(parts: Parts, sequence: ComparedSequence) {
    this.#parts = parts;
    this.#sequence = sequence;
    const answers = parts.ask<"compare">({ kind: "compare", sequence });
    this.#isKnown = answers.length > 0;
    this.having = sumOf(answers.map(({ having }) => having));
    this.followers = sumOf(answers.map(({ followers }) => followers));
    this.beginnings = sumOf(answers.map(({ beginnings }) => beginnings));
  }

  weigh(terms: ModelTerms, visit: (weighed: Float64Array) => void): void {
    this.#terms = undefined;
    this.#frequencies.clear();
    const answers = this.#isKnown ? this.#parts.ask<"weigh">({ kind: "weigh", sequence: this.#sequence, terms }) : [];
    if (answers.length === 0) {
      visit(Float64Array.of(0, 1));
      return;
    }
    this.#terms = terms;
    for (const { units, frequencies } of answers) {
      for (const [at, one] of units.entries()) {
        this.#frequencies.set(one, (this.#frequencies.get(one) ?? 0) + (frequencies[at] ?? 0));
      }
    }
    visit(Float64Array.from([...this.#frequencies].flat()));
  }

  gather(least: number, weightOf: (units: number) => number): Gathered {
    const terms = this.#terms;
    const units = Float64Array.from(this.#frequencies.keys()).filter((one) => one >= least);
    units.sort();
    const weights = units.map(weightOf);
    const answers =
      terms === undefined
        ? []
        : this.#parts.ask<"gather">({ kind: "gather", sequence: this.#sequence, terms, units, weights });
    const columnOf = (name: Exclude<keyof PartAnswers["gather"], "steps">) => sumOf(answers.map((one) => one[name]));
    return {
      having: columnOf("having"),
      havingTimes: columnOf("havingTimes"),
      otherTimes: columnOf("otherTimes"),
      holding: columnOf("holding"),
      all: units.reduce((sum, one, at) => sum + (weights[at] ?? 0) * (this.#frequencies.get(one) ?? 0), 0),
    };
  }
}
