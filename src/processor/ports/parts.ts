/**
 * The port to the parts of a split processor. Its models are spread over the parts by id, and every question about all
 * models goes to each part. Questions, answers and changes are plain values, because they travel between objects.
 */

import type { ComparedSequence, Gathered, ModelTerms } from "./comparison";
import type { ForecastContext } from "./forecaster";
import type { ExplainedMatch, Match, MatchableModel, ModelBatch, Query } from "./matcher";

/** Maximum number of parts of a processor: some 60 million models, beyond what one head object can count and store. */
export const MAX_PARTS = 64;

/** The part that has a model: 0 to `parts` - 1. @param id the model's @param parts number of parts, 1 or more */
export function partOf(id: number, parts: number): number {
  return id % parts;
}

/** The inputs of a metric besides the model and the query: sums over the kept models of all parts. */
export interface KeptSums {
  /** The sum of the frequencies of all models that the recall threshold keeps. */
  keptFrequencies: number;
  /** By symbol of the query: 1 if the present of some kept model holds it, else 0. */
  weighs: Uint8Array;
  /** Only models whose sort metric is at least this can be among the predictions; minus infinity if unknown. */
  floor: number;
}

/** The context of a forecast, and a model to count one occurrence less of. */
export interface PartContext extends Pick<ForecastContext, "symbols" | "lengths" | "target" | "totals" | "steps"> {
  /** The model's id; 0 for none. */
  excluded: number;
}

/**
 * A question about all models, sent to each part. Totals, and the number of symbols, are those of all parts together.
 */
export type PartQuestion =
  /** The contribution of the part's kept models to {@link KeptSums}. */
  | { kind: "sums"; query: Query }
  /** The predictions, once the sums are known. */
  | { kind: "predict"; query: Query; sums: KeptSums }
  /** One match, once the sums are known. */
  | { kind: "explain"; query: Query; sums: KeptSums; id: number }
  /** The number of models that each recall threshold keeps; the thresholds ascend. */
  | { kind: "count"; query: Query; thresholds: Float64Array }
  /** Whether the recall threshold keeps any model that the prediction threshold passes for any sums. */
  | { kind: "any"; query: Query }
  /** For each context, the models that may be neighbours in a forecast. */
  | { kind: "neighbours"; contexts: PartContext[] }
  /** The events of models; a part answers for its own. */
  | { kind: "bodies"; ids: Float64Array }
  /** Which symbols of a sequence the models hold, how often and in which order. */
  | { kind: "compare"; sequence: ComparedSequence }
  /** The logarithms of all models. */
  | { kind: "weigh"; sequence: ComparedSequence; terms: ModelTerms }
  /** Weighted sums over what the models hold. `units`, ascending, and for each the weight of a model learned once. */
  | { kind: "gather"; sequence: ComparedSequence; terms: ModelTerms; units: Float64Array; weights: Float64Array }
  /**
   * Several questions, in this order. The first is always answered; the answers end once they take more than
   * `mostBytes` or have taken more steps than any single question allows.
   */
  | { kind: "several"; questions: PartQuestion[]; mostBytes: number };

/** The models of a part that may be neighbours of a context, as columns; nearest first. */
export interface PartNeighbours {
  ids: Float64Array;
  /** Similarity of each to the context, 1 or more. */
  similarities: Uint16Array;
  /** The events of the context that share a symbol with it, as bits: the lowest bit is the newest event. */
  shared: Uint16Array;
  /** Number of occurrences that count, 1 or more. */
  frequencies: Float64Array;
  /** Number of symbols. */
  lengths: Uint32Array;
  /** Number of models that share a symbol with the context and are admitted by the target, neighbours or not. */
  candidates: number;
  /** Number of steps taken. */
  steps: number;
}

/** Matches as a part's kernel writes them, as columns: only those that are predictions are read. */
export interface PackedMatches {
  ids: Float64Array;
  /** The sort metric of each. */
  values: Float64Array;
  /** Where each begins in the records, and where the last one ends: one more than there are matches. */
  starts: Uint32Array;
  /** One after the other. */
  records: Uint8Array;
}

/** Reads matches as a kernel writes them. @param records one after the other @param count their number */
export type ReadMatches = (records: ArrayBuffer, count: number) => Match[];

/**
 * A part's answer to each kind of question. `steps` are the steps taken: if they exceed the limit, the answer is wrong.
 */
export interface PartAnswers {
  /**
   * `floors`: lower bounds of the greatest sort metrics among distinct models that surely pass the prediction
   * threshold; at most as many as the maximum number of predictions.
   */
  sums: Omit<KeptSums, "floor"> & { floors: Float64Array; steps: number };
  /** The best matches of the part, best first. */
  predict: { matches: PackedMatches; steps: number };
  /** Without a match if the part does not have the model, or does not keep it. */
  explain: { explained: ExplainedMatch | undefined; steps: number };
  /** A count for each threshold. */
  count: { counts: number[]; steps: number };
  /** `undefined` when the steps did not suffice. */
  any: { any: boolean | undefined; steps: number };
  /** By context. */
  neighbours: { found: PartNeighbours[]; steps: number };
  /**
   * The requested models that the part has, by ascending id. Without frequencies: the answer does not depend on them.
   */
  bodies: { bodies: Omit<ModelBatch, "frequencies">; steps: number };
  compare: { having: Float64Array; followers: Float64Array; beginnings: Float64Array; steps: number };
  /** By units, ascending: the frequencies of the models that have them. */
  weigh: { units: Float64Array; frequencies: Float64Array; steps: number };
  gather: Omit<Gathered, "all"> & { steps: number };
  /** To the first questions, one or more. `steps` is the most that any took. */
  several: { answers: PartAnswer[]; steps: number };
}

/** A kind of question. */
export type PartQuestionKind = PartQuestion["kind"];

/** A question of one kind. */
export type PartQuestionOf<Kind extends PartQuestionKind> = Extract<PartQuestion, { kind: Kind }>;

/** What a part answers. */
export type PartAnswer = PartAnswers[PartQuestionKind];

/** How many steps a question allows. */
export function stepsOf(question: PartQuestion): number {
  if ("query" in question) return question.query.steps;
  if (question.kind === "neighbours") return question.contexts.reduce((sum, { steps }) => sum + steps, 0);
  return Number.POSITIVE_INFINITY;
}

/** About how many bytes a value takes that is made of plain values and arrays of numbers. */
export function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return 64 + value.byteLength;
  if (typeof value === "string") return 16 + 2 * value.length;
  if (typeof value !== "object" || value === null) return 8;
  return Object.values(value).reduce<number>((sum, member) => sum + bytesOf(member), 32);
}

/**
 * A change of models or symbols. A model's goes to the part that has it, see {@link partOf}; a symbol's goes to all.
 */
export type PartChange =
  | { kind: "add"; model: MatchableModel }
  /** `symbols` and `events` are their numbers in the model. */
  | { kind: "remove"; id: number; symbols: number; events: number }
  | { kind: "frequency"; id: number; frequency: number }
  /** How often each symbol occurs in everything learned; 0 for a forgotten one. */
  | { kind: "symbols"; ids: Uint32Array; frequencies: Float64Array };

/** The events of one model. */
export type ModelBody = Pick<ModelBatch, "lengths" | "symbols">;

/**
 * All parts, as the processor asks and changes them. In the object, a verb cannot wait: what it is told of a question
 * that is not answered yet stands for nothing, and it runs again when it is.
 */
export interface Parts {
  /** Whether what is computed now is discarded, because an answer is missing: only the questions count. */
  readonly isAhead: boolean;
  /**
   * Asks all parts. For "explain", parts that do not have the model may be left out.
   *
   * @returns one answer a part; the neighbours of all may be one. None at all: they are not known yet. What the verb
   *   makes of that is thrown away, so go on with anything that lets it ask what it will ask next
   * @throws PartsNeeded, in the object, when the verb is to ask nothing more before it is answered; a Fault
   *   `unavailable` when a part cannot be reached
   */
  ask<Kind extends Exclude<PartQuestionKind, "bodies" | "several">>(
    question: PartQuestionOf<Kind>,
  ): readonly PartAnswers[Kind][];
  /**
   * The events of models.
   *
   * @param ids ascending, of models that some part has
   * @returns in their order; `undefined` where they are not known yet, as {@link ask}
   * @throws as {@link ask}
   */
  bodiesOf(ids: Float64Array): readonly ModelBody[] | undefined;
  /**
   * Notes a change, in the order of changes.
   *
   * @throws Fault `exhausted`, changing nothing, when the part of a new model is full; PartsNeeded where something that
   *   was asked before is not known yet
   */
  changed(change: PartChange): void;
  /** Notes that all models and symbols were deleted or replaced: the parts are filled again after the commit. */
  replaced(): void;
  /** Notes stored models that the parts are to have: when the processor is opened, and after {@link replaced}. */
  holds(batch: ModelBatch): void;
  /** Occurrences of a symbol in everything learned, as the parts know it; 0 for a symbol that no model holds. */
  frequencyOf(symbol: number): number;
  /** Number of symbols of all models together. */
  readonly symbolCount: number;
  /** Bytes that the models and symbols of all parts use, and their maximum. */
  readonly bytes: number;
  readonly limitBytes: number;
}
