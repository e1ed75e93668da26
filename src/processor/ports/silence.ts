/** The types of silence: when memories last observed, and which alerts have reported that a memory has stopped. */

/**
 * The last arrival of a memory and the gaps between its arrivals, as whole numbers: epoch milliseconds of the last
 * arrival, the number of gaps, the longest gap in milliseconds, then pairs of bucket and number of gaps. Empty before
 * the first arrival.
 */
export type Arrivals = readonly number[];

/** What was reported of a memory's silence. Out of date once the memory has observed again. */
export interface StoredSilence {
  /** The last arrival, epoch milliseconds. */
  arrival: number;
  /**
   * Start of the silence, epoch milliseconds, if it is not the arrival: the clock was set back, so the arrival lies in
   * its future.
   */
  since: number | undefined;
  /** The numbers of the alerts that have reported it. */
  told: number[];
}

/** The reported silences of memories that have not observed since. */
export interface LastingSilences {
  /** By the memory's name. */
  silences: { session: string; silence: StoredSilence }[];
  /** The last memory that was compared; `undefined` when there was none. */
  last: string | undefined;
}

/** The part of a memory's state that shows whether it is silent. */
export interface MemoryArrivals {
  /** Empty for the processor's own memory. */
  session: string;
  arrivals: Arrivals;
  /** When it last changed, epoch milliseconds. */
  changedAt: number;
}
