/**
 * Limits of the lists in one request, and the words of their refusals. The gateway counts before it creates messages,
 * because that takes up to ten times as long as parsing a body; a processor counts again, because it has other callers
 * too.
 */

/** Maximum number of emotives in one record, of numbers, and of genes that one request changes. */
export const MAX_NAMED = 10_000;

/** Maximum number of symbols, patterns or other texts in one request. */
export const MAX_LISTED = 100_000;

/**
 * Maximum number of emotives and numbers in all records of a sequence together: each emotive or number takes about 4
 * µs, during which other requests wait.
 */
export const MAX_RECORD_NUMBERS = 250_000;

/**
 * Maximum number of components in all vectors of one record together: they are stored in one row of 2 MiB, at 8 bytes
 * each.
 */
export const MAX_COMPONENTS = 262_144;

/** Maximum bytes of metadata as JSON text, which is stored in one row of 2 MiB. */
export const MAX_METADATA_BYTES = 2_097_152;

/** Maximum number of symbols and events in the sequence of a model together. */
export const MAX_SEQUENCE = 250_000;

/** Maximum number of events in a sequence judged as a whole: each event costs a forecast. */
export const MAX_JUDGED_EVENTS = 1_000;

/** The words of each refusal. @param most the accepted number @param got the number received */
export const tooMany = {
  strings: (most: number, got: number) =>
    `a record may have at most ${most} strings, the symbols of a full working memory (NOEMA_MEMORY_SYMBOLS), got ` +
    `${got}`,
  records: (most: number, got: number) =>
    `a sequence may have ${most} records (NOEMA_SEQUENCE_RECORDS), got ${got}; send it in parts, ` +
    "and clear only with the first",
  emotives: (most: number, got: number) => `a record may have ${most} emotives, got ${got}`,
  numbers: (most: number, got: number) => `a record may have ${most} numbers, got ${got}`,
  genes: (most: number, got: number) => `a request may change ${most} genes, got ${got}`,
  /** @param record the path of the first record that exceeds the limit */
  named: (most: number, record: string) =>
    `a sequence may have ${most} emotives and numbers, and ${record} has more; send it in parts`,
  components: (most: number, got: number) => `the vectors of a record may have ${most} components together, got ${got}`,
  /** @param what names the metadata, or another text */
  metadata: (most: number, what: string) => `${what} may take ${most} bytes as JSON, and it takes more`,
  listed: (most: number, got: number, what: string) => `a request may list ${most} ${what}, got ${got}`,
  path: (most: number, got: number) => `a record may have passed ${most} processors and manipulatives, got ${got}`,
  asked: (most: number, got: number) =>
    `a sequence may have at most ${most} symbols, those of a full working memory (NOEMA_MEMORY_SYMBOLS), got ${got}`,
  judged: (most: number, got: number) =>
    `a sequence that is judged may have ${most} events, got ${got}; ask about parts of it`,
  learned: (most: number, got: number) => `a sequence may have ${most} symbols and events together, got ${got}`,
} as const;
