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

/** What was reported of one memory's silence. */
export interface SilenceOf {
  /** Empty for the processor's own memory. */
  session: string;
  silence: StoredSilence;
}

/** The reported silences of memories that have not observed since. */
export interface LastingSilences {
  /** By the memory's name. */
  silences: SilenceOf[];
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

/** A memory that may be reported as silent. */
export interface WatchedMemory extends MemoryArrivals {
  /** Number of records that it has observed while awake. */
  time: number;
}

/** Some of the memories that were asked for. */
export interface WatchedMemories {
  /** How many of the names were looked up, from the first on: fewer than asked for if their rows exceed one read. */
  read: number;
  /** Those of them that are stored, by name. */
  memories: ReadonlyMap<string, WatchedMemory>;
}
