/**
 * The port to the parts of a split processor: its models are spread over parts by id, and every question about all
 * models goes to each part. Questions, answers and changes are plain values: they travel between objects.
 */

import type { ComparedSequence, Gathered, ModelTerms } from "./comparison";
import type { ForecastContext } from "./forecaster";
import type { ExplainedMatch, Match, MatchableModel, ModelBatch, Query } from "./matcher";

/** Which part has a model: 0 to `parts` - 1. @param id the model's @param parts how many there are, 1 or more */
export function partOf(id: number, parts: number): number {
  return id % parts;
}

/** What a metric depends on beside the model and the query: sums over the kept models of all parts. */
export interface KeptSums {
  /** The sum of the frequencies of all models that the recall threshold keeps. */
  keptFrequencies: number;
  /** For each symbol of the query whether the present of some kept model holds it: 1 or 0. */
  weighs: Uint8Array;
  /**
   * Only models whose sort metric is at least this can be among the predictions; minus infinity where that is not known.
   */
  floor: number;
}

/** The context of a forecast, and a model of which one occurrence is left out. */
export interface PartContext extends Pick<ForecastContext, "symbols" | "lengths" | "target" | "totals" | "steps"> {
  /** The model's id; 0 for none. */
  excluded: number;
}

/** A question about all models, as each part is asked it. Totals, and the number of symbols, are those of all parts. */
export type PartQuestion =
  /** What the kept models add to {@link KeptSums}. */
  | { kind: "sums"; query: Query }
  /** The predictions, once the sums are known. */
  | { kind: "predict"; query: Query; sums: KeptSums }
  /** One match, once the sums are known. */
  | { kind: "explain"; query: Query; sums: KeptSums; id: number }
  /** How many models each recall threshold keeps; the thresholds ascend. */
  | { kind: "count"; query: Query; thresholds: Float64Array }
  /** Whether the recall threshold keeps any model that the prediction threshold lets pass, whatever the sums are. */
  | { kind: "any"; query: Query }
  /** The models that may be neighbours in a forecast, of each context. */
  | { kind: "neighbours"; contexts: PartContext[] }
  /** The events of models; a part answers for those that it has. */
  | { kind: "bodies"; ids: Float64Array }
  /** What all models hold of a sequence, and in which order. */
  | { kind: "compare"; sequence: ComparedSequence }
  /** The logarithms of all models. */
  | { kind: "weigh"; sequence: ComparedSequence; terms: ModelTerms }
  /** What models hold, each by its weight: by units, ascending, the weight of a model that was learned once. */
  | { kind: "gather"; sequence: ComparedSequence; terms: ModelTerms; units: Float64Array; weights: Float64Array };

/** The models of a part that may be neighbours of a context, as columns; the nearest first. */
export interface PartNeighbours {
  ids: Float64Array;
  /** How similar each is to the context, 1 or more. */
  similarities: Uint16Array;
  /** Which of the context's events share a symbol with it: a bit each, the newest the lowest. */
  shared: Uint16Array;
  /** How many of its occurrences count, 1 or more. */
  frequencies: Float64Array;
  /** How many symbols it has. */
  lengths: Uint32Array;
  /** How many models share a symbol with the context and are admitted by the target, neighbours or not. */
  candidates: number;
  /** How many steps it took. */
  steps: number;
}

/** What a part answers to each kind of question. `steps` is how many it took: more than it might, and it is wrong. */
export interface PartAnswers {
  /**
   * `floors`: the greatest values that the sort metric of distinct models of the part has at least, models that surely
   * pass the prediction threshold; no more than there may be predictions.
   */
  sums: Omit<KeptSums, "floor"> & { floors: Float64Array; steps: number };
  /** The best matches of the part, best first. */
  predict: { matches: Match[]; steps: number };
  /** Without a match where the part does not have the model, or does not keep it. */
  explain: { explained: ExplainedMatch | undefined; steps: number };
  /** A count for each threshold. */
  count: { counts: number[]; steps: number };
  /** `undefined` when the steps were not enough to find out. */
  any: { any: boolean | undefined; steps: number };
  /** By context. */
  neighbours: { found: PartNeighbours[]; steps: number };
  /** The models that the part has of those asked for, ids ascending, whatever their frequencies: without them. */
  bodies: { bodies: Omit<ModelBatch, "frequencies">; steps: number };
  compare: { having: Float64Array; followers: Float64Array; beginnings: Float64Array; steps: number };
  /** By units, ascending: the frequencies of the models that have them. */
  weigh: { units: Float64Array; frequencies: Float64Array; steps: number };
  gather: Omit<Gathered, "all"> & { steps: number };
}

/** A kind of question. */
export type PartQuestionKind = PartQuestion["kind"];

/** A question of one kind. */
export type PartQuestionOf<Kind extends PartQuestionKind> = Extract<PartQuestion, { kind: Kind }>;

/** What a part answers. */
export type PartAnswer = PartAnswers[PartQuestionKind];

/**
 * A change of the models or symbols. One of a model is for the part that has it, see {@link partOf}; one of symbols is
 * for all.
 */
export type PartChange =
  | { kind: "add"; model: MatchableModel }
  | { kind: "remove"; id: number }
  | { kind: "frequency"; id: number; frequency: number }
  /** How often each symbol occurs in everything learned; 0 for a forgotten one. */
  | { kind: "symbols"; ids: Uint32Array; frequencies: Float64Array };

/** All parts, as the processor asks and changes them. */
export interface Parts {
  /**
   * Asks all parts. Only of "explain" may parts that do not have the model be left out.
   *
   * @returns one answer a part
   * @throws PartsNeeded, in the object, when an answer is not at hand; a Fault `unavailable` when a part is away
   */
  ask<Kind extends PartQuestionKind>(question: PartQuestionOf<Kind>): readonly PartAnswers[Kind][];
  /**
   * Notes a change, in the order of changes.
   *
   * @throws Fault `exhausted`, changing nothing, when the part of a new model is full
   */
  changed(change: PartChange): void;
  /** Notes that all models and symbols are gone, or others: parts are filled anew after the commit. */
  replaced(): void;
  /** How often a symbol occurs in everything learned; 0 for one that no model holds. As all parts were told. */
  frequencyOf(symbol: number): number;
  /** How many symbols all models have together. */
  readonly symbolCount: number;
  /** How many bytes the models and symbols of all parts take, and may. */
  readonly bytes: number;
  readonly limitBytes: number;
}
