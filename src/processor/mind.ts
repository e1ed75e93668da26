/** Everything one processor has in memory, held together for the verbs. Records the state once a verb; knows no verb itself. */

import { genesFrom, genesToStore } from "./genes/genes";
import type { Genes } from "./genes/table";
import { Knowledge } from "./knowledge/knowledge";
import { Recall } from "./knowledge/model-summaries";
import type { SymbolTable } from "./knowledge/symbol-table";
import { Vectors } from "./knowledge/vectors";
import { WorkingMemory } from "./memory/working-memory";
import type { Match, Matcher } from "./ports/matcher";
import type { Neighbours } from "./ports/neighbours";
import type { State, Store } from "./ports/store";
import type { Manipulative } from "./prediction/manipulative";
import type { PackedEnsemble } from "./prediction/packed-ensemble";
import type { Prediction } from "./prediction/prediction";

/** What a processor is made of. */
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
  /** The manipulatives that carry what is predicted to other processors, in their order; none when absent. */
  manipulatives?: readonly Manipulative[];
}

/** The part of the state that no other part of the mind keeps. */
export type Mood = Omit<
  State,
  "memoryStart" | "memoryEnd" | "ensembleStart" | "ensembleEnd" | "totals" | "nextModelId" | "revision"
>;

/** The ensemble as it was last computed. */
export interface EnsembleMemo {
  /** What it was computed from. */
  readonly key: string;
  any?: boolean;
  matches?: Match[];
  predictions?: Prediction[];
  packed?: PackedEnsemble;
}

/** The state of a processor that has lived through nothing. */
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

/** A processor's memory. */
export class Mind {
  readonly id: string;
  name: string;
  /** In their order. */
  manipulatives: readonly Manipulative[];
  readonly store: Store;
  readonly matcher: Matcher;
  readonly recall: Recall;
  readonly knowledge: Knowledge;
  readonly vectors: Vectors;
  readonly memory: WorkingMemory;
  /** In the order of adding. */
  readonly blacklist: Set<string>;
  /** Flags, counters and the last observation. Verbs replace it through {@link feel}. */
  mood: Mood;
  ensemble: EnsembleMemo = { key: "" };
  /** All known symbols in the order of an export, as of a revision. */
  symbolOrder: { readonly revision: number; readonly names: readonly string[] } = { revision: 0, names: [] };
  /** The symbols of the load under way; missing when there is none, or not read from the store yet. */
  staged: { readonly loadId: string; readonly symbols: SymbolTable } | undefined;
  #genes: Genes;
  #geneVersion = 0;

  constructor(parts: MindParts) {
    const { store } = parts;
    const { memoryStart, memoryEnd, ensembleStart, ensembleEnd, totals, nextModelId, revision, ...mood } =
      store.state() ?? freshState();
    this.id = parts.id;
    this.name = parts.name;
    this.manipulatives = parts.manipulatives ?? [];
    this.store = store;
    this.matcher = parts.matcher;
    this.mood = mood;
    this.#genes = genesFrom(store.genes());
    this.blacklist = new Set(store.blacklist());
    this.recall = new Recall(store);
    this.knowledge = new Knowledge(store, parts.matcher, this.recall, { totals, nextModelId, revision });
    this.vectors = new Vectors(store, parts.neighbours);
    this.memory = new WorkingMemory(
      store,
      { memoryStart, memoryEnd, ensembleStart, ensembleEnd },
      this.knowledge.symbols,
    );
  }

  get genes(): Genes {
    return this.#genes;
  }

  /** Grows with every change of genes. */
  get geneVersion(): number {
    return this.#geneVersion;
  }

  /** Replaces and records the genes. */
  setGenes(genes: Genes): void {
    this.store.record({ kind: "genes", genes: genesToStore(genes) });
    this.#genes = genes;
    this.#geneVersion++;
  }

  /** Replaces part of the mood; recorded by {@link commit}. */
  feel(change: Partial<Mood>): void {
    this.mood = { ...this.mood, ...change };
  }

  /** Records what a verb has changed of the counters, the memory's bounds and the mood. Ends every verb that changes any. */
  commit(): void {
    this.knowledge.settle();
    this.memory.forgetUnneeded();
    this.store.record({
      kind: "state",
      state: { ...this.mood, ...this.memory.positions, ...this.knowledge.counters },
    });
  }
}
