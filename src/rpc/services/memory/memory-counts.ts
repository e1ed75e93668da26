/**
 * Counters of the memories of this isolate since it started, over all ways to call them. Plain
 * numbers, read without waiting.
 */

/** The counts of all memories together. */
export const memoryCounts = {
  /** Records that were observed. A processor that sleeps observes none. */
  records: 0,
  /** Records after which a memory had used nine tenths or more of what it may hold. */
  nearLimit: 0,
  /** Models that were learned, new or again, by calls and by the processors themselves. */
  learned: 0,
  /** Answers with predictions. */
  predictions: 0,
  /** Answers with a forecast. */
  forecasts: 0,
  /**
   * Records for which something was left undone, because it takes more steps than a request may
   * take: what, and for how many.
   */
  omitted: { prediction: 0, autolearn: 0, manipulatives: 0 },
};

/** The result of an observation. */
interface Result {
  readonly awake: boolean;
  /** Empty when the processor learned nothing by itself. */
  readonly autoLearnedModel: string;
}

/** Counts what was observed. */
export function countObserved({ awake, autoLearnedModel }: Result): void {
  if (awake) memoryCounts.records++;
  if (autoLearnedModel !== "") memoryCounts.learned++;
}

/**
 * Counts what was left undone.
 *
 * @param nearlyFull how many records left a memory nearly full
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

/** Counts what a call learned. @param model its name; empty for none */
export function countLearned(model: string): void {
  if (model !== "") memoryCounts.learned++;
}
