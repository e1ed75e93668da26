import { describe, expect, test } from "vitest";
import type { Processor } from "../../../../src/processor/processor";
import type { Model } from "../../../../src/processor/verbs/knowledge/model-record";
import { MemoryStore } from "../../../support/memory-store";
import { openProcessor } from "../../../support/open-processor";
import { gdfOf, geneChangesOf } from "../../../support/processor/calls";
import { exportForm, pagesOf } from "../../../support/processor/knowledge-form";
import { membersOf } from "../../../support/processor/message-form";
import { readingsOf } from "../../../support/processor/readings";

const EMPTY = { totals: { totalModelFrequencies: 0, totalSymbolFrequencies: 0, totalSymbolsInModelsFrequencies: 0 } };

function observe(processor: Processor, ...records: Parameters<typeof gdfOf>[0][]): void {
  for (const record of records) processor.memory.observe(gdfOf(record), []);
}

function taught(): Processor {
  const processor = openProcessor();
  observe(
    processor,
    { strings: ["it's", "\u{1f600}"], emotives: { u: 1.5 }, metadata: { z: 1, a: [2] } },
    { vectors: [[1, 2]] },
  );
  processor.memory.learn();
  observe(processor, { strings: ["b"] }, { strings: ["a", "b"], vectors: [[0.5, -3]] });
  processor.memory.learn();
  processor.knowledge.addModel(membersOf({ sequence: [["b"], ["b", "a"]], frequency: 3, emotives: { u: [1, 2, 3] } }));
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
  const { name } = from.knowledge.addModel(membersOf({ sequence: [[symbol]] }));
  return from.knowledge.getModel(name).model as Model;
}

test("export, clear, load, export: the same", () => {
  const processor = taught();
  const before = exportForm(processor);
  const { models, vectors } = partsOf(processor);
  processor.memory.clearAllMemory(false);
  expect(processor.knowledge.exportKnowledge({ section: "models", after: "", revision: 0 })).toMatchObject(EMPTY);
  processor.knowledge.beginLoad("l");
  processor.knowledge.loadKnowledge({ loadId: "l", models: models.slice(0, 1), vectors });
  processor.knowledge.loadKnowledge({ loadId: "l", models: models.slice(1), vectors: [] });
  processor.knowledge.commitLoad("l");
  expect(exportForm(processor)).toEqual(before);
});

test("a load continues after an eviction, and replaces nothing before its end", () => {
  const source = partsOf(taught());
  const store = new MemoryStore();
  observe(openProcessor(store), { strings: ["old"] }, { strings: ["older"] });
  openProcessor(store).memory.learn();
  const before = readingsOf(openProcessor(store));
  openProcessor(store).knowledge.beginLoad("l");
  for (const each of source.models)
    openProcessor(store).knowledge.loadKnowledge({ loadId: "l", models: [each], vectors: [] });
  openProcessor(store).knowledge.loadKnowledge({ loadId: "l", models: [], vectors: source.vectors });
  expect(readingsOf(openProcessor(store))).toEqual(before);
  openProcessor(store).knowledge.commitLoad("l");
  expect(exportForm(openProcessor(store))).toEqual(exportForm(taught()));
});

test("loaded models are old in the order of staging, and models learned later are newer", () => {
  const processor = openProcessor();
  const sequences = [
    ["a", "x"],
    ["a", "y"],
    ["a", "z"],
  ];
  const models = sequences.map((symbols) => {
    const { name } = processor.knowledge.addModel(membersOf({ sequence: [symbols] }));
    return processor.knowledge.getModel(name).model as Model;
  });
  processor.knowledge.beginLoad("l");
  processor.knowledge.loadKnowledge({ loadId: "l", models: [...models].reverse(), vectors: [] });
  processor.knowledge.commitLoad("l");
  const newest = processor.knowledge.addModel(membersOf({ sequence: [["a", "w"]] })).name;
  observe(processor, { strings: ["a"] });
  expect(processor.memory.getPredictions("").predictions.map(({ name }) => name)).toEqual([
    newest,
    ...models.map(({ name }) => name),
  ]);
});

test.each([
  [
    "learned",
    (processor: Processor) => {
      observe(processor, { strings: ["x"] }, { vectors: [[1, 2]] });
      processor.memory.learn();
    },
  ],
  [
    "given with a model",
    (processor: Processor) => {
      processor.knowledge.addModel({ ...membersOf({ sequence: [["x"]] }), vector: { components: [1, 2] } });
    },
  ],
] as const)("the dimensionality in status starts again with a load, and is there again when a known vector is %s", (_, tell) => {
  const processor = taught();
  const parts = partsOf(processor);
  processor.knowledge.beginLoad("l");
  processor.knowledge.loadKnowledge({ loadId: "l", ...parts });
  processor.knowledge.commitLoad("l");
  expect(processor.inspection.getStatus().status).toMatchObject({ vectors: 2, vectorDimensionality: -1 });
  tell(processor);
  expect(processor.inspection.getStatus().status).toMatchObject({ vectors: 2, vectorDimensionality: 2 });
});

test("leaves flags, target, blacklist, the last learned name and working memory alone", () => {
  const processor = taught();
  processor.genes.change(geneChangesOf({ recall_threshold: 0 }));
  processor.modes.setTargetClass("t");
  processor.modes.setAutolearning(true);
  processor.knowledge.addBlacklistedSymbols(["no"]);
  observe(processor, { strings: ["q"], emotives: { u: 1 } });
  const before = readingsOf(processor);
  processor.knowledge.beginLoad("l");
  processor.knowledge.loadKnowledge({ loadId: "l", models: [model("q")], vectors: [] });
  processor.knowledge.commitLoad("l");
  const after = readingsOf(processor);
  expect([after.memory, after.percept, after.blacklist, after.time]).toEqual([
    before.memory,
    before.percept,
    before.blacklist,
    before.time,
  ]);
  expect(after.status).toMatchObject({
    status: {
      ...processor.inspection.getStatus().status,
      target: "t",
      autolearn: true,
      models: 1,
      vectors: 0,
      vectorDimensionality: -1,
    },
  });
  processor.modes.setTargetClass("");
  expect(processor.memory.getPredictions("").predictions.map(({ matches }) => matches)).toEqual([["q"]]);
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
    processor.knowledge.beginLoad("l");
    expect(() =>
      processor.knowledge.loadKnowledge({ loadId: "l", models: [model("b"), { ...good, ...wrong }], vectors: [] }),
    ).toThrow(sentence);
    processor.knowledge.commitLoad("l");
    expect(processor.inspection.getStatus().status.models).toBe(0);
  });

  test("vectors", () => {
    const processor = taught();
    const [one, two] = partsOf(processor).vectors;
    const load = (...vectors: { name: string; components: number[] }[]) => {
      processor.knowledge.beginLoad("l");
      processor.knowledge.loadKnowledge({ loadId: "l", models: [], vectors });
    };
    if (one === undefined || two === undefined) throw new Error("two vectors were learned");
    expect(() => load({ ...one, name: "x" })).toThrow('vectors_kb["x"]: name must be the name of its vector');
    expect(() => load(one, { ...two, components: [1] })).toThrow(
      "vector must have 2 components like those before it, got 1",
    );
    expect(() => load(one, two, one)).toThrow(`vectors_kb["${one.name}"] must be given once, got it twice`);
    expect(() => load({ ...one, components: [] })).toThrow("vector must have at least one component, got []");
  });

  test("a model that comes twice, in one part or in two", () => {
    const processor = openProcessor();
    const sentence = `models_kb["${good.name}"] must be given once, got it twice`;
    processor.knowledge.beginLoad("l");
    expect(() => processor.knowledge.loadKnowledge({ loadId: "l", models: [good, good], vectors: [] })).toThrow(
      sentence,
    );
    processor.knowledge.loadKnowledge({ loadId: "l", models: [good], vectors: [] });
    expect(() => processor.knowledge.loadKnowledge({ loadId: "l", models: [good], vectors: [] })).toThrow(sentence);
  });

  test("frequencies that leave the exact whole numbers", () => {
    const processor = openProcessor();
    processor.knowledge.beginLoad("l");
    const models = [{ ...good, frequency: Number.MAX_SAFE_INTEGER }];
    processor.knowledge.loadKnowledge({ loadId: "l", models, vectors: [] });
    expect(() => processor.knowledge.loadKnowledge({ loadId: "l", models: [model("b")], vectors: [] })).toThrow(
      "the frequencies of all symbols must sum to at most 9007199254740991",
    );
  });
});

test("only the load under way is accepted", () => {
  const processor = openProcessor();
  const part = { loadId: "one", models: [], vectors: [] };
  expect(() => processor.knowledge.loadKnowledge(part)).toThrow('there is no load "one" under way; begin one');
  processor.knowledge.beginLoad("one");
  processor.knowledge.loadKnowledge({ ...part, models: [model("a")] });
  processor.knowledge.beginLoad("two");
  expect(() => processor.knowledge.commitLoad("one")).toThrow('there is no load "one" under way');
  processor.knowledge.abortLoad("one");
  processor.knowledge.commitLoad("two");
  expect(processor.inspection.getStatus().status.models).toBe(0);
  processor.knowledge.beginLoad("three");
  processor.knowledge.abortLoad("three");
  expect(() => processor.knowledge.commitLoad("three")).toThrow('there is no load "three" under way');
});

test("waiting vectors must have the length of the loaded ones", () => {
  const { vectors } = partsOf(taught());
  const processor = openProcessor();
  observe(processor, { vectors: [[1, 2, 3]] });
  processor.knowledge.beginLoad("l");
  processor.knowledge.loadKnowledge({ loadId: "l", models: [], vectors });
  expect(() => processor.knowledge.commitLoad("l")).toThrow(
    "must hold vectors of 3 components like those in working memory, got 2",
  );
  processor.memory.clearWorkingMemory();
  processor.knowledge.commitLoad("l");
  expect(() => observe(processor, { vectors: [[1, 2, 3]] })).toThrow("vectors must have 2 components");
});
