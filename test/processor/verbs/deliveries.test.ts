/** Deliveries: what a sender may repeat is taken once, in each memory for itself. */

import { expect, test } from "vitest";
import { FEW_SOURCES, KEPT_SOURCES } from "../../../src/processor/ports/store";
import type { Processor } from "../../../src/processor/processor";
import { gdfOf } from "../../support/processor/calls";
import { Clocked } from "../../support/processor/clocked";
import { memoryReadingsOf } from "../../support/processor/readings";

/** Observes a record as the delivery of a source. @returns whether it was taken */
function take(processor: Processor, source: string, number: number, path: readonly string[] = []): boolean {
  return !processor.memory.observe(gdfOf({ strings: ["a"] }), path, { source, number }).redelivered;
}

function takeMany(processor: Processor, source: string, number: number, learn = false) {
  const sequence = [gdfOf({ strings: ["a"] }), gdfOf({ strings: ["b"] })];
  return processor.memory.observeSequence({ sequence, learn, clear: false, delivery: { source, number } });
}

test("a delivery is taken once, with gaps, and never after a later one", () => {
  const { processor } = new Clocked();
  expect([1, 1, 5, 4, 5, 6].map((number) => take(processor, "device", number))).toEqual([
    true,
    false,
    true,
    false,
    false,
    true,
  ]);
  expect(processor.time).toBe(3);
});

test("one that came before changes nothing", () => {
  const clocked = new Clocked();
  take(clocked.processor, "device", 3);
  const { changes } = clocked.store;
  const before = memoryReadingsOf(clocked.processor);
  take(clocked.processor, "device", 3);
  expect(takeMany(clocked.processor, "device", 2, true)).toEqual({
    observed: [
      { awake: true, autoLearnedModel: "", predictionMade: false, uniqueId: expect.any(String) },
      { awake: true, autoLearnedModel: "", predictionMade: false, uniqueId: expect.any(String) },
    ],
    learnedModel: "",
    omitted: { prediction: 0, autolearn: 0, manipulatives: 0 },
    redelivered: true,
  });
  expect(memoryReadingsOf(clocked.processor)).toEqual(before);
  expect(clocked.store.changes).toBe(changes);
});

test("numbers are one sequence for single records and for sequences", () => {
  const { processor } = new Clocked();
  expect(takeMany(processor, "device", 2).redelivered).toBe(false);
  expect(take(processor, "device", 2)).toBe(false);
  expect(take(processor, "device", 3)).toBe(true);
  expect(takeMany(processor, "device", 3).redelivered).toBe(true);
  expect(processor.time).toBe(3);
});

test("each memory has numbers of its own, which end with a session and outlive clear-all-memory in the processor's own", () => {
  const { processor } = new Clocked();
  for (const session of ["", "s", "t"]) expect(take(processor.in(session), "device", 7)).toBe(true);
  processor.memory.endSession("s");
  expect(["", "s", "t"].map((session) => take(processor.in(session), "device", 7))).toEqual([false, true, false]);
  processor.memory.clearAllMemory(false);
  expect(["", "s", "t"].map((session) => take(processor.in(session), "device", 7))).toEqual([false, true, true]);
});

test("a client's numbers are not another processor's of the same name", () => {
  const { processor } = new Clocked();
  expect(take(processor, "same", 9)).toBe(true);
  expect(take(processor, "same", 2, ["P0-p0-process"])).toBe(true);
  expect(take(processor, "same", 2, ["P0-p0-process"])).toBe(false);
  expect(take(processor, "same", 3)).toBe(false);
});

test("a refused one is not taken, one that is ignored asleep is", () => {
  const { processor } = new Clocked();
  expect(() => processor.memory.observe(gdfOf({ vectors: [[]] }), [], { source: "device", number: 1 })).toThrow(
    "at least one component",
  );
  expect(take(processor, "device", 1)).toBe(true);
  processor.modes.setSleeping(true);
  expect(take(processor, "device", 2)).toBe(true);
  expect(takeMany(processor, "device", 3)).toMatchObject({ redelivered: false, observed: [{ awake: false }, {}] });
  processor.modes.setSleeping(false);
  expect(take(processor, "device", 2)).toBe(false);
  expect(take(processor, "device", 3)).toBe(false);
  expect(processor.time).toBe(1);
});

test("few sources cost no record of their own, and more are kept until as many others were heard", () => {
  const clocked = new Clocked();
  const names = Array.from({ length: FEW_SOURCES + 3 }, (_, at) => `device-${at}`);
  for (const name of names.slice(0, FEW_SOURCES)) take(clocked.in("s"), name, 1);
  expect(new Set(clocked.store.recorded)).toEqual(new Set(["memory"]));
  for (const name of names) take(clocked.in("s"), name, 2);
  expect(clocked.store.recorded.filter((kind) => kind === "source-kept").length).toBe(3);
  for (const reopens of [false, true]) {
    if (reopens) clocked.reopen();
    for (const name of names) expect(take(clocked.in("s"), name, 2)).toBe(false);
  }
  expect(take(clocked.in("s"), "device-0", 3)).toBe(true);
  clocked.reopen();
  for (const name of names.slice(1)) expect(take(clocked.in("s"), name, 2)).toBe(false);
  expect(take(clocked.in("s"), "device-0", 3)).toBe(false);
  expect(take(clocked.in("t"), "device-0", 1)).toBe(true);
});

test("the numbers of the sources heard last are kept, those of others are forgotten", () => {
  const clocked = new Clocked();
  const change = { kind: "source-kept", session: "", sender: "client", number: 5 } as const;
  for (let at = 0; at <= KEPT_SOURCES; at++) clocked.store.record({ ...change, source: `device-${at}` });
  take(clocked.processor, "other", 1);
  expect(take(clocked.processor, "device-1", 5)).toBe(false);
  expect(take(clocked.processor, "device-0", 5)).toBe(true);
});

test.each([
  [{ source: "", number: 1 }, "the source of a delivery must be a name of 1 to 128 bytes of UTF-8"],
  [{ source: "\ud800", number: 1 }, "the source of a delivery must be a name of 1 to 128 bytes of UTF-8"],
  [{ source: "..", number: 1 }, "the source of a delivery must be a name of 1 to 128 bytes of UTF-8"],
  [{ source: "a\nb", number: 1 }, "the source of a delivery must be a name of 1 to 128 bytes of UTF-8"],
  [{ source: "\u00e9".repeat(65), number: 1 }, "the source of a delivery must be a name of 1 to 128 bytes of UTF-8"],
  [{ source: "d", number: 0 }, "must be a whole number of 1 or more, got 0"],
  [{ source: "d", number: 1.5 }, "must be a whole number of 1 or more, got 1.5"],
  [{ source: "d", number: 2 ** 53 }, "must be a whole number of 1 or more, got 9007199254740992"],
])("%j is refused, and nothing changes", (delivery, sentence) => {
  const { processor, store } = new Clocked();
  // From a client, and from another processor.
  for (const path of [[], ["P2-p2-process"]]) {
    expect(() => processor.memory.observe(gdfOf({ strings: ["a"] }), path, delivery)).toThrow(sentence);
  }
  const request = { sequence: [gdfOf({ strings: ["a"] })], learn: true, clear: true, delivery };
  expect(() => processor.memory.observeSequence(request)).toThrow(sentence);
  expect(store.changes).toBe(0);
});
