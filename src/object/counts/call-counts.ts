/**
 * The cost of each kind of call to the processors of this isolate since it started. Plain
 * numbers, read without waiting.
 */

import { billed } from "../../store/database/database";

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
