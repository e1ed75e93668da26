/** Offsets and codes that the host shares with the kernel, said once; the entry file exports them. */

/** A query as the host writes it: doubles first, then words. */
export const QUERY_RECALL_THRESHOLD: u32 = 0;
export const QUERY_THRESHOLD: u32 = 8;
export const QUERY_MODEL_FREQUENCIES: u32 = 16;
export const QUERY_MEMBER_FREQUENCIES: u32 = 24;
export const QUERY_KNOWN_SYMBOLS: u32 = 32;
export const QUERY_MEMORY_LENGTH: u32 = 40;
export const QUERY_HAS_TARGET: u32 = 44;
export const QUERY_TARGET: u32 = 48;
export const QUERY_MAX_PREDICTIONS: u32 = 52;
export const QUERY_SORT_METRIC: u32 = 56;
export const QUERY_THRESHOLD_METRIC: u32 = 60;
export const QUERY_THRESHOLD_AT_LEAST: u32 = 64;
export const QUERY_BYTES: u32 = 72;

/** A record of a match as the host reads it: doubles, counts, then the symbols, event lengths, matches, missing and extras as words. */
export const MATCH_ID: u32 = 0;
export const MATCH_FREQUENCY: u32 = 8;
/** Twelve doubles, in the order of the metric codes. */
export const MATCH_METRICS: u32 = 16;
export const MATCH_PRESENT_START: u32 = 112;
export const MATCH_PRESENT_END: u32 = 116;
export const MATCH_SYMBOLS: u32 = 120;
export const MATCH_LENGTHS: u32 = 124;
export const MATCH_MATCHES: u32 = 128;
export const MATCH_MISSING: u32 = 132;
export const MATCH_EXTRAS: u32 = 136;
/** The bytes of the whole record, a multiple of 8; the next one follows. */
export const MATCH_BYTES: u32 = 140;
export const MATCH_WORDS: u32 = 144;

/** Metric codes: the position of a metric in the port's list. */
export const SIMILARITY: u32 = 0;
export const NUMBER_OF_BLOCKS: u32 = 1;
export const POTENTIAL: u32 = 2;
export const EVIDENCE: u32 = 3;
export const FRAGMENTATION: u32 = 4;
export const SNR: u32 = 5;
export const ENTROPY: u32 = 6;
export const HAMILTONIAN: u32 = 7;
export const GRAND_HAMILTONIAN: u32 = 8;
export const CONFLUENCE: u32 = 9;
export const CONFIDENCE: u32 = 10;
export const ITFDF_SIMILARITY: u32 = 11;
export const METRICS: u32 = 12;

/** What a call that changes something answers. */
export const DONE: u32 = 0;
/** The memory budget does not allow it; nothing has changed. */
export const EXHAUSTED: u32 = 1;
/** There is no such model; nothing has changed. */
export const ABSENT: u32 = 2;
