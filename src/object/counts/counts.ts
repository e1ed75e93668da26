/** Counters of this isolate's objects since it started. Plain values that can be read without waiting. */

import { billed } from "../../store/database/database";

/** The alerts of all processors together. */
export const alertCounts = {
  /** Notices of alerts; several may go out as one delivery. */
  told: 0,
  /** Successful deliveries. */
  delivered: 0,
  /** Failed attempts. */
  failures: 0,
  /** Deliveries given up after a day, or dropped because too many were waiting. */
  dropped: 0,
  /** Number of waiting deliveries by object, without objects that have none. */
  waiting: new Map<string, number>(),
};

/** The outboxes of all processors together. */
export const outboxes = {
  /** Events recorded for other processors. */
  recorded: 0,
  /** Events that have left an outbox: their target has them, or can never get them. */
  delivered: 0,
  /** Failed attempts. */
  failures: 0,
  /** Repeated deliveries, which had no effect. */
  redeliveries: 0,
  /** Number of events waiting for another attempt, by object, without objects that have none. */
  waiting: new Map<string, number>(),
};

/** The streams of all processors together, and whether new ones may open. */
export const streamCounts = {
  /** Number of open streams by object, without objects that have none. */
  open: new Map<string, number>(),
  /** Whether the server is stopping: then no stream may open any more. */
  isStopping: false,
  /** Frames that took effect. */
  taken: 0,
  /** Repeated frames, which had no effect. */
  redelivered: 0,
  /** Refused messages, which had no effect. */
  refused: 0,
  /** Events sent to subscribers. */
  events: 0,
};

/** The MQTT connections of all agents together. Their messages count as frames and events of streams. */
export const mqttCounts = {
  /** Number of open connections by object, without objects that have none. */
  open: new Map<string, number>(),
};

/** The cost of calls of one kind. */
interface CallCount {
  /** Number of calls, including refused ones. */
  calls: number;
  /** Rows inserted, changed or deleted, including index entries. */
  rows: number;
}

/**
 * By kind: service and method, such as `MemoryService/Observe`, or `frame` for a frame of a stream. Kinds that never
 * occurred are absent.
 */
export const callCounts = new Map<string, CallCount>();

/**
 * Counts a call that runs in several pieces.
 *
 * @param kind as in {@link callCounts}; empty for work without a call
 * @returns runs a piece of it, and passes on what that returns or throws
 */
export function countedInPieces(kind: string): <Reply>(piece: () => Reply) => Reply {
  let count = callCounts.get(kind);
  if (kind !== "" && count === undefined) {
    count = { calls: 0, rows: 0 };
    callCounts.set(kind, count);
  }
  if (kind !== "" && count !== undefined) count.calls++;
  return (piece) => {
    const before = billed.rows;
    try {
      return piece();
    } finally {
      if (count !== undefined) count.rows += billed.rows - before;
    }
  };
}

/**
 * Runs a call and counts it.
 *
 * @param kind as in {@link callCounts}
 * @returns what the call returns; passes on what it throws
 */
export function counted<Reply>(kind: string, call: () => Reply): Reply {
  const before = billed.rows;
  try {
    return call();
  } finally {
    const count = callCounts.get(kind);
    const rows = billed.rows - before;
    if (count === undefined) callCounts.set(kind, { calls: 1, rows });
    else {
      count.calls++;
      count.rows += rows;
    }
  }
}
