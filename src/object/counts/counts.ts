/**
 * What the objects of this isolate have counted since it started. Plain values, read without waiting.
 */

import { billed } from "../../store/database/database";

/** The alerts of all processors together. */
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

/** The outboxes of all processors together. */
export const outboxes = {
  /** Events recorded for other processors. */
  recorded: 0,
  /** Events that have left an outbox: their targets have them, or never can. */
  delivered: 0,
  /** Attempts to deliver that failed. */
  failures: 0,
  /** Deliveries that had come before and had no effect. */
  redeliveries: 0,
  /** How many events wait for another attempt, by object; an object where none waits is not in it. */
  waiting: new Map<string, number>(),
};

/** The streams of all processors together, and whether there may be more. */
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

/** The MQTT connections of all agents together. What they carry counts as frames and events of streams. */
export const mqttCounts = {
  /** How many are open, by object; an object that has none is not in it. */
  open: new Map<string, number>(),
};

/** What calls of one kind have cost. */
interface CallCount {
  /** How many there were, refused ones too. */
  calls: number;
  /** Rows inserted, changed or deleted, with the entries of indexes. */
  rows: number;
}

/**
 * By kind: service and method, such as `MemoryService/Observe`, or `frame` for a frame of a stream. A kind that
 * never came is not in it.
 */
export const callCounts = new Map<string, CallCount>();

/**
 * Counts a call that is done in several pieces.
 *
 * @param kind what it is, as in {@link callCounts}; empty for work that no call has asked for
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
 * @param kind what it is, as in {@link callCounts}
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
