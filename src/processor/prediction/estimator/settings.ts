/**
 * The constants of the forecast estimator, in one place, so that a bench can vary them. docs/forecast-results.md states
 * the cost of each.
 */

/** See {@link ESTIMATOR}, which gives each constant its value and reason. */
export interface EstimatorSettings {
  readonly firstWeight: number;
  readonly ownPart: number;
  readonly basePart: number;
  readonly leastProbability: number;
  readonly priorOccurrences: number;
  readonly priorCurvature: number;
  readonly aheadWeight: number;
  readonly mostWeight: number;
  readonly priorForecasts: number;
  readonly priorCorrection: number;
  readonly mostBehind: number;
  readonly behindUnit: number;
  readonly endPart: number;
  readonly mostCounted: number;
  readonly gradedOneIn: number;
  readonly modelsADoubling: number;
  readonly fewModels: number;
  readonly onceMore: number;
  readonly endsLooked: number;
  readonly sharedPart: number;
  readonly leastContext: number;
  readonly contextLengths: number;
  readonly loadedDraws: number;
  readonly mostSteps: number;
  readonly stepsAModel: number;
  readonly mostLoadedSteps: number;
}

/** The settings of every processor. */
export const ESTIMATOR: EstimatorSettings = {
  // The pool.
  /** The weight of each rule before any grading: with equal weights, the pool is their geometric mean. */
  firstWeight: 1 / 4,
  /**
   * The fraction of a rule's own probability in the pool; the rest is the base's, which is never 0 for a symbol that
   * occurs.
   */
  ownPart: 0.8,
  basePart: 0.2,
  /** Minimum probability of which a logarithm is taken, so that one rule alone cannot rule a symbol out. */
  leastProbability: 1e-6,
  /**
   * The number of occurrences of the longest order that the pool is worth as a prior of what followed it. Where it
   * occurs more often, what followed it is known better than any weighing of rules can say.
   */
  priorOccurrences: 128,

  // Gradings.
  /**
   * Curvature that the score is assumed to have in each direction before any grading, so that the first gradings do not
   * swing the weights. In squares of nats.
   */
  priorCurvature: 50,
  /**
   * Weight of a grading at the end of a sequence, or behind an overlap, for horizons of 2 and more; a grading of the
   * next event has weight 1.
   */
  aheadWeight: 4,
  /** Maximum weights of a grading inside a sequence; in a sequence of mean length they are 1. */
  mostWeight: 4,

  // The calibration of the next event, and the table of lists within a horizon.
  /**
   * Pseudo-forecasts with which a range of probabilities begins, right as often as they claim. Each has the weight of a
   * current forecast.
   */
  priorForecasts: 4,
  /**
   * Curvature that the score is assumed to have before any correction of the next event, in units of the weight of a
   * current forecast.
   */
  priorCorrection: 4,
  /**
   * Maximum number of events behind in this correction, and the number that counts as 1: farther from the end, the
   * difference matters little.
   */
  mostBehind: 12,
  behindUnit: 4,
  /**
   * In both, the weight of a sequence's end relative to a place inside: queries are rarely about an end, and ends are
   * forecast worse.
   */
  endPart: 5 / 8,
  /**
   * In both, a forecast's weight is the number of learned sequences, up to this: first symbols come more often the more
   * is known.
   */
  mostCounted: 1_024,

  // The choice of learns to grade, and of places.
  /** One in this many learns is graded: more than 2, so that the median learn is not. A power of 2. */
  gradedOneIn: 4,
  /**
   * From four times this number of models on, one in n learns is graded, where n is the least power of 2 not below the
   * number of models divided by this: gradings take longer then.
   */
  modelsADoubling: 2_048,
  /**
   * With fewer models, a learn is graded for a horizon of each part, and earlier sequences are graded again; with more,
   * for one horizon besides the next event.
   */
  fewModels: 1_024,
  /** Number of earlier sequences graded again with a graded learn: little was known when they first came. */
  onceMore: 3,
  /**
   * Number of newest models compared with an end, and the fraction of them that makes it a shared end. Shared ends are
   * not graded, because every rule is right there.
   */
  endsLooked: 64,
  sharedPart: 1 / 4,
  /** Graded contexts have the lengths that queries have: this is the shortest. */
  leastContext: 3,
  contextLengths: 8,
  /** Knowledge without a record is graded at this number of sequences drawn from it. */
  loadedDraws: 512,

  // Work limits of gradings (docs/forecast.md).
  /**
   * Once the gradings of a learn have read this much, which takes some milliseconds, no further one begins. With few
   * models the limit is `stepsAModel` for each.
   */
  mostSteps: 2_000_000,
  stepsAModel: 15_000,
  /** For knowledge without a record: some hundred milliseconds in all. */
  mostLoadedSteps: 20_000_000,
};
