/** Counters of the incidents of this isolate since it started. Plain numbers, read without waiting. */

/** The counts of all processors together. */
export const incidentCounts = {
  /** Incidents that began. */
  begun: 0,
  /** Verdicts that were given, or taken back. */
  judged: 0,
};
