/** The verbs of InspectionService: a processor's reports about itself. */

import type { GetUsageResponse, Status } from "../../gen/plain";
import type { Mind } from "../mind";
import { nearLimits } from "./room";

/** How much a processor has learned, and how full it is. */
export type Usage = Omit<GetUsageResponse, "stamp" | "storageBytes">;

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
      sessions: store.memories.sessionCount(),
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
