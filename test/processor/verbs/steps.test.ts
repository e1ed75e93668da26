/** Within the budget of steps answers are exact. Beyond it questions are refused, and observations are taken without what takes too much. */

import { create } from "@bufbuild/protobuf";
import { afterEach, describe, expect, test, vi } from "vitest";
import { FrameSchema } from "../../../src/gen/noema/v1/frame_pb";
import type { AlertCondition } from "../../../src/processor/ports/alert";
import { CONTEXT_EVENTS } from "../../../src/processor/ports/forecaster";
import { PoolingForecaster } from "../../../src/processor/prediction/estimator/pooling-forecaster";
import { matching } from "../../../src/processor/prediction/step-budget";
import type { Processor } from "../../../src/processor/processor";
import { answerFrame } from "../../../src/rpc/services/memory-service";
import type { Budgets } from "../../../src/text/budgets";
import { MemoryStore } from "../../support/memory-store";
import { add, observe, open, sequence } from "../../support/processor/budgeted";
import { gdfOf, geneChangesOf } from "../../support/processor/calls";
import { processorTime } from "../../support/processor-time";
import { Random } from "../../support/random";

describe("a long sequence that is taught", () => {
  const LONG = Array.from({ length: 2_000 }, (_, at) => [`s${at % 7}`]);

  test("is taken while predictions are on, and says how often it was not found out whether there is one", () => {
    const processor = open({ matchingSteps: 1_000_000 });
    sequence(processor, LONG.slice(0, 200));
    processor.memory.learn();
    const { observed, omitted } = sequence(processor, LONG);
    expect(observed).toHaveLength(2_000);
    expect(omitted).toEqual({ prediction: expect.any(Number), autolearn: 0, manipulatives: 0 });
    expect(processor.memory.getWorkingMemory().events).toHaveLength(2_000);
    expect(processor.memory.learn().model).not.toBe("");
  });

  test("is refused by its record when each is to be explained, and with what to do", () => {
    const processor = open({ matchingSteps: 20_000 });
    add(processor, ...LONG.slice(0, 200));
    const records = LONG.map((strings) => gdfOf({ strings }));
    const request = { sequence: records, learn: false, clear: true, explain: true };
    const refused =
      /^record \d+ of 2000: to forecast .*, after all that the request has done before it, .* send fewer records at a time, observe without/;
    expect(() => processor.memory.observeSequence(request)).toThrow(refused);
  });

  test("is learned when they are off", () => {
    const processor = open({ matchingSteps: 1_000_000 });
    sequence(processor, LONG.slice(0, 200));
    processor.memory.learn();
    processor.modes.setPredicting(false);
    sequence(processor, LONG);
    expect(processor.memory.learn().model).not.toBe("");
  });
});

describe("a verdict on a whole sequence", () => {
  const ask = (processor: Processor) =>
    processor.memory.getSequenceSurprise([{ symbols: ["a"] }, { symbols: ["b"] }], true);
  /** A model of 100 symbols: a request may take 80 steps more than the budget, and the verdict reads the model thrice. */
  const HUNDRED = Array.from({ length: 100 }, (_, at) => [`s${at}`]);
  const taught = (matchingSteps: number) => {
    const processor = open({ matchingSteps });
    add(processor, ...HUNDRED);
    return processor;
  };

  test("is refused when its passes over the models take too many steps, and changes nothing", () => {
    const processor = taught(219);
    const before = JSON.stringify(processor.inspection.getStatus());
    const refused =
      /^to compare the 2 events of the sequence with the 1 models takes more than 299 steps, .*; forget models/;
    expect(() => ask(processor)).toThrow(refused);
    expect(JSON.stringify(processor.inspection.getStatus())).toBe(before);
    expect(ask(taught(100_000)).surprise?.bits).toBeGreaterThan(0);
  });

  test("is left out of a learn that it would take too many steps for", () => {
    const store = new MemoryStore();
    const learnIn = (matchingSteps: number) => {
      const processor = open({ matchingSteps }, store);
      processor.modes.setPredicting(false);
      sequence(processor, HUNDRED);
      processor.memory.learn();
      return store.state()?.learnScores.count;
    };
    // There is nothing to judge the first learn by; then a verdict reads the model twice.
    expect(learnIn(120)).toBe(0);
    expect(learnIn(119)).toBe(0);
    expect(learnIn(120)).toBe(1);
  });
});

test("50,000 records of a known symbol are taken without being matched with ever longer memories", () => {
  const processor = open();
  add(processor, ...Array<string[]>(5_000).fill(["s"]));
  const used = processorTime();
  const { observed, omitted } = sequence(processor, Array<string[]>(50_000).fill(["s"]));
  expect(observed).toHaveLength(50_000);
  expect(omitted.prediction).toBeGreaterThan(0);
  expect(used()).toBeLessThan(5_000);
});

describe("many records of which each is forecast", () => {
  const RECORDS = Array.from({ length: 1_500 }, (_, at) => [`s${at % 4}`]);
  const surprising: AlertCondition = { kind: "surprise", above: 0 };

  /** A processor that expects the records, with alerts. */
  function watched(alerts: number, when: AlertCondition, budgets: Partial<Budgets> = {}) {
    const asked = vi.spyOn(PoolingForecaster.prototype, "consider");
    const processor = open(budgets);
    for (let at = 0; at < 5; at++) add(processor, ...RECORDS.slice(0, 4));
    for (let at = 0; at < alerts; at++)
      processor.alerts.putAlert({ name: `a${at}`, when, url: "", format: "standard", secret: "" });
    return { processor, asked };
  }

  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("are compared with the models once for each event of a sequence, however many symbols may come", () => {
    const { processor, asked } = watched(0, surprising);
    const other = (["probabilities", "together"] as const).map((name) => vi.spyOn(PoolingForecaster.prototype, name));
    const many = Array.from({ length: 300 }, (_, at) => `m${at}`);
    add(processor, ["s0"], many);
    asked.mockClear();
    const sequence = [["s0"], ["m7", "never"], many.slice(200), ["s1"]].map((symbols) => ({ symbols }));
    const { surprise } = processor.memory.getSequenceSurprise(sequence, true);
    expect(surprise?.events[1]?.unexpected).toEqual(["never"]);
    expect(surprise?.events[2]?.unexpected).toEqual([]);
    expect(asked).toHaveBeenCalledTimes(3);
    for (const spy of other) expect(spy).not.toHaveBeenCalled();
  });

  test("have their newest events looked at, however long the memory is", () => {
    const { processor, asked } = watched(1, surprising);
    sequence(processor, RECORDS.slice(0, 100));
    const sizes = asked.mock.calls.map(([{ lengths, symbols }]) => Math.max(lengths.length, symbols.length));
    expect(sizes.length).toBeGreaterThan(90);
    expect(Math.max(...sizes)).toBe(CONTEXT_EVENTS);
  });

  test.each<[string, number, AlertCondition, number]>([
    ["an alert", 1, surprising, 400],
    ["100 alerts", 100, surprising, 40],
    ["100 alerts that choose their thresholds", 100, { kind: "daily", perDay: 10_000 }, 40],
    ["an alert ten events ahead", 1, { kind: "forecast", symbol: "s1", above: 0, horizon: 10 }, 25],
  ])("are compared with %s until the steps for that are used up", (_, alerts, when, most) => {
    const { processor, asked } = watched(alerts, when, { matchingSteps: 1_000_000 });
    sequence(processor, RECORDS);
    expect(asked.mock.calls.length).toBeLessThanOrEqual(most);
    expect(asked.mock.calls.length).toBeGreaterThan(most / 4);
    expect(processor.memory.getWorkingMemory().events).toHaveLength(RECORDS.length);
  });
});

describe("a sequence of many symbols, of which the models have as many", () => {
  const random = new Random(3);
  let last = 0;
  const SYMBOLS = Array.from({ length: 40_000 }, () => {
    last = random.below(2) === 0 ? (last * 7 + 1) % 20 : random.below(20);
    return [`s${last}`];
  });

  /** 200 models of 200 symbols. */
  function taught(budgets: Partial<Budgets>): Processor {
    const processor = open(budgets);
    for (let model = 0; model < 199; model++) add(processor, ...SYMBOLS.slice(200 * model, 200 * model + 200));
    return processor;
  }

  const foundBy = (processor: Processor) => sequence(processor, SYMBOLS.slice(-200));

  test("has the answers of one with all steps, until its own are used up, and then none", () => {
    const exact = foundBy(taught({ matchingSteps: 4_000_000_000 }));
    const few = foundBy(taught({ matchingSteps: 8_000_000 }));
    expect(exact.omitted.prediction).toBe(0);
    expect(few.omitted.prediction).toBeGreaterThan(0);
    const answers = ({ observed }: typeof few) => observed.map(({ predictionMade }) => predictionMade);
    const wrong = answers(exact)
      .map((made, at) => [made, answers(few)[at]])
      .filter(([made, said]) => made !== said);
    expect(new Set(wrong.map(String))).toEqual(new Set(["true,false"]));
    expect(wrong.length).toBeLessThanOrEqual(few.omitted.prediction);
    expect(answers(few)).toContain(true);
  });
});

describe("equal symbols", () => {
  const EQUAL = Array<string>(3000).fill("s");
  const REFUSAL = "takes more than 1000080 steps, the most that one request may take (NOEMA_MATCHING_STEPS)";

  /** Memory and a model of 3,000 equal symbols: 9 million pairs. */
  function filled(genes: Record<string, boolean | number | string> = {}, store = new MemoryStore()): Processor {
    const processor = open({ matchingSteps: 1_000_000 }, store);
    processor.genes.change(geneChangesOf(genes));
    observe(processor, EQUAL);
    add(processor, EQUAL, ["t"]);
    return processor;
  }

  test("are refused by every reader of the ensemble", () => {
    const processor = filled();
    const [model] = processor.knowledge.findModels({ symbols: ["t"], patterns: [] }).names;
    expect(() => processor.memory.getPredictions("")).toThrow(REFUSAL);
    expect(() => processor.memory.getPackedPredictions("")).toThrow(REFUSAL);
    expect(() => processor.memory.getCognition()).toThrow(REFUSAL);
    expect(() => processor.knowledge.getPredictionsForModel(model ?? "")).toThrow(REFUSAL);
  });

  test("are taken by observe, which says that it found no prediction", () => {
    const processor = filled();
    const { observed, omitted } = processor.memory.observe(gdfOf({ strings: ["s"] }), []);
    expect(observed).toMatchObject({ awake: true, predictionMade: false });
    expect(omitted).toEqual({ prediction: 1, autolearn: 0, manipulatives: 0 });
    expect(processor.time).toBe(2);
  });

  test("are taken without autolearn by entropy, which is counted", () => {
    const processor = filled({ auto_learn_metric: "entropy", recall_threshold: 0, smoothness: 0 });
    processor.modes.setAutolearning(true);
    const { observed, omitted } = processor.memory.observe(gdfOf({ strings: ["s"] }), []);
    expect(observed.autoLearnedModel).toBe("");
    expect(omitted.autolearn).toBe(1);
  });

  test.each([
    ["it is not found out whether there is a prediction", 0.1],
    ["to find all takes too much", 0],
  ])("are taken without telling others, which is counted, where %s", (_, recall_threshold) => {
    const store = new MemoryStore();
    const processor = filled({ recall_threshold }, store);
    processor.relink([{ id: "m1", fields: ["name"], targets: ["p2"] }]);
    const { omitted } = processor.memory.observe(gdfOf({ strings: ["s"] }), []);
    expect(omitted.manipulatives).toBe(1);
    expect(store.forwarded()).toEqual([]);
  });

  test("leave ways out", () => {
    const processor = filled();
    processor.modes.setPredicting(false);
    observe(processor, ["s"]);
    processor.modes.setPredicting(true);
    expect(processor.memory.learn().model).not.toBe("");
    expect(observe(processor, ["t"]).predictionMade).toBe(false);
  });
});

test("all that a frame asks for shares one budget: records, predictions and forecast", () => {
  const taught = (matchingSteps?: number) => {
    const processor = open(matchingSteps === undefined ? {} : { matchingSteps });
    for (let at = 0; at < 100; at++) add(processor, ["a"], [`s${at}`]);
    return processor;
  };
  const frame = create(FrameSchema, { n: 1, observe: { gdfs: [{ strings: ["a"] }] }, predictions: {}, forecast: {} });
  const before = matching.steps;
  answerFrame(taught(), frame, undefined);
  const taken = matching.steps - before;
  // Each model adds 80 steps.
  expect(answerFrame(taught(taken - 8000), frame, undefined).forecast?.models).toBe(100);
  const short = taught(taken - 8001);
  expect(() => answerFrame(short, frame, undefined)).toThrow("after all that the request has done before it");
  // Each part alone is well within it.
  for (const part of [{ predictions: {} }, { forecast: {} }])
    answerFrame(short, create(FrameSchema, { n: 2, ...part }), undefined);
});

test("the symbols of an answer count, too", () => {
  const processor = open({ matchingSteps: 10_000_000 });
  processor.genes.change(geneChangesOf({ recall_threshold: 0, max_predictions: 10_000 }));
  for (let at = 0; at < 1000; at++) add(processor, ["a"], [`s${at}`]);
  observe(processor, ["a"]);
  expect(processor.memory.getPredictions("").predictions).toHaveLength(1000);
  observe(
    processor,
    Array.from({ length: 100 }, (_, at) => `extra${at}`),
  );
  expect(() => processor.memory.getPredictions("")).toThrow("ask for fewer predictions with the gene max_predictions");
  processor.genes.change(geneChangesOf({ max_predictions: 100 }));
  expect(processor.memory.getPredictions("").predictions).toHaveLength(100);
});
