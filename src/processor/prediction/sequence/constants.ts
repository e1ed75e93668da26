/** The constants by which whole sequences are judged: docs/sequences.md says where each comes from. */

/** How often a model is wrong about the count of a symbol: then the count is as in any sequence. */
export const MISCOUNT = 0.1;

/**
 * The part of what was learned in the share of a count among all learned sequences; the rest is for counts that never
 * were.
 */
export const SEEN_PART = 0.9;

/** The number of learned sequences that a count which never occurred is taken to stand in, before it is divided for
 * greater counts. */
export const UNSEEN = 0.55;

/** An event that never followed counts as if it had followed so often, divided among all symbols. */
export const UNSEEN_NEXT = 0.5;

/** What came after the last event counts as if it had come so often after the last two. */
export const SHORTER_WEIGHT = 1;

/** The weights of the greatest and of the mean surprise of order beside the bits of the counts. */
export const GREATEST_WEIGHT = 0.2;
export const MEAN_WEIGHT = 0.2;

/**
 * The bits of the counts are divided by the root of the length, of this many times the mean length of what was learned
 * at most: a symbol that comes hundreds of times must not excuse itself by the length that it makes.
 */
export const MOST_LONGER = 4;

/** Bits of models are summed up in whole units: the number of units in a bit. */
export const UNITS = 1024;

/** A model that makes a sequence less probable than the best one by this number of bits is left out of sums. */
export const DEEPEST = 64;

/** What is missing is named from this probability on. */
export const LEAST_MISSING = 0.1;

/** What comes too often is named when it comes so much more often than expected. */
export const LEAST_EXCESS = 0.5;

/** The most symbols of each of the two lists. */
export const MOST_LISTED = 20;

/** The most symbols that are named in place of those of the first event. */
export const MOST_EXPECTED = 5;
