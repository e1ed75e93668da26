/** What it takes to judge a whole sequence by all models: what they hold how often, and in which order. */

/** A sequence that is compared, by small numbers of its symbols, from 0 on. */
export interface ComparedSequence {
  /** By number: the symbol; -1 for one that no model holds. */
  readonly ids: Int32Array;
  /** By number: how often the sequence holds the symbol. */
  readonly counts: Float64Array;
  /** The kind of each event, from 1 on: the same for events that hold the same symbols equally often. */
  readonly kinds: readonly number[];
  /** By kind, from the first on: the numbers of its symbols, ascending, repeats kept. */
  readonly kindNumbers: readonly (readonly number[])[];
  /** Whether nothing more comes: else a model has a count when it holds as many or more. */
  readonly complete: boolean;
  /** Whether {@link Comparison.beginnings} are wanted. */
  readonly begins: boolean;
}

/** By what the logarithm of a model is computed: the sum of these, in this order. */
export interface ModelTerms {
  /** Models that have less than the greatest logarithm by more units than this may be left out. */
  readonly deepest: number;
  /** What every model has. */
  readonly base: number;
  /** By number: what a model adds that has the count. They are added in the order in which the model holds them. */
  readonly having: Float64Array;
  /**
   * By symbol, where the sequence is complete: what a model adds that holds it, though the sequence does not. They are
   * added afterwards, in the same order.
   */
  readonly holding: Float64Array;
}

/** What models hold, each by its weight. Sums of whole numbers. */
export interface Gathered {
  /** By number: the weights of the models that have the count, and their weights times their counts. */
  readonly having: Float64Array;
  readonly havingTimes: Float64Array;
  /** By number: the weights of the models that have another count, times their counts. */
  readonly otherTimes: Float64Array;
  /** By symbol: the weights of the models that hold it, where the sequence does not. */
  readonly holding: Float64Array;
  /** The weights of all models. */
  readonly all: number;
}

/** A comparison with all models. Valid inside the call that made it only. Ask in the order of the members. */
export interface Comparison {
  /** By number: the frequencies of the models that have the count. */
  readonly having: Float64Array;
  /**
   * Place by place, and last the end: how often anything followed the last event, and the last two; then how often each
   * different symbol of the place did, ascending, again both. The end is a symbol. The first place has nothing but the
   * beginning before it, twice.
   */
  readonly followers: Float64Array;
  /** By symbol: the frequencies of the models whose first event holds it; empty where they are not wanted. */
  readonly beginnings: Float64Array;
  /**
   * Computes the logarithm of each model in units of 1/1024 bit, rounded.
   *
   * @param visit gets the units of one or more models, and their frequencies together, in no order; units may come
   *   again
   */
  weigh(terms: ModelTerms, visit: (units: number, frequency: number) => void): void;
  /**
   * Gathers what models hold, after {@link weigh}.
   *
   * @param least models of fewer units have no weight
   * @param weightOf the weight of a model that was learned once, a whole number of 0 or more; of others, it is that
   *   times
   *   their frequency
   */
  gather(least: number, weightOf: (units: number) => number): Gathered;
}
