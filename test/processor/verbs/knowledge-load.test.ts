import { describe, expect, test } from "vitest";
import type { Processor } from "../../../src/processor/processor";
import type { Model } from "../../../src/processor/verbs/models";
import { MemoryStore } from "../../support/memory-store";
import { openProcessor } from "../../support/open-processor";
import { gdfOf, geneChangesOf } from "../../support/processor/calls";
import { exportForm, pagesOf } from "../../support/processor/knowledge-form";
import { membersOf } from "../../support/processor/message-form";
import { readingsOf } from "../../support/processor/readings";

const EMPTY = { totals: { totalModelFrequencies: 0, totalSymbolFrequencies: 0, totalSymbolsInModelsFrequencies: 0 } };

function observe(processor: Processor, ...records: Parameters<typeof gdfOf>[0][]): void {
  for (const record of records) processor.observe(gdfOf(record), []);
}

function taught(): Processor {
  const processor = openProcessor();
  observe(
    processor,
    { strings: ["it's", "\u{1f600}"], emotives: { u: 1.5 }, metadata: { z: 1, a: [2] } },
    { vectors: [[1, 2]] },
  );
  processor.learn();
  observe(processor, { strings: ["b"] }, { strings: ["a", "b"], vectors: [[0.5, -3]] });
  processor.learn();
  processor.addModel(membersOf({ sequence: [["b"], ["b", "a"]], frequency: 3, emotives: { u: [1, 2, 3] } }));
  return processor;
}

function partsOf(processor: Processor) {
  return {
    models: pagesOf(processor, "models").flatMap((page) => page.models),
    vectors: pagesOf(processor, "vectors").flatMap((page) => page.vectors),
  };
}

function model(symbol: string): Model {
  const from = openProcessor();
  const { name } = from.addModel(membersOf({ sequence: [[symbol]] }));
  return from.getModel(name).model as Model;
}

test("export, clear, load, export: the same", () => {
  const processor = taught();
  const before = exportForm(processor);
  const { models, vectors } = partsOf(processor);
  processor.clearAllMemory(false);
  expect(processor.exportKnowledge({ section: "models", after: "", revision: 0 })).toMatchObject(EMPTY);
  processor.beginLoad("l");
  processor.loadKnowledge({ loadId: "l", models: models.slice(0, 1), vectors });
  processor.loadKnowledge({ loadId: "l", models: models.slice(1), vectors: [] });
  processor.commitLoad("l");
  expect(exportForm(processor)).toEqual(before);
});

test("a load may go on after an eviction, and nothing is replaced before its end", () => {
  const source = partsOf(taught());
  const store = new MemoryStore();
  observe(openProcessor(store), { strings: ["old"] }, { strings: ["older"] });
  openProcessor(store).learn();
  const before = readingsOf(openProcessor(store));
  openProcessor(store).beginLoad("l");
  for (const each of source.models) openProcessor(store).loadKnowledge({ loadId: "l", models: [each], vectors: [] });
  openProcessor(store).loadKnowledge({ loadId: "l", models: [], vectors: source.vectors });
  expect(readingsOf(openProcessor(store))).toEqual(before);
  openProcessor(store).commitLoad("l");
  expect(exportForm(openProcessor(store))).toEqual(exportForm(taught()));
});

test("a load counts as old in the order of staging, and what is learned later is newer", () => {
  const processor = openProcessor();
  const sequences = [
    ["a", "x"],
    ["a", "y"],
    ["a", "z"],
  ];
  const models = sequences.map((symbols) => {
    const { name } = processor.addModel(membersOf({ sequence: [symbols] }));
    return processor.getModel(name).model as Model;
  });
  processor.beginLoad("l");
  processor.loadKnowledge({ loadId: "l", models: [...models].reverse(), vectors: [] });
  processor.commitLoad("l");
  const newest = processor.addModel(membersOf({ sequence: [["a", "w"]] })).name;
  observe(processor, { strings: ["a"] });
  expect(processor.getPredictions("").predictions.map(({ name }) => name)).toEqual([
    newest,
    ...models.map(({ name }) => name),
  ]);
});

test("leaves flags, target, blacklist, the last learned name and working memory alone", () => {
  const processor = taught();
  processor.changeGenes(geneChangesOf({ recall_threshold: 0 }));
  processor.setTargetClass("t");
  processor.setAutolearning(true);
  processor.addBlacklistedSymbols(["no"]);
  observe(processor, { strings: ["q"], emotives: { u: 1 } });
  const before = readingsOf(processor);
  processor.beginLoad("l");
  processor.loadKnowledge({ loadId: "l", models: [model("q")], vectors: [] });
  processor.commitLoad("l");
  const after = readingsOf(processor);
  expect([after.memory, after.percept, after.blacklist, after.time]).toEqual([
    before.memory,
    before.percept,
    before.blacklist,
    before.time,
  ]);
  expect(after.status).toMatchObject({
    status: {
      ...processor.getStatus().status,
      target: "t",
      autolearn: true,
      models: 1,
      vectors: 0,
      vectorDimensionality: -1,
    },
  });
  processor.setTargetClass("");
  expect(processor.getPredictions("").predictions.map(({ matches }) => matches)).toEqual([["q"]]);
});

describe("a wrong record is refused and says where", () => {
  const good = model("a");
  test.each<[Partial<Model>, string]>([
    [{ name: "x" }, `models_kb["x"]: name must be the name of its sequence, ${good.name}, got "x"`],
    [{ frequency: 0.5 }, `models_kb["${good.name}"]: frequency must be a whole number of 1 or more, got 0.5`],
    [{ sequence: [] }, `models_kb["${good.name}"]: sequence must hold at least one event, got []`],
    [{ metadataJson: ["{}", "{}"] }, `models_kb["${good.name}"]: metadata must be one object per event, 1, got 2`],
    [{ metadataJson: ["[]"] }, `models_kb["${good.name}"]: metadata[0] must be a JSON object, got "[]"`],
    [
      { emotives: [{ name: "u", values: [Number.POSITIVE_INFINITY] }] },
      `models_kb["${good.name}"]: emotives["u"] must hold finite numbers, got Infinity`,
    ],
    [
      {
        emotives: [
          { name: "u", values: [] },
          { name: "u", values: [] },
        ],
      },
      `models_kb["${good.name}"]: emotives may hold "u" once, got it twice`,
    ],
  ])("model %j", (wrong, sentence) => {
    const processor = openProcessor();
    processor.beginLoad("l");
    expect(() =>
      processor.loadKnowledge({ loadId: "l", models: [model("b"), { ...good, ...wrong }], vectors: [] }),
    ).toThrow(sentence);
    processor.commitLoad("l");
    expect(processor.getStatus().status.models).toBe(0);
  });

  test("vectors", () => {
    const processor = taught();
    const [one, two] = partsOf(processor).vectors;
    const load = (...vectors: { name: string; components: number[] }[]) => {
      processor.beginLoad("l");
      processor.loadKnowledge({ loadId: "l", models: [], vectors });
    };
    if (one === undefined || two === undefined) throw new Error("two vectors were learned");
    expect(() => load({ ...one, name: "x" })).toThrow('vectors_kb["x"]: name must be the name of its vector');
    expect(() => load(one, { ...two, components: [1] })).toThrow(
      "vector must have 2 components as those before it, got 1",
    );
    expect(() => load(one, two, one)).toThrow(`vectors_kb["${one.name}"] must be given once, got it twice`);
    expect(() => load({ ...one, components: [] })).toThrow("vector must have at least one component, got []");
  });

  test("a model that comes twice, in one part or in two", () => {
    const processor = openProcessor();
    const sentence = `models_kb["${good.name}"] must be given once, got it twice`;
    processor.beginLoad("l");
    expect(() => processor.loadKnowledge({ loadId: "l", models: [good, good], vectors: [] })).toThrow(sentence);
    processor.loadKnowledge({ loadId: "l", models: [good], vectors: [] });
    expect(() => processor.loadKnowledge({ loadId: "l", models: [good], vectors: [] })).toThrow(sentence);
  });

  test("frequencies that leave the exact whole numbers", () => {
    const processor = openProcessor();
    processor.beginLoad("l");
    const models = [{ ...good, frequency: Number.MAX_SAFE_INTEGER }];
    processor.loadKnowledge({ loadId: "l", models, vectors: [] });
    expect(() => processor.loadKnowledge({ loadId: "l", models: [model("b")], vectors: [] })).toThrow(
      "the frequencies of all symbols must sum to at most 9007199254740991",
    );
  });
});

test("only the load under way goes on", () => {
  const processor = openProcessor();
  const part = { loadId: "one", models: [], vectors: [] };
  expect(() => processor.loadKnowledge(part)).toThrow('there is no load "one" under way; begin one');
  processor.beginLoad("one");
  processor.loadKnowledge({ ...part, models: [model("a")] });
  processor.beginLoad("two");
  expect(() => processor.commitLoad("one")).toThrow('there is no load "one" under way');
  processor.abortLoad("one");
  processor.commitLoad("two");
  expect(processor.getStatus().status.models).toBe(0);
  processor.beginLoad("three");
  processor.abortLoad("three");
  expect(() => processor.commitLoad("three")).toThrow('there is no load "three" under way');
});

test("vectors that wait must fit those loaded", () => {
  const { vectors } = partsOf(taught());
  const processor = openProcessor();
  observe(processor, { vectors: [[1, 2, 3]] });
  processor.beginLoad("l");
  processor.loadKnowledge({ loadId: "l", models: [], vectors });
  expect(() => processor.commitLoad("l")).toThrow(
    "must hold vectors of 3 components as those in working memory, got 2",
  );
  processor.clearWorkingMemory();
  processor.commitLoad("l");
  expect(() => observe(processor, { vectors: [[1, 2, 3]] })).toThrow("vectors must have 2 components");
});

describe("export", () => {
  test("comes in pages of one revision, each part sorted by name", () => {
    const processor = openProcessor();
    const long = "x".repeat(3000);
    for (let at = 0; at < 400; at++) {
      processor.addModel(membersOf({ sequence: [[`${long}${at}`, "\uffee", "\u{1f600}", ""]] }));
    }
    const models = pagesOf(processor, "models");
    const names = models.flatMap((page) => page.models.map(({ name }) => name));
    expect(models.length).toBeGreaterThan(2);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names.length).toBe(400);
    const symbols = pagesOf(processor, "symbols").flatMap((page) => page.symbols.map(({ name }) => name));
    expect(symbols.length).toBe(403);
    expect([symbols[0], ...symbols.slice(-2)]).toEqual(["", "\uffee", "\u{1f600}"]);
    expect(new Set(models.map(({ revision }) => revision)).size).toBe(1);
  });

  test("a page of another revision is refused", () => {
    const processor = taught();
    const { revision } = processor.exportKnowledge({ section: "models", after: "", revision: 0 });
    processor.observe(gdfOf({ strings: ["a", "b"] }), []);
    expect(processor.exportKnowledge({ section: "vectors", after: "", revision }).revision).toBe(revision);
    processor.learn();
    expect(() => processor.exportKnowledge({ section: "symbols", after: "", revision })).toThrow(
      "the knowledge base changed between two pages",
    );
  });
});
