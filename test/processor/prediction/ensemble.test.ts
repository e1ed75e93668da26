import { expect, test } from "vitest";
import type { Processor } from "../../../src/processor/processor";
import { MemoryStore } from "../../support/memory-store";
import { openProcessor } from "../../support/open-processor";
import { gdfOf, geneChangesOf } from "../../support/processor/calls";

function observe(processor: Processor, ...events: string[][]): boolean[] {
  return events.map((strings) => processor.observe(gdfOf({ strings }), []).observed.predictionMade);
}

function learned(processor: Processor, ...events: string[][]): string {
  observe(processor, ...events);
  return processor.learn().model;
}

function namesOf(processor: Processor): string[] {
  return processor.getPredictions("").predictions.map(({ name }) => name);
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
  processor.clearWorkingMemory();
  expect(learned(processor, ["a"], ["b"], ["CLASS|X"])).toBe(first);
  processor.changeGenes(geneChangesOf({ prediction_sort_metric: "similarity" }));
  observe(processor, ["a"]);
  expect(namesOf(processor)).toEqual([second, first]);
});

test("the ensemble follows knowledge, genes and target class as they are when it is read", () => {
  const { processor, first, second } = taught();
  const third = processor.addModel({ sequence: { events: [{ symbols: ["a"] }, { symbols: ["d"] }] } }).name;
  expect(namesOf(processor)).toEqual([third, second, first]);
  processor.changeGenes(geneChangesOf({ max_predictions: 1 }));
  expect(namesOf(processor)).toEqual([third]);
  processor.changeGenes(geneChangesOf({ max_predictions: 100, recall_threshold: 0.6 }));
  expect(namesOf(processor)).toEqual([third]);
  processor.changeGenes(geneChangesOf({ recall_threshold: 0 }));
  processor.setTargetClass("CLASS|X");
  expect(namesOf(processor)).toEqual([first]);
  processor.setTargetClass("CLASS|unknown");
  expect(namesOf(processor)).toEqual([]);
  processor.setTargetClass("");
  processor.deleteModel(second);
  expect(namesOf(processor)).toEqual([third, first]);
  processor.clearAllMemory(false);
  expect(namesOf(processor)).toEqual([]);
});

test("prediction_made obeys the target class and the threshold", () => {
  const { processor } = taught();
  processor.setTargetClass("CLASS|Z");
  expect(observe(processor, ["b"])).toEqual([false]);
  processor.setTargetClass("CLASS|X");
  expect(observe(processor, ["b"])).toEqual([true]);
  processor.changeGenes(geneChangesOf({ prediction_threshold: 100 }));
  expect(observe(processor, ["b"])).toEqual([false]);
  processor.changeGenes(geneChangesOf({ prediction_threshold_direction: "less than" }));
  expect(observe(processor, ["b"])).toEqual([true]);
});

test("learning and clearing leave no ensemble", () => {
  const { processor } = taught();
  processor.learn();
  expect(namesOf(processor)).toEqual([]);
  observe(processor, ["a"]);
  processor.clearWorkingMemory();
  expect(namesOf(processor)).toEqual([]);
});

test("an observation without symbols keeps the ensemble; one with, while predicting is off, leaves none", () => {
  const { processor, first, second } = taught();
  expect(observe(processor, [])).toEqual([false]);
  expect(namesOf(processor)).toEqual([second, first]);
  processor.setPredicting(false);
  expect(observe(processor, [])).toEqual([false]);
  expect(namesOf(processor)).toEqual([second, first]);
  expect(observe(processor, ["b"])).toEqual([false]);
  expect(namesOf(processor)).toEqual([]);
});

test("predictions come on every n-th observation, those without symbols counted", () => {
  const { processor } = taught();
  processor.clearWorkingMemory();
  processor.changeGenes(geneChangesOf({ predict_on_nth_event: 3 }));
  expect(observe(processor, ["a"], [], ["a"], ["a"], ["a"], ["a"])).toEqual([false, false, true, false, false, true]);
  processor.clearWorkingMemory();
  expect(observe(processor, ["a"], ["a"], ["a"])).toEqual([false, false, true]);
});

test("with an identifier, only the last observation's ensemble is given", () => {
  const { processor } = taught();
  const { uniqueId } = processor.observe(gdfOf({ strings: ["b"] }), []).observed;
  expect(processor.getPredictions(uniqueId).predictions.length).toBe(2);
  expect(processor.getPredictions("another").predictions).toEqual([]);
});

test("a symbol that nobody knows is extra, and the same one twice is the same", () => {
  const { processor } = taught();
  observe(processor, ["new", "b"], ["new"]);
  const [best] = processor.getPredictions("").predictions;
  expect(best?.extras).toEqual(["new", "new"]);
  expect(processor.getSymbol("new")).toEqual({});
});

test("what a model predicts is what its sequence in working memory would", () => {
  const { processor, first } = taught();
  const asked = processor.getPredictionsForModel(first);
  processor.clearWorkingMemory();
  observe(processor, ["a"], ["b"], ["CLASS|X"]);
  expect(asked).toEqual(processor.getPredictions(""));
  expect(asked.predictions.length).toBe(2);
  expect(processor.getPredictionsForModel("none")).toEqual({ predictions: [] });
});

test("the ensemble outlives an automatic learn and an eviction", () => {
  const store = new MemoryStore();
  const processor = openProcessor(store);
  processor.changeGenes(geneChangesOf({ max_sequence_length: 2 }));
  processor.setAutolearning(true);
  observe(processor, ["a"], ["b"]);
  const { predictions } = openProcessor(store).getPredictions("");
  expect(predictions.map(({ matches }) => matches)).toEqual([["a", "b"]]);
  expect(predictions).toEqual(processor.getPredictions("").predictions);
});

test("means of emotives stay finite where their sums do not", () => {
  const processor = openProcessor();
  const emotives = {
    emotives: [
      { name: "u", values: [1.5e308, 1.5e308] },
      { name: "none", values: [] },
    ],
  };
  processor.addModel({ sequence: { events: [{ symbols: ["a"] }] }, emotives });
  observe(processor, ["a"]);
  expect(processor.getPredictions("").predictions[0]?.emotives).toEqual([{ name: "u", value: 1.5e308 }]);
});

test("packed, an ensemble names each symbol once, and follows what is known as the list does", () => {
  const { processor } = taught();
  observe(processor, ["b", "b", "new"], ["new"]);
  const { packed } = processor.getPackedPredictions("");
  expect(new Set(packed.symbols).size).toBe(packed.symbols.length);
  expect(packed.names).toEqual(namesOf(processor));
  expect(processor.getPackedPredictions("").packed).toBe(packed);
  expect(processor.getPackedPredictions("another").packed).toMatchObject({ symbols: [], names: [] });
  processor.setTargetClass("CLASS|Y");
  expect(processor.getPackedPredictions("").packed.names).toEqual(namesOf(processor));
  expect(processor.getPackedPredictions("").packed.names.length).toBe(1);
  const { packed: none } = processor.getPackedPredictionsForModel("none");
  expect(Object.values(none).flat()).toEqual([]);
});
