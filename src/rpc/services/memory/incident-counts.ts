/** Counters of the incidents of this isolate since it started. Plain numbers, read without waiting. */

/** The counts of all processors together. */
export const incidentCounts = {
  /** New incidents. */
  begun: 0,
  /** Verdicts set or removed. */
  judged: 0,
};
