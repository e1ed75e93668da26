/**
 * One memory of a processor, its own or a session's, joined with what all its memories share. Verbs read and change it;
 * {@link Mind.recordState} records what a verb has changed, once.
 */

import type { Budgets } from "../text/budgets";
import type { Genes } from "./genes/table";
import type { Blacklist } from "./knowledge/blacklist";
import type { Knowledge } from "./knowledge/knowledge";
import type { ModelSummaries } from "./knowledge/model-summaries";
import type { Vectors } from "./knowledge/vectors";
import { stateHeapBytes } from "./memory/state-heap";
import { WaitingVectors } from "./memory/waiting-vectors";
import { unread, WorkingMemory } from "./memory/working-memory";
import type { Forecaster } from "./ports/forecaster";
import type { Matcher } from "./ports/matcher";
import { type MemoryPositions, type MemoryState, newMemoryState, type Store, type StoredMemory } from "./ports/store";
import { Ensemble, type EnsembleSource } from "./prediction/ensemble";
import { type ForecastSource, Forecasts } from "./prediction/forecasts";
import { StepBudget } from "./prediction/step-budget";
import type { ProcessorCore } from "./processor-core";

/** Approximate heap bytes of an empty memory. */
const EMPTY_HEAP_BYTES = 2_048;

/** The members of a memory's state that the mind itself keeps. */
type OwnState = Omit<MemoryState, keyof MemoryPositions | "symbols" | "waitingStart" | "waitingEnd" | "changedAt">;

/** Whether two values of a member are the same. Empty lists are equal. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || (Array.isArray(a) && Array.isArray(b) && a.length === 0 && b.length === 0);
}

/** One memory, with the knowledge that it shares. */
export class Mind implements EnsembleSource, ForecastSource {
  readonly shared: ProcessorCore;
  /** The name of the session; empty for the processor's own memory. */
  readonly session: string;
  readonly memory: WorkingMemory;
  readonly waiting: WaitingVectors;
  readonly ensemble: Ensemble;
  readonly forecasts: Forecasts;
  /** The steps that the request has left for matching and forecasting. */
  readonly steps: StepBudget;
  #state: OwnState;
  #changedAt: number;
  readonly #unreadBytes: number;
  #isStored: boolean;
  #isChanging = false;
  #isCleaning = false;
  readonly #creating: (() => void) | undefined;

  /**
   * @param stored the stored memory; empty if the store has none
   * @param creating called before the first change of a memory that is not stored yet; if it throws, nothing changes
   */
  constructor(shared: ProcessorCore, session: string, stored: StoredMemory | undefined, creating?: () => void) {
    const { state, events, waiting, unreadBytes } = stored ?? { state: newMemoryState(), events: [], waiting: [] };
    const { memoryStart, memoryEnd, ensembleStart, ensembleEnd, symbols, ...rest } = state;
    const { waitingStart, waitingEnd, changedAt, ...own } = rest;
    const changing = () => this.#change();
    const remembered = { memoryStart, memoryEnd, ensembleStart, ensembleEnd, symbols, events, unreadBytes };
    this.shared = shared;
    this.session = session;
    this.#state = own;
    this.#changedAt = changedAt;
    this.#unreadBytes = unreadBytes ?? 0;
    this.#isStored = stored !== undefined;
    this.#creating = creating;
    shared.thresholds.adopt(own.thresholds);
    this.memory = new WorkingMemory(remembered, shared.knowledge.symbols, changing);
    this.waiting = new WaitingVectors({ waitingStart, waitingEnd }, waiting, changing);
    this.steps = new StepBudget(shared);
    this.ensemble = new Ensemble(this);
    this.forecasts = new Forecasts(this);
  }

  /** Counters, the target class and the last observation. Verbs change it through {@link update}. */
  get state(): Readonly<OwnState> {
    return this.#state;
  }

  /** What the probability of a symbol that no model holds is divided by (docs/surprise.md). */
  remotenessOf(symbol: string): number {
    const { encoders, knowledge } = this.shared;
    const has = (other: string) => knowledge.symbols.idOf(other) !== undefined;
    return has(symbol) ? 1 : encoders.remotenessOf(symbol, { revision: knowledge.revision, has });
  }

  /** Whether the memory is stored. */
  get isStored(): boolean {
    return this.#isStored;
  }

  /** When the memory last changed, epoch milliseconds; 0 if it never did. */
  get changedAt(): number {
    return this.#changedAt;
  }

  /** Approximate heap bytes of the memory, without what is shared. */
  get heapBytes(): number {
    const remembered = this.memory.heapBytes + this.waiting.heapBytes + stateHeapBytes(this.#state);
    return EMPTY_HEAP_BYTES + remembered + this.ensemble.heapBytes + this.forecasts.heapBytes;
  }

  /** The bytes it counts towards its budget: events of working memory and waiting vectors. */
  get heldBytes(): number {
    return this.memory.bytes + this.waiting.bytes;
  }

  /**
   * Refuses operations that need all of a memory that was too large to read.
   *
   * @throws Fault `too-large` naming the way out
   */
  assertRead(): void {
    this.memory.assertRead();
    if (this.waiting.isUnread) throw unread(this.#unreadBytes);
  }

  /** Required number of components of an observed vector; -1 for any. */
  get vectorLength(): number {
    const { dimensionality } = this.vectors;
    return dimensionality >= 0 ? dimensionality : this.waiting.dimensionality;
  }

  get store(): Store {
    return this.shared.store;
  }

  get budgets(): Budgets {
    return this.shared.budgets;
  }

  get matcher(): Matcher {
    return this.shared.matcher;
  }

  get forecaster(): Forecaster {
    return this.shared.forecaster;
  }

  get summaries(): ModelSummaries {
    return this.shared.summaries;
  }

  get knowledge(): Knowledge {
    return this.shared.knowledge;
  }

  get vectors(): Vectors {
    return this.shared.vectors;
  }

  /** The symbols dropped from observations. Verbs change it. */
  get blacklist(): Blacklist {
    return this.shared.blacklist;
  }

  /** The genes; a new object after every change. */
  get genes(): Genes {
    return this.shared.genes;
  }

  /** Changes members of the state; {@link recordState} records them. */
  update(change: Partial<OwnState>): void {
    const before = this.#state;
    if (!this.#isChanging) {
      const members = Object.keys(change) as (keyof OwnState)[];
      if (members.every((member) => isSame(before[member], change[member]))) return;
      this.#change();
    }
    this.#state = { ...before, ...change };
  }

  /** Makes the next {@link recordState} delete from the store whatever the memory no longer needs. */
  cleanUp(): void {
    this.#isCleaning = true;
  }

  /** Has open backups keep the stored version of the session. Call it before recording a change of the session. */
  keepAsItIs(): void {
    const { snapshots, store } = this.shared;
    if (!snapshots.isEmpty && this.session !== "") snapshots.sessionChanging(store, this.session);
  }

  /**
   * Records the changes of the shared state and of the memory. Every verb that changes either of them calls it last.
   */
  recordState(): void {
    this.shared.recordState();
    const clean = this.#isCleaning;
    this.#isCleaning = false;
    if (!this.#isChanging) return;
    const { memory, session, store, waiting } = this;
    this.#changedAt = this.shared.now();
    const added = { events: memory.takeAdded(), waiting: waiting.takeAdded() };
    const { memoryStart, memoryEnd, ensembleStart, ensembleEnd } = memory.positions;
    const { waitingStart, waitingEnd } = waiting.range;
    this.#copyThresholds();
    const state = {
      ...this.#state,
      memoryStart,
      memoryEnd,
      ensembleStart,
      ensembleEnd,
      waitingStart,
      waitingEnd,
      symbols: memory.size,
      changedAt: this.#changedAt,
    };
    this.keepAsItIs();
    store.record({ kind: "memory", session, state, ...added, clean });
    this.shared.encoders.noteCollected(session, state.collected);
    this.#isStored = true;
    this.#isChanging = false;
  }

  /** Takes over the thresholds that alerts choose. Done once per verb, because every event moves them. */
  #copyThresholds(): void {
    const { dailyAlerts, thresholds } = this.shared;
    if (dailyAlerts.length === 0 && this.#state.thresholds.length === 0) return;
    this.#state = { ...this.#state, thresholds: thresholds.copies(dailyAlerts) };
  }

  /** Called before every change of the memory. */
  #change(): void {
    if (this.#isChanging) return;
    if (!this.#isStored) this.#creating?.();
    this.#isChanging = true;
    this.store.touch();
  }
}
