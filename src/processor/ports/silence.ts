/** The types of silence: when memories last observed, and which alerts have told that they do not any more. */

/**
 * The last arrival of a memory and the gaps between its arrivals, as whole numbers: epoch milliseconds of the last, the
 * number of gaps, the longest in milliseconds, then pairs of bucket and number of gaps. Empty before the first.
 */
export type Arrivals = readonly number[];

/** What was told of a memory's silence. It is out of date once the memory has observed again. */
export interface StoredSilence {
  /** The last arrival, epoch milliseconds. */
  arrival: number;
  /**
   * From when the silence counts, epoch milliseconds, if not from the arrival: that was in the future of a clock that
   * was set back.
   */
  since: number | undefined;
  /** The numbers of the alerts that have told it. */
  told: number[];
}

/** The part of a memory that says whether it is silent. */
export interface MemoryArrivals {
  /** Empty for the processor's own memory. */
  session: string;
  arrivals: Arrivals;
  /** When it last changed, epoch milliseconds. */
  changedAt: number;
}
