/**
 * Counters of the memories of this isolate since it started, over all kinds of calls. Plain numbers, read without
 * waiting.
 */

/** The counts of all memories together. */
export const memoryCounts = {
  /** Observed records. A sleeping processor observes none. */
  records: 0,
  /** Records after which a memory was nine tenths full or more. */
  nearLimit: 0,
  /** Learned models, new or known ones, by calls and by autolearning. */
  learned: 0,
  /** Answers with predictions. */
  predictions: 0,
  /** Answers with a forecast. */
  forecasts: 0,
  /** Records for which something was skipped because it exceeded the steps of a request, by what was skipped. */
  omitted: { prediction: 0, autolearn: 0, manipulatives: 0 },
};

/** The result of an observation. */
interface Result {
  readonly awake: boolean;
  /** Empty if nothing was learned automatically. */
  readonly autoLearnedModel: string;
}

/** Counts an observation. */
export function countObserved({ awake, autoLearnedModel }: Result): void {
  if (awake) memoryCounts.records++;
  if (autoLearnedModel !== "") memoryCounts.learned++;
}

/**
 * Counts what was skipped.
 *
 * @param nearlyFull number of records that left a memory nearly full
 */
export function countOmitted(
  { prediction, autolearn, manipulatives }: Readonly<typeof memoryCounts.omitted>,
  nearlyFull: number,
): void {
  memoryCounts.omitted.prediction += prediction;
  memoryCounts.omitted.autolearn += autolearn;
  memoryCounts.omitted.manipulatives += manipulatives;
  memoryCounts.nearLimit += nearlyFull;
}

/** Counts the model that a call learned. @param model its name; empty for none */
export function countLearned(model: string): void {
  if (model !== "") memoryCounts.learned++;
}
