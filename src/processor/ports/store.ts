/**
 * The port through which the processor reads and records what must last. A verb runs inside one transaction of the
 * owner: it can read back at once what it has recorded, and either all of it lasts or none. Implemented over
 * SQLite, and in memory in tests.
 */

import type { Alert, Notice, StoredAlert } from "./alert";
import type { ForecastRecord } from "./forecaster";
import type { Emotive, Gdf, NamedNumber } from "./gdf";
import type {
  IncidentFilter,
  IncidentRow,
  IncidentSummary,
  KeptThreshold,
  MemoryIncidents,
  RunningIncident,
  SeenEvent,
} from "./incident";
import type { MatchableModel, ModelBatch, Sequence, Totals } from "./matcher";
import type { Arrivals, MemoryArrivals, StoredSilence } from "./silence";

/** The value of a gene inside the processor. A switch is a boolean, never the words it is printed with. */
export type GeneSetting = boolean | number | string;

/**
 * What all memories of a processor share, besides the knowledge itself. One row; it changes with the
 * knowledge and with the switches.
 */
export interface State {
  /** Whether observations make predictions. */
  predict: boolean;
  /** Whether working memory is learned by itself. */
  autolearn: boolean;
  /** Whether observations are ignored. */
  sleeping: boolean;
  /** When it last woke, epoch milliseconds; 0 if it has never slept. */
  awakeSince: number;
  /**
   * Number of components of the learned vectors, as status reports it; -1 until one is learned, and again after a load.
   */
  vectorDimensionality: number;
  totals: Totals;
  /** The id that the next new model gets. */
  nextModelId: number;
  /** Grows with every change of models, symbols or vectors; 1 at first. */
  revision: number;
  /** What forecasts would have said of the models when they were learned; that of a former release may be there. */
  forecastRecord: ForecastRecord;
  learnScores: LearnScores;
}

/**
 * How unusual the newest learned sequences were, each before it was learned; those in full blocks are in rows of their
 * own.
 */
export interface LearnScores {
  /** How many learns were ever scored. */
  count: number;
  /** The scores since the last full block, oldest first: whole numbers of 1/1024 bit. */
  latest: number[];
}

/** Where nothing has been scored. */
export const NO_SCORES: LearnScores = { count: 0, latest: [] };

/** A row of scores. */
export interface ScoreBlock {
  /** 0 or more. */
  place: number;
  /** Oldest first. */
  scores: number[];
}

/** The positions of a memory's events. They only grow. */
export interface MemoryPositions {
  /** Working memory is the events at positions `memoryStart` (inclusive) to `memoryEnd` (exclusive). */
  memoryStart: number;
  memoryEnd: number;
  /**
   * The ensemble predicts from the events at positions `ensembleStart` to `ensembleEnd`; there is
   * none when they are equal.
   */
  ensembleStart: number;
  ensembleEnd: number;
}

/** Everything small that one memory keeps: the processor's own, or a session's. */
export interface MemoryState extends MemoryPositions {
  /** Observations made while awake. */
  time: number;
  /** Observations since the last learn, sleep or clear; predict_on_nth_event counts these too. */
  observeCalls: number;
  /** The target class; empty when there is none. */
  target: string;
  /** Name of the model learned last; empty when there is none. */
  lastLearned: string;
  /** The emotives of the last observation, as status shows them. */
  emotives: Emotive[];
  /** Sums of the emotives observed since the last learn or clear. */
  pendingEmotives: Emotive[];
  /** The last observation; `undefined` before the first one and after a clear. */
  percept: Percept | undefined;
  /** The number of symbols in working memory. */
  symbols: number;
  /** The vectors with ids from `waitingStart` (inclusive) to `waitingEnd` (exclusive) wait to be learned. */
  waitingStart: number;
  waitingEnd: number;
  /** When the memory last changed, epoch milliseconds. */
  changedAt: number;
  /** When it last observed a record, whole epoch seconds; `undefined` before the first one. */
  lastObserved: number | undefined;
  /** When records arrived, awake. */
  arrivals: Arrivals;
  /** The last numbers of the sources heard last, latest last; at most {@link FEW_SOURCES}. */
  sources: SourceNumber[];
  /** The numbers of the forecast alerts whose probability is above their threshold now, rising. */
  risen: number[];
  /**
   * The bins in which the last numbers were, at most one for each encoder. Those of encoders
   * that are gone mean nothing.
   */
  bins: readonly KeptBin[];
  /**
   * The numbers that it has observed for encoders that still look for their edges. Those of
   * encoders that are gone, or have found them, mean nothing.
   */
  collected: readonly CollectedNumbers[];
  /** The incidents that last. */
  running: readonly RunningIncident[];
  /** The thresholds that alerts choose, as of its last observation; those of alerts that are gone mean nothing. */
  thresholds: readonly KeptThreshold[];
  /** Its newest events, oldest first, as many as the gene history says; the store may keep fewer. */
  history: readonly HistoryEvent[];
}

/** Numbers that a memory has observed for one encoder. */
export interface CollectedNumbers {
  /** The encoder's number. */
  readonly encoder: number;
  /** Finite; in the order of observing. */
  readonly values: readonly number[];
}

/** What one memory has collected. */
export interface MemoryNumbers {
  /** The name of the session; empty for the processor's own memory. */
  readonly session: string;
  readonly collected: readonly CollectedNumbers[];
}

/** An event that a memory keeps to look at. */
export interface HistoryEvent extends SeenEvent {
  interval: number;
  time: number;
  numbers: readonly NamedNumber[];
}

/** The bin in which the last number of a name was, as a memory keeps it: from one edge up to the next. */
export interface KeptBin {
  /** The encoder's name. */
  name: string;
  /** The encoder's number. */
  encoder: number;
  /** The edge at which the bin begins, and which belongs to it; -Infinity below all edges. */
  from: number;
  /** The edge at which the next bin begins; Infinity above all edges. */
  below: number;
}

/** A stored encoder. */
export interface EncoderRow {
  name: string;
  /** The store counts the encoders that were put, from 1: no two of a processor ever have the same number. */
  number: number;
  /** A JSON object as text. */
  definition: string;
}

/** Maximum number of sources of deliveries in the state of a memory. */
export const FEW_SOURCES = 16;

/** Number of further sources, for each memory, of which the store keeps the last numbers. */
export const KEPT_SOURCES = 10_000;

/**
 * Who sends deliveries: a client, or another processor. The two choose their names for themselves, so
 * one may use the other's.
 */
export type Sender = "client" | "processor";

/** The number of the last delivery that was taken from a source. */
export interface SourceNumber {
  sender: Sender;
  /** Identifies the source among the senders of its kind; not empty. */
  source: string;
  /** 1 or more. */
  number: number;
}

/** What is stored of one memory. */
export interface StoredMemory {
  state: MemoryState;
  /** The events that are still needed, by position without gaps: those from {@link neededFrom} on. */
  events: EventRow[];
  /** The waiting vectors, oldest first. */
  waiting: VectorRow[];
  /**
   * How many bytes the memory takes in rows, when that is more than {@link MOST_READ_BYTES}; then neither its events
   * nor its waiting vectors were read. Absent when they were.
   */
  unreadBytes?: number | undefined;
}

/**
 * The most bytes of events and waiting vectors of one memory that are read from rows: more would end an isolate. A
 * memory within its budget, and one of a backup's line, take less; an earlier version has stored more.
 */
export const MOST_READ_BYTES = 33_554_432;

/** A session as the list of sessions has it. */
export interface SessionRow extends Pick<MemoryState, "time" | "symbols" | "changedAt" | "lastObserved"> {
  name: string;
  /** The number of events in working memory. */
  events: number;
}

/** The position of the first event that a memory still needs; `memoryEnd` when it needs none. */
export function neededFrom({ memoryStart, ensembleStart, ensembleEnd }: MemoryPositions): number {
  return ensembleEnd > ensembleStart ? Math.min(memoryStart, ensembleStart) : memoryStart;
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

/** One event of a memory. */
export interface EventRow {
  /** Each event of a memory gets the next number, the first one 0; numbers are never reused while the memory lasts. */
  position: number;
  symbols: string[];
  /** The metadata of its observation: a JSON object as compact text. */
  metadata: string;
  /** When it happened, epoch seconds; `undefined` where an earlier version stored it. */
  time?: number | undefined;
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
  /** When it was learned last, whole epoch seconds; `undefined` when it was not recorded. */
  learnedAt: number | undefined;
  /** When its events happened in its latest learnings, as knowledge/model-times.ts has it; `undefined` for none. */
  times?: Float64Array | undefined;
}

/** How often a model was learned. */
export type ModelFrequency = Pick<ModelRow, "id" | "name" | "frequency">;

/** What changes in a model that is learned again. */
export type ModelRenewal = Pick<ModelRow, "id" | "frequency" | "emotives" | "learnedAt" | "times">;

/** A known symbol. Its counters are not stored: they follow from the models. */
export interface SymbolRow {
  /** Dense from 0; a new symbol may get the number of a forgotten one. */
  id: number;
  name: string;
}

/** A vector, learned or still waiting to be. */
export interface VectorRow {
  /** The order of learning, or of waiting in its memory: greater is newer. */
  id: number;
  /** 40 hex digits, without the prefix `VECTOR|`. */
  name: string;
  components: Float64Array;
}

/** An event made of this processor's predictions, for another processor to observe. */
export interface ForwardedEvent {
  /** The identifier of the other processor. */
  target: string;
  /** The session that observed, and in which the other processor observes; empty for the processor's own memory. */
  session: string;
  /** Not empty. */
  symbols: string[];
  /** The emotives of the observation behind it. */
  emotives: Emotive[];
  /** The identifier of that observation. */
  uniqueId: string;
  /** When its event happened, epoch seconds; `undefined` where its sender has not said it. */
  time?: number | undefined;
  /** The stations that it passed, without the target's own entry. */
  path: string[];
}

/**
 * The greatest order that a file may give a model or a vector: half of the whole numbers that follow it are
 * for what is learned later.
 */
export const MOST_ORDER = 2 ** 52;

/** The counts of a load under way, over everything staged so far; one small row. */
export interface Staging {
  /** Identifies the load. */
  loadId: string;
  totals: Totals;
  /** How many models are staged; their ids are 1 to this, in the order of staging, unless the file says their order. */
  models: number;
  /** How many vectors are staged; the same. */
  vectors: number;
  /** Components of the staged vectors; -1 while there are none. */
  dimensionality: number;
}

/** Everything that can be recorded. */
export type Change =
  | { kind: "state"; state: State }
  /** Replaces the stored genes. Genes with default values may be left out. */
  | { kind: "genes"; genes: Record<string, GeneSetting> }
  /**
   * A memory has changed. `session` names it; empty for the processor's own. Its first record creates it. `state`
   * replaces the stored one; `events` and `waiting` are those added since the last record, by position and id. Events
   * before {@link neededFrom} and vectors before `waitingStart` are not needed any more: the store may keep them until
   * it needs their place, but not when `clean` is true.
   */
  | {
      kind: "memory";
      session: string;
      state: MemoryState;
      events: readonly EventRow[];
      waiting: readonly VectorRow[];
      clean: boolean;
    }
  /** Deletes everything stored of a session, with the numbers of its sources. Does nothing when there is none. */
  | { kind: "session-ended"; session: string }
  /** Deletes everything stored of all sessions. The processor's own memory stays. */
  | { kind: "sessions-ended" }
  /**
   * Sessions whose last change is after `at`, epoch milliseconds, changed at `at`: since they were
   * written, the clock was set back.
   */
  | { kind: "sessions-redated"; at: number }
  /**
   * A number that has no place left in the state of its memory. The store keeps those of the {@link KEPT_SOURCES} heard
   * last. It writes the number with the next record of the memory, which must follow in the same verb.
   */
  | ({ kind: "source-kept"; session: string } & SourceNumber)
  | { kind: "vector-learned"; vector: VectorRow }
  /** Adds new symbols. Their ids are not in use. */
  | { kind: "symbols-added"; symbols: SymbolRow[] }
  | { kind: "symbols-removed"; ids: number[] }
  /** Inserts or replaces the whole row by id. */
  | { kind: "model-put"; model: ModelRow }
  /** The model was learned again: only these members change. */
  | ({ kind: "model-renewed" } & ModelRenewal)
  | { kind: "model-removed"; id: number }
  /**
   * Appends to the queue of forwarded events; the owner delivers them and removes them from the queue.
   * `mostDeliveries` is not stored: how many deliveries all events of this verb, and what follows from them, may be;
   * `undefined` when no limit was given.
   */
  | { kind: "event-forwarded"; event: ForwardedEvent; mostDeliveries: number | undefined }
  /**
   * Sets an alert, in the place of one of its name. It gets a number, or keeps that which it has
   * with the same condition.
   */
  | { kind: "alert-put"; alert: Alert; at: number }
  /** Removes an alert, if there is one of this name, and what it has to tell. */
  | { kind: "alert-removed"; name: string }
  /** Keeps a threshold with its alert, because the memory that holds it ends. */
  | { kind: "threshold-kept"; threshold: KeptThreshold }
  /** Queues what an alert tells; the owner delivers it. One that waits for its first attempt may stand for several. */
  | { kind: "alert-told"; notice: Notice }
  /** What was told of a memory's silence, in the place of what was told of an earlier one. */
  | { kind: "silence-told"; session: string; silence: StoredSilence }
  /** Inserts or replaces an incident by its id; of {@link MOST_INCIDENTS}, a new one takes the place of the oldest. */
  | { kind: "incident-put"; incident: IncidentRow }
  /** Keeps a full block of scores, in the place of one that is there. */
  | ({ kind: "scores-kept" } & ScoreBlock)
  /** Deletes all blocks of scores. */
  | { kind: "scores-cleared" }
  /** Inserts or replaces the encoder of a name. It gets the next number. */
  | { kind: "encoder-put"; name: string; definition: string }
  | { kind: "encoder-deleted"; name: string }
  /** Replaces the definition of an encoder that there is. It keeps its number. */
  | { kind: "encoder-changed"; name: string; definition: string }
  | { kind: "blacklist-added"; symbols: string[] }
  | { kind: "blacklist-removed"; symbols: string[] }
  /** Deletes all models, symbols and learned vectors, but nothing that is staged or waits. */
  | { kind: "knowledge-cleared" }
  /** A load begins. Deletes what was staged before. */
  | { kind: "staging-begun"; staging: Staging }
  /**
   * The load grows: `staging` replaces the row; `symbols`, `models` and `vectors` are added to the staged ones. Staged
   * rows have ids of their own; only the reads of staged rows see them. They count from 1 in the order of staging, but
   * with `isOrdered` those of these models and vectors are any from 1 to {@link MOST_ORDER}, each once.
   */
  | {
      kind: "staging-grown";
      staging: Staging;
      symbols: SymbolRow[];
      models: ModelRow[];
      vectors: VectorRow[];
      isOrdered: boolean;
    }
  /** Deletes everything staged. */
  | { kind: "staging-dropped" }
  /**
   * The staged models, symbols and vectors, with their ids, replace all models, symbols and vectors; but vectors get
   * the ids 1, 2, 3, … in the order of theirs. Then nothing is staged.
   */
  | { kind: "staging-committed" };

/** Reads what lasts. Every read sees everything recorded before it. */
export interface Reader {
  /** `undefined` for a processor that has never recorded a state. */
  state(): State | undefined;
  /** The genes last recorded; empty at first. */
  genes(): Record<string, GeneSetting>;
  /**
   * What is stored of a session, or of the processor's own memory (""); `undefined` when nothing was recorded of it.
   */
  memory(session: string): StoredMemory | undefined;
  /** At most `limit` sessions whose name follows `after` ("" for the first), by name in the order of UTF-8 bytes. */
  sessionsAfter(after: string, limit: number): SessionRow[];
  /** A session, or the processor's own memory (""); `undefined` when nothing was recorded of it. */
  sessionRow(session: string): SessionRow | undefined;
  /** How many sessions are stored. */
  sessionCount(): number;
  /**
   * The names of at most `limit` sessions whose last change is at `before` (epoch milliseconds) or earlier, those
   * unchanged longest first.
   */
  sessionsUnchangedSince(before: number, limit: number): string[];
  /**
   * When the session that is unchanged longest last changed, epoch milliseconds; `undefined` when there is no session.
   */
  oldestChange(): number | undefined;
  /** When the session that has changed last did so, epoch milliseconds; `undefined` when there is no session. */
  newestChange(): number | undefined;
  /** How many bytes of events for other processors may be recorded besides those that wait; 0 or less for none. */
  roomToTell(): number;
  /** How many bytes everything takes that is stored. */
  storedBytes(): number;
  /** The number last recorded of a source that has no place in the state of its memory; 0 when there is none. */
  keptSource(session: string, sender: Sender, source: string): number;
  /**
   * The numbers last recorded of all sources of a memory that had no place in its state then, heard longest ago first.
   */
  keptSources(session: string): SourceNumber[];
  /** Learned vectors, oldest first. */
  vectors(): Iterable<VectorRow>;
  vectorByName(name: string): VectorRow | undefined;
  symbols(): Iterable<SymbolRow>;
  /** All models, oldest first, with only the members that matching needs. */
  corpus(): Iterable<MatchableModel>;
  /** The same in batches, for a matcher to take. */
  corpusBatches(): Iterable<ModelBatch>;
  modelByName(name: string): ModelRow | undefined;
  modelById(id: number): ModelRow | undefined;
  /** Models in the order of `ids`. An id that does not exist is a defect and throws. */
  modelsById(ids: readonly number[]): ModelRow[];
  /** At most `limit` models whose name follows `after` ("" for the first), by name. */
  modelsAfter(after: string, limit: number): ModelRow[];
  /** The ids and names of the models whose name begins with these hex digits, by name. */
  modelNamesFrom(start: string): Iterable<readonly [id: number, name: string]>;
  /** The ids of all models with when they were learned last, in any order. */
  modelMoments(): Iterable<readonly [id: number, learnedAt: number | undefined]>;
  /**
   * Looks for models that keep times, newest first.
   *
   * @param below only models with ids below this
   * @param most how many models are looked at
   * @returns whether one of these keeps times, and the least id that was looked at; 0 where no model is left below it
   */
  timesBelow(below: number, most: number): { found: boolean; next: number };
  /** At most `limit` models whose name follows `after` ("" for the first), by name, with how often each was learned. */
  modelFrequencies(after: string, limit: number): ModelFrequency[];
  /** The events of at most `limit` models, newest first. */
  newestModels(limit: number): (Sequence & { id: number })[];
  /** The names of models, in the order of `ids`. An id that does not exist is a defect and throws. */
  modelNames(ids: readonly number[]): string[];
  /** At most `limit` learned vectors whose name follows `after` ("" for the first), by name. */
  vectorsAfter(after: string, limit: number): VectorRow[];
  /** All encoders, in any order. */
  encoders(): EncoderRow[];
  /**
   * The collected numbers of all memories that hold any. Reads all memories: only for processors with such encoders.
   */
  collectedNumbers(): MemoryNumbers[];
  /** All kept blocks of scores, in any order. */
  scoreBlocks(): ScoreBlock[];
  /** The blacklisted symbols in the order of adding. */
  blacklist(): string[];
  /** The alerts, by name in the order of UTF-8 bytes. */
  alerts(): StoredAlert[];
  /**
   * When at most `limit` memories observed, by name in the order of UTF-8 bytes: those after a name; `undefined` for
   * all, the processor's own first. Fewer than `limit` when more is stored of them than is read at a time; none at the
   * end.
   */
  memoryArrivals(after: string | undefined, limit: number): MemoryArrivals[];
  /** When a memory observed; `undefined` when nothing was recorded of it. */
  memoryArrivalsOf(session: string): MemoryArrivals | undefined;
  /** What was told of the silence of a memory; it may be out of date. `undefined` for nothing. */
  silence(session: string): StoredSilence | undefined;
  /** The same by name, of those after `after` (as in {@link memoryArrivals}) up to `last`. */
  silences(after: string | undefined, last: string): Map<string, StoredSilence>;
  /** What was told of memories that have not observed since, as far as it was told: after a name, by name. */
  lastingSilences(after: string | undefined, limit: number): { session: string; silence: StoredSilence }[];
  /** Records that a memory has observed while awake; 0 when nothing was recorded of it. */
  time(session: string): number;
  /** The greatest id that an incident ever had; 0 when there was none. */
  lastIncident(): number;
  /** An incident; `undefined` when it is not kept. */
  incident(id: number): IncidentRow | undefined;
  /** At most `limit` incidents, newest first. */
  incidents(filter: IncidentFilter, limit: number): IncidentSummary[];
  /** The incident whose place an incident of this id has or would take; `undefined` for none. */
  incidentInPlaceOf(id: number): IncidentRow | undefined;
  /** The ids of at most `limit` incidents greater than `after`, rising. */
  incidentIdsAfter(after: number, limit: number): number[];
  /** The ids and sessions of the incidents that last. */
  runningIncidents(): Pick<IncidentRow, "id" | "session">[];
  /** What a memory keeps of the incidents that last, as recorded. */
  runningIn(session: string): readonly RunningIncident[];
  /** The thresholds that the newest incident and all memories hold: of each alert, that which has seen most counts. */
  newestThresholds(): readonly KeptThreshold[];
  /** The memories with incidents, in any order. */
  incidentsByMemory(): MemoryIncidents[];
  /** The load under way; `undefined` when there is none. */
  staging(): Staging | undefined;
  stagedSymbols(): Iterable<SymbolRow>;
  /** The subset of `names` under which a model is staged. */
  stagedModelNames(names: readonly string[]): string[];
  /** The subset of `names` under which a vector is staged. */
  stagedVectorNames(names: readonly string[]): string[];
  /** The subset of `ids` that staged models have. */
  stagedModelIds(ids: readonly number[]): number[];
  /** The subset of `ids` that staged vectors have. */
  stagedVectorIds(ids: readonly number[]): number[];
  /** The greatest id of a staged model; 0 when there is none. */
  lastStagedModelId(): number;
  /** At most `limit` staged models whose id follows `after` (0 for the first), by id. */
  stagedModelsAfter(after: number, limit: number): ModelRow[];
  /** Staged vectors, by id. Read to the end before you record anything of what is staged. */
  stagedVectors(): Iterable<VectorRow>;
}

/** Reads and records. */
export interface Store extends Reader {
  /** Records a change; later reads see it. */
  record(change: Change): void;
  /**
   * Says that the verb is about to change the memory that it is about. Writes nothing: when it fails before a record,
   * that memory is read anew.
   */
  touch(): void;
}
