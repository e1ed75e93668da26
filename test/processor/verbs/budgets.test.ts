/** Each verb refuses work beyond its budget by the budget's name, changes nothing then, and leaves a way out. */

import { describe, expect, test } from "vitest";
import type { Processor } from "../../../src/processor/processor";
import { MemoryStore } from "../../support/memory-store";
import { add, observe, open, sequence } from "../../support/processor/budgeted";
import { gdfOf } from "../../support/processor/calls";
import { processorTime } from "../../support/processor-time";

describe("working memory", () => {
  test("takes as many symbols as its budget, and no more", () => {
    const processor = open({ memorySymbols: 5 });
    observe(processor, ["a", "b", "c"]);
    expect(() => observe(processor, ["d", "e", "f"])).toThrow(
      "working memory may hold 5 symbols (NOEMA_MEMORY_SYMBOLS); it holds 3, and the event has 3",
    );
    expect(processor.time).toBe(1);
    observe(processor, ["d", "e"]);
    expect(() => sequence(processor, [["g"]], false)).toThrow("it holds 5, and the event has 1");
    expect(() => observe(processor, Array(6).fill("x"))).toThrow("a record may have at most 5 strings");
    processor.memory.learn();
    observe(processor, ["g"]);
  });

  test("opens when it is longer than its budget, and can be learned", () => {
    const store = new MemoryStore();
    observe(open({}, store), ["a", "b", "c"]);
    const processor = open({ memorySymbols: 2 }, store);
    expect(() => observe(processor, ["d"])).toThrow("NOEMA_MEMORY_SYMBOLS");
    expect(processor.memory.learn().model).not.toBe("");
  });
});

test("a sequence has as many records as its budget", () => {
  const processor = open({ sequenceRecords: 3 });
  expect(sequence(processor, [["a"], ["b"], ["c"]]).observed).toHaveLength(3);
  expect(() => sequence(processor, [["a"], ["b"], ["c"], ["d"]])).toThrow(
    "a sequence may have 3 records (NOEMA_SEQUENCE_RECORDS), got 4; send it in parts, and clear only with the first",
  );
});

describe("patterns", () => {
  const find = (processor: Processor, patterns: string[]) =>
    processor.knowledge.findModels({ symbols: [], patterns }).names;

  test("that are equal are one", () => {
    const processor = open();
    add(processor, ["abc"]);
    expect(find(processor, Array<string>(10_000).fill(".{0,1000}"))).toHaveLength(1);
  });

  test.each([
    [[".{0,1000}".repeat(200)], "must compile to at most 10000 instructions"],
    [Array.from({ length: 200 }, (_, count) => `.{0,1000}${count}`), "instructions"],
    [Array.from({ length: 257 }, (_, count) => `${count}`), "at most 256 are accepted, got 257"],
    [["a".repeat(10_001)], "at most 10000 are accepted, got 10001"],
  ])("beyond a budget are refused %#", (patterns, reason) => {
    const processor = open();
    add(processor, ["abc"]);
    const used = processorTime();
    expect(() => find(processor, patterns)).toThrow(reason);
    expect(() => processor.knowledge.removeSymbols({ symbols: [], patterns })).toThrow(reason);
    expect(used()).toBeLessThan(2_000);
  });

  test("are refused when there are too many symbols for them", () => {
    const processor = open({ patternSteps: 1000 });
    add(
      processor,
      Array.from({ length: 100 }, (_, count) => `symbol${count}`),
    );
    expect(() => find(processor, [".*1"])).toThrow(
      "to compare the patterns with all 100 known symbols, 790 characters, takes more than 1000 steps",
    );
  });

  test("find what each finds alone", () => {
    const processor = open();
    const models = Array.from({ length: 300 }, (_, at) => [
      [`a${at % 7}`, `b${at % 11}`],
      [`c${at % 5}`, `d${at}`],
    ]);
    for (const events of models) add(processor, ...events);
    const all = find(processor, ["d.*"]);
    expect(all).toHaveLength(300);
    const patterns = [
      "a[0-3]",
      "b1?[2-9]",
      "c.",
      "d.*[135]",
      ...Array.from({ length: 40 }, (_, at) => `[a-d]+\\d+|x${at}`),
    ];
    const together = find(processor, patterns);
    const alone = patterns.map((pattern) => new Set(find(processor, [pattern])));
    expect(together).toEqual(all.filter((name) => alone.every((names) => names.has(name))));
    expect(together.length).toBeGreaterThan(0);
    const held = processor.knowledge.findModels({ symbols: ["a1", "c2", "a1"], patterns: [] }).names;
    expect(held).toEqual(find(processor, ["a1", "c2"]));
    expect(held.length).toBeGreaterThan(0);
  });
});

test("lists of symbols end at their budget", () => {
  const processor = open();
  const symbols = Array.from({ length: 100_001 }, (_, count) => `s${count}`);
  for (const call of [
    () => processor.knowledge.findModels({ symbols, patterns: [] }),
    () => processor.knowledge.removeSymbols({ symbols, patterns: [] }),
    () => processor.knowledge.addBlacklistedSymbols(symbols),
    () => processor.knowledge.removeBlacklistedSymbols(symbols),
  ]) {
    expect(call).toThrow("a request may list 100000 symbols, got 100001");
  }
  const emotives = Object.fromEntries(symbols.slice(0, 10_001).map((name) => [name, 1]));
  expect(() => processor.memory.observe(gdfOf({ emotives }), [])).toThrow(
    "a record may have 10000 emotives, got 10001",
  );
});

describe("symbols are removed in parts", () => {
  const names = (processor: Processor) =>
    processor.knowledge.findModels({ symbols: [], patterns: ["[a-z]+\\d*"] }).names;

  function filled(): Processor {
    const processor = open();
    for (let at = 0; at < 1200; at++) add(processor, ["gone"], [`s${at}`, `t${at % 900}`]);
    return processor;
  }

  test("and between parts others change what they like", () => {
    const processor = filled();
    const removal = processor.knowledge.beginRemoval({ symbols: ["gone"], patterns: [] });
    processor.knowledge.removePart(removal);
    expect(removal.isDone).toBe(false);
    const before = processor.knowledge.findModels({ symbols: ["gone"], patterns: [] }).names;
    expect(before).toHaveLength(700);
    processor.knowledge.deleteModel(before[0] ?? "");
    add(processor, ["gone", "late"]);
    let parts = 1;
    for (; !removal.isDone; parts++) processor.knowledge.removePart(removal);
    expect(parts).toBe(3);
    expect(processor.knowledge.findModels({ symbols: ["gone"], patterns: [] }).names).toEqual([]);
    expect(processor.knowledge.findModels({ symbols: ["late"], patterns: [] }).names).toHaveLength(1);
    expect(removal.renames).toHaveLength(1200);
    expect(removal.renames.map(({ oldName }) => oldName)).not.toContain(before[0]);
    expect(new Set(removal.renames.map(({ newName }) => newName))).toEqual(new Set(names(processor)));
  });

  test("with the same end as at once", () => {
    const [once, parts] = [filled(), filled()];
    const { renames } = once.knowledge.removeSymbols({ symbols: ["gone"], patterns: [] });
    const removal = parts.knowledge.beginRemoval({ symbols: ["gone"], patterns: [] });
    while (!removal.isDone) parts.knowledge.removePart(removal);
    expect(removal.renames).toEqual(renames);
    expect(names(parts)).toEqual(names(once));
  });
});

test("a sequence that is too long for a model is refused before it is looked at", () => {
  const processor = open();
  const events = Array.from({ length: 125_001 }, () => ({ symbols: ["y"] }));
  expect(() => processor.knowledge.addModel({ sequence: { events } })).toThrow(
    "the model: a sequence may have 250000 symbols and events together, got 250002",
  );
});

describe("what is held for all memories", () => {
  test("the blacklist takes as many bytes as it may, and no more; it opens with more, and can be made shorter", () => {
    const store = new MemoryStore();
    const { knowledge, memory } = open({}, store);
    const large = "x".repeat(2_000_000 - 64);
    knowledge.addBlacklistedSymbols([large]);
    knowledge.addBlacklistedSymbols([large]);
    const refused =
      "the blacklist of a processor may take 4000000 bytes, with these symbols it takes 4000001: remove some";
    expect(() => knowledge.addBlacklistedSymbols([`${large}y`])).toThrow(refused);
    const removal = () => knowledge.removeSymbols({ symbols: [`${large}y`], patterns: [] });
    expect(() => removal()).toThrow(refused);
    knowledge.addBlacklistedSymbols([`${large.slice(1)}z`]);
    expect(() => knowledge.addBlacklistedSymbols(["a"])).toThrow("it takes 4000065");
    expect(observe(open({}, store), [large]).awake).toBe(true);
    store.record({ kind: "blacklist-added", symbols: ["stored", "by an earlier version"] });
    const later = open({}, store);
    expect(() => later.knowledge.addBlacklistedSymbols(["a"])).toThrow("remove some");
    expect(later.knowledge.removeBlacklistedSymbols([large])).toEqual({ unknown: [] });
    later.knowledge.addBlacklistedSymbols(["a"]);
    memory.clearAllMemory(false);
    expect(knowledge.listBlacklistedSymbols()).toEqual({ symbols: [] });
    knowledge.addBlacklistedSymbols([large]);
  });

  test("a processor that stores as much as it may observes nothing, in any memory, until something goes", () => {
    const processor = open({ storageBytes: 5_000_000 });
    const inSession = (at: number) => observe(processor.in(`s${at}`), ["x".repeat(100_000)]);
    const taken = Array.from({ length: 100 }, (_, at) => {
      try {
        return inSession(at).awake;
      } catch (error) {
        expect(String(error)).toMatch(
          /stores \d+ bytes, and from 5000000 on \(NOEMA_STORAGE_BYTES\) it observes nothing/,
        );
        return false;
      }
    });
    const count = taken.filter(Boolean).length;
    expect(count).toBeGreaterThan(20);
    expect(count).toBeLessThan(40);
    expect(taken.indexOf(false)).toBe(count);
    expect(() => observe(processor, ["a"])).toThrow("NOEMA_STORAGE_BYTES");
    for (let at = 0; at < 10; at++) processor.memory.endSession(`s${at}`);
    observe(processor, ["a"]);
  });

  test("known symbols have as many characters as they may, and no more; a model that goes makes room", () => {
    const processor = open();
    const [a, b, c] = ["a", "b", "c"].map((letter) => letter.repeat(11_184_810));
    add(processor, [a ?? ""]);
    add(processor, [b ?? ""]);
    const { name } = add(processor, [c ?? ""], ["d"]);
    expect(() => add(processor, ["ee"], ["d"])).toThrow(
      "the memory of this processor is used up: its known symbols may have 33554432 characters together, with these they have 33554433",
    );
    add(processor, ["e"], ["d"]);
    expect(() => add(processor, ["f"], ["d"])).toThrow("with these they have 33554433");
    add(processor, ["d"], ["e"]);
    processor.knowledge.deleteModel(name);
    add(processor, ["f"], ["d"]);
  });
});

describe("emotives that wait to be learned", () => {
  const named = (from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`e${from + at}`, 1]));

  test("have as many names as they may, and no more; learned or cleared, as many again", () => {
    const processor = open();
    const feel = (emotives: Record<string, number>) => processor.memory.observe(gdfOf({ emotives }), []);
    feel(named(0, 9_999));
    expect(() => feel({ ...named(0, 1), ...named(9_999, 10_001) })).toThrow(
      "the emotives that wait to be learned may have 10000 names, with this record they have 10001: learn or clear working memory",
    );
    feel(named(0, 10_000));
    feel(named(500, 600));
    processor.memory.learn();
    feel(named(20_000, 30_000));
    processor.memory.clearWorkingMemory();
    feel(named(30_000, 40_000));
  });

  test("are summed over a long sequence without a table of all of them for each record", () => {
    const processor = open();
    processor.memory.observe(gdfOf({ emotives: named(0, 10_000) }), []);
    const record = gdfOf({ emotives: { e5: 1, e9: 2 } });
    const took = processorTime();
    processor.memory.observeSequence({ sequence: Array(3_000).fill(record), learn: false, clear: false });
    expect(took()).toBeLessThan(1_500);
    observe(processor, ["a", "b"]);
    const { model } = processor.memory.learn();
    const { emotives = [] } = processor.knowledge.getModel(model).model ?? {};
    expect(emotives.slice(4, 10).map(({ values }) => values)).toEqual([[1], [3_001], [1], [1], [1], [6_001]]);
  });
});
