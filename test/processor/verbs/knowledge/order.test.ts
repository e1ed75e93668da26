/** An export with order, loaded elsewhere: every answer that follows from knowledge is the same. And merging. */

import { expect, test } from "vitest";
import { Fault } from "../../../../src/processor/ports/fault";
import { MAX_ORDER } from "../../../../src/processor/ports/store";
import type { Processor } from "../../../../src/processor/processor";
import { soleKernel } from "../../../support/kernel/sole-kernel";
import { MemoryStore } from "../../../support/memory-store";
import { openProcessor } from "../../../support/open-processor";
import { gdfOf } from "../../../support/processor/calls";
import { pagesOf } from "../../../support/processor/knowledge-form";
import { byAge } from "../../../support/processor/model-calls";
import { RandomLife } from "../../../support/processor/random-life";
import { readingsOf, recount } from "../../../support/processor/readings";
import { Random } from "../../../support/random";

/** Over the kernel, because the oracle takes long to give the same answers. */
const open = (store?: MemoryStore) => openProcessor(store, soleKernel());

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const STEPS = 300;

/** A processor after a random life. */
function lived(seed: number): Processor {
  const life = new RandomLife(new Random(seed));
  const store = new MemoryStore();
  let processor = open(store);
  for (let at = 0; at < STEPS; at++) {
    try {
      store.transaction(() => life.live(processor));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      processor = open(store);
    }
  }
  return processor;
}

/** What a processor knows, with order. */
function knowledgeOf(processor: Processor) {
  return {
    models: pagesOf(processor, "models", true).flatMap((page) => page.models),
    vectors: pagesOf(processor, "vectors", true).flatMap((page) => page.vectors),
  };
}

/** Loads knowledge, some records at a time, and replaces or merges. */
function load(
  processor: Processor,
  { models, vectors }: ReturnType<typeof knowledgeOf>,
  finish: "commitLoad" | "mergeLoad" = "commitLoad",
): void {
  const { loadId } = processor.knowledge.beginLoad("load-x");
  for (let at = 0; at < Math.max(models.length, vectors.length); at += 3) {
    const part = { models: models.slice(at, at + 3), vectors: vectors.slice(at, at + 3) };
    processor.knowledge.loadKnowledge({ loadId, ...part });
  }
  processor.knowledge[finish](loadId);
}

/** Everything that follows from knowledge: it, what each model predicts, and what some records predict. */
function answersOf(processor: Processor): unknown {
  const { models } = knowledgeOf(processor);
  processor.modes.setSleeping(false);
  processor.modes.setPredicting(true);
  processor.modes.setAutolearning(false);
  processor.memory.clearWorkingMemory();
  const records = [["a"], ["b", "c"], ["d"], ["e", "a", "it's"]].flatMap((strings) =>
    [
      [0, 0.5],
      [1, 1],
      [1.5, 0.25],
    ].map((vector) => gdfOf({ strings, vectors: [vector] })),
  );
  const asked = records.map((record) => {
    try {
      processor.memory.observe(record, []);
    } catch (error) {
      // Vectors of this length do not fit what some lives have learned.
      if (!(error instanceof Fault)) throw error;
      processor.memory.observe({ ...record, vectors: [] }, []);
    }
    return [processor.memory.getWorkingMemory(), processor.memory.getPredictions("").predictions];
  });
  return {
    knowledge: knowledgeOf(processor),
    symbols: pagesOf(processor, "symbols").flatMap((page) => page.symbols),
    ofModels: models.map(({ name }) => processor.knowledge.getPredictionsForModel(name)),
    asked,
  };
}

test.each(SEEDS)("after a load with order all answers are the same: life %i", (seed) => {
  const original = lived(seed);
  const { genes } = original.genes.get("");
  const copy = open();
  expect(copy.genes.change(genes).refusal).toBe("");
  copy.knowledge.addBlacklistedSymbols(original.knowledge.listBlacklistedSymbols().symbols);
  copy.modes.setTargetClass(original.inspection.getStatus().status.target);
  const random = new Random(seed);
  const { models, vectors } = knowledgeOf(original);
  const shuffled = <T>(rows: T[]) => rows.map((row) => ({ row, at: random.fraction() })).sort((a, b) => a.at - b.at);
  load(copy, {
    models: shuffled(models).map(({ row }) => row),
    vectors: shuffled(vectors).map(({ row }) => row),
  });
  expect(answersOf(copy)).toEqual(answersOf(original));
  expect(models.length).toBeGreaterThan(0);
});

const MODEL_A = {
  name: "",
  sequence: [{ symbols: ["a"] }, { symbols: ["b"] }],
  frequency: 2,
  emotives: [],
  metadataJson: [],
};

/** A processor that knows the models a-b, a-c and a-d, in this order, and their records. */
function threeModels() {
  const processor = open();
  for (const last of ["b", "c", "d"]) {
    processor.knowledge.addModel({ sequence: { events: [{ symbols: ["a"] }, { symbols: [last] }] } });
  }
  return { processor, known: knowledgeOf(processor) };
}

test("without order the order of the file counts", () => {
  const { processor, known } = threeModels();
  const newestFirst = byAge(processor, "a");
  const copy = open();
  load(copy, { models: known.models.map((model) => ({ ...model, order: undefined })), vectors: [] });
  expect(byAge(copy, "a")).toEqual(known.models.map(({ name }) => name).reverse());
  const ordered = open();
  load(ordered, known);
  expect(byAge(ordered, "a")).toEqual(newestFirst);
});

test("what is learned after a load with order is newer, however large the order", () => {
  const { known } = threeModels();
  const copy = open();
  load(copy, { models: known.models.map((model, at) => ({ ...model, order: MAX_ORDER - at })), vectors: [] });
  const added = copy.knowledge.addModel({ sequence: { events: MODEL_A.sequence.concat({ symbols: ["x"] }) } }).name;
  expect(byAge(copy, "a")[0]).toBe(added);
});

test.each([
  ["negative", [-1, 2, 3], /order must be a whole number from 1 to 4503599627370496, got -1/],
  ["zero", [0, 2, 3], /order must be a whole number .* got 0/],
  ["a fraction", [1.5, 2, 3], /order must be a whole number .* got 1.5/],
  ["too large", [2 ** 53, 2, 3], /order must be a whole number .* got 9007199254740992/],
  ["missing for one", [undefined, 2, 3], /order is missing; give it to all records or to none/],
  ["the same twice", [2, 2, 3], /order must be different for each record, got 2 twice/],
])("refuses an order that is %s, and changes nothing", (_, orders, message) => {
  const { processor, known } = threeModels();
  const before = readingsOf(processor);
  const models = known.models.map((model, at) => ({ ...model, order: orders[at] }));
  expect(() => load(processor, { models, vectors: [] })).toThrow(message);
  expect(readingsOf(processor)).toEqual(before);
});

test("refuses an order that an earlier part has, and a part without order that would meet it", () => {
  const { processor, known } = threeModels();
  const [first, second] = known.models;
  if (first === undefined || second === undefined) throw new Error("there are three");
  const { loadId } = processor.knowledge.beginLoad("load-y");
  processor.knowledge.loadKnowledge({ loadId, models: [{ ...first, order: 2 }], vectors: [] });
  const again = () => processor.knowledge.loadKnowledge({ loadId, models: [{ ...second, order: 2 }], vectors: [] });
  expect(again).toThrow(/order must be different/);
  const without = () =>
    processor.knowledge.loadKnowledge({ loadId, models: [{ ...second, order: undefined }], vectors: [] });
  expect(without).toThrow(/order is missing/);
});

test.each(SEEDS)("merging adds the frequencies and keeps the counters right: lives %i", (seed) => {
  const one = lived(seed);
  const other = lived(seed + 100);
  const [before, merged] = [knowledgeOf(one), knowledgeOf(other)];
  const fits = before.vectors[0]?.components.length === merged.vectors[0]?.components.length;
  one.memory.clearWorkingMemory();
  load(one, { models: merged.models, vectors: fits ? merged.vectors : [] }, "mergeLoad");
  const after = knowledgeOf(one);
  const frequencies = new Map(before.models.map(({ name, frequency }) => [name, frequency]));
  for (const { name, frequency } of merged.models) frequencies.set(name, (frequencies.get(name) ?? 0) + frequency);
  expect(new Map(after.models.map(({ name, frequency }) => [name, frequency]))).toEqual(frequencies);
  const order = new Map(after.models.map(({ name, order = 0 }) => [name, order]));
  const oldest = before.models.map(({ order = 0 }) => order);
  for (const { name, order: was } of before.models) expect(order.get(name)).toBe(was);
  const added = merged.models.filter(({ name }) => !before.models.some((model) => model.name === name));
  const byTheirs = added.sort((a, b) => (a.order ?? 0) - (b.order ?? 0)).map(({ name }) => order.get(name) ?? 0);
  expect(byTheirs).toEqual([...byTheirs].sort((a, b) => a - b));
  expect(Math.min(...byTheirs, Number.POSITIVE_INFINITY)).toBeGreaterThan(Math.max(...oldest, 0));
  const counted = recount(one);
  const pages = pagesOf(one, "symbols");
  expect(new Set(pages.flatMap(({ symbols }) => symbols))).toEqual(new Set(counted.symbols));
  expect(pages[0]?.totals).toEqual(counted.totals);
});

test("merging appends emotives within persistence, and keeps the metadata that was first", () => {
  const processor = open();
  const events = MODEL_A.sequence;
  const { name } = processor.knowledge.addModel({
    sequence: { events },
    emotives: { emotives: [{ name: "joy", values: [1, 2, 3] }] },
    metadata: { metadataJson: ['{"first":1}', "{}"] },
  });
  const sent = {
    ...MODEL_A,
    name,
    emotives: [{ name: "joy", values: [4, 5, 6] }],
    metadataJson: ["{}", '{"later":1}'],
  };
  load(processor, { models: [sent], vectors: [] }, "mergeLoad");
  expect(processor.knowledge.getModel(name).model).toMatchObject({
    frequency: 3,
    emotives: [{ name: "joy", values: [2, 3, 4, 5, 6] }],
    metadataJson: ['{"first":1}', "{}"],
  });
});

test("refuses to merge vectors of another length, and changes nothing", () => {
  const processor = open();
  processor.knowledge.addModel({ sequence: { events: MODEL_A.sequence }, vector: { components: [1, 2] } });
  const other = open();
  other.knowledge.addModel({ sequence: { events: MODEL_A.sequence }, vector: { components: [1, 2, 3] } });
  const before = readingsOf(processor);
  expect(() => load(processor, knowledgeOf(other), "mergeLoad")).toThrow(
    "vectors_kb must hold vectors of 2 components like those that are learned, got 3",
  );
  expect(readingsOf(processor)).toEqual(before);
});
