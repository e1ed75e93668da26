/**
 * The port through which the processor reaches the hot work: which learned models match working memory, and how well.
 * Symbols are numbers here; the processor's symbol table says which. Implemented by the kernel, and by a slow oracle in tests.
 */

/**
 * Symbol numbers at and above this one stand for symbols that no model holds; in one query, the same unknown symbol has the
 * same number. Known symbols are numbered densely from 0.
 */
export const UNKNOWN_SYMBOL_BASE = 0x8000_0000;

/** The numbers by which predictions can be sorted and cut. */
export const METRICS = [
  "similarity",
  "number_of_blocks",
  "potential",
  "evidence",
  "fragmentation",
  "snr",
  "entropy",
  "hamiltonian",
  "grand_hamiltonian",
  "confluence",
  "confidence",
  "itfdf_similarity",
] as const;

/** One of {@link METRICS}. */
export type Metric = (typeof METRICS)[number];

/** A sequence of events as two flat columns. */
export interface Sequence {
  /** Symbol numbers of all events, one after the other. */
  symbols: Uint32Array;
  /** The number of symbols of each event, in order; each 1 or more. Their sum is `symbols.length`. */
  lengths: Uint32Array;
}

/** A model as the matcher needs it. */
export interface MatchableModel extends Sequence {
  /** Its age: newer models have greater ids. 1 to 2^53-1. */
  id: number;
  /** How often it was learned, 1 or more. */
  frequency: number;
}

/** Whole numbers in a column as narrow as the greatest of them allows. */
export type Unsigned = Uint8Array | Uint16Array | Uint32Array;

/** Many models as columns: what belongs to one model stands at its place, models following each other. */
export interface ModelBatch {
  /** Rising, as in {@link MatchableModel}. */
  ids: Float64Array;
  frequencies: Float64Array;
  /** How many events each model has, 1 or more. */
  eventCounts: Unsigned;
  /** How many symbols each event of each model has, 1 or more. */
  lengths: Unsigned;
  /** The symbols of all models. */
  symbols: Unsigned;
}

/** What the matcher needs to know of the whole knowledge base. */
export interface Totals {
  /** Sum of the frequencies of all models. */
  modelFrequencies: number;
  /** Sum of `model_member_frequency` over all symbols. */
  memberFrequencies: number;
  /** Sum of `frequency` over all symbols. */
  symbolFrequencies: number;
}

/** A question: what does this memory predict? */
export interface Query {
  /** The symbols of all events of memory, oldest first; may hold unknown symbols. Not empty. */
  memory: Uint32Array;
  /** Only models whose last event holds this symbol take part. `undefined`: all do. */
  target: number | undefined;
  /** The least similarity that keeps a model, 0 to 1. */
  recallThreshold: number;
  /** At most this many predictions, 1 or more. */
  maxPredictions: number;
  /** Predictions come in descending order of this metric, ties newest model first. */
  sortMetric: Metric;
  /** Predictions are kept when `thresholdMetric` is at least (or at most) `threshold`. */
  thresholdMetric: Metric;
  threshold: number;
  /** `true`: at least; `false`: at most. */
  thresholdAtLeast: boolean;
  totals: Totals;
  /** N: how many distinct symbols are known. */
  knownSymbols: number;
}

/** A model that matches, cut and scored. */
export interface Match extends MatchableModel {
  /** Index of the first event of the present. */
  presentStart: number;
  /** Index of the event after the last of the present. */
  presentEnd: number;
  /** The matched symbols, in the model's order. */
  matches: Uint32Array;
  /** Symbols of the present whose value occurs nowhere in `matches`; repeats kept, in order. */
  missing: Uint32Array;
  /** Symbols of memory that are left over when the present is matched against it, in memory's order. */
  extras: Uint32Array;
  /** Every metric of the prediction. */
  metrics: Record<Metric, number>;
}

/** Holds all models as columns and answers queries exactly. */
export interface Matcher {
  /** Adds a model. Its id is greater than every id added since the last {@link clear}. Throws a Fault `exhausted`, changing nothing, when memory is used up. */
  add(model: MatchableModel): void;
  /**
   * Adds many models, as {@link add} would one after the other, and much faster. Throws a Fault `exhausted` at the first that does not
   * fit; those before it are added.
   */
  addBatch(batch: ModelBatch): void;
  /** Removes the model with this id, which exists. */
  remove(id: number): void;
  /** Sets the frequency of the model with this id, which exists. */
  setFrequency(id: number, frequency: number): void;
  /** Sets how often a symbol occurs in all that was learned; 0 for one that is forgotten. Throws a Fault `exhausted` as {@link add} does. */
  setSymbolFrequency(symbol: number, frequency: number): void;
  /** Forgets all models and symbols. */
  clear(): void;
  /** The ensemble: every match that survives the thresholds, best first. */
  predict(query: Query): Match[];
  /** Whether {@link predict} would return any; as much faster as can be. */
  matchesAny(query: Query): boolean;
  /** Bytes held. */
  readonly bytes: number;
  /** Bytes that may be held at most. */
  readonly limitBytes: number;
}
