/**
 * What the streams of this isolate have carried since it started, and whether there may be more. Plain
 * values, which nobody waits for.
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
  /** Events that were told to those who subscribed. */
  events: 0,
};

/**
 * workerd reads from 16 sockets at a time: so few streams, with as many requests, leave room for a socket
 * that it has not looked at.
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

/** Whether so many streams are open that busy ones may keep the runtime from reading what others send. */
export function hideOthers(): boolean {
  let open = 0;
  for (const count of streamCounts.open.values()) {
    open += count;
    if (open > FEW_STREAMS) return true;
  }
  return false;
}
