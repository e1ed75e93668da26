/** The surprise of events in working memory: from the stream, and from the history of what came before it was open. */

import { expect, test } from "vitest";
import type { Schemas } from "../../src/client";
import { bitsInMemory } from "../../src/console/live/bits-in-memory";

const NONE: ReadonlyMap<number, number> = new Map();

/** Events in memory; those whose time is 0 were there before the stream was open. */
function held(...events: readonly (readonly [string, number?])[]) {
  return events.map(([symbol, time = 0], at) => ({ at, time, symbols: [symbol] }));
}

/** A history, newest first, of which the first event has the given time. */
function history(newest: number, ...events: readonly (readonly [string, number | null])[]): Schemas.HistoryEvent[] {
  return events.map(([symbol, bits], at) => ({
    bits,
    interval: newest - at,
    numbers: {},
    symbols: [symbol],
    time: 0,
  }));
}

test("events from before the stream have the bits of the history that ends like memory", () => {
  const kept = history(9, ["c", 3], ["b", null], ["a", 1], ["z", 7]);
  expect(bitsInMemory(held(["a"], ["b"], ["c"]), kept, NONE)).toEqual([1, undefined, 3]);
});

test("a history that is behind or ahead of memory is joined where both have the same events", () => {
  const behind = history(3, ["c", 3], ["b", 2], ["a", 1]);
  expect(bitsInMemory(held(["a"], ["b"], ["c"], ["d"]), behind, NONE)).toEqual([1, 2, 3, undefined]);
  const ahead = history(5, ["e", 5], ["d", 4], ["c", 3], ["b", 2]);
  expect(bitsInMemory(held(["b"], ["c"], ["d"]), ahead, NONE)).toEqual([2, 3, 4]);
});

test("what the stream has said wins, and equal events are told apart by their time", () => {
  const kept = history(7, ["a", 9], ["a", 8], ["a", 7]);
  const memory = held(["a"], ["a", 6], ["a", 7], ["a", 8]);
  expect(bitsInMemory(memory, kept, new Map([[8, 0.5]]))).toEqual([7, 8, 9, 0.5]);
});

test("nothing is guessed from another memory's past, or without a history", () => {
  expect(bitsInMemory(held(["a"], ["b"]), history(4, ["x", 5], ["y", 5]), NONE)).toEqual([undefined, undefined]);
  expect(bitsInMemory(held(["a"]), [], NONE)).toEqual([undefined]);
  expect(bitsInMemory([], history(4, ["x", 5]), NONE)).toEqual([]);
});
