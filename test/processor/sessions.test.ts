/** Sessions come into being, last as long as they should, are listed and end, within their budgets. */

import { describe, expect, test, vi } from "vitest";
import { Fault } from "../../src/processor/ports/fault";
import { Processor } from "../../src/processor/processor";
import { gdfOf, geneChangesOf } from "../support/processor/calls";
import { Clocked } from "../support/processor/clocked";
import { eventsForm } from "../support/processor/message-form";

function observe(processor: Processor, ...strings: string[]) {
  return processor.memory.observe(gdfOf({ strings }), []);
}

function memoryOf(processor: Processor): string[][] {
  return eventsForm(processor.memory.getWorkingMemory().events);
}

function learn(processor: Processor, ...events: string[][]): string {
  for (const strings of events) observe(processor, ...strings);
  return processor.memory.learn().model;
}

function namesOf(processor: Processor): string[] {
  return processor.memory.listSessions("", 1_000).sessions.map(({ name }) => name);
}

describe("a session", () => {
  test("comes into being with the first call that changes something of it", () => {
    const { processor, store } = new Clocked();
    const { changes } = store;
    const view = () => processor.in("s");
    view().memory.getPredictions("");
    view().memory.getCognition();
    view().memory.learn();
    view().memory.clearWorkingMemory();
    view().modes.setTargetClass("");
    view().inspection.getStatus();
    expect(() => view().memory.observe(gdfOf({ vectors: [[]] }), [])).toThrow(Fault);
    expect(store.changes).toBe(changes);
    expect(namesOf(processor)).toEqual([]);
    view().modes.setTargetClass("t");
    expect(namesOf(processor)).toEqual(["s"]);
  });

  test("observes with one record", () => {
    const { processor, store } = new Clocked();
    learn(processor, ["a"], ["b"]);
    store.recorded.length = 0;
    observe(processor.in("s"), "a");
    observe(processor.in("s"), "b");
    const sequence = [gdfOf({ strings: ["a"] }), gdfOf({ vectors: [[1, 2]] })];
    processor.in("s").memory.observeSequence({ sequence, learn: false, clear: true });
    expect(store.recorded).toEqual(["memory", "memory", "memory"]);
  });

  test("learns with a record of the model, of what is shared and of its memory, and one more for new symbols", () => {
    const { processor, store } = new Clocked();
    observe(processor.in("s"), "a");
    observe(processor.in("s"), "b");
    store.recorded.length = 0;
    processor.in("s").memory.learn();
    expect(store.recorded).toEqual(["model-put", "symbols-added", "state", "memory"]);
    observe(processor.in("s"), "b");
    observe(processor.in("s"), "a");
    store.recorded.length = 0;
    processor.in("s").memory.learn();
    expect(store.recorded).toEqual(["model-put", "state", "memory"]);
  });

  test("ends, and what it learned stays", () => {
    const { processor } = new Clocked();
    learn(processor.in("s"), ["a"], ["b"]);
    observe(processor.in("s"), "a");
    processor.memory.endSession("s");
    processor.memory.endSession("s");
    processor.memory.endSession("never");
    expect(namesOf(processor)).toEqual([]);
    expect(memoryOf(processor.in("s"))).toEqual([]);
    expect(processor.in("s").time).toBe(0);
    expect(processor.in("s").inspection.getStatus().status).toMatchObject({ models: 1, lastLearnedModelName: "" });
  });

  test("keeps its own target class, and sleeping clears only the processor's own memory", () => {
    const { processor } = new Clocked();
    const model = learn(processor, ["a"], ["b"]);
    processor.in("s").modes.setTargetClass("unknown");
    for (const session of ["", "s", "t"]) observe(processor.in(session), "a");
    const predicted = (session: string) => processor.in(session).memory.getPredictions("").predictions.length;
    expect(["", "s", "t"].map(predicted)).toEqual([1, 0, 1]);
    processor.in("s").modes.setSleeping(true);
    expect(["", "s", "t"].map((session) => memoryOf(processor.in(session)).length)).toEqual([0, 1, 1]);
    expect(observe(processor.in("s"), "b").observed.awake).toBe(false);
    processor.modes.setSleeping(false);
    expect(processor.knowledge.getModel(model).model?.frequency).toBe(1);
  });

  test("is gone when all memory is cleared, whichever session clears it", () => {
    for (const by of ["", "s"]) {
      const { processor, store } = new Clocked();
      observe(processor.in("s"), "a");
      observe(processor.in("t"), "a");
      observe(processor, "a");
      processor.in(by).memory.clearAllMemory(false);
      expect(namesOf(processor)).toEqual([]);
      expect(["", "s", "t"].map((session) => memoryOf(processor.in(session)))).toEqual([[], [], []]);
      expect(store.recorded).toContain("sessions-ended");
    }
  });

  test("drops waiting vectors at a learn when they no longer fit what others have learned", () => {
    const { processor } = new Clocked();
    processor.in("s").memory.observe(gdfOf({ vectors: [[1, 2, 3]] }), []);
    observe(processor.in("s"), "x");
    processor.memory.observe(gdfOf({ vectors: [[1, 2]] }), []);
    observe(processor, "y");
    processor.memory.learn();
    expect(() => processor.in("s").memory.observe(gdfOf({ vectors: [[1, 2, 3]] }), [])).toThrow(
      "vectors must have 2 components",
    );
    processor.in("s").memory.observe(gdfOf({ vectors: [[5, 6]] }), []);
    expect(processor.in("s").memory.learn().model).not.toBe("");
    expect(processor.inspection.getStatus().status).toMatchObject({ vectors: 2, vectorDimensionality: 2, models: 2 });
  });
});

describe("the list of sessions", () => {
  test("is by name in the order of UTF-8 bytes, in pages", () => {
    const clocked = new Clocked();
    const names = ["b", "\uffee", "\u{1f600}", "a b", "a", "é", "%2e", "B"];
    for (const name of names) observe(clocked.in(name), "x", "y");
    const sorted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(namesOf(clocked.processor)).toEqual(sorted);
    const page = clocked.processor.memory.listSessions("a b", 3).sessions;
    expect(page.map(({ name }) => name)).toEqual(sorted.slice(sorted.indexOf("a b") + 1).slice(0, 3));
    expect(clocked.processor.memory.listSessions("\u{1f600}", 3).sessions).toEqual([]);
  });

  test("says what each remembers", () => {
    const clocked = new Clocked();
    observe(clocked.in("s"), "x", "y");
    observe(clocked.in("s"), "x");
    clocked.in("t").modes.setTargetClass("x");
    clocked.pass(1.5);
    observe(clocked.in("u"));
    expect(clocked.processor.memory.listSessions("", 10).sessions).toEqual([
      { name: "s", events: 2, symbols: 3, time: 2, lastObserved: 1_000_000_000 },
      { name: "t", events: 0, symbols: 0, time: 0 },
      { name: "u", events: 0, symbols: 0, time: 1, lastObserved: 1_000_000_001 },
    ]);
  });
});

describe("the gene session_ttl", () => {
  /** A processor whose sessions last ten seconds, with the session "s". */
  function withSession(sessionBytes = 8_000_000): Clocked {
    const clocked = new Clocked({ sessionBytes });
    clocked.processor.genes.change(geneChangesOf({ session_ttl: 10 }));
    observe(clocked.in("s"), "a");
    return clocked;
  }

  test.each([
    ["in memory", 8_000_000],
    ["in the store", 1],
  ])("ends a session %s that nothing has changed for that time, for every call", (_, sessionBytes) => {
    const clocked = withSession(sessionBytes);
    clocked.pass(9.999);
    clocked.in("other");
    expect(memoryOf(clocked.in("s"))).toEqual([["a"]]);
    clocked.pass(0.001);
    clocked.in("other");
    expect(namesOf(clocked.processor)).toEqual([]);
    expect(memoryOf(clocked.in("s"))).toEqual([]);
    expect(clocked.in("s").memory.getPercept()).toEqual({ path: [] });
    observe(clocked.in("s"), "b");
    expect(memoryOf(clocked.in("s"))).toEqual([["b"]]);
    expect(clocked.in("s").time).toBe(1);
    clocked.reopen();
    expect(memoryOf(clocked.in("s"))).toEqual([["b"]]);
    expect(namesOf(clocked.processor)).toEqual(["s"]);
  });

  test("counts from the last change, not from the last look", () => {
    const clocked = withSession();
    clocked.pass(6);
    observe(clocked.in("s"), "b");
    clocked.pass(6);
    clocked.in("s").memory.getPredictions("");
    expect(memoryOf(clocked.in("s"))).toEqual([["a"], ["b"]]);
    clocked.pass(4);
    expect(memoryOf(clocked.in("s"))).toEqual([]);
  });

  test("ends nothing when it is 0, and never the processor's own memory", () => {
    const clocked = withSession();
    observe(clocked.processor, "own");
    clocked.pass(100);
    expect(memoryOf(clocked.processor)).toEqual([["own"]]);
    clocked.processor.genes.change(geneChangesOf({ session_ttl: 0 }));
    expect(memoryOf(clocked.in("s"))).toEqual([["a"]]);
    expect(Processor.nextSessionEnd(clocked.store, clocked.now)).toBe(undefined);
    expect(clocked.processor.endSessionsOver(10)).toBe(0);
  });

  test("when it grows, a session that is not deleted yet is there again for every call", () => {
    const clocked = withSession();
    clocked.pass(10);
    expect([memoryOf(clocked.in("s")), namesOf(clocked.processor)]).toEqual([[], []]);
    clocked.processor.genes.change(geneChangesOf({ session_ttl: 20 }));
    expect([memoryOf(clocked.in("s")), namesOf(clocked.processor)]).toEqual([[["a"]], ["s"]]);
    observe(clocked.in("s"), "b");
    expect(memoryOf(clocked.in("s"))).toEqual([["a"], ["b"]]);
  });

  test("says when the next one ends, and deletes those whose time is up", () => {
    const clocked = withSession();
    const start = clocked.now;
    clocked.pass(5);
    observe(clocked.in("t"), "a");
    expect(Processor.nextSessionEnd(clocked.store, clocked.now)).toBe(start + 10_000);
    expect(clocked.processor.endSessionsOver(10)).toBe(0);
    clocked.pass(5);
    expect(clocked.processor.endSessionsOver(10)).toBe(1);
    expect(clocked.store.memories.sessionCount()).toBe(1);
    expect(Processor.nextSessionEnd(clocked.store, clocked.now)).toBe(start + 15_000);
    clocked.processor.genes.change(geneChangesOf({ session_ttl: 1_000 }));
    expect(memoryOf(clocked.in("s"))).toEqual([]);
    expect(memoryOf(clocked.in("t"))).toEqual([["a"]]);
  });

  test("is listed only where it differs from its default", () => {
    const { processor } = new Clocked();
    const listed = () => processor.genes.get("").genes.filter(({ name }) => name === "session_ttl");
    expect(listed()).toEqual([]);
    expect(processor.genes.get("session_ttl").genes[0]?.text).toBe("604800");
    processor.genes.change(geneChangesOf({ session_ttl: 60 }));
    expect(listed()).toMatchObject([{ value: { value: { value: 60 } }, tuned: true }]);
    expect(processor.genes.change(geneChangesOf({ session_ttl: 0.5 })).refusal).toBe(
      "session_ttl must be a whole number of 0 or more, got 0.5",
    );
  });
});

describe("the budget NOEMA_SESSIONS", () => {
  test("refuses one more, and changes nothing", () => {
    const clocked = new Clocked({ sessions: 2 });
    for (const name of ["a", "b"]) observe(clocked.in(name), "x");
    const { changes } = clocked.store;
    const refusal = { kind: "over-limit", message: expect.stringContaining("this processor has 2 sessions") };
    expect(() => observe(clocked.in("c"), "x")).toThrow(expect.objectContaining(refusal));
    expect(() => clocked.in("c").modes.setTargetClass("x")).toThrow(expect.objectContaining(refusal));
    expect(clocked.store.changes).toBe(changes);
    expect(memoryOf(clocked.in("c"))).toEqual([]);
    observe(clocked.in("a"), "y");
    observe(clocked.processor, "y");
    clocked.processor.memory.endSession("b");
    observe(clocked.in("c"), "x");
    expect(namesOf(clocked.processor)).toEqual(["a", "c"]);
    expect(() => observe(clocked.in("b"), "x")).toThrow(Fault);
  });

  test("looks for sessions whose time is up when it can be up, not at each refusal", () => {
    const clocked = new Clocked({ sessions: 2 });
    const looked = vi.spyOn(clocked.store.memories, "unchangedSince");
    clocked.processor.genes.change(geneChangesOf({ session_ttl: 10 }));
    for (const name of ["a", "b"]) observe(clocked.in(name), "x");
    const refusedTenTimes = () => {
      for (let at = 0; at < 10; at++) expect(() => observe(clocked.in(`c${at}`), "x")).toThrow(Fault);
      return looked.mock.calls.length;
    };
    expect(refusedTenTimes()).toBe(1);
    clocked.pass(5);
    expect(refusedTenTimes()).toBe(1);
    clocked.processor.genes.change(geneChangesOf({ session_ttl: 20 }));
    expect(refusedTenTimes()).toBe(2);
    clocked.pass(15);
    observe(clocked.in("c"), "x");
    expect(namesOf(clocked.processor)).toEqual(["c"]);
  });

  test("does not count sessions whose time is up", () => {
    const clocked = new Clocked({ sessions: 2 });
    clocked.processor.genes.change(geneChangesOf({ session_ttl: 10 }));
    for (const name of ["a", "b"]) observe(clocked.in(name), "x");
    clocked.pass(10);
    for (const name of ["c", "a"]) observe(clocked.in(name), "x");
    expect(namesOf(clocked.processor)).toEqual(["a", "c"]);
    expect(clocked.store.memories.sessionCount()).toBe(2);
  });
});

describe("the budget NOEMA_SESSION_BYTES", () => {
  test("keeps memory flat, with those in it that were used last", () => {
    const clocked = new Clocked({ sessionBytes: 100_000 });
    const heap: number[] = [];
    for (let at = 0; at < 2_000; at++) {
      observe(clocked.in(`session-${at % 500}`), `symbol-${at}`, "b");
      heap.push(clocked.processor.heapBytes);
    }
    const idle = new Clocked().processor.heapBytes;
    expect(Math.max(...heap)).toBeLessThan(idle + 100_000 + 10_000);
    const { reads } = clocked.store;
    clocked.in("session-499").memory.getWorkingMemory();
    clocked.in("session-498").memory.getWorkingMemory();
    expect(clocked.store.reads).toBe(reads);
    expect(memoryOf(clocked.in("session-0"))).toEqual([0, 500, 1000, 1500].map((at) => ["b", `symbol-${at}`]));
    expect(clocked.store.reads).toBe(reads + 1);
    expect(clocked.store.memories.sessionCount()).toBe(500);
  });

  test("lets predictions go before sessions", () => {
    const clocked = new Clocked({ sessionBytes: 20_000 });
    for (let at = 0; at < 10; at++) learn(clocked.processor, ["a"], [`b${at}`]);
    for (const name of ["s", "t", "u"]) {
      observe(clocked.in(name), "a");
      expect(clocked.in(name).memory.getPredictions("").predictions).toHaveLength(10);
    }
    const { reads } = clocked.store;
    expect(memoryOf(clocked.in("s"))).toEqual([["a"]]);
    expect(clocked.store.reads).toBe(reads);
    expect(clocked.in("s").memory.getPredictions("").predictions).toHaveLength(10);
  });

  test("does not take the session in use out of memory, however large it is", () => {
    const clocked = new Clocked({ sessionBytes: 1 });
    observe(clocked.in("s"), "a");
    const { reads } = clocked.store;
    for (let at = 0; at < 10; at++) observe(clocked.in("s"), "a");
    expect(clocked.store.reads).toBe(reads);
  });
});

describe("a clock that jumps", () => {
  const DAY_S = 86_400;

  /** A processor whose sessions last 60 s and are at most two; both have changed while the clock was ahead, by this many seconds. */
  function ahead(seconds: number): Clocked {
    const clocked = new Clocked({ sessions: 2 });
    clocked.processor.genes.change(geneChangesOf({ session_ttl: 60 }));
    clocked.pass(seconds);
    for (const name of ["s", "t"]) observe(clocked.in(name), "a");
    expect(clocked.processor.endSessionsOver(10)).toBe(0);
    clocked.pass(-seconds);
    return clocked;
  }

  test.each([DAY_S, 3_650 * DAY_S])("by %d s and back lets a session last no longer than from now", (seconds) => {
    const clocked = ahead(seconds);
    // It is looked after at once, and not when the clock is there again.
    expect(Processor.nextSessionEnd(clocked.store, clocked.now)).toBe(clocked.now);
    expect(clocked.processor.endSessionsOver(10)).toBe(0);
    expect(memoryOf(clocked.in("s"))).toEqual([["a"]]);
    clocked.pass(59);
    expect(memoryOf(clocked.in("s"))).toEqual([["a"]]);
    clocked.pass(1);
    expect(memoryOf(clocked.in("s"))).toEqual([]);
    expect(clocked.processor.endSessionsOver(10)).toBe(2);
  });

  test.each([DAY_S, 3_650 * DAY_S])("by %d s and back keeps no new session out for longer", (seconds) => {
    const clocked = ahead(seconds);
    expect(() => observe(clocked.in("u"), "a")).toThrow("2 sessions");
    clocked.pass(60);
    observe(clocked.in("u"), "a");
    expect(namesOf(clocked.processor)).toEqual(["u"]);
  });

  test("a second back changes nothing", () => {
    const clocked = ahead(1);
    clocked.store.recorded.length = 0;
    expect(clocked.processor.endSessionsOver(10)).toBe(0);
    expect(clocked.store.recorded).toEqual([]);
  });
});
