/**
 * The types for judging a whole sequence against all models: which symbols the models hold, how often, and in which
 * order.
 */

/** A sequence to compare. Its symbols are numbered from 0 on; "by number" below means indexed by these numbers. */
export interface ComparedSequence {
  /** By number: the symbol's id; -1 for a symbol that no model holds. */
  readonly ids: Int32Array;
  /** By number: occurrences of the symbol in the sequence. */
  readonly counts: Float64Array;
  /** The kind of each event, from 1 on. Events of one kind hold the same symbols equally often. */
  readonly kinds: readonly number[];
  /** By kind: the numbers of its symbols, ascending, with repeats. */
  readonly kindNumbers: readonly (readonly number[])[];
  /** Whether the sequence is complete. If not, a model matches a count when it holds the symbol at least as often. */
  readonly complete: boolean;
  /** Whether {@link Comparison.beginnings} are wanted. */
  readonly begins: boolean;
}

/** The terms of a model's logarithm, which is their sum in this order. */
export interface ModelTerms {
  /** Models whose logarithm is more than this many units below the greatest may be left out. */
  readonly deepest: number;
  /** The term of every model. */
  readonly base: number;
  /** By number: the term of a model that has the count. Added in the order in which the model holds the symbols. */
  readonly having: Float64Array;
  /**
   * By symbol, if the sequence is complete: the term of a model that holds a symbol which the sequence does not. Added
   * afterwards, in the same order.
   */
  readonly holding: Float64Array;
}

/** Weighted sums over what the models hold; whole numbers. */
export interface Gathered {
  /**
   * By number: the sum of the weights of the models that have the count, and the sum of their weights times their
   * counts.
   */
  readonly having: Float64Array;
  readonly havingTimes: Float64Array;
  /** By number: the sum of weight times count over the models that have another count. */
  readonly otherTimes: Float64Array;
  /** By symbol that the sequence lacks: the sum of the weights of the models that hold it. */
  readonly holding: Float64Array;
  /** The sum of the weights of all models. */
  readonly all: number;
}

/**
 * A comparison with all models. Valid only inside the call that made it. Use the members in the order of their
 * declaration.
 */
export interface Comparison {
  /** By number: the sum of the frequencies of the models that have the count. */
  readonly having: Float64Array;
  /**
   * For each place, and finally for the end, which counts as a symbol: how often anything followed the previous event,
   * and the previous two; then, for each distinct symbol of the place, ascending, how often that symbol did. The first
   * place has only the beginning before it, so its two contexts are equal.
   */
  readonly followers: Float64Array;
  /** By symbol: the sum of the frequencies of the models whose first event holds it; empty if not requested. */
  readonly beginnings: Float64Array;
  /**
   * Computes each model's logarithm, rounded to units of 1/1024 bit.
   *
   * @param visit receives pairs, in no particular order: units, and the sum of the frequencies of one or more models
   *   with these units. The same units may come again. The array is valid until it returns
   */
  weigh(terms: ModelTerms, visit: (weighed: Float64Array) => void): void;
  /**
   * Sums what models hold, after {@link weigh}.
   *
   * @param least models with fewer units have weight 0
   * @param weightOf the weight of a model that was learned once, a whole number of 0 or more; of others, it is that
   *   times their frequency
   */
  gather(least: number, weightOf: (units: number) => number): Gathered;
}
