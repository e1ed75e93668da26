/**
 * What host and kernel share: the query block, the offsets of a match record, and codes. Stated once,
 * here; the entry exports them. The codes of the other metrics are in gen/.
 */

import { MEMBER_METRICS } from "../gen/metrics";

/** The query as the host writes it, without its symbols, which go into the input. */
@unmanaged
export class Query {
  recallThreshold: f64;
  threshold: f64;
  /** The sum of the frequencies of all models. */
  modelFrequencies: f64;
  /** The sum of the frequencies of all symbols, each counted once for each model. */
  memberFrequencies: f64;
  /** The number of distinct known symbols: N. */
  knownSymbols: f64;
  /** Maximum number of steps. */
  steps: f64;
  /** The number of the queried memory, 0 for a one-time query; and the number of symbols ever added to it. */
  memory: f64;
  added: f64;
  /** The id of the model to try first when any prediction suffices; 0 for none. */
  hint: f64;
  /** Number of symbols in the query. */
  length: u32;
  hasTarget: u32;
  target: u32;
  maxPredictions: u32;
  /** A metric code. */
  sortMetric: u32;
  /** A metric code. */
  thresholdMetric: u32;
  /** 1 if values at or above the threshold pass, 0 if values at or below do. */
  thresholdAtLeast: u32;
}

export const QUERY_RECALL_THRESHOLD: u32 = offsetof<Query>("recallThreshold");
export const QUERY_THRESHOLD: u32 = offsetof<Query>("threshold");
export const QUERY_MODEL_FREQUENCIES: u32 = offsetof<Query>("modelFrequencies");
export const QUERY_MEMBER_FREQUENCIES: u32 = offsetof<Query>("memberFrequencies");
export const QUERY_KNOWN_SYMBOLS: u32 = offsetof<Query>("knownSymbols");
export const QUERY_STEPS: u32 = offsetof<Query>("steps");
export const QUERY_MEMORY: u32 = offsetof<Query>("memory");
export const QUERY_ADDED: u32 = offsetof<Query>("added");
export const QUERY_HINT: u32 = offsetof<Query>("hint");
export const QUERY_LENGTH: u32 = offsetof<Query>("length");
export const QUERY_HAS_TARGET: u32 = offsetof<Query>("hasTarget");
export const QUERY_TARGET: u32 = offsetof<Query>("target");
export const QUERY_MAX_PREDICTIONS: u32 = offsetof<Query>("maxPredictions");
export const QUERY_SORT_METRIC: u32 = offsetof<Query>("sortMetric");
export const QUERY_THRESHOLD_METRIC: u32 = offsetof<Query>("thresholdMetric");
export const QUERY_THRESHOLD_AT_LEAST: u32 = offsetof<Query>("thresholdAtLeast");

/** Where the query block is. */
export const queryBlock: usize = memory.data(offsetof<Query>(), 8);

/** The query block, typed. */
export const query: Query = changetype<Query>(queryBlock);

/** The one metric that is not a member of a prediction: predictions show it as fragmentation. */
export const NUMBER_OF_BLOCKS: u32 = MEMBER_METRICS;
/** Number of metrics. */
export const METRICS: u32 = MEMBER_METRICS + 1;

/**
 * Offsets in a match record: doubles, then counts (words). The symbols, event lengths, matches, missing and extras
 * follow as words from {@link MATCH_WORDS} on.
 */
export const MATCH_ID: u32 = 0;
export const MATCH_FREQUENCY: u32 = MATCH_ID + 8;
/** A double for each metric, in the order of the codes. */
export const MATCH_METRICS: u32 = MATCH_FREQUENCY + 8;
export const MATCH_PRESENT_START: u32 = MATCH_METRICS + 8 * METRICS;
export const MATCH_PRESENT_END: u32 = MATCH_PRESENT_START + 4;
export const MATCH_SYMBOLS: u32 = MATCH_PRESENT_END + 4;
export const MATCH_LENGTHS: u32 = MATCH_SYMBOLS + 4;
export const MATCH_MATCHES: u32 = MATCH_LENGTHS + 4;
export const MATCH_MISSING: u32 = MATCH_MATCHES + 4;
export const MATCH_EXTRAS: u32 = MATCH_MISSING + 4;
/** The bytes of the whole record, a multiple of 8; the next record follows. */
export const MATCH_BYTES: u32 = MATCH_EXTRAS + 4;
export const MATCH_WORDS: u32 = MATCH_BYTES + 4;

/** Result codes of calls that change something. */
export const DONE: u32 = 0;
/** The memory budget does not allow it; nothing has changed. */
export const EXHAUSTED: u32 = 1;
/** There is no such model; nothing has changed. */
export const ABSENT: u32 = 2;

/** Results of the search for any prediction: none, some, or undecided. */
export const NO_PREDICTION: u32 = 0;
export const HAS_PREDICTION: u32 = 1;
export const UNDECIDED: u32 = 2;
