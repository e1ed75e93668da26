/** The constants for judging whole sequences. docs/sequences.md gives the origin of each. */

/**
 * Probability that a model is wrong about the count of a symbol. Then the count is distributed as in all learned
 * sequences.
 */
export const MISCOUNT_PROBABILITY = 0.1;

/** Weight of the learned sequences in the distribution of counts; the rest is for counts that never occurred. */
export const SEEN_WEIGHT = 0.9;

/**
 * Number of learned sequences that a count which never occurred is assumed to have, before it is divided among greater
 * counts.
 */
export const UNSEEN_COUNT_SEQUENCES = 0.55;

/** Pseudo-count of following events that never followed, divided among all symbols. */
export const UNSEEN_NEXT = 0.5;

/** Weight of the prediction after the last event, as a pseudo-count for the prediction after the last two. */
export const SHORTER_WEIGHT = 1;

/** Weights of the greatest and of the mean surprise of order, relative to the bits of the counts. */
export const GREATEST_WEIGHT = 0.2;
export const MEAN_WEIGHT = 0.2;

/**
 * The bits of the counts are divided by the square root of the length, which counts up to this multiple of the mean
 * learned length: a symbol repeated hundreds of times must not hide in the length that it causes.
 */
export const MAX_LENGTH_FACTOR = 4;

/** Units of a bit: the bits of models are summed as whole units. */
export const UNITS_PER_BIT = 1024;

/** Models this many bits worse than the best one are left out of sums. */
export const MAX_BITS_BEHIND_BEST = 64;

/** Minimum probability of a symbol listed as missing. */
export const MIN_MISSING = 0.1;

/** Minimum excess over the expected count of a symbol listed as too frequent. */
export const MIN_EXCESS = 0.5;

/** Maximum number of symbols in each of the two lists. */
export const MAX_LISTED = 20;

/** Maximum number of symbols listed as expected instead of the first event's. */
export const MAX_EXPECTED = 5;
