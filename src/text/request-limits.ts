/**
 * How much one request may list, and how a refusal says that it is too much. The gateway counts before it makes
 * messages, because to make them takes up to ten times as long as to parse a body; a processor counts again,
 * because others call it too.
 */

/** The most emotives of one record, and the most numbers. */
export const MOST_NAMED = 10_000;

/** The most symbols, patterns or other texts that one request may list. */
export const MOST_LISTED = 100_000;

/**
 * The most emotives and numbers that the records of a sequence may have together: each takes about 4 µs,
 * and others wait meanwhile.
 */
export const MOST_NAMED_NUMBERS = 250_000;

/**
 * The most components that the vectors of one record may have together: they are stored in one row
 * of 2 MiB, in 8 bytes each.
 */
export const MOST_COMPONENTS = 262_144;

/** The most bytes of metadata as JSON text: they are stored in one row of 2 MiB. */
export const MOST_METADATA_BYTES = 2_097_152;

/** The most symbols and events that the sequence of a model may have together. */
export const MOST_SEQUENCE = 250_000;

/** The most events of a sequence that is judged whole: each costs a forecast. */
export const MOST_JUDGED_EVENTS = 1_000;

/** What each refusal says. @param most how many are accepted @param got how many came */
export const tooMany = {
  strings: (most: number, got: number) =>
    `a record may have as many strings as working memory may hold symbols, ${most} (NOEMA_MEMORY_SYMBOLS), got ${got}`,
  records: (most: number, got: number) =>
    `a sequence may have ${most} records (NOEMA_SEQUENCE_RECORDS), got ${got}; send it in parts, ` +
    "and clear only with the first",
  emotives: (most: number, got: number) => `a record may have ${most} emotives, got ${got}`,
  numbers: (most: number, got: number) => `a record may have ${most} numbers, got ${got}`,
  /** @param record the first record with which it is too much, as messages write its path */
  named: (most: number, record: string) =>
    `a sequence may have ${most} emotives and numbers, and ${record} has more; send it in parts`,
  components: (most: number, got: number) => `the vectors of a record may have ${most} components together, got ${got}`,
  /** @param what names the metadata, or another text */
  metadata: (most: number, what: string) => `${what} may take ${most} bytes as JSON, and it takes more`,
  listed: (most: number, got: number, what: string) => `a request may list ${most} ${what}, got ${got}`,
  path: (most: number, got: number) => `a record may have come past ${most} processors and manipulatives, got ${got}`,
  asked: (most: number, got: number) =>
    `a sequence may have as many symbols as working memory may hold, ${most} (NOEMA_MEMORY_SYMBOLS), got ${got}`,
  judged: (most: number, got: number) =>
    `a sequence that is judged may have ${most} events, got ${got}; ask about parts of it`,
  learned: (most: number, got: number) => `a sequence may have ${most} symbols and events together, got ${got}`,
} as const;
