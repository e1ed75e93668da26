/** The verbs of InspectionService: a processor's reports about itself. */

import type { Mind } from "../mind";
import type { Emotive } from "../ports/gdf";
import { type NearLimit, nearLimits } from "./room";

/** A summary of a processor's state. */
export interface Status {
  /** The friendly name. */
  name: string;
  predict: boolean;
  autolearn: boolean;
  sleeping: boolean;
  /** The emotives of the last observation. */
  emotives: Emotive[];
  /** Without prefix; empty when there is none. */
  lastLearnedModelName: string;
  /** Number of stored models. */
  models: number;
  /** Number of stored learned vectors. */
  vectors: number;
  /** Observations since the last learn, sleep or clear. */
  numObserveCall: number;
  /** Symbols in working memory. */
  workingMemorySize: number;
  /** The target class; empty when there is none. */
  target: string;
  /** Components of a learned vector; -1 until one is learned, and again after a load. */
  vectorDimensionality: number;
  /** The limits of which nine tenths or more are used, by name. */
  nearLimits: NearLimit[];
}

/** How much a processor has learned, and how full it is. */
export interface Usage {
  models: number;
  /** The number of symbols in models. */
  symbols: number;
  /** The number of learned vectors. */
  vectors: number;
  sessions: number;
  /** Bytes of memory that its models, symbols and vectors use; `undefined` when they are not in memory. */
  memoryBytes: number | undefined;
  /** Maximum of these bytes. */
  memoryLimitBytes: number;
  /** The gene max_models: the maximum number of models; 0 for no limit. */
  maxModels: number;
}

/** One method per rpc of InspectionService; ping needs none. */
export class InspectionVerbs {
  readonly #mind: Mind;

  constructor(mind: Mind) {
    this.#mind = mind;
  }

  /** A summary of the state. */
  getStatus(): { status: Status } {
    const { shared, state, knowledge, vectors, memory } = this.#mind;
    const { predict, autolearn, sleeping, vectorDimensionality } = shared.state;
    const status = {
      name: shared.name,
      predict,
      autolearn,
      sleeping,
      emotives: state.emotives,
      lastLearnedModelName: state.lastLearned,
      models: knowledge.models,
      vectors: vectors.count,
      numObserveCall: state.observeCalls,
      workingMemorySize: memory.size,
      target: state.target,
      vectorDimensionality,
      nearLimits: nearLimits(this.#mind),
    };
    return { status };
  }

  /** Counts of models, symbols, vectors and sessions, and the matcher's use and limits in bytes and models. */
  getUsage(): Usage {
    const { genes, matcher, store } = this.#mind.shared;
    const { knowledge, vectors } = this.#mind;
    return {
      models: knowledge.models,
      symbols: knowledge.symbols.size,
      vectors: vectors.count,
      sessions: store.sessionCount(),
      memoryBytes: matcher.bytes,
      memoryLimitBytes: matcher.limitBytes,
      maxModels: genes.max_models,
    };
  }

  /** The name, the gene classifier, and the bytes of memory that the matcher uses, and their maximum. */
  getInfo(): { name: string; classifier: string; memoryBytes: number; memoryLimitBytes: number } {
    const { genes, matcher, name } = this.#mind.shared;
    return {
      name,
      classifier: genes.classifier,
      memoryBytes: matcher.bytes,
      memoryLimitBytes: matcher.limitBytes,
    };
  }
}
