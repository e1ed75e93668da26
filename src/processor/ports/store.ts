/**
 * The port through which the processor reads and records what must last. A verb runs inside one transaction of the
 * owner: it reads back at once what it has recorded, and all of it lasts or none does. Implemented over SQLite, and in
 * memory in tests.
 */

import type { Emotive, Gdf, NamedNumber, SeenEvent } from "../../gen/plain";
import type { Alert, EventNotice, SilenceNotice, StoredAlert } from "./alert";
import { EMPTY_RECORD, type ForecastRecord } from "./forecaster";
import type {
  IncidentFilter,
  IncidentRow,
  IncidentSummary,
  KeptThreshold,
  MemoryIncidents,
  RunningIncident,
} from "./incident";
import type { MatchableModel, ModelBatch, Sequence, Totals } from "./matcher";
import type { Arrivals, LastingSilences, MemoryArrivals, SilenceOf, StoredSilence, WatchedMemories } from "./silence";

/** The value of a gene inside the processor. A switch is a boolean, never the words it is printed with. */
export type GeneSetting = boolean | number | string;

/**
 * What all memories of a processor share besides the knowledge itself. Stored as one row, which changes with the
 * knowledge and with the switches.
 */
export interface State {
  /** Whether observations make predictions. */
  predict: boolean;
  /** Whether working memory is learned automatically. */
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
  /** Results of forecasts made just before models were learned; may still be in an earlier release's format. */
  forecastRecord: ForecastRecord;
  learnScores: LearnScores;
}

/**
 * How unusual the newest learned sequences were, each scored before it was learned. Full blocks of scores have rows of
 * their own.
 */
export interface LearnScores {
  /** Number of learns ever scored. */
  count: number;
  /** The scores since the last full block, oldest first: whole numbers of 1/1024 bit. */
  latest: number[];
}

/** The initial scores. */
export const NO_SCORES: LearnScores = { count: 0, latest: [] };

/** The state of a processor that has learned nothing. */
export function newState(): State {
  return {
    predict: true,
    autolearn: false,
    sleeping: false,
    awakeSince: 0,
    vectorDimensionality: -1,
    totals: { modelFrequencies: 0, memberFrequencies: 0, symbolFrequencies: 0 },
    nextModelId: 1,
    revision: 1,
    forecastRecord: EMPTY_RECORD,
    learnScores: NO_SCORES,
  };
}

/** A row of scores. */
export interface ScoreBlock {
  /** 0 or more. */
  place: number;
  /** Oldest first. */
  scores: number[];
}

/** The positions of a memory's events. Positions only grow. */
export interface MemoryPositions {
  /** Working memory is the events at positions `memoryStart` (inclusive) to `memoryEnd` (exclusive). */
  memoryStart: number;
  memoryEnd: number;
  /**
   * The ensemble predicts from the events at positions `ensembleStart` to `ensembleEnd`; there is no ensemble when they
   * are equal.
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
  /** The target class; empty for none. */
  target: string;
  /** Name of the model learned last; empty for none. */
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
  /** When records arrived while awake. */
  arrivals: Arrivals;
  /** The last numbers of the latest sources, newest last; at most {@link FEW_SOURCES}. */
  sources: SourceNumber[];
  /** The numbers of the forecast alerts whose probability is now above their threshold, ascending. */
  risen: number[];
  /** The bins of the last numbers, at most one for each encoder. Bins of deleted encoders are ignored. */
  bins: readonly KeptBin[];
  /**
   * The numbers observed for encoders that have not found their edges yet. Numbers of other or deleted encoders are
   * ignored.
   */
  collected: readonly CollectedNumbers[];
  /** The running incidents. */
  running: readonly RunningIncident[];
  /**
   * The self-adjusting thresholds of alerts, as of the memory's last observation. Those of deleted alerts are ignored.
   */
  thresholds: readonly KeptThreshold[];
  /** Its newest events, oldest first, as many as the gene history says; the store may keep fewer. */
  history: readonly HistoryEvent[];
}

/** The state of a memory that has observed nothing. */
export function newMemoryState(): MemoryState {
  return {
    time: 0,
    observeCalls: 0,
    target: "",
    lastLearned: "",
    emotives: [],
    pendingEmotives: [],
    percept: undefined,
    memoryStart: 0,
    memoryEnd: 0,
    ensembleStart: 0,
    ensembleEnd: 0,
    symbols: 0,
    waitingStart: 1,
    waitingEnd: 1,
    changedAt: 0,
    lastObserved: undefined,
    arrivals: [],
    sources: [],
    risen: [],
    bins: [],
    collected: [],
    running: [],
    thresholds: [],
    history: [],
  };
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

/** An event kept in a memory's history. */
export interface HistoryEvent extends SeenEvent {
  interval: number;
  time: number;
  numbers: readonly NamedNumber[];
}

/** The bin of the last number of a name, as a memory keeps it: from one edge up to the next. */
export interface KeptBin {
  /** The encoder's name. */
  name: string;
  /** The encoder's number. */
  encoder: number;
  /** The edge at which the bin begins, inclusive; -Infinity for the lowest bin. */
  from: number;
  /** The edge at which the bin ends, exclusive; Infinity for the highest bin. */
  below: number;
}

/** A stored encoder. */
export interface EncoderRow {
  name: string;
  /** Encoders of a processor are numbered from 1 as they are put; a number is never reused. */
  number: number;
  /** A JSON object as text. */
  definition: string;
}

/** Maximum number of sources of deliveries in the state of a memory. */
export const FEW_SOURCES = 16;

/** Number of further sources of each memory whose last numbers the store keeps. */
export const KEPT_SOURCES = 10_000;

/**
 * Who sends deliveries: a client, or another processor. Both choose their names freely, so the same name may occur in
 * both kinds.
 */
export type Sender = "client" | "processor";

/** The number of the last delivery accepted from a source. */
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
   * Size of the memory's rows in bytes, if more than {@link MAX_READ_BYTES}; then neither its events nor its waiting
   * vectors were read. Absent if they were.
   */
  unreadBytes?: number | undefined;
}

/**
 * Maximum bytes of events and waiting vectors of one memory that are read from rows: more would exhaust the memory of
 * an isolate. A memory within its budget takes less, and so does one in a line of a backup; earlier versions may have
 * stored more.
 */
export const MAX_READ_BYTES = 33_554_432;

/** A session as listed. */
export interface SessionRow extends Pick<MemoryState, "time" | "symbols" | "changedAt" | "lastObserved"> {
  name: string;
  /** The number of events in working memory. */
  events: number;
}

/** When a session changed, and when it last observed. */
export type ObservedRow = Pick<SessionRow, "name" | "changedAt" | "lastObserved">;

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
  /** Events of a memory are numbered from 0; numbers are never reused while the memory lasts. */
  position: number;
  symbols: string[];
  /** The metadata of its observation: a JSON object as compact text. */
  metadata: string;
  /** When it happened, epoch seconds; `undefined` if an earlier version stored the event. */
  time?: number | undefined;
}

/** The values that a model keeps of one emotive. */
export interface EmotiveValues {
  name: string;
  /** Finite, oldest first; at most as many as the gene persistence sets. */
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
  /**
   * When its events happened in its latest learnings, in the form of knowledge/model-times.ts; `undefined` for none.
   */
  times?: Float64Array | undefined;
}

/** What a model has besides its sequence and what follows from that. */
export type ModelExperience = Omit<ModelRow, "id" | "name" | keyof Sequence>;

/** What stays when a model gets another sequence. */
export function experienceOf({ id, name, symbols, lengths, ...experience }: ModelRow): ModelExperience {
  return experience;
}

/** How often a model was learned. */
export type ModelFrequency = Pick<ModelRow, "id" | "name" | "frequency">;

/** The members of a model that change when it is learned again. */
export type ModelRenewal = Pick<ModelRow, "id" | "frequency" | "emotives" | "learnedAt" | "times">;

/** A known symbol. Its counters are not stored, because they follow from the models. */
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
  /** The session that observed, in both processors; empty for the processor's own memory. */
  session: string;
  /** Not empty. */
  symbols: string[];
  /** The emotives of the observation that caused the event. */
  emotives: Emotive[];
  /** The identifier of that observation. */
  uniqueId: string;
  /** When its event happened, epoch seconds; `undefined` if its sender did not say. */
  time?: number | undefined;
  /** The stations that the event passed, without the target's own entry. */
  path: string[];
}

/**
 * The greatest order that a file may give a model or a vector. As many whole numbers again are left for what is learned
 * later.
 */
export const MAX_ORDER = 2 ** 52;

/** The counts of a load in progress, over everything staged so far; one small row. */
export interface Staging {
  /** Identifies the load. */
  loadId: string;
  totals: Totals;
  /** Number of staged models. Their ids are 1 to this, in the order of staging, unless the file gives their order.. */
  models: number;
  /** Number of staged vectors. Their ids follow the same rule. */
  vectors: number;
  /** Components of the staged vectors; -1 before the first. */
  dimensionality: number;
}

/** Everything that can be recorded. */
export type Change =
  | { kind: "state"; state: State }
  /** Replaces the stored genes. Genes with default values may be left out. */
  | { kind: "genes"; genes: Record<string, GeneSetting> }
  /**
   * A change of the memory of `session`; empty for the processor's own. The first record of a memory creates it.
   * `state` replaces the stored one; `events` and `waiting` are those added since the last record, by position and id.
   * Events before {@link neededFrom} and vectors before `waitingStart` are not needed any more: the store may keep them
   * until it needs the space, unless `clean` is true.
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
  /**
   * Deletes everything stored of all sessions. The processor's own memory stays. This change and others that delete
   * much at once may only put it where no read sees it; {@link Reader.hasDiscarded} says whether anything is left.
   */
  | { kind: "sessions-ended" }
  /** Deletes some of what is still to be deleted. */
  | { kind: "discarded-deleted" }
  /**
   * Dates sessions whose last change is after `at`, epoch milliseconds, to `at`: the clock was set back since they were
   * written.
   */
  | { kind: "sessions-redated"; at: number }
  /**
   * Keeps a source's number for which the memory's state has no space left. The store keeps those of the latest {@link
   * KEPT_SOURCES} sources. It writes the number with the memory's next record, which must follow in the same verb.
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
   * Appends to the queue of forwarded events; the owner delivers them and removes them from the queue. `mostDeliveries`
   * is not stored: it limits the deliveries that all events of this verb may cause, directly and further on;
   * `undefined` for no limit.
   */
  | { kind: "event-forwarded"; event: ForwardedEvent; mostDeliveries: number | undefined }
  /** Sets an alert, replacing one of the same name. It gets a new number unless the condition is the same. */
  | { kind: "alert-put"; alert: Alert; at: number }
  /** Removes the alert of this name, if there is one, and its waiting notices. */
  | { kind: "alert-removed"; name: string }
  /** Keeps a threshold with its alert, because the memory that holds it ends. */
  | { kind: "threshold-kept"; threshold: KeptThreshold }
  /** Queues a notice for the owner to deliver. A notice that waits for its first attempt may stand for several. */
  | { kind: "alert-told"; notice: EventNotice }
  /**
   * Records what was reported of the silence of memories, replacing what was reported of earlier ones, and queues the
   * notices about them. A notice may be joined with others of its alert.
   */
  | { kind: "silences-told"; silences: readonly SilenceOf[]; notices: readonly SilenceNotice[] }
  /**
   * Inserts or replaces an incident by its id. Once there are {@link MAX_INCIDENTS}, a new one overwrites the oldest.
   */
  | { kind: "incident-put"; incident: IncidentRow }
  /** Inserts or replaces a full block of scores. */
  | ({ kind: "scores-kept" } & ScoreBlock)
  /** Deletes all blocks of scores. */
  | { kind: "scores-cleared" }
  /** Inserts or replaces the encoder of a name. It gets the next number. */
  | { kind: "encoder-put"; name: string; definition: string }
  | { kind: "encoder-deleted"; name: string }
  /** Replaces the definition of an existing encoder, which keeps its number. */
  | { kind: "encoder-changed"; name: string; definition: string }
  | { kind: "blacklist-added"; symbols: string[] }
  | { kind: "blacklist-removed"; symbols: string[] }
  /** Deletes all models, symbols and learned vectors, but nothing staged, and no waiting vectors. */
  | { kind: "knowledge-cleared" }
  /** A load begins. Deletes what was staged before. */
  | { kind: "staging-begun"; staging: Staging }
  /**
   * The load grows: `staging` replaces the row; `symbols`, `models` and `vectors` are added to the staged ones. Staged
   * rows have ids of their own; only the reads of staged rows see them. They count from 1 in the order of staging; with
   * `isOrdered`, the ids of these models and vectors are any distinct ones from 1 to {@link MAX_ORDER}.
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
   * The staged models, symbols and vectors, with their ids, replace all models, symbols and vectors; vectors are
   * renumbered 1, 2, 3, … in the order of their staged ids. Then nothing is staged.
   */
  | { kind: "staging-committed" };

/** Reads the models, their symbols and the learned vectors. */
export interface KnowledgeReader {
  /** Learned vectors, oldest first. */
  vectors(): Iterable<VectorRow>;
  vectorByName(name: string): VectorRow | undefined;
  symbols(): Iterable<SymbolRow>;
  /** All models, oldest first, with just the members that matching needs. */
  corpus(): Iterable<MatchableModel>;
  /** {@link corpus} in batches, for a matcher to take. */
  corpusBatches(): Iterable<ModelBatch>;
  modelByName(name: string): ModelRow | undefined;
  modelById(id: number): ModelRow | undefined;
  /** Models in the order of `ids`. An id that does not exist is a defect and throws. */
  modelsById(ids: readonly number[]): ModelRow[];
  /** At most `limit` models whose name follows `after` ("" for the first), by name. */
  modelsAfter(after: string, limit: number): ModelRow[];
  /** At most `limit` models whose name follows `after` ("" for the first), by name, with how often each was learned. */
  modelFrequencies(after: string, limit: number): ModelFrequency[];
  /** The events of at most `limit` models, newest first. */
  newestModels(limit: number): (Sequence & { id: number })[];
  /** The ids and names of the models whose name begins with these hex digits, by name. */
  modelNamesFrom(start: string): Iterable<readonly [id: number, name: string]>;
  /** The ids of all models with when they were learned last, in any order. */
  modelMoments(): Iterable<readonly [id: number, learnedAt: number | undefined]>;
  /**
   * Looks for models that keep times, newest first.
   *
   * @param below only models with ids below this
   * @param most maximum number of models to read
   * @returns whether one of these keeps times, and the least id read; 0 if no model is left below it
   */
  timesBelow(below: number, most: number): { found: boolean; next: number };
  /** The names of models, in the order of `ids`. An id that does not exist is a defect and throws. */
  modelNames(ids: readonly number[]): string[];
  /** At most `limit` learned vectors whose name follows `after` ("" for the first), by name. */
  vectorsAfter(after: string, limit: number): VectorRow[];
}

/** Reads memories: the processor's own ("") and those of sessions. */
export interface MemoriesReader {
  /**
   * At most `limit` sessions whose name follows `after` ("" for the first), by name in the order of UTF-8 bytes: fewer
   * where much is stored of them, and none only when there are none.
   */
  list(after: string, limit: number): SessionRow[];
  /** The same sessions, with less of each, in half of the time. */
  observed(after: string, limit: number): ObservedRow[];
  /** The names of at most `limit` of them, and never of fewer where there are more. */
  names(after: string, limit: number): string[];
  /** A session, or the processor's own memory (""); `undefined` when nothing was recorded of it. */
  row(session: string): SessionRow | undefined;
  /** How many sessions are stored. */
  sessionCount(): number;
  /**
   * The names of at most `limit` sessions whose last change is at `before` (epoch milliseconds) or earlier, longest
   * unchanged first.
   */
  unchangedSince(before: number, limit: number): string[];
  /**
   * The last change of the session that has been unchanged longest, epoch milliseconds; `undefined` without sessions.
   */
  oldestChange(): number | undefined;
  /** The last change of the session that changed most recently, epoch milliseconds; `undefined` without sessions. */
  newestChange(): number | undefined;
  /** Number of records that a memory has observed while awake; 0 when nothing was recorded of it. */
  time(session: string): number;
  /** The running incidents of a memory, and of deleted sessions of its name, as recorded. */
  running(session: string): readonly RunningIncident[];
  /** Those of deleted sessions of a name, until they have ended; absent in a store that never {@link endsLater}. */
  runningEnded?(session: string): readonly RunningIncident[];
  /** Whether incidents of sessions that are all deleted at once end later; not if absent. */
  readonly endsLater?: boolean;
  /**
   * When memories observed: at most `limit` of those after a name, by name in the order of UTF-8 bytes; `undefined`
   * starts with the processor's own memory. Fewer than `limit` if their rows exceed one read; none at the end.
   */
  arrivals(after: string | undefined, limit: number): MemoryArrivals[];
  /** When memories observed, and how often. Of one or more names, at least one is looked up. */
  watched(sessions: readonly string[]): WatchedMemories;
  /**
   * The collected numbers of all memories that hold any. Reads all memories: only for processors with such encoders.
   */
  collectedNumbers(): MemoryNumbers[];
  /**
   * What is stored of a session, or of the processor's own memory (""); `undefined` when nothing was recorded of it.
   */
  read(session: string): StoredMemory | undefined;
}

/** Reads what was reported of the silence of memories. */
export interface SilenceReader {
  /** What was reported of a memory's silence, which may be out of date; `undefined` for nothing. */
  read(session: string): StoredSilence | undefined;
  /** The same of several memories, by name; without those of which nothing was reported. */
  of(sessions: readonly string[]): Map<string, StoredSilence>;
  /**
   * What was reported of silences, by name: for the names after `after` (as in {@link memoryArrivals}) up to `last`.
   */
  range(after: string | undefined, last: string): Map<string, StoredSilence>;
  /**
   * The reported silences of memories that have not observed since, by name: those after a name. Compares at most
   * `limit` memories.
   */
  lasting(after: string | undefined, limit: number): LastingSilences;
}

/** Reads incidents. */
export interface IncidentReader {
  /** The greatest id of any incident so far; 0 without one. */
  last(): number;
  /** An incident; `undefined` when it is not kept. */
  read(id: number): IncidentRow | undefined;
  /** The incident that an incident of this id overwrites, or is; `undefined` for none. */
  inPlaceOf(id: number): IncidentRow | undefined;
  /** At most `limit` incidents, newest first. */
  list(filter: IncidentFilter, limit: number): IncidentSummary[];
  /** The ids of at most `limit` incidents greater than `after`, rising. */
  idsAfter(after: number, limit: number): number[];
  /** The ids and sessions of the running incidents. */
  running(): Pick<IncidentRow, "id" | "session">[];
  /** The memories with incidents, in any order. */
  byMemory(): MemoryIncidents[];
}

/** Reads what a load has staged. */
export interface StagedReader {
  symbols(): Iterable<SymbolRow>;
  /** The subset of `names` under which a model or a vector is staged. */
  present(kind: "models" | "vectors", names: readonly string[]): string[];
  /** The subset of `ids` that staged models or vectors have. */
  presentIds(kind: "models" | "vectors", ids: readonly number[]): number[];
  /** The greatest id of a staged model; 0 when there is none. */
  lastModelId(): number;
  /** At most `limit` staged models whose id follows `after` (0 for the first), by id. */
  modelsAfterId(after: number, limit: number): ModelRow[];
  /** At most `limit` staged vectors whose id follows `after` (0 for the first), by id. */
  vectorsAfterId(after: number, limit: number): VectorRow[];
}

/** Reads what was recorded. Every read sees everything recorded before it. */
export interface Reader {
  readonly knowledge: KnowledgeReader;
  readonly memories: MemoriesReader;
  readonly silences: SilenceReader;
  readonly incidents: IncidentReader;
  readonly staged: StagedReader;
  /** `undefined` for a processor that has never recorded a state. */
  state(): State | undefined;
  /** The genes last recorded; empty at first. */
  genes(): Record<string, GeneSetting>;
  /** Bytes of further events for other processors that may be recorded, given those that wait; 0 or less for none. */
  roomToTell(): number;
  /** Total bytes stored, with those that are still to be deleted. */
  storedBytes(): number;
  /** Whether rows are still to be deleted that no other read sees; none if absent. */
  readonly hasDiscarded?: boolean;
  /** The last recorded number of a source outside its memory's state; 0 when there is none. */
  keptSource(session: string, sender: Sender, source: string): number;
  /** The last recorded numbers of a memory's sources outside its state, least recent first. */
  keptSources(session: string): SourceNumber[];
  /** All encoders, in any order. */
  encoders(): EncoderRow[];
  /** All kept blocks of scores, in any order. */
  scoreBlocks(): ScoreBlock[];
  /** The blacklisted symbols in the order of adding. */
  blacklist(): string[];
  /** The alerts, by name in the order of UTF-8 bytes. */
  alerts(): StoredAlert[];
  /**
   * The thresholds held by the newest incident and all memories: for each alert, the copy that has seen the most
   * events.
   */
  newestThresholds(): readonly KeptThreshold[];
  /** The load in progress; `undefined` when there is none. */
  staging(): Staging | undefined;
}

/** Reads and records. */
export interface Store extends Reader {
  /** Records a change; later reads see it. */
  record(change: Change): void;
  /**
   * Announces that the verb is about to change its memory. Writes nothing: if the verb fails before recording, the
   * memory is read again.
   */
  touch(): void;
}
