/**
 * The ports for the hot code: `Matcher` finds and scores the learned models that match working memory; `Neighbours`
 * finds the learned vectors nearest to an observed one. Both see symbols as numbers, which the symbol table assigns.
 * Implemented by the kernel, and by slow oracles in tests.
 */

import { MEMBER_METRICS as MEMBER_NAMES } from "../../gen/metrics";
import type { ComparedSequence, Comparison } from "./comparison";

/**
 * Numbers from here on denote symbols that no model holds. Within one query, an unknown symbol keeps its number. Known
 * symbols are numbered densely from 0.
 */
export const UNKNOWN_SYMBOL_BASE = 0x8000_0000;

/** The metrics by which predictions can be sorted and filtered, in the order of the kernel's codes. */
export const METRICS = [...MEMBER_NAMES, "number_of_blocks"] as const;

/** One of {@link METRICS}. */
export type Metric = (typeof METRICS)[number];

/** The code of each metric: its index in {@link METRICS} and in the metrics of a match. */
export const METRIC = Object.fromEntries(METRICS.map((name, code) => [name, code])) as {
  readonly [name in Metric]: number;
};

/** A name of the contract in the spelling of code: `grand_hamiltonian` is `grandHamiltonian`. */
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** A metric that is a member of predictions: all but the number of blocks, which predictions show as fragmentation. */
export type MemberMetric = Camel<(typeof MEMBER_NAMES)[number]>;

/** Those members with their codes. */
export const MEMBER_METRICS = MEMBER_NAMES.map((name, code) => ({ member: camel(name) as MemberMetric, code }));

function camel(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** A sequence of events as two flat arrays. */
export interface Sequence {
  /** The symbol numbers of all events, one event after the other. */
  symbols: Uint32Array;
  /** The number of symbols of each event, in order; each 1 or more. Their sum is `symbols.length`. */
  lengths: Uint32Array;
}

/** The part of a model that the matcher needs. */
export interface MatchableModel extends Sequence {
  /** Newer models have greater ids. 1 to 2^53-1. */
  id: number;
  /** How often it was learned, 1 or more. */
  frequency: number;
}

/** Whole numbers in the narrowest array that holds the greatest of them. */
export type Unsigned = Uint8Array | Uint16Array | Uint32Array;

/** Many models as columns, one model after the other. */
export interface ModelBatch {
  /** Ascending, as in {@link MatchableModel}. */
  ids: Float64Array;
  /** How often each model was learned, 1 or more. */
  frequencies: Float64Array;
  /** How many events each model has, 1 or more. */
  eventCounts: Unsigned;
  /** How many symbols each event of each model has, 1 or more. */
  lengths: Unsigned;
  /** The symbols of all models. */
  symbols: Unsigned;
}

/** The counters of the whole knowledge base, as far as the matcher needs them. */
export interface Totals {
  /** Sum of the frequencies of all models. */
  modelFrequencies: number;
  /** Sum of `model_member_frequency` over all symbols. */
  memberFrequencies: number;
  /** Sum of `frequency` over all symbols. */
  symbolFrequencies: number;
}

/** A query for what a sequence predicts. */
export interface Query {
  /** The symbols of all events of the sequence, oldest first; may hold unknown symbols. Not empty. */
  symbols: Uint32Array;
  /** Only models whose last event holds this symbol can match; all can if it is `undefined`. */
  target: number | undefined;
  /** Minimum similarity of a match, 0 to 1. */
  recallThreshold: number;
  /** Maximum number of predictions, 1 or more. */
  maxPredictions: number;
  /** Predictions come in descending order of this metric, ties newest model first. */
  sortMetric: Metric;
  /** Predictions are kept when `thresholdMetric` is at least (or at most) `threshold`. */
  thresholdMetric: Metric;
  threshold: number;
  /** `true`: at least; `false`: at most. */
  thresholdAtLeast: boolean;
  totals: Totals;
  /** N: the number of distinct known symbols. */
  knownSymbols: number;
  /** Maximum number of steps. The steps that a query takes depend on knowledge and query alone. */
  steps: number;
}

/**
 * State that the matcher keeps for a memory that is queried repeatedly while events are added and dropped. It only
 * saves work: answers within the budget of steps are the same without it.
 */
export interface GrowingMemory {
  /**
   * Identifies the memory together with all else that the answer depends on: when anything of that changes, so does the
   * number. Whole, 1 or more, unique.
   */
  readonly number: number;
  /** Number of symbols ever added to it. */
  added: number;
  /** The id of the last model found; 0 for none. */
  found: number;
  /**
   * Until {@link added} reaches this, there is no prediction, provided that the memory has at least {@link noneFrom}
   * symbols.
   */
  noneUntil: number;
  noneFrom: number;
}

/** A model that matches, cut into past, present and future, and scored. */
export interface Match extends MatchableModel {
  /** Index of the first event of the present. */
  presentStart: number;
  /** Index after the last event of the present. */
  presentEnd: number;
  /** The matched symbols, in the model's order. */
  matches: Uint32Array;
  /** The symbols of the present that do not occur in `matches`; in order, with repeats. */
  missing: Uint32Array;
  /** The symbols of the query that remain when the present is matched against it, in the query's order. */
  extras: Uint32Array;
  /** Every metric of the prediction, by {@link METRIC}. */
  metrics: Float64Array;
}

/** One match, with the inputs of its metrics besides the match itself, the counters and the frequencies of symbols. */
export interface ExplainedMatch {
  match: Match;
  /** By symbol of the query: the index, in the model's symbols, of its match; -1 without one. */
  partners: Int32Array;
  /**
   * By symbol of the query: 1 if the present of some kept model holds it, else 0. Only these symbols have weight in
   * itfdf similarity.
   */
  weighs: Uint8Array;
  /** The sum of the frequencies of all models that the recall threshold keeps. */
  keptFrequencies: number;
}

/** Holds all models and answers queries exactly. */
export interface Matcher {
  /**
   * Adds a model. Its id is greater than every id added since the last {@link clear}. Throws a Fault `exhausted`,
   * changing nothing, when memory is used up.
   */
  add(model: MatchableModel): void;
  /**
   * Adds many models, as {@link add} would one after the other, but much faster. Throws a Fault `exhausted` at the
   * first one that does not fit; the ones before it stay.
   */
  addBatch(batch: ModelBatch): void;
  /** Removes the model with this id, which must exist. @param body its events */
  remove(id: number, body: Sequence): void;
  /** Sets the frequency of the model with this id, which must exist. */
  setFrequency(id: number, frequency: number): void;
  /**
   * Sets how often a symbol occurs in everything learned; 0 for a forgotten one. Throws a Fault
   * `exhausted` as {@link add} does.
   */
  setSymbolFrequency(symbol: number, frequency: number): void;
  /** Forgets all models and symbols. */
  clear(): void;
  /**
   * The ensemble: every match that passes the thresholds, best first. Ends early with a wrong answer if {@link steps}
   * exceeds the query's limit.
   */
  predict(query: Query): Match[];
  /**
   * Whether {@link predict} would return any match. Much faster.
   *
   * @param memory the memory that the query was made from; if given, its members for the matcher are read and written
   * @param glance if set, check only the model found last
   * @returns `undefined` if that is still undecided after the glance, or within the steps of the query
   */
  matchesAny(query: Query, memory?: GrowingMemory, glance?: boolean): boolean | undefined;
  /**
   * The match of one model with the inputs of its metrics, even if {@link predict} would cut it off; `undefined` if
   * there is no such model, or the target or the recall threshold excludes it. Ends early as {@link predict} does.
   */
  explain(query: Query, id: number): ExplainedMatch | undefined;
  /**
   * The number of models that each recall threshold would keep, instead of the query's own: the number of predictions
   * without limit and filter. Ends early as {@link predict} does.
   *
   * @param thresholds one or more numbers from 0 to 1, ascending
   * @returns a count for each
   */
  countMatching(query: Query, thresholds: Float64Array): number[];
  /**
   * Compares a sequence with all models.
   *
   * @param work queries the comparison
   */
  compare<Answer>(sequence: ComparedSequence, work: (comparison: Comparison) => Answer): Answer;
  /** Number of symbols of all models together: the cost of reading them once. */
  readonly symbolCount: number;
  /** Number of steps that the last query took. */
  readonly steps: number;
  /** Bytes in use. */
  readonly bytes: number;
  /** Maximum bytes in use. */
  readonly limitBytes: number;
}

/** Holds learned vectors of one dimensionality, in the order of learning. */
export interface Neighbours {
  /**
   * Adds a vector at the end. The first one after {@link clear} sets the dimensionality. Throws a Fault `exhausted`,
   * changing nothing, when memory is used up.
   */
  add(components: Float64Array): void;
  /** Forgets all vectors. */
  clear(): void;
  /**
   * The positions (0 is the oldest) of the `count` nearest vectors by Euclidean distance, nearest first, ties oldest
   * first; fewer when it holds fewer.
   */
  nearest(components: Float64Array, count: number): number[];
}
