/**
 * Decides when to let the runtime read what has arrived, because the messages of many streams can keep it from other
 * sockets.
 */

import { streamCounts } from "../counts/counts";

/**
 * workerd reads from 16 sockets at a time: this many streams, with as many requests, leave room for a socket that it
 * has not read yet.
 */
const FEW_STREAMS = 8;

/** Makes the runtime read everything that has arrived. Implemented by the gateway. */
export interface Arrivals {
  /** Number of requests so far, without the messages of streams. */
  readonly requests: number;
  /** Counts a message. @returns whether to {@link look} now */
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
