import { expect, test } from "vitest";
import type { Processor } from "../../../src/processor/processor";
import { MemoryStore } from "../../support/memory-store";
import { openProcessor } from "../../support/open-processor";
import { gdfOf, geneChangesOf } from "../../support/processor/calls";

function observe(processor: Processor, ...events: string[][]): boolean[] {
  return events.map((strings) => processor.memory.observe(gdfOf({ strings }), []).observed.predictionMade);
}

function learned(processor: Processor, ...events: string[][]): string {
  observe(processor, ...events);
  return processor.memory.learn().model;
}

function namesOf(processor: Processor): string[] {
  return processor.memory.getPredictions("").predictions.map(({ name }) => name);
}

function taught(): { processor: Processor; first: string; second: string } {
  const processor = openProcessor();
  const first = learned(processor, ["a"], ["b"], ["CLASS|X"]);
  const second = learned(processor, ["a"], ["c"], ["CLASS|Y"]);
  observe(processor, ["a"]);
  return { processor, first, second };
}

test("ties are ordered newest model first, and learning again does not renew", () => {
  const { processor, first, second } = taught();
  expect(namesOf(processor)).toEqual([second, first]);
  processor.memory.clearWorkingMemory();
  expect(learned(processor, ["a"], ["b"], ["CLASS|X"])).toBe(first);
  processor.genes.change(geneChangesOf({ prediction_sort_metric: "similarity" }));
  observe(processor, ["a"]);
  expect(namesOf(processor)).toEqual([second, first]);
});

test("the ensemble follows the knowledge, genes and target class at the time of reading", () => {
  const { processor, first, second } = taught();
  const third = processor.knowledge.addModel({ sequence: { events: [{ symbols: ["a"] }, { symbols: ["d"] }] } }).name;
  expect(namesOf(processor)).toEqual([third, second, first]);
  processor.genes.change(geneChangesOf({ max_predictions: 1 }));
  expect(namesOf(processor)).toEqual([third]);
  processor.genes.change(geneChangesOf({ max_predictions: 100, recall_threshold: 0.6 }));
  expect(namesOf(processor)).toEqual([third]);
  processor.genes.change(geneChangesOf({ recall_threshold: 0 }));
  processor.modes.setTargetClass("CLASS|X");
  expect(namesOf(processor)).toEqual([first]);
  processor.modes.setTargetClass("CLASS|unknown");
  expect(namesOf(processor)).toEqual([]);
  processor.modes.setTargetClass("");
  processor.knowledge.deleteModel(second);
  expect(namesOf(processor)).toEqual([third, first]);
  processor.memory.clearAllMemory(false);
  expect(namesOf(processor)).toEqual([]);
});

test("prediction_made obeys the target class and the threshold", () => {
  const { processor } = taught();
  processor.modes.setTargetClass("CLASS|Z");
  expect(observe(processor, ["b"])).toEqual([false]);
  processor.modes.setTargetClass("CLASS|X");
  expect(observe(processor, ["b"])).toEqual([true]);
  processor.genes.change(geneChangesOf({ prediction_threshold: 100 }));
  expect(observe(processor, ["b"])).toEqual([false]);
  processor.genes.change(geneChangesOf({ prediction_threshold_direction: "less than" }));
  expect(observe(processor, ["b"])).toEqual([true]);
});

test("learning and clearing leave no ensemble", () => {
  const { processor } = taught();
  processor.memory.learn();
  expect(namesOf(processor)).toEqual([]);
  observe(processor, ["a"]);
  processor.memory.clearWorkingMemory();
  expect(namesOf(processor)).toEqual([]);
});

test("an observation without symbols keeps the ensemble; one with, while predicting is off, leaves none", () => {
  const { processor, first, second } = taught();
  expect(observe(processor, [])).toEqual([false]);
  expect(namesOf(processor)).toEqual([second, first]);
  processor.modes.setPredicting(false);
  expect(observe(processor, [])).toEqual([false]);
  expect(namesOf(processor)).toEqual([second, first]);
  expect(observe(processor, ["b"])).toEqual([false]);
  expect(namesOf(processor)).toEqual([]);
});

test("predictions come on every n-th observation, counting those without symbols", () => {
  const { processor } = taught();
  processor.memory.clearWorkingMemory();
  processor.genes.change(geneChangesOf({ predict_on_nth_event: 3 }));
  expect(observe(processor, ["a"], [], ["a"], ["a"], ["a"], ["a"])).toEqual([false, false, true, false, false, true]);
  processor.memory.clearWorkingMemory();
  expect(observe(processor, ["a"], ["a"], ["a"])).toEqual([false, false, true]);
});

test("with an identifier, only the last observation's ensemble is returned", () => {
  const { processor } = taught();
  const { uniqueId } = processor.memory.observe(gdfOf({ strings: ["b"] }), []).observed;
  expect(processor.memory.getPredictions(uniqueId).predictions.length).toBe(2);
  expect(processor.memory.getPredictions("another").predictions).toEqual([]);
});

test("an unknown symbol is extra, and the same one twice is the same", () => {
  const { processor } = taught();
  observe(processor, ["new", "b"], ["new"]);
  const [best] = processor.memory.getPredictions("").predictions;
  expect(best?.extras).toEqual(["new", "new"]);
  expect(processor.knowledge.getSymbol("new")).toEqual({});
});

test("what a model predicts is what its sequence in working memory would", () => {
  const { processor, first } = taught();
  const asked = processor.knowledge.getPredictionsForModel(first);
  processor.memory.clearWorkingMemory();
  observe(processor, ["a"], ["b"], ["CLASS|X"]);
  expect(asked).toEqual(processor.memory.getPredictions(""));
  expect(asked.predictions.length).toBe(2);
  expect(processor.knowledge.getPredictionsForModel("none")).toEqual({ predictions: [] });
});

test("the ensemble outlives an automatic learn and an eviction", () => {
  const store = new MemoryStore();
  const processor = openProcessor(store);
  processor.genes.change(geneChangesOf({ max_sequence_length: 2 }));
  processor.modes.setAutolearning(true);
  observe(processor, ["a"], ["b"]);
  const { predictions } = openProcessor(store).memory.getPredictions("");
  expect(predictions.map(({ matches }) => matches)).toEqual([["a", "b"]]);
  expect(predictions).toEqual(processor.memory.getPredictions("").predictions);
});

test("means of emotives stay finite where their sums do not", () => {
  const processor = openProcessor();
  const emotives = {
    emotives: [
      { name: "u", values: [1.5e308, 1.5e308] },
      { name: "none", values: [] },
    ],
  };
  processor.knowledge.addModel({ sequence: { events: [{ symbols: ["a"] }] }, emotives });
  observe(processor, ["a"]);
  expect(processor.memory.getPredictions("").predictions[0]?.emotives).toEqual([{ name: "u", value: 1.5e308 }]);
});

test("a packed ensemble names each symbol once, and follows the knowledge as the list does", () => {
  const { processor } = taught();
  observe(processor, ["b", "b", "new"], ["new"]);
  const { packed } = processor.memory.getPackedPredictions("");
  expect(new Set(packed.symbols).size).toBe(packed.symbols.length);
  expect(packed.names).toEqual(namesOf(processor));
  expect(processor.memory.getPackedPredictions("").packed).toBe(packed);
  expect(processor.memory.getPackedPredictions("another").packed).toMatchObject({ symbols: [], names: [] });
  processor.modes.setTargetClass("CLASS|Y");
  expect(processor.memory.getPackedPredictions("").packed.names).toEqual(namesOf(processor));
  expect(processor.memory.getPackedPredictions("").packed.names.length).toBe(1);
  const { packed: none } = processor.knowledge.getPackedPredictionsForModel("none");
  expect(Object.values(none).flat()).toEqual([]);
});
