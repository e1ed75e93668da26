/**
 * The port through which the processor reads and records what must last. A verb runs inside one transaction of the owner:
 * it can read back at once what it has recorded, and either all of it lasts or none. Implemented over SQLite, and in memory in tests.
 */

import type { Emotive, Gdf } from "./gdf";
import type { MatchableModel, ModelBatch, Sequence, Totals } from "./matcher";

/** The value of a gene inside the processor. A switch is a boolean, never the words it is printed with. */
export type GeneSetting = boolean | number | string;

/** Everything small that most verbs change; one row. */
export interface State {
  /** Observations made while awake. */
  time: number;
  /** Observations since the last learn, sleep or clear; predict_on_nth_event counts these too. */
  observeCalls: number;
  /** Whether observations make predictions. */
  predict: boolean;
  /** Whether working memory is learned by itself. */
  autolearn: boolean;
  /** Whether observations are ignored. */
  sleeping: boolean;
  /** The target class; empty when there is none. */
  target: string;
  /** Name of the model learned last; empty when there is none. */
  lastLearned: string;
  /** Number of components of the learned vectors, as status reports it; -1 until one is learned, and again after a load. */
  vectorDimensionality: number;
  /** The emotives of the last observation, as status shows them. */
  emotives: Emotive[];
  /** Sums of the emotives observed since the last learn or clear. */
  pendingEmotives: Emotive[];
  /** The last observation; `undefined` before the first one and after a clear. */
  percept: Percept | undefined;
  /** Working memory is the events at positions `memoryStart` (inclusive) to `memoryEnd` (exclusive). */
  memoryStart: number;
  memoryEnd: number;
  /** The ensemble predicts from the events at positions `ensembleStart` to `ensembleEnd`; there is none when they are equal. */
  ensembleStart: number;
  ensembleEnd: number;
  totals: Totals;
  /** The id that the next new model gets. */
  nextModelId: number;
  /** Grows with every change of models, symbols or vectors; 1 at first. */
  revision: number;
}

/** The last observation. */
export interface Percept {
  /** The record as the sender gave it. */
  gdf: Gdf;
  /** The stations that the record passed, this processor's own entry last. */
  path: string[];
  /** The event it became; empty when the record had neither strings nor vectors. */
  symbols: string[];
}

/** One event of working memory. */
export interface EventRow {
  /** Each event gets the next number; numbers are never reused. */
  position: number;
  symbols: string[];
  /** The metadata of its observation: a JSON object as compact text. */
  metadata: string;
}

/** The values that a model keeps of one emotive. */
export interface EmotiveValues {
  name: string;
  /** Finite, oldest first; at most as many as the gene persistence says. */
  values: number[];
}

/** A learned model. */
export interface ModelRow extends Sequence {
  /** Newer models have greater ids. */
  id: number;
  /** 40 hex digits. */
  name: string;
  /** How often it was learned, 1 or more. */
  frequency: number;
  emotives: EmotiveValues[];
  /** One JSON object as compact text per event. */
  metadata: string[];
}

/** A known symbol. */
export interface SymbolRow {
  /** Dense from 0; a new symbol may get the number of a forgotten one. */
  id: number;
  name: string;
  /** How often it occurs in everything learned. */
  frequency: number;
  /** How many learned models contain it; a model counts as often as it was learned. */
  memberFrequency: number;
}

/** A vector, learned or still waiting to be. */
export interface VectorRow {
  /** The order of learning (or of waiting): greater is newer. */
  id: number;
  /** 40 hex digits, without the prefix `VECTOR|`. */
  name: string;
  components: Float64Array;
}

/** An event made of this processor's predictions, for another processor to observe. */
export interface ForwardedEvent {
  /** The identifier of the other processor. */
  target: string;
  /** Not empty. */
  symbols: string[];
  /** The emotives of the observation behind it. */
  emotives: Emotive[];
  /** The identifier of that observation. */
  uniqueId: string;
  /** The stations that it passed, without the target's own entry. */
  path: string[];
}

/** The counts of a load under way, over everything staged so far; one small row. */
export interface Staging {
  /** Identifies the load. */
  loadId: string;
  totals: Totals;
  /** How many models are staged; their ids are 1 to this, in the order of staging. */
  models: number;
  /** How many vectors are staged; their ids are 1 to this, in the order of staging. */
  vectors: number;
  /** Components of the staged vectors; -1 while there are none. */
  dimensionality: number;
}

/** Everything that can be recorded. */
export type Change =
  | { kind: "state"; state: State }
  /** Replaces the stored genes. Genes with default values may be left out. */
  | { kind: "genes"; genes: Record<string, GeneSetting> }
  | { kind: "event-appended"; event: EventRow }
  /** Deletes the events at positions less than `before`. */
  | { kind: "events-dropped"; before: number }
  | { kind: "vector-waiting"; vector: VectorRow }
  /** Deletes all waiting vectors. */
  | { kind: "waiting-dropped" }
  | { kind: "vector-learned"; vector: VectorRow }
  /** Inserts or replaces whole rows by id. */
  | { kind: "symbols-put"; symbols: SymbolRow[] }
  | { kind: "symbols-removed"; ids: number[] }
  /** Inserts or replaces the whole row by id. */
  | { kind: "model-put"; model: ModelRow }
  /** The model was learned again: only these members change. */
  | { kind: "model-renewed"; id: number; frequency: number; emotives: EmotiveValues[] }
  | { kind: "model-removed"; id: number }
  /**
   * Appends to the queue of forwarded events; the owner delivers them and removes them from the queue. `mostDeliveries` is not stored:
   * how many deliveries all events of this verb, and what follows from them, may be; `undefined` when nobody has said.
   */
  | { kind: "event-forwarded"; event: ForwardedEvent; mostDeliveries: number | undefined }
  /** All deliveries of this source up to this number have been taken. */
  | { kind: "delivery-taken"; source: string; number: number }
  | { kind: "blacklist-added"; symbols: string[] }
  | { kind: "blacklist-removed"; symbols: string[] }
  /** Deletes all models, symbols and learned vectors, but nothing that is staged or waits. */
  | { kind: "knowledge-cleared" }
  /** A load begins. Deletes what was staged before. */
  | { kind: "staging-begun"; staging: Staging }
  /**
   * The load grows: `staging` replaces the row, `symbols` are inserted or replaced by id among the staged symbols, `models` and
   * `vectors` are added to the staged ones. Staged rows have ids of their own; only the reads of staged rows see them.
   */
  | { kind: "staging-grown"; staging: Staging; symbols: SymbolRow[]; models: ModelRow[]; vectors: VectorRow[] }
  /** Deletes everything staged. */
  | { kind: "staging-dropped" }
  /** The staged models, symbols and vectors, with their ids, replace all models, symbols and vectors. Then nothing is staged. */
  | { kind: "staging-committed" };

/** Reads what lasts. Every read sees everything recorded before it. */
export interface Reader {
  /** `undefined` for a processor that has never recorded a state. */
  state(): State | undefined;
  /** The genes last recorded; empty at first. */
  genes(): Record<string, GeneSetting>;
  /** All stored events, by position. */
  events(): EventRow[];
  /** The vectors that wait to be learned, oldest first. */
  waitingVectors(): VectorRow[];
  /** Learned vectors, oldest first. */
  vectors(): Iterable<VectorRow>;
  vectorByName(name: string): VectorRow | undefined;
  symbols(): Iterable<SymbolRow>;
  /** All models, oldest first, with only the members that matching needs. */
  corpus(): Iterable<MatchableModel>;
  /** The same in batches, for a matcher to take. */
  corpusBatches(): Iterable<ModelBatch>;
  modelByName(name: string): ModelRow | undefined;
  /** Models in the order of `ids`. An id that does not exist is a defect and throws. */
  modelsById(ids: readonly number[]): ModelRow[];
  /** At most `limit` models whose name follows `after` ("" for the first), by name. */
  modelsAfter(after: string, limit: number): ModelRow[];
  /** The names of models, in the order of `ids`. An id that does not exist is a defect and throws. */
  modelNames(ids: readonly number[]): string[];
  /** At most `limit` learned vectors whose name follows `after` ("" for the first), by name. */
  vectorsAfter(after: string, limit: number): VectorRow[];
  /** The blacklisted symbols in the order of adding. */
  blacklist(): string[];
  /** The number of the last delivery taken from a source; 0 when there was none. */
  lastTaken(source: string): number;
  /** The load under way; `undefined` when there is none. */
  staging(): Staging | undefined;
  stagedSymbols(): Iterable<SymbolRow>;
  /** The subset of `names` under which a model is staged. */
  stagedModelNames(names: readonly string[]): string[];
  /** The subset of `names` under which a vector is staged. */
  stagedVectorNames(names: readonly string[]): string[];
}

/** Reads and records. */
export interface Store extends Reader {
  /** Records a change; later reads see it. */
  record(change: Change): void;
}
