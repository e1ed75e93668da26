import { describe, expect, test } from "vitest";
import type { Processor } from "../../../src/processor/processor";
import { openProcessor } from "../../support/open-processor";
import { gdfOf, geneChangesOf } from "../../support/processor/calls";
import { eventsForm, modelForm } from "../../support/processor/message-form";

type Sent = Parameters<typeof gdfOf>[0];

function living(genes: Record<string, boolean | number | string>, autolearn = false): Processor {
  const processor = openProcessor();
  expect(processor.genes.change(geneChangesOf(genes)).refusal).toBe("");
  processor.modes.setAutolearning(autolearn);
  return processor;
}

function observe(processor: Processor, ...records: (Sent | string[])[]): string[] {
  return records.map((record) => {
    const sent = Array.isArray(record) ? { strings: record } : record;
    return processor.memory.observe(gdfOf(sent), []).observed.autoLearnedModel;
  });
}

function memoryOf(processor: Processor): string[][] {
  return eventsForm(processor.memory.getWorkingMemory().events);
}

function sequenceOf(processor: Processor, name: string | undefined): string[][] {
  return eventsForm(processor.knowledge.getModel(name ?? "").model?.sequence ?? []);
}

describe("learning on request", () => {
  test("an empty memory and a memory of one symbol give no model, but clear and store vectors", () => {
    const processor = openProcessor();
    expect(processor.memory.learn()).toEqual({ model: "" });
    observe(processor, { vectors: [[1, 2]], emotives: { u: 1 } });
    expect(processor.memory.learn()).toEqual({ model: "" });
    expect(processor.inspection.getStatus().status).toMatchObject({
      models: 0,
      vectors: 1,
      workingMemorySize: 0,
      vectorDimensionality: 2,
      lastLearnedModelName: "",
    });
    observe(processor, ["a"], ["b"]);
    expect(processor.knowledge.getModel(processor.memory.learn().model).model?.emotives).toEqual([]);
  });

  test("emotives are summed per name, also over events without symbols, and persistence limits the kept values", () => {
    const processor = living({ persistence: 2 });
    for (const value of [1, 2, 3]) {
      observe(processor, { strings: ["a"], emotives: { u: value } }, { emotives: { u: 10, v: 1 } }, ["b"]);
      processor.memory.learn();
    }
    const [symbol] = processor.knowledge.findModels({ symbols: ["a"], patterns: [] }).names;
    expect(modelForm(processor.knowledge.getModel(symbol ?? "").model)).toMatchObject({
      emotives: { u: [12, 13], v: [1, 1] },
      frequency: 3,
      metadata: [{}, {}],
    });
  });

  test("metadata is kept from the first time, one object per event, members in their order", () => {
    const processor = openProcessor();
    observe(processor, { strings: ["a"], metadata: { z: 1, a: 2 } }, { metadata: { lost: 1 } }, ["b"]);
    const { model } = processor.memory.learn();
    observe(processor, { strings: ["a"], metadata: { later: 1 } }, ["b"]);
    expect(processor.memory.learn().model).toBe(model);
    expect(processor.knowledge.getModel(model).model?.metadataJson).toEqual(['{"z":1,"a":2}', "{}"]);
  });

  test("a clear forgets waiting emotives and vectors", () => {
    const processor = openProcessor();
    observe(processor, { strings: ["a"], vectors: [[1]], emotives: { u: 1 } });
    processor.memory.clearWorkingMemory();
    observe(processor, ["a"], { strings: ["b"], vectors: [[1, 2]] });
    expect(processor.knowledge.getModel(processor.memory.learn().model).model?.emotives).toEqual([]);
    expect(processor.inspection.getStatus().status.vectors).toBe(1);
  });

  test("a vector learned again, or waiting twice, is stored once", () => {
    const processor = openProcessor();
    observe(processor, { vectors: [[1]] }, { vectors: [[1]] }, { vectors: [[2]] });
    processor.memory.learn();
    observe(processor, { vectors: [[2]] }, { vectors: [[1]] });
    processor.memory.learn();
    expect(processor.inspection.getStatus().status.vectors).toBe(2);
  });
});

describe("a limit without automatic learning", () => {
  test.each([
    [{ max_sequence_length: 3, wm_resolution: "symbol" }, [["c"], ["d", "e"]]],
    [{ max_sequence_length: 3, wm_resolution: "event" }, [["b"], ["c"], ["d", "e"]]],
    [{ max_sequence_length: 1, wm_resolution: "symbol" }, [["d", "e"]]],
    [{ max_sequence_length: 0 }, [["a"], ["b"], ["c"], ["d", "e"]]],
  ])("%j drops the oldest whole events", (genes, memory) => {
    const processor = living(genes);
    observe(processor, ["a"], ["b"], ["c"], ["d", "e"]);
    expect(memoryOf(processor)).toEqual(memory);
    expect(processor.inspection.getStatus().status.workingMemorySize).toBe(memory.flat().length);
  });

  test("holds for an observation without symbols too, and the ensemble stays that of the memory before", () => {
    const processor = openProcessor();
    observe(processor, ["a"], ["b"], ["c"]);
    processor.memory.learn();
    observe(processor, ["a"], ["b"]);
    const before = processor.memory.getPredictions("");
    processor.genes.change(geneChangesOf({ max_sequence_length: 1 }));
    observe(processor, {});
    expect(memoryOf(processor)).toEqual([["b"]]);
    expect(processor.memory.getPredictions("")).toEqual(before);
    expect(before.predictions[0]?.matches).toEqual(["a", "b"]);
  });

  test("counts the emotives of dropped events", () => {
    const processor = living({ max_sequence_length: 2 });
    observe(processor, { strings: ["a"], emotives: { u: 5 } }, ["b"], ["c"]);
    expect(processor.knowledge.getModel(processor.memory.learn().model).model).toMatchObject({
      emotives: [{ name: "u", values: [5] }],
      sequence: [{ symbols: ["b"] }, { symbols: ["c"] }],
    });
  });
});

describe("rolling memory", () => {
  const ROLLING = { wm_mode: "rolling" };

  test("learns at the limit, drops only the oldest events, and counts on", () => {
    const processor = living({ ...ROLLING, max_sequence_length: 3, wm_resolution: "event" }, true);
    const names = observe(processor, ["a"], ["b", "x"], ["c"], ["d"], ["e"]);
    expect(names.map((name) => sequenceOf(processor, name))).toEqual([
      [],
      [],
      [["a"], ["b", "x"], ["c"]],
      [["b", "x"], ["c"], ["d"]],
      [["c"], ["d"], ["e"]],
    ]);
    expect(memoryOf(processor)).toEqual([["d"], ["e"]]);
    expect(processor.inspection.getStatus().status).toMatchObject({
      numObserveCall: 5,
      workingMemorySize: 2,
      models: 3,
    });
  });

  test("counts symbols when the gene wm_resolution says so, and drops whole events", () => {
    const processor = living({ ...ROLLING, max_sequence_length: 5 }, true);
    const names = observe(processor, ["a"], ["b", "c"], ["d", "e", "f"], ["g"]);
    expect(sequenceOf(processor, names[2])).toEqual([["a"], ["b", "c"], ["d", "e", "f"]]);
    expect(memoryOf(processor)).toEqual([["d", "e", "f"], ["g"]]);
    const [name] = observe(processor, ["h"]);
    expect(sequenceOf(processor, name)).toEqual([["d", "e", "f"], ["g"], ["h"]]);
    expect(memoryOf(processor)).toEqual([["g"], ["h"]]);
  });

  test("an event that reaches the limit by itself leaves memory empty, learned or not", () => {
    const processor = living({ ...ROLLING, max_sequence_length: 2 }, true);
    const [name] = observe(processor, ["a", "b", "c"]);
    expect(sequenceOf(processor, name)).toEqual([["a", "b", "c"]]);
    expect(memoryOf(processor)).toEqual([]);
    processor.genes.change(geneChangesOf({ max_sequence_length: 1 }));
    expect(observe(processor, ["d"])).toEqual([""]);
    expect(memoryOf(processor)).toEqual([]);
  });

  test("a lowered limit is reached by the next learning", () => {
    const processor = living(ROLLING, true);
    observe(processor, ["a"], ["b"], ["c"], ["d"]);
    processor.genes.change(geneChangesOf({ max_sequence_length: 3 }));
    const [name] = observe(processor, ["e"]);
    expect(sequenceOf(processor, name)).toEqual([["a"], ["b"], ["c"], ["d"], ["e"]]);
    expect(memoryOf(processor)).toEqual([["d"], ["e"]]);
  });

  test("an emotive goes into the first model after it alone, metadata into each model with its event, a vector is learned once", () => {
    const processor = living({ ...ROLLING, max_sequence_length: 2, wm_resolution: "event" }, true);
    const names = observe(
      processor,
      { strings: ["a"], emotives: { u: 1 } },
      { strings: ["b"], emotives: { u: 2 }, metadata: { n: 7 }, vectors: [[1, 2]] },
      { strings: ["c"], emotives: { u: 4 } },
    );
    const models = names.slice(1).map((name) => processor.knowledge.getModel(name).model);
    expect(models.map((model) => model?.emotives)).toEqual([
      [{ name: "u", values: [3] }],
      [{ name: "u", values: [4] }],
    ]);
    expect(models.map((model) => model?.metadataJson)).toEqual([
      ["{}", '{"n":7}'],
      ['{"n":7}', "{}"],
    ]);
    expect(processor.inspection.getStatus().status.vectors).toBe(1);
  });

  test("predicts from memory as it was before it was shortened, and on every n-th event", () => {
    const processor = living({ ...ROLLING, max_sequence_length: 2, predict_on_nth_event: 2 }, true);
    for (const symbols of [
      ["a", "b"],
      ["b", "c"],
    ]) {
      processor.knowledge.addModel({ sequence: { events: symbols.map((symbol) => ({ symbols: [symbol] })) } });
    }
    const made = ["a", "b", "c", "d"].map(
      (symbol) => processor.memory.observe(gdfOf({ strings: [symbol] }), []).observed.predictionMade,
    );
    expect(made).toEqual([false, true, false, true]);
    expect(processor.memory.getPredictions("").predictions.map(({ matches }) => matches)).toContainEqual(["c"]);
    expect(memoryOf(processor)).toEqual([["d"]]);
  });

  test("learn on request clears memory, and learning by entropy keeps the last event", () => {
    const processor = living({ ...ROLLING, max_sequence_length: 4 }, true);
    observe(processor, ["a"], ["b"]);
    processor.memory.learn();
    expect(memoryOf(processor)).toEqual([]);
    expect(processor.inspection.getStatus().status.numObserveCall).toBe(0);
    observe(processor, ["a"], ["c"]);
    processor.memory.learn();
    processor.genes.change(geneChangesOf({ auto_learn_metric: "entropy", smoothness: 0 }));
    const names = observe(processor, ["n"], ["a", "m"]);
    expect(sequenceOf(processor, names[1])).toEqual([["n"], ["a", "m"]]);
    expect(memoryOf(processor)).toEqual([["a", "m"]]);
    expect(processor.inspection.getStatus().status.numObserveCall).toBe(0);
  });
});

describe("automatic learning by size", () => {
  test("learns the whole memory at the limit and keeps the last event, whose emotives are given", () => {
    const processor = living({ max_sequence_length: 3 }, true);
    const names = observe(
      processor,
      ["a"],
      { strings: ["b", "c"], emotives: { u: 1 } },
      { strings: ["d"], emotives: { u: 2 } },
    );
    expect(names[0]).toBe("");
    expect(sequenceOf(processor, names[1])).toEqual([["a"], ["b", "c"]]);
    expect(sequenceOf(processor, names[2])).toEqual([["b", "c"], ["d"]]);
    expect(processor.knowledge.getModel(names[1] ?? "").model?.emotives).toEqual([{ name: "u", values: [1] }]);
    expect(processor.knowledge.getModel(names[2] ?? "").model?.emotives).toEqual([{ name: "u", values: [2] }]);
    expect(memoryOf(processor)).toEqual([["d"]]);
    expect(processor.inspection.getStatus().status).toMatchObject({
      numObserveCall: 0,
      lastLearnedModelName: names[2],
    });
  });

  test("one event that fills memory by itself leaves it empty", () => {
    const processor = living({ max_sequence_length: 2 }, true);
    const [name] = observe(processor, ["a", "b", "c"]);
    expect(sequenceOf(processor, name)).toEqual([["a", "b", "c"]]);
    expect(memoryOf(processor)).toEqual([]);
  });

  test("one symbol that fills memory is not learned, and memory ends empty", () => {
    const processor = living({ max_sequence_length: 1, wm_resolution: "event" }, true);
    expect(observe(processor, ["a"])).toEqual([""]);
    expect(memoryOf(processor)).toEqual([]);
    expect(processor.inspection.getStatus().status.models).toBe(0);
  });

  test("a kept event that is at the limit is learned on the next observation, even one without symbols", () => {
    const processor = living({ max_sequence_length: 2 }, true);
    observe(processor, ["a"], ["b", "c"]);
    expect(memoryOf(processor)).toEqual([["b", "c"]]);
    const [name] = observe(processor, { emotives: { u: 1 } });
    expect(sequenceOf(processor, name)).toEqual([["b", "c"]]);
    expect(memoryOf(processor)).toEqual([]);
  });

  test("the ensemble can still be read after autolearn, and follows what was learned since", () => {
    const processor = living({ max_sequence_length: 2 }, true);
    const { observed } = processor.memory.observe(gdfOf({ strings: ["a", "b"] }), []);
    expect(observed.predictionMade).toBe(false);
    const { predictions } = processor.memory.getPredictions("");
    expect(predictions.map(({ name }) => name)).toEqual([observed.autoLearnedModel]);
    expect(predictions[0]?.matches).toEqual(["a", "b"]);
  });
});

describe("automatic learning by entropy", () => {
  const GENES = { auto_learn_metric: "entropy", smoothness: 1, max_sequence_length: 4 };

  /** Teaches three models that all begin with a; their potentials are alike, so the entropy is log2 3 = 1.58 bits. */
  function undecided(genes: Record<string, boolean | number | string>): Processor {
    const processor = living({ ...GENES, ...genes });
    for (const end of ["x", "y", "z"]) {
      observe(processor, ["a"], [end]);
      processor.memory.learn();
    }
    processor.modes.setAutolearning(true);
    return processor;
  }

  test("learns when the ensemble is more undecided than smoothness allows, and keeps the last event", () => {
    const processor = undecided({});
    const names = observe(processor, ["n"], ["a", "m"]);
    expect(names[0]).toBe("");
    expect(sequenceOf(processor, names[1])).toEqual([["n"], ["a", "m"]]);
    expect(memoryOf(processor)).toEqual([["a", "m"]]);
  });

  test("does not learn when smoothness is not exceeded, nor while predicting is off", () => {
    const calm = undecided({ smoothness: 2 });
    expect(observe(calm, ["n"], ["a"])).toEqual(["", ""]);
    const silent = undecided({});
    silent.modes.setPredicting(false);
    expect(observe(silent, ["n"], ["a"])).toEqual(["", ""]);
    expect(memoryOf(silent)).toEqual([["n"], ["a"]]);
  });

  test("the size limit then only drops events", () => {
    const processor = undecided({ smoothness: 9 });
    expect(observe(processor, ["1"], ["2"], ["3"], ["4"], ["5"])).toEqual(["", "", "", "", ""]);
    expect(memoryOf(processor)).toEqual([["2"], ["3"], ["4"], ["5"]]);
  });
});
