/**
 * What all memories of one processor share: its knowledge, genes, switches and blacklist, and the parts it was opened
 * with.
 */

import { type Budgets, DEFAULT_BUDGETS } from "../text/budgets";
import { MS_PER_SECOND } from "../text/clock";
import { Encoders } from "./encoding/encoders";
import { genesFrom, genesToStore } from "./genes/genes";
import type { Genes } from "./genes/table";
import { Thresholds } from "./incidents/thresholds";
import { Blacklist } from "./knowledge/blacklist";
import { Knowledge } from "./knowledge/knowledge";
import { ModelSummaries } from "./knowledge/model-summaries";
import { SnapshotBudget, Snapshots } from "./knowledge/snapshots";
import type { SymbolTable } from "./knowledge/symbol-table";
import { Vectors } from "./knowledge/vectors";
import type { ActivityListener } from "./ports/activity";
import type { StoredAlert } from "./ports/alert";
import { Fault } from "./ports/fault";
import type { Forecaster } from "./ports/forecaster";
import type { Matcher, Neighbours } from "./ports/matcher";
import { newState, type State, type Store } from "./ports/store";
import type { GradingSource, GradingsInPieces, gradeAll } from "./prediction/estimator/gradings";
import type { EstimatorSettings } from "./prediction/estimator/settings";
import type { Manipulative } from "./prediction/manipulative";
import { SequenceJudge } from "./prediction/sequence/sequence-judge";
import { type SilenceRules, silenceRules } from "./silence/rules";

/** Approximate heap bytes of a processor without knowledge, including its verbs and its owner's services for it. */
const OWN_HEAP_BYTES = 14_336;

/** About how many bytes of heap a symbol takes in a list of names. */
const NAME_HEAP_BYTES = 8;

/** Minimum size of a stored observation: a page of SQLite. */
const MIN_STORED_BYTES = 4_096;

/** Bytes written after which the store is asked for its size again. */
const ASK_AFTER_BYTES = 1_048_576;

/** The parts from which a processor is opened. */
export interface ProcessorParts {
  /** Identifies the processor in its agent. */
  id: string;
  /** The friendly name. */
  name: string;
  store: Store;
  /** Filled from the store when the processor is opened. */
  matcher: Matcher;
  /** Filled from the store when the processor is opened. */
  neighbours: Neighbours;
  /** Answers from the models of the matcher. */
  forecaster: Forecaster;
  /** The manipulatives that send predictions to other processors, in their order; none if absent. */
  manipulatives?: readonly Manipulative[];
  /** The work limits of one request; the defaults if absent. */
  budgets?: Budgets;
  /**
   * The constants for grading forecasts, for benches that vary them; the standard ones if absent. The forecaster needs
   * the same.
   */
  estimator?: EstimatorSettings;
  /** Outlives the processor, so that a rollback loses no export; the processor's own if absent. */
  snapshots?: Snapshots;
  /** The time, epoch milliseconds; the clock's if absent. */
  now?: () => number;
  /** Is notified of what happens in memories; absent for no listener. */
  activityListener?: ActivityListener;
  /** Whether knowledge loaded without a record of forecasts is graded later, part by part. */
  gradesLater?: boolean;
  /** The same, if it has this many models; never if absent. */
  gradesLaterFrom?: number;
  /** How far it is graded, as {@link ProcessorCore.gradingsInPieces} of an earlier processor of the same rows. */
  gradingsInPieces?: GradingsInPieces | undefined;
  /**
   * What the processor that a rollback has ended had read, taken back, so that it is not read again.
   * Matcher and neighbours are filled already.
   */
  kept?: KeptKnowledge;
}

/** What outlives a rollback because it takes long to read. */
export interface KeptKnowledge {
  readonly knowledge: Knowledge;
  readonly vectors: Vectors;
  readonly summaries: ModelSummaries;
  readonly encoders: Encoders;
  readonly thresholds: Thresholds;
  /** Missing where the verb has changed it. */
  readonly blacklist: Blacklist | undefined;
}

/** Gradings of all knowledge, part by part. */
export interface GradingsUnderWay {
  /** The revision of the knowledge being graded. */
  readonly revision: number;
  readonly parts: ReturnType<typeof gradeAll>;
}

/** An alert, as far as it matters for when to notify, and whether it delivers anything. */
export type HeldAlert = Pick<StoredAlert, "name" | "number" | "when"> & { readonly delivers: boolean };

/** The members of the state that the knowledge does not keep. */
type SharedState = Omit<State, "totals" | "nextModelId" | "revision" | "forecastRecord">;

/** Everything that the memories of one processor share. */
export class ProcessorCore {
  /** Identifies the processor in its agent. */
  readonly id: string;
  /** The friendly name. */
  name: string;
  /** The manipulatives that send predictions to other processors, in their order. */
  manipulatives: readonly Manipulative[];
  readonly store: Store;
  readonly budgets: Budgets;
  readonly matcher: Matcher;
  readonly forecaster: Forecaster;
  /** The context for grading sequences before they are learned. */
  readonly gradingSource: GradingSource;
  readonly summaries: ModelSummaries;
  /** The snapshots that exports are reading. */
  readonly snapshots: Snapshots;
  readonly knowledge: Knowledge;
  readonly vectors: Vectors;
  /** Judges whole sequences. */
  readonly judge: SequenceJudge;
  /** The encoders that turn the numbers of records into symbols. */
  readonly encoders: Encoders;
  /** The symbols dropped from observations, in the order of adding. */
  readonly blacklist: Blacklist;
  /** The time, epoch milliseconds. */
  readonly now: () => number;
  readonly activityListener: ActivityListener | undefined;
  /** Whether knowledge loaded without a record of forecasts is graded later, part by part. */
  readonly gradesLater: boolean;
  /** The same, if it has this many models. */
  readonly gradesLaterFrom: number;
  /** The alerts, as far as they matter for when to notify. */
  alerts: readonly HeldAlert[] = [];
  /** The alerts of silence; `undefined` if none applies. A new object after every change. */
  silence: SilenceRules | undefined;
  /** The self-adjusting thresholds. */
  readonly thresholds: Thresholds;
  /** The grading in progress of knowledge without a record, and the revision graded. */
  gradings: GradingsUnderWay | undefined;
  /** The same where they are done in pieces that may be taken back. */
  gradingsInPieces: GradingsInPieces | undefined;
  /** All known symbols, sorted for an export, with the revision sorted. */
  symbolOrder: { readonly revision: number; readonly names: readonly string[] } = { revision: 0, names: [] };
  /** The symbols of the load in progress; absent without a load, or before they are read from the store. */
  staged: { readonly loadId: string; readonly symbols: SymbolTable } | undefined;
  #state: SharedState;
  #genes: Genes;
  #isChanged = false;
  /** Upper bound of the bytes stored since the store was last asked for its size. */
  #unasked = Number.POSITIVE_INFINITY;
  /** The revision of the stored knowledge. */
  #recorded: number;

  /**
   * @throws Fault `exhausted` when the matcher or the neighbours cannot hold what is stored; `damaged`
   *   when it contradicts itself
   */
  constructor(parts: ProcessorParts) {
    const { store, matcher } = parts;
    const { totals, nextModelId, revision, forecastRecord, ...state } = store.state() ?? newState();
    this.id = parts.id;
    this.name = parts.name;
    this.manipulatives = parts.manipulatives ?? [];
    this.store = store;
    this.budgets = parts.budgets ?? DEFAULT_BUDGETS;
    this.matcher = matcher;
    this.forecaster = parts.forecaster;
    this.now = parts.now ?? Date.now;
    this.activityListener = parts.activityListener;
    this.#state = state;
    this.#recorded = revision;
    this.#genes = genesFrom(store.genes());
    this.blacklist = parts.kept?.blacklist ?? new Blacklist(store.blacklist());
    this.summaries = parts.kept?.summaries ?? new ModelSummaries(store);
    this.gradesLater = parts.gradesLater ?? false;
    this.gradesLaterFrom = parts.gradesLaterFrom ?? Number.POSITIVE_INFINITY;
    this.gradingsInPieces = parts.gradingsInPieces;
    this.snapshots = parts.snapshots ?? new Snapshots(new SnapshotBudget(this.budgets.exportBytes), this.now);
    this.knowledge =
      parts.kept?.knowledge ??
      new Knowledge(
        { store, matcher, summaries: this.summaries, snapshots: this.snapshots },
        { totals, nextModelId, revision, forecastRecord },
      );
    const { estimator } = parts;
    const { forecaster, knowledge, budgets } = this;
    const settings = estimator === undefined ? {} : { settings: estimator };
    this.gradingSource = { store, forecaster, knowledge, steps: budgets.matchingSteps, ...settings };
    this.judge = new SequenceJudge(this);
    this.vectors = parts.kept?.vectors ?? new Vectors(store, parts.neighbours);
    this.encoders = parts.kept?.encoders ?? new Encoders(store);
    this.thresholds = parts.kept?.thresholds ?? new Thresholds();
    this.readAlerts(parts.kept !== undefined);
  }

  /** Starts to keep what {@link takenBack} needs. Call it between verbs. */
  keepChanges(): void {
    this.knowledge.keepChanges();
    this.vectors.keepChanges();
    this.encoders.keepChanges();
    this.thresholds.keepChanges();
    this.blacklist.keepChanges();
  }

  /**
   * The parts that need no new read after the changes since {@link keepChanges} were rolled back. This core cannot be
   * used afterwards.
   *
   * @param store a new one
   * @returns `undefined` when everything has to be read again
   */
  takenBack(store: Store): KeptKnowledge | undefined {
    const { encoders, knowledge, thresholds, vectors } = this;
    const summaries = new ModelSummaries(store);
    const { totals, nextModelId, revision, forecastRecord } = store.state() ?? newState();
    if (!knowledge.takeBack({ store, summaries }, { totals, nextModelId, revision, forecastRecord })) return undefined;
    vectors.takeBack(store);
    encoders.takeBack(store);
    thresholds.takeBack();
    const blacklist = this.blacklist.isChanged ? undefined : this.blacklist;
    return { knowledge, vectors, summaries, encoders, thresholds, blacklist };
  }

  /** Approximate heap bytes. */
  get heapBytes(): number {
    const staged = this.staged?.symbols.heapBytes ?? 0;
    const sorted = NAME_HEAP_BYTES * this.symbolOrder.names.length;
    const kept = this.knowledge.heapBytes + this.summaries.heapBytes + this.encoders.heapBytes;
    return OWN_HEAP_BYTES + kept + sorted + staged + this.blacklist.bytes;
  }

  /** The time in whole epoch seconds. */
  get seconds(): number {
    return Math.floor(this.now() / MS_PER_SECOND);
  }

  /** The genes; a new object after every change. */
  get genes(): Genes {
    return this.#genes;
  }

  /** Replaces and records the genes. */
  setGenes(genes: Genes): void {
    this.store.record({ kind: "genes", genes: genesToStore(genes) });
    this.#genes = genes;
  }

  /**
   * Refuses to store more when the store is full. Asks the store for its size only after enough bytes to matter.
   * @param bytes approximate bytes to be stored
   * @throws Fault `over-limit`
   */
  assertStorage(bytes: number): void {
    this.#unasked += MIN_STORED_BYTES + bytes;
    if (this.#unasked < ASK_AFTER_BYTES) return;
    const stored = this.store.storedBytes();
    const { storageBytes: most } = this.budgets;
    if (stored >= most && this.store.hasDiscarded === true) {
      // It goes faster than this asks.
      this.store.record({ kind: "discarded-deleted" });
    } else if (stored >= most) {
      throw new Fault(
        "over-limit",
        `this processor stores ${stored} bytes, and from ${most} on (NOEMA_STORAGE_BYTES) it observes nothing: end ` +
          "sessions, clear memories or delete models",
      );
    }
    this.#unasked = 0;
  }

  /**
   * Reads the alerts again. Call it when they have changed.
   *
   * @param areThresholdsKnown whether their thresholds are not read
   */
  readAlerts(areThresholdsKnown = false): void {
    const stored = this.store.alerts();
    this.alerts = stored.map(({ name, number, when, url }) => ({ name, number, when, delivers: url !== "" }));
    this.#readSilence();
    if (areThresholdsKnown) return;
    for (const { number: alert, threshold } of stored) {
      if (threshold !== undefined) this.thresholds.adopt([{ alert, numbers: threshold }]);
    }
    if (this.dailyAlerts.length > 0) this.thresholds.adopt(this.store.newestThresholds());
  }

  /** The numbers of the self-adjusting alerts. */
  get dailyAlerts(): number[] {
    return this.alerts.flatMap(({ number, when }) => (when.kind === "daily" ? [number] : []));
  }

  /** The switches, and the length of the learned vectors. Verbs change it through {@link update}. */
  get state(): Readonly<SharedState> {
    return this.#state;
  }

  /** Changes members of the state; {@link recordState} records them. */
  update(change: Partial<SharedState>): void {
    const before = this.#state;
    const members = Object.keys(change) as (keyof SharedState)[];
    if (members.every((member) => before[member] === change[member])) return;
    this.#state = { ...before, ...change };
    this.#isChanged = true;
    if ("sleeping" in change) this.#readSilence();
  }

  #readSilence(): void {
    const rules = silenceRules({ ...this.#state, alerts: this.alerts });
    if (JSON.stringify(rules) !== JSON.stringify(this.silence)) this.silence = rules;
  }

  /** Records the changes of symbols and state. */
  recordState(): void {
    const { knowledge, store } = this;
    knowledge.recordSymbols();
    if (!this.#isChanged && knowledge.revision === this.#recorded) return;
    store.record({ kind: "state", state: { ...this.#state, ...knowledge.counters } });
    this.#isChanged = false;
    this.#recorded = knowledge.revision;
  }
}
