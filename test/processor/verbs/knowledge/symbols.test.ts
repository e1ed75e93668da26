import { describe, expect, test } from "vitest";
import { openProcessor } from "../../../support/open-processor";
import { add, byAge, recordOf } from "../../../support/processor/model-calls";
import { readingsOf } from "../../../support/processor/readings";

describe("removing symbols", () => {
  test("rebuilds, renames, merges and deletes models, the metadata with the events", () => {
    const processor = openProcessor();
    const merged = add(processor, { sequence: [["a"], ["x"]], frequency: 2, emotives: { u: [1, 2] } });
    const target = add(processor, { sequence: [["a"]], frequency: 3, emotives: { u: [7] }, metadata: [{ t: 1 }] });
    const untouched = add(processor, { sequence: [["a"], ["b"]] });
    const shortened = add(processor, {
      sequence: [["x"], ["a", "x"], ["c"]],
      metadata: [{ n: 1 }, { n: 2 }, { n: 3 }],
    });
    const gone = add(processor, { sequence: [["x"], ["x", "x"]] });
    const { renames } = processor.knowledge.removeSymbols({ symbols: ["x", "never seen"], patterns: [] });
    const renamed = renames.find(({ oldName }) => oldName === shortened)?.newName ?? "";
    expect(renames).toEqual(
      [
        { oldName: merged, newName: target },
        { oldName: shortened, newName: renamed },
        { oldName: gone, newName: "" },
      ].sort((a, b) => (a.oldName < b.oldName ? -1 : 1)),
    );
    expect(recordOf(processor, target)).toMatchObject({
      frequency: 5,
      emotives: { u: [7, 1, 2] },
      metadata: [{ t: 1 }],
    });
    expect(recordOf(processor, renamed)).toMatchObject({ sequence: [["a"], ["c"]], metadata: [{ n: 2 }, { n: 3 }] });
    expect(processor.knowledge.getSymbol("x")).toEqual({});
    expect(processor.knowledge.listBlacklistedSymbols()).toEqual({ symbols: ["x", "never seen"] });
    expect(byAge(processor, "a")).toEqual([renamed, untouched, target]);
  });

  test("cuts emotives to the persistence of now, of models that it renames and of those that it merges", () => {
    const processor = openProcessor();
    const many = { joy: [1, 2, 3, 4, 5], sorrow: [6, 7, 8] };
    const renamed = add(processor, { sequence: [["a"], ["x"], ["b"]], emotives: many });
    const target = add(processor, { sequence: [["a"]], emotives: { ...many, calm: [0, 1] } });
    add(processor, { sequence: [["a"], ["x"]], emotives: { joy: [9] } });
    processor.genes.change([{ name: "persistence", value: { value: { case: "number", value: 2 } } }]);
    const { renames } = processor.knowledge.removeSymbols({ symbols: ["x"], patterns: [] });
    const after = renames.find(({ oldName }) => oldName === renamed)?.newName ?? "";
    expect(recordOf(processor, after)).toMatchObject({ emotives: { joy: [4, 5], sorrow: [7, 8] } });
    expect(recordOf(processor, target)).toMatchObject({
      frequency: 2,
      emotives: { joy: [5, 9], sorrow: [7, 8], calm: [0, 1] },
    });
  });

  test("by pattern does not blacklist", () => {
    const processor = openProcessor();
    add(processor, { sequence: [["ab", "b"], ["aab"]] });
    expect(processor.knowledge.removeSymbols({ symbols: [], patterns: ["a+b"] }).renames.length).toBe(1);
    expect(processor.knowledge.findModels({ symbols: [], patterns: [".*"] }).names.length).toBe(1);
    expect(processor.knowledge.findModels({ symbols: ["ab"], patterns: [] }).names).toEqual([]);
    expect(processor.knowledge.listBlacklistedSymbols()).toEqual({ symbols: [] });
  });

  test("with a wrong pattern changes nothing", () => {
    const processor = openProcessor();
    add(processor, { sequence: [["a"]] });
    const before = readingsOf(processor);
    expect(() => processor.knowledge.removeSymbols({ symbols: [], patterns: ["a", "("] })).toThrow(
      'the pattern "(" must be',
    );
    expect(readingsOf(processor)).toEqual(before);
  });
});

test("finds the models that hold all symbols, or a match of each pattern", () => {
  const processor = openProcessor();
  const one = add(processor, { sequence: [["a"], ["b"]] });
  const two = add(processor, { sequence: [["a", "c"]] });
  const find = (symbols: string[], patterns: string[] = []) =>
    processor.knowledge.findModels({ symbols, patterns }).names;
  expect(find(["a"])).toEqual([one, two].sort());
  expect(find(["b", "a"])).toEqual([one]);
  expect(find(["a", "nowhere"])).toEqual([]);
  expect(find([])).toEqual([]);
  expect(find([], ["[bc]"])).toEqual([one, two].sort());
  expect(find([], ["[bc]", "c|d"])).toEqual([two]);
});

test("blacklisted symbols are listed in the order of adding, each once", () => {
  const processor = openProcessor();
  processor.knowledge.addBlacklistedSymbols(["b", "a", "b"]);
  processor.knowledge.addBlacklistedSymbols(["c", "a"]);
  expect(processor.knowledge.listBlacklistedSymbols().symbols).toEqual(["b", "a", "c"]);
  expect(processor.knowledge.removeBlacklistedSymbols(["a", "z", "a"])).toEqual({ unknown: ["z"] });
  expect(processor.knowledge.listBlacklistedSymbols().symbols).toEqual(["b", "c"]);
  expect(() => processor.knowledge.addBlacklistedSymbols(["\ud800"])).toThrow("a symbol must be well-formed Unicode");
  processor.memory.clearAllMemory(true);
  expect(processor.knowledge.listBlacklistedSymbols().symbols).toEqual(["b", "c"]);
  processor.memory.clearAllMemory(false);
  expect(processor.knowledge.listBlacklistedSymbols().symbols).toEqual([]);
});
