/** Everything that one processor holds in memory, for the verbs to read and change. Records the state once per verb. */

import { type Budgets, STANDARD_BUDGETS } from "../text/budgets";
import { genesFrom, genesToStore } from "./genes/genes";
import type { Genes } from "./genes/table";
import { Knowledge } from "./knowledge/knowledge";
import { ModelSummaries } from "./knowledge/model-summaries";
import { SnapshotBudget, Snapshots } from "./knowledge/snapshots";
import type { SymbolTable } from "./knowledge/symbol-table";
import { Vectors } from "./knowledge/vectors";
import { WorkingMemory } from "./memory/working-memory";
import type { Matcher, Neighbours } from "./ports/matcher";
import type { State, Store } from "./ports/store";
import { Ensemble, type EnsembleSource } from "./prediction/ensemble";
import type { Manipulative } from "./prediction/manipulative";

/** About how many bytes of heap a mind holds that knows nothing, with the verbs and the services that its owner keeps for it. */
const OWN_HEAP_BYTES = 16_384;

/** About how many bytes of heap a symbol takes in a list of names, or in working memory. */
const NAME_HEAP_BYTES = 8;

/** The parts from which a processor is opened. */
export interface MindParts {
  /** Identifies the processor in its agent. */
  id: string;
  /** The friendly name. */
  name: string;
  store: Store;
  /** Filled from the store when the processor is opened. */
  matcher: Matcher;
  /** Filled from the store when the processor is opened. */
  neighbours: Neighbours;
  /** The manipulatives that send predictions to other processors, in their order; none when absent. */
  manipulatives?: readonly Manipulative[];
  /** How much work one request may ask for; the defaults when absent. */
  budgets?: Budgets;
  /** Outlives the processor, so that a rollback loses no export; the processor's own when absent. */
  snapshots?: Snapshots;
}

/** The part of the state that no other part of the mind keeps. */
type OwnState = Omit<
  State,
  "memoryStart" | "memoryEnd" | "ensembleStart" | "ensembleEnd" | "totals" | "nextModelId" | "revision"
>;

/** The state of a processor that has observed nothing. */
export function freshState(): State {
  return {
    time: 0,
    observeCalls: 0,
    predict: true,
    autolearn: false,
    sleeping: false,
    target: "",
    lastLearned: "",
    vectorDimensionality: -1,
    emotives: [],
    pendingEmotives: [],
    percept: undefined,
    memoryStart: 0,
    memoryEnd: 0,
    ensembleStart: 0,
    ensembleEnd: 0,
    totals: { modelFrequencies: 0, memberFrequencies: 0, symbolFrequencies: 0 },
    nextModelId: 1,
    revision: 1,
  };
}

/** The memory of one processor. */
export class Mind implements EnsembleSource {
  /** Identifies the processor in its agent. */
  readonly id: string;
  /** The friendly name. */
  name: string;
  /** The manipulatives that send predictions to other processors, in their order. */
  manipulatives: readonly Manipulative[];
  readonly store: Store;
  readonly budgets: Budgets;
  readonly matcher: Matcher;
  readonly summaries: ModelSummaries;
  /** The moments of the knowledge base that exports are reading. */
  readonly snapshots: Snapshots;
  readonly knowledge: Knowledge;
  readonly vectors: Vectors;
  readonly memory: WorkingMemory;
  /** The symbols dropped from observations, in the order of adding. */
  readonly blacklist: Set<string>;
  readonly ensemble: Ensemble;
  /** Flags, counters and the last observation. Verbs change it through {@link update}. */
  state: OwnState;
  /** All known symbols, sorted for an export, as of a revision. */
  symbolOrder: { readonly revision: number; readonly names: readonly string[] } = { revision: 0, names: [] };
  /** The symbols of the load under way; missing when there is no load, or nothing read from the store yet. */
  staged: { readonly loadId: string; readonly symbols: SymbolTable } | undefined;
  #genes: Genes;

  constructor(parts: MindParts) {
    const { store } = parts;
    const { memoryStart, memoryEnd, ensembleStart, ensembleEnd, totals, nextModelId, revision, ...state } =
      store.state() ?? freshState();
    this.id = parts.id;
    this.name = parts.name;
    this.manipulatives = parts.manipulatives ?? [];
    this.store = store;
    this.budgets = parts.budgets ?? STANDARD_BUDGETS;
    this.matcher = parts.matcher;
    this.state = state;
    this.#genes = genesFrom(store.genes());
    this.blacklist = new Set(store.blacklist());
    this.summaries = new ModelSummaries(store);
    this.snapshots = parts.snapshots ?? new Snapshots(new SnapshotBudget(this.budgets.exportBytes), Date.now);
    this.knowledge = new Knowledge(
      { store, matcher: parts.matcher, summaries: this.summaries, snapshots: this.snapshots },
      { totals, nextModelId, revision },
    );
    this.vectors = new Vectors(store, parts.neighbours);
    this.memory = new WorkingMemory(
      store,
      { memoryStart, memoryEnd, ensembleStart, ensembleEnd },
      this.knowledge.symbols,
    );
    this.ensemble = new Ensemble(this);
  }

  /** About how many bytes of heap the mind holds. */
  get heapBytes(): number {
    const { symbols } = this.knowledge;
    const lists = NAME_HEAP_BYTES * (this.symbolOrder.names.length + this.memory.size);
    const staged = this.staged?.symbols.heapBytes ?? 0;
    return OWN_HEAP_BYTES + symbols.heapBytes + this.summaries.heapBytes + this.ensemble.heapBytes + lists + staged;
  }

  /** A new object after every change. */
  get genes(): Genes {
    return this.#genes;
  }

  /** Replaces and records the genes. */
  setGenes(genes: Genes): void {
    this.store.record({ kind: "genes", genes: genesToStore(genes) });
    this.#genes = genes;
  }

  /** Changes members of the state; {@link recordState} records them. */
  update(change: Partial<OwnState>): void {
    this.state = { ...this.state, ...change };
  }

  /** Records the state, the counters of symbols and the bounds of memory. Every verb that changes one of them ends with it. */
  recordState(): void {
    this.knowledge.recordSymbols();
    this.memory.forgetUnneeded();
    this.store.record({
      kind: "state",
      state: { ...this.state, ...this.memory.positions, ...this.knowledge.counters },
    });
  }
}
