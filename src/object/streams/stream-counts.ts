/**
 * Counters of the streams of this isolate since it started, and whether there may be more. Plain
 * values, read without waiting.
 */

/** The counts of all streams together. */
export const streamCounts = {
  /** How many are open, by object; an object that has none is not in it. */
  open: new Map<string, number>(),
  /** Whether the server stops: then no stream opens any more. */
  isStopping: false,
  /** Frames that took effect. */
  taken: 0,
  /** Frames that had come before and had no effect. */
  redelivered: 0,
  /** Messages that were refused, and had no effect. */
  refused: 0,
  /** Events sent to subscribers. */
  events: 0,
};

/**
 * workerd reads from 16 sockets at a time: this few streams, with as many requests, leave room for a socket
 * that it has not read yet.
 */
const FEW_STREAMS = 8;

/** Makes the runtime read everything that has arrived. The gateway has it. */
export interface Arrivals {
  /** How many requests have come, without the messages of streams. */
  readonly requests: number;
  /** Counts a message. @returns whether to {@link look} */
  come(): boolean;
  /** Waits until everything is read. @returns the number of the look */
  look(): Promise<number>;
}

/** Whether enough streams are open that busy ones may keep the runtime from reading the others. */
export function hideOthers(): boolean {
  let open = 0;
  for (const count of streamCounts.open.values()) {
    open += count;
    if (open > FEW_STREAMS) return true;
  }
  return false;
}
