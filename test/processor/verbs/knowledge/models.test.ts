import { describe, expect, test, vi } from "vitest";
import { MAX_RUNS } from "../../../../src/processor/knowledge/model-times";
import type { Processor } from "../../../../src/processor/processor";
import { MemoryStore } from "../../../support/memory-store";
import { openProcessor } from "../../../support/open-processor";
import { gdfOf } from "../../../support/processor/calls";
import { membersOf, type SentModel } from "../../../support/processor/message-form";
import { add, byAge, recordOf } from "../../../support/processor/model-calls";
import { readingsOf, recount } from "../../../support/processor/readings";

function update(processor: Processor, name: string, sent: SentModel): string {
  return processor.knowledge.updateModel({ name, ...membersOf(sent) }).name;
}

describe("a model that is learned again at once", () => {
  /** A processor that has learned `a, b` with an emotive, and counts how often models are read by name. */
  function steady() {
    const store = new MemoryStore();
    const processor = openProcessor(store);
    const reads = vi.spyOn(store.knowledge, "modelByName");
    const learn = (...symbols: string[]) => {
      for (const symbol of symbols) processor.memory.observe(gdfOf({ strings: [symbol], emotives: { e: 1 } }), []);
      return processor.memory.learn().model;
    };
    return { store, processor, reads, learn, name: learn("a", "b") };
  }

  test("is not read, and grows as one that is", () => {
    const { store, processor, reads, learn, name } = steady();
    reads.mockClear();
    for (let again = 0; again < 3; again++) expect(learn("a", "b")).toBe(name);
    expect(reads).not.toHaveBeenCalled();
    expect(recordOf(processor, name)).toMatchObject({ frequency: 4, emotives: { e: [2, 2, 2, 2] } });
    expect(recordOf(openProcessor(store), name)).toEqual(recordOf(processor, name));
  });

  test.each<[string, (processor: Processor, name: string) => unknown, number]>([
    ["changed", (processor, name) => update(processor, name, { frequency: 7 }), 8],
    ["deleted", (processor, name) => processor.knowledge.deleteModel(name), 1],
    ["cleared with all others", (processor) => processor.memory.clearAllMemory(false), 1],
    ["joined by another", (processor) => add(processor, { sequence: [["a"], ["b"]], frequency: 2 }), 4],
    ["forgotten", (processor) => processor.knowledge.forgetModels({ frequencyBelow: 9, dryRun: false }), 1],
  ])("knows that it was %s meanwhile", (_, change, frequency) => {
    const { store, processor, learn, name } = steady();
    change(processor, name);
    expect(learn("a", "b")).toBe(name);
    expect(recordOf(processor, name)).toMatchObject({ frequency });
    expect(recordOf(openProcessor(store), name)).toEqual(recordOf(processor, name));
  });

  test("is not read with as many times as it may keep: the latest stay", () => {
    const { store, processor, reads, name } = steady();
    const learnAt = (time: number) => {
      for (const [at, symbol] of ["a", "b"].entries()) {
        processor.memory.observe({ ...gdfOf({ strings: [symbol] }), time: time + at }, []);
      }
      processor.memory.learn();
    };
    const begun = 2 ** 31;
    for (let again = 0; again < MAX_RUNS; again++) learnAt(begun + 2 * again);
    reads.mockClear();
    const last = begun + 2 * MAX_RUNS;
    learnAt(last);
    learnAt(last - 1);
    expect(reads).not.toHaveBeenCalled();
    const { times = new Float64Array(0) } = store.knowledge.modelByName(name) ?? {};
    const latest = [last - 4, last - 3, last - 2, last - 1, last - 1, last, last, last + 1];
    expect(Array.from(times.slice(-latest.length), (time) => time / 1000)).toEqual(latest);
    expect(times).toHaveLength(2 * MAX_RUNS);
  });

  test("is read when it is large", () => {
    const { reads, learn } = steady();
    const large = "x".repeat(3_000);
    learn(large, "b");
    reads.mockClear();
    learn(large, "b");
    expect(reads).toHaveBeenCalledTimes(1);
  });
});

describe("adding a model", () => {
  test("keeps the order of its symbols, pads metadata, cuts emotives to persistence", () => {
    const processor = openProcessor();
    const name = add(processor, {
      sequence: [["b", "a", "b"], ["c"]],
      frequency: 3,
      emotives: { u: [1, 2, 3, 4, 5, 6] },
      metadata: [{ k: 1 }],
    });
    expect(recordOf(processor, name)).toEqual({
      emotives: { u: [2, 3, 4, 5, 6] },
      frequency: 3,
      length: 4,
      metadata: [{ k: 1 }, {}],
      name,
      sequence: [["b", "a", "b"], ["c"]],
    });
    expect(processor.knowledge.getSymbol("b").symbol).toEqual({ name: "b", frequency: 6, modelMemberFrequency: 3 });
  });

  test("that is known adds to it", () => {
    const processor = openProcessor();
    const name = add(processor, { sequence: [["a"]], emotives: { u: [1] }, metadata: [{ first: 1 }] });
    expect(add(processor, { sequence: [["a"]], frequency: 4, emotives: { u: [2] }, metadata: [{}] })).toBe(name);
    expect(recordOf(processor, name)).toMatchObject({
      frequency: 5,
      emotives: { u: [1, 2] },
      metadata: [{ first: 1 }],
    });
  });

  test("stores its vector", () => {
    const processor = openProcessor();
    processor.knowledge.addModel({ ...membersOf({ sequence: [["a"]] }), vector: { components: [3, -4] } });
    const [vector] = processor.knowledge.exportKnowledge({ section: "vectors", after: "", revision: 0 }).vectors;
    expect(vector).toMatchObject({ components: [3, -4], length: 5 });
    expect(processor.knowledge.getVector(vector?.name ?? "")).toEqual({ vector });
    expect(processor.knowledge.getVector("none")).toEqual({});
    expect(processor.inspection.getStatus().status).toMatchObject({ vectors: 1, vectorDimensionality: 2 });
  });

  test.each([
    [{}, "the model: sequence must hold at least one event, got []"],
    [{ sequence: [] }, "the model: sequence must hold at least one event, got []"],
    [{ sequence: [["a"], []] }, "the model: sequence[1] must hold at least one symbol, got []"],
    [{ sequence: [["\udfff"]] }, "the model: a symbol of sequence[0] must be well-formed Unicode"],
    [{ sequence: [["a"]], frequency: 0 }, "the model: frequency must be a whole number of 1 or more, got 0"],
    [{ sequence: [["a"]], frequency: 1.5 }, "the model: frequency must be a whole number of 1 or more, got 1.5"],
    [
      { sequence: [["a"]], emotives: { u: [1, Number.NaN] } },
      'the model: emotives["u"] must hold finite numbers, got NaN',
    ],
    [{ sequence: [["a"]], metadata: [7] }, 'the model: metadata[0] must be a JSON object, got "7"'],
    [
      { sequence: [["a", "b"]], frequency: Number.MAX_SAFE_INTEGER },
      "the frequencies of all symbols must sum to at most 9007199254740991, got 18014398509481984",
    ],
  ])("%j is refused, and nothing changes", (sent, sentence) => {
    const store = new MemoryStore();
    const processor = openProcessor(store);
    add(processor, { sequence: [["a"]] });
    const before = readingsOf(processor);
    const recorded = store.recorded.length;
    expect(() => add(processor, sent as SentModel)).toThrow(sentence);
    expect(readingsOf(processor)).toEqual(before);
    expect(store.recorded.length).toBe(recorded);
  });

  test("a vector of another length is refused", () => {
    const processor = openProcessor();
    processor.memory.observe(gdfOf({ vectors: [[1, 2]] }), []);
    const model = membersOf({ sequence: [["a"]] });
    expect(() => processor.knowledge.addModel({ ...model, vector: { components: [1] } })).toThrow(
      "must have 2 components",
    );
    expect(processor.inspection.getStatus().status.models).toBe(0);
  });
});

describe("updating a model", () => {
  test("replaces what is set and keeps the rest, and its age", () => {
    const processor = openProcessor();
    const name = add(processor, { sequence: [["a"], ["b"]], emotives: { u: [1] }, metadata: [{ k: 1 }, { k: 2 }] });
    const newer = add(processor, { sequence: [["a"], ["c"]] });
    expect(update(processor, name, { frequency: 7 })).toBe(name);
    expect(recordOf(processor, name)).toMatchObject({
      frequency: 7,
      emotives: { u: [1] },
      metadata: [{ k: 1 }, { k: 2 }],
    });
    update(processor, name, { emotives: { v: [1, 2, 3, 4, 5, 6, 7] }, metadata: [{}, {}, { cut: 1 }] });
    expect(recordOf(processor, name)).toMatchObject({
      frequency: 7,
      emotives: { v: [3, 4, 5, 6, 7] },
      metadata: [{}, {}],
    });
    expect(processor.knowledge.getSymbol("a").symbol).toEqual({ name: "a", frequency: 8, modelMemberFrequency: 8 });
    expect(byAge(processor, "a")).toEqual([newer, name]);
  });

  test("a new sequence renames it and makes it the newest", () => {
    const processor = openProcessor();
    const name = add(processor, {
      sequence: [["a"], ["b"]],
      frequency: 2,
      emotives: { u: [1] },
      metadata: [{ k: 1 }, {}],
    });
    const newer = add(processor, { sequence: [["a"], ["c"]] });
    const renamed = update(processor, name, { sequence: [["a"], ["d"], ["d"]] });
    expect(recordOf(processor, name)).toEqual({});
    expect(recordOf(processor, renamed)).toMatchObject({
      frequency: 2,
      emotives: { u: [1] },
      metadata: [{ k: 1 }, {}, {}],
    });
    expect(processor.knowledge.getSymbol("b")).toEqual({});
    expect(processor.knowledge.getSymbol("d").symbol).toEqual({ name: "d", frequency: 4, modelMemberFrequency: 2 });
    expect(byAge(processor, "a")).toEqual([renamed, newer]);
  });

  test("with the sequence of another adds to that one, which keeps its age", () => {
    const processor = openProcessor();
    const target = add(processor, { sequence: [["a"]], frequency: 3, emotives: { u: [1] }, metadata: [{ first: 1 }] });
    const other = add(processor, { sequence: [["a"], ["c"]] });
    const moved = add(processor, { sequence: [["b"]], frequency: 2, emotives: { u: [5], v: [6] } });
    expect(update(processor, moved, { sequence: [["a"]] })).toBe(target);
    expect(recordOf(processor, target)).toMatchObject({
      frequency: 5,
      emotives: { u: [1, 5], v: [6] },
      metadata: [{ first: 1 }],
    });
    expect(byAge(processor, "a")).toEqual([other, target]);
    const again = add(processor, { sequence: [["b"]] });
    update(processor, again, { sequence: [["a"]], frequency: 4, emotives: { w: [9] }, metadata: [{ set: 1 }] });
    expect(recordOf(processor, target)).toMatchObject({ frequency: 9, emotives: { w: [9] }, metadata: [{ set: 1 }] });
  });

  test("that is not there changes nothing", () => {
    const store = new MemoryStore();
    const processor = openProcessor(store);
    expect(update(processor, "none", { frequency: 2 })).toBe("");
    expect(processor.knowledge.deleteModel("none")).toEqual({ deleted: false });
    expect(store.recorded).toEqual([]);
  });

  test("a wrong member is refused, and nothing changes", () => {
    const processor = openProcessor();
    const name = add(processor, { sequence: [["a"]] });
    const before = readingsOf(processor);
    expect(() => update(processor, name, { frequency: -1 })).toThrow(
      `model ${name}: frequency must be a whole number of 1 or more, got -1`,
    );
    expect(() => update(processor, name, { sequence: [] })).toThrow("sequence must hold at least one event");
    expect(readingsOf(processor)).toEqual(before);
  });
});

test("deleting a model subtracts its occurrences from the counters", () => {
  const processor = openProcessor();
  const name = add(processor, { sequence: [["a", "b"]], frequency: 3 });
  add(processor, { sequence: [["a"], ["c"]] });
  expect(processor.knowledge.deleteModel(name)).toEqual({ deleted: true });
  expect(processor.knowledge.getModel(name)).toEqual({});
  const page = processor.knowledge.exportKnowledge({ section: "symbols", after: "", revision: 0 });
  expect(page.symbols.map(({ name: symbol }) => symbol)).toEqual(["a", "c"]);
  expect(page.totals).toEqual(recount(processor).totals);
});
