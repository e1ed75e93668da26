/**
 * The port through which the processor reads and records what must last. A verb runs inside one transaction of the owner:
 * what it records can be read back at once, and either all of it lasts or none. Implemented over SQLite, and in memory in tests.
 */

import type { Emotive, Gdf } from "./gdf";
import type { MatchableModel, ModelBatch, Sequence, Totals } from "./matcher";

/** The value of a gene inside the processor: switches are booleans, never the words they are printed with. */
export type GeneSetting = boolean | number | string;

/** Everything small that changes with most verbs; one row. */
export interface State {
  /** Observations made while awake. */
  time: number;
  /** Observations since the last learn, sleep or clear; predict_on_nth_event counts these too. */
  observeCalls: number;
  predict: boolean;
  autolearn: boolean;
  sleeping: boolean;
  /** The target class; empty when none. */
  target: string;
  /** Name of the model learned last; empty when none. */
  lastLearned: string;
  /** As status reports it: components of learned vectors; -1 until one is learned, and again after a load. */
  vectorDimensionality: number;
  /** The emotives of the last observation, as status shows them. */
  emotives: Emotive[];
  /** Sums of the emotives observed since the last learn or clear. */
  pendingEmotives: Emotive[];
  /** The last observation and what became of it; `undefined` when fresh or cleared. */
  percept: Percept | undefined;
  /** Working memory is the events at positions `memoryStart` (inclusive) to `memoryEnd` (exclusive). */
  memoryStart: number;
  memoryEnd: number;
  /** The memory that the ensemble is about: events at positions `ensembleStart` to `ensembleEnd`; none when equal. */
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
  /** As it came. */
  gdf: Gdf;
  /** The way it came, this processor's own entry last. */
  path: string[];
  /** The event it became; empty when it had neither strings nor vectors. */
  symbols: string[];
}

/** One event of working memory. */
export interface EventRow {
  /** Grows by one with every event; never reused. */
  position: number;
  symbols: string[];
  /** The metadata of its observation, a JSON object as compact text. */
  metadata: string;
}

/** The values a model keeps of one emotive, oldest first. */
export interface EmotiveValues {
  name: string;
  values: number[];
}

/** A learned model. */
export interface ModelRow extends Sequence {
  /** Its age: newer models have greater ids. */
  id: number;
  /** 40 hex digits. */
  name: string;
  frequency: number;
  emotives: EmotiveValues[];
  /** One JSON object as compact text per event. */
  metadata: string[];
}

/** A known symbol. */
export interface SymbolRow {
  /** Dense from 0; a forgotten symbol's number is given away again. */
  id: number;
  name: string;
  frequency: number;
  memberFrequency: number;
}

/** A vector, learned or waiting to be. */
export interface VectorRow {
  /** Order of learning (or of waiting): greater is newer. */
  id: number;
  /** 40 hex digits, without the prefix `VECTOR|`. */
  name: string;
  components: Float64Array;
}

/** What another processor is to observe of this one's predictions. */
export interface ForwardedEvent {
  /** The identifier of that processor. */
  target: string;
  /** Not empty. */
  symbols: string[];
  /** Those of the observation that led to it. */
  emotives: Emotive[];
  /** The identifier of that observation. */
  uniqueId: string;
  /** The way it comes, without the target's own entry. */
  path: string[];
}

/** A load under way: what was counted of the knowledge base staged so far; one small row. */
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

/** All that can be written. */
export type Change =
  | { kind: "state"; state: State }
  /** Only the genes that differ from the defaults need be given; they replace those stored. */
  | { kind: "genes"; genes: Record<string, GeneSetting> }
  | { kind: "event-appended"; event: EventRow }
  /** Events at positions less than `before` are gone. */
  | { kind: "events-dropped"; before: number }
  | { kind: "vector-waiting"; vector: VectorRow }
  /** No vector waits any more. */
  | { kind: "waiting-dropped" }
  | { kind: "vector-learned"; vector: VectorRow }
  /** Inserts or replaces whole rows by id. */
  | { kind: "symbols-put"; symbols: SymbolRow[] }
  | { kind: "symbols-removed"; ids: number[] }
  /** Inserts or replaces the whole row by id. */
  | { kind: "model-put"; model: ModelRow }
  /** The model was learned again: only these members differ. */
  | { kind: "model-renewed"; id: number; frequency: number; emotives: EmotiveValues[] }
  | { kind: "model-removed"; id: number }
  /** Queued behind all that were forwarded before; the owner delivers it and takes it out of the queue. */
  | { kind: "event-forwarded"; event: ForwardedEvent }
  /** Everything of this source up to this number was taken. */
  | { kind: "delivery-taken"; source: string; number: number }
  | { kind: "blacklist-added"; symbols: string[] }
  | { kind: "blacklist-removed"; symbols: string[] }
  /** All models, symbols and vectors are gone; what is staged or waits is not. */
  | { kind: "knowledge-cleared" }
  /** A load begins. What was staged before is gone. */
  | { kind: "staging-begun"; staging: Staging }
  /**
   * The load grows: `staging` replaces the row, `symbols` are inserted or replaced by id among the staged symbols, `models` and
   * `vectors` are new among the staged ones. Staged rows have ids of their own and are seen by no read but the staged ones.
   */
  | { kind: "staging-grown"; staging: Staging; symbols: SymbolRow[]; models: ModelRow[]; vectors: VectorRow[] }
  /** Nothing is staged any more. */
  | { kind: "staging-dropped" }
  /** The staged models, symbols and vectors, with their ids, replace all models, symbols and vectors. Nothing is staged any more. */
  | { kind: "staging-committed" };

/** Reads what lasts. Every read sees all that was recorded before it. */
export interface Reader {
  /** `undefined` for a processor that has never recorded a state. */
  state(): State | undefined;
  /** As last recorded; empty at first. */
  genes(): Record<string, GeneSetting>;
  /** All stored events, by position. */
  events(): EventRow[];
  /** Vectors that wait to be learned, oldest first. */
  waitingVectors(): VectorRow[];
  /** Learned vectors, oldest first. */
  vectors(): Iterable<VectorRow>;
  vectorByName(name: string): VectorRow | undefined;
  symbols(): Iterable<SymbolRow>;
  /** All models, oldest first, with only what matching needs. */
  corpus(): Iterable<MatchableModel>;
  /** The same in batches, for a matcher to take. */
  corpusBatches(): Iterable<ModelBatch>;
  modelByName(name: string): ModelRow | undefined;
  /** In the order of `ids`; an id that does not exist is a defect and throws. */
  modelsById(ids: readonly number[]): ModelRow[];
  /** At most `limit` models whose name follows `after` ("" for the first), by name. */
  modelsAfter(after: string, limit: number): ModelRow[];
  /** The names of models, in the order of `ids`; an id that does not exist is a defect and throws. */
  modelNames(ids: readonly number[]): string[];
  /** At most `limit` learned vectors whose name follows `after` ("" for the first), by name. */
  vectorsAfter(after: string, limit: number): VectorRow[];
  countModels(): number;
  countVectors(): number;
  /** In the order of adding. */
  blacklist(): string[];
  /** The greatest number taken from a source of deliveries; 0 when none was. */
  lastTaken(source: string): number;
  /** The load under way; `undefined` when there is none. */
  staging(): Staging | undefined;
  stagedSymbols(): Iterable<SymbolRow>;
  /** Those of `names` under which a model is staged. */
  stagedModelNames(names: readonly string[]): string[];
  /** Those of `names` under which a vector is staged. */
  stagedVectorNames(names: readonly string[]): string[];
}

/** Reads and records. */
export interface Store extends Reader {
  record(change: Change): void;
}
