/**
 * The constants of the forecast estimator, in one place, so that a bench can vary them. docs/forecast.md states what
 * each costs.
 */

/** See {@link ESTIMATOR}, which gives each constant its value and reason. */
export interface EstimatorSettings {
  readonly firstWeight: number;
  readonly ownPart: number;
  readonly basePart: number;
  readonly leastProbability: number;
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
  /** The weight of each rule before anything was graded: the pool is their geometric mean. */
  firstWeight: 1 / 4,
  /**
   * How much of a rule's probability is its own, and how much the base's, which is never 0 for a symbol that occurs.
   * The two sum to 1.
   */
  ownPart: 0.8,
  basePart: 0.2,
  /** The least probability whose logarithm is taken: a rule that rules something out does not rule it out for all. */
  leastProbability: 1e-6,

  // What a grading changes.
  /**
   * Weights begin as if gradings had curved the score by this much already, in each direction: so the first ones do not
   * turn them. In squares of nats.
   */
  priorCurvature: 50,
  /**
   * How much a grading counts at the end of a sequence, or behind an overlap, for horizons of 2 and more, in gradings
   * of the next event.
   */
  aheadWeight: 4,
  /** How much a grading inside of a sequence counts at most; a sequence as long as the mean counts 1. */
  mostWeight: 4,

  // The calibration of the next event, and the table of lists within a horizon.
  /**
   * How many forecasts a range of probabilities begins with, each counted as often as a forecast counts now: they were
   * right as often as they said.
   */
  priorForecasts: 4,
  /**
   * The correction of the next event begins as if gradings had curved its score by this much already, each counted as
   * often as a forecast counts now.
   */
  priorCorrection: 4,
  /**
   * The most events behind that count in that correction, and the number of them that makes 1: the difference between
   * far and farther from the end says little.
   */
  mostBehind: 12,
  behindUnit: 4,
  /**
   * In both, the end of a sequence counts this part of what a place inside counts: a question is seldom one about an
   * end, and ends are forecast worse.
   */
  endPart: 5 / 8,
  /**
   * In both, a forecast counts once for each sequence that was learned, up to this number: first symbols come more
   * often the more is known.
   */
  mostCounted: 1_024,

  // Which learns are graded, and where.
  /** Of how many learns one is graded: more than 2, so that the median learn is not. A power of 2. */
  gradedOneIn: 4,
  /**
   * From four times this number of models on, one learn in n is graded, n the least power of 2 that is at least the
   * number of models divided by this: gradings take longer then.
   */
  modelsADoubling: 2_048,
  /**
   * With fewer models a learn is graded for a horizon of each part, and others once more; from there on for one horizon
   * beyond the next event.
   */
  fewModels: 1_024,
  /**
   * How many of the sequences that were learned before are graded once more with a graded learn: when the first of them
   * came, little was known.
   */
  onceMore: 3,
  /**
   * How many of the newest models are compared with an end, and which part of them makes it a shared one, which is not
   * graded: every rule is right there.
   */
  endsLooked: 64,
  sharedPart: 1 / 4,
  /** Graded contexts have as many events as questions have: one of these lengths, from the least on. */
  leastContext: 3,
  contextLengths: 8,
  /** A knowledge without a record is graded at this number of draws of its sequences. */
  loadedDraws: 512,

  // How much gradings may read (docs/forecast.md).
  /**
   * A learn begins no further grading when those before have read `mostSteps`, which takes some milliseconds; while there
   * are few models, `stepsAModel` for each.
   */
  mostSteps: 2_000_000,
  stepsAModel: 15_000,
  /** A knowledge without a record: some hundred milliseconds in all. */
  mostLoadedSteps: 20_000_000,
};
