/** Counters of the alerts of this isolate since it started. Plain numbers, read without waiting. */

/** The counts of all processors together. */
export const alertCounts = {
  /** What alerts had to tell; several may be one delivery. */
  told: 0,
  /** Deliveries that were taken. */
  delivered: 0,
  /** Attempts to deliver that failed. */
  failures: 0,
  /** Deliveries that were given up after a day, or dropped because too many waited. */
  dropped: 0,
  /** How many deliveries wait, by object; an object where none waits is not in it. */
  waiting: new Map<string, number>(),
};
