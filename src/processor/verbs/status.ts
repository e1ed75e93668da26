/** The state of a processor at a glance. */

import type { Mind } from "../mind";
import type { Emotive } from "../ports/gdf";

/** What status reports. */
export interface Status {
  name: string;
  predict: boolean;
  autolearn: boolean;
  sleeping: boolean;
  /** Of the last observation. */
  emotives: Emotive[];
  /** Without prefix; empty when none. */
  lastLearnedModelName: string;
  /** How many models are stored. */
  models: number;
  /** How many vectors are stored. */
  vectors: number;
  /** Observations since the last learn, sleep or clear. */
  numObserveCall: number;
  /** Symbols in working memory. */
  workingMemorySize: number;
  /** Empty when none. */
  target: string;
  /** Components of learned vectors; -1 until one is learned. */
  vectorDimensionality: number;
}

/** Reads the status. */
export function statusOf(mind: Mind): Status {
  const { mood } = mind;
  return {
    name: mind.name,
    predict: mood.predict,
    autolearn: mood.autolearn,
    sleeping: mood.sleeping,
    emotives: mood.emotives,
    lastLearnedModelName: mood.lastLearned,
    models: mind.knowledge.models,
    vectors: mind.vectors.count,
    numObserveCall: mood.observeCalls,
    workingMemorySize: mind.memory.size,
    target: mood.target,
    vectorDimensionality: mood.vectorDimensionality,
  };
}
