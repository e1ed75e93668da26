/** What becomes of the record of forecasts when the knowledge changes: the rows of the table in docs/forecast.md. */

import { beforeAll, describe, expect, test, vi } from "vitest";
import {
  CORRECTION,
  CORRECTION_CURVATURE,
  FORECASTS,
  mergedRecords,
} from "../../../../src/processor/knowledge/forecast-record";
import type { ForecastRecord } from "../../../../src/processor/ports/forecaster";
import { EMPTY_RECORD, RECORD_NUMBERS } from "../../../../src/processor/ports/forecaster";
import type { Processor } from "../../../../src/processor/processor";
import { soleKernel } from "../../../support/kernel/sole-kernel";
import { MemoryStore } from "../../../support/memory-store";
import { openProcessor } from "../../../support/open-processor";
import { gdfOf, geneChangesOf } from "../../../support/processor/calls";
import { pagesOf } from "../../../support/processor/knowledge-form";
import { Random } from "../../../support/random";

/** Over the kernel, because the oracle takes long to give the same answers. */
const open = (store?: MemoryStore) => openProcessor(store, soleKernel());

const SYMBOLS = ["a", "b", "c", "d", "e"];

/** Learns sequences in which a symbol is mostly followed by the next. */
function teach(processor: Processor, random: Random, models = 24): void {
  for (let model = 0; model < models; model++) {
    let at = random.below(SYMBOLS.length);
    const sequence = Array.from({ length: 4 + random.below(4) }, () => {
      at = (at + (random.below(4) === 0 ? 2 : 1)) % SYMBOLS.length;
      return gdfOf({ strings: [SYMBOLS[at] ?? ""] });
    });
    processor.memory.observeSequence({ sequence, learn: true, clear: true });
  }
}

/** What was taught with each seed. */
const stores = new Map<number, MemoryStore>();

/** A processor of its own that has been taught: teaching takes long, and opening what was taught does not. */
function taught(seed = 1) {
  const first = stores.get(seed) ?? new MemoryStore();
  if (!stores.has(seed)) teach(open(first), new Random(seed));
  stores.set(seed, first);
  const store = first.copy();
  return { store, processor: open(store) };
}

/** What past forecasts tell, as an export says it. */
function recordOf(processor: Processor): number[][] {
  const [page] = pagesOf(processor, "models", true);
  return (page?.forecastRecord?.horizons ?? []).map(({ numbers }) => numbers);
}

/** What comes after some memories, at all horizons. */
function forecastsOf(processor: Processor) {
  return [["a"], ["b", "c"], ["d", "e", "a"], ["a", "a", "x"]].map((symbols) => {
    const sequence = { events: symbols.map((symbol) => ({ symbols: [symbol] })) };
    return processor.memory.getForecast({ sequence, horizon: 10 }).forecast;
  });
}

/** Loads what another processor knows. @param record what past forecasts tell of it, if the file says it */
function load(
  processor: Processor,
  from: Processor,
  { order = true, merge = false, record }: { order?: boolean; merge?: boolean; record?: ForecastRecord } = {},
): void {
  const { loadId } = processor.knowledge.beginLoad("load");
  const models = pagesOf(from, "models", order).flatMap((page) => page.models);
  processor.knowledge.loadKnowledge({ loadId, models, vectors: [] });
  const told = record && { horizons: record.map((numbers) => ({ numbers: [...numbers] })) };
  if (merge) processor.knowledge.mergeLoad(loadId, told);
  else processor.knowledge.commitLoad(loadId, told);
}

const nameOf = (processor: Processor, at: number) => pagesOf(processor, "models")[0]?.models[at]?.name ?? "";
const SEQUENCE = { events: [{ symbols: ["a"] }, { symbols: ["z"] }] };

test("what a window overlaps with is known as well as it is read", () => {
  const random = new Random(3);
  const [kept, reopened] = [new MemoryStore(), new MemoryStore()];
  const processor = open(kept);
  const both = (work: (one: Processor) => void) => {
    work(processor);
    work(open(reopened));
  };
  both((one) => {
    one.modes.setAutolearning(true);
    one.genes.change(geneChangesOf({ max_sequence_length: 4, wm_mode: "rolling", wm_resolution: "event" }));
  });
  for (let step = 0; step < 48; step++) {
    const symbol = random.pick(SYMBOLS);
    both((one) => one.memory.observe(gdfOf({ strings: [symbol] }), []));
    const models = pagesOf(processor, "models", true).flatMap((page) => page.models);
    const newest = models.reduce((one, other) => ((other.order ?? 0) > (one?.order ?? 0) ? other : one), models[0]);
    if (step % 9 === 8 && newest !== undefined) both((one) => one.knowledge.deleteModel(newest.name));
    if (step % 15 === 14) both((one) => one.knowledge.removeSymbols({ symbols: ["e"], patterns: [] }));
    if (step === 26) both((one) => one.memory.clearAllMemory(false));
  }
  expect(recordOf(processor)[0]?.[0]).not.toBe(0);
  expect(recordOf(processor)).toEqual(recordOf(open(reopened)));
});

describe("an export", () => {
  test("holds the record on its first page, with order only", () => {
    const { processor } = taught();
    const ask = { section: "models", after: "", revision: 0 } as const;
    expect(recordOf(processor)[0]).toHaveLength(RECORD_NUMBERS);
    expect(processor.knowledge.exportKnowledge(ask).forecastRecord).toBeUndefined();
    const after = nameOf(processor, 0);
    expect(processor.knowledge.exportKnowledge({ ...ask, after, order: true }).forecastRecord).toBeUndefined();
    expect(processor.knowledge.exportKnowledge({ ...ask, section: "symbols", order: true }).forecastRecord).toBe(
      undefined,
    );
  });

  test("holds the record of its moment", () => {
    const { processor } = taught();
    const before = recordOf(processor);
    const ask = { section: "models", after: "", revision: 0, snapshot: "s", order: true } as const;
    processor.knowledge.exportKnowledge(ask);
    teach(processor, new Random(2));
    const { forecastRecord } = processor.knowledge.exportKnowledge(ask);
    expect(forecastRecord?.horizons.map(({ numbers }) => numbers)).toEqual(before);
    expect(recordOf(processor)).not.toEqual(before);
  });
});

/** What two processors that learned the same at different times forecast alike. */
function withoutTimes(forecast: ReturnType<typeof forecastsOf>[number]) {
  return { ...forecast, steps: forecast.steps.map(({ when: _, ...step }) => step) };
}

describe("a load", () => {
  test("of an export with order forecasts as the original does, and learns as it does", () => {
    const { processor } = taught();
    const copy = open();
    load(copy, processor, { record: recordOf(processor) });
    expect(forecastsOf(copy)).toEqual(forecastsOf(processor));
    for (const each of [processor, copy]) teach(each, new Random(3));
    expect(recordOf(copy)).toEqual(recordOf(processor));
    expect(forecastsOf(copy).map(withoutTimes)).toEqual(forecastsOf(processor).map(withoutTimes));
  });

  test("of a record of which nothing was graded begins with equal weights", () => {
    const { processor } = taught();
    const copy = open();
    load(copy, processor, { record: EMPTY_RECORD });
    expect(recordOf(copy)).toEqual(EMPTY_RECORD);
  });

  test("without a record grades what it loads, whatever was there before", () => {
    const { processor } = taught();
    const [copy, other] = [open(), taught(4).processor];
    load(copy, processor, { order: false });
    load(other, processor, { order: false });
    expect(recordOf(copy)[0]).toHaveLength(RECORD_NUMBERS);
    expect(recordOf(copy)).not.toEqual(recordOf(processor));
    expect(recordOf(other)).toEqual(recordOf(copy));
  });

  test.each([
    0, 26, 28, 32,
  ])("of a record of a former release, of %i numbers, grades what it loads as without one", (count) => {
    const { processor } = taught();
    const [copy, other] = [open(), open()];
    load(copy, processor);
    load(other, processor, { record: count === 0 ? [] : [new Array(count).fill(7), []] });
    expect(recordOf(other)).toEqual(recordOf(copy));
    expect(forecastsOf(other)).toEqual(forecastsOf(copy));
  });

  test("with a wrong record is refused, and changes nothing", () => {
    const { processor } = taught();
    const before = [recordOf(processor), forecastsOf(processor)];
    for (const merge of [false, true]) {
      expect(() => load(processor, taught(5).processor, { merge, record: [[1], [], [], []] })).toThrow(
        expect.objectContaining({
          kind: "invalid",
          message: `forecast_record[0] must be an empty list or one of ${RECORD_NUMBERS} numbers, got a list of 1`,
        }),
      );
      expect([recordOf(processor), forecastsOf(processor)]).toEqual(before);
    }
    const isWeight = (at: number) => at < FORECASTS || (at >= CORRECTION && at < CORRECTION_CURVATURE);
    const most = Array.from({ length: RECORD_NUMBERS }, (_, at) => (isWeight(at) ? 0 : Number.MAX_SAFE_INTEGER));
    const record = [most, [], [], []];
    expect(() => load(processor, taught(5).processor, { merge: true, record })).toThrow(/the sum of both/);
    const horizons = [most.map(() => 1), [], [], []].map((numbers) => ({ numbers }));
    expect(() => processor.knowledge.mergeLoad("other", { horizons })).toThrow(/there is no load/);
    expect([recordOf(processor), forecastsOf(processor)]).toEqual(before);
  });
});

describe("a merge", () => {
  test("merges the record of the file, so that parts come to the same in any order", () => {
    const [one, other] = [taught(1).processor, taught(2).processor];
    const [ofOne, ofOther] = [recordOf(one), recordOf(other)];
    load(one, other, { merge: true, record: ofOther });
    const merged = mergedRecords(ofOne, ofOther);
    expect(recordOf(one)).toEqual(merged);
    expect(merged).not.toEqual(ofOne);
    load(other, taught(1).processor, { merge: true, record: ofOne });
    expect(recordOf(other)).toEqual(merged);
  });

  test("into nothing takes the record over", () => {
    const { processor } = taught();
    const copy = open();
    load(copy, processor, { merge: true, record: recordOf(processor) });
    expect(forecastsOf(copy)).toEqual(forecastsOf(processor));
  });

  test("of a file without a record leaves the record", () => {
    const { processor } = taught();
    const before = recordOf(processor);
    load(processor, taught(2).processor, { merge: true, order: false });
    expect(recordOf(processor)).toEqual(before);
  });
});

describe("the record stays", () => {
  test.each<[string, (processor: Processor) => unknown]>([
    ["add-model", ({ knowledge }) => knowledge.addModel({ sequence: SEQUENCE })],
    ["PUT model", (each) => each.knowledge.updateModel({ name: nameOf(each, 0), sequence: SEQUENCE, frequency: 3 })],
    ["DELETE model", (each) => each.knowledge.deleteModel(nameOf(each, 0))],
    ["forget", ({ knowledge }) => knowledge.forgetModels({ keepAtMost: 3, dryRun: false })],
    ["symbols/remove", ({ knowledge }) => knowledge.removeSymbols({ symbols: ["c"], patterns: [] })],
    ["working-memory/clear", ({ memory }) => memory.clearWorkingMemory()],
    ["an observation", ({ memory }) => memory.observe(gdfOf({ strings: ["a"] }), [])],
    ["a forecast", (each) => forecastsOf(each)],
    ["a change of genes", ({ genes }) => genes.change(geneChangesOf({ max_models: 2, recall_threshold: 0.5 }))],
  ])("with %s, also in the store", (_, change) => {
    const { store, processor } = taught();
    const before = recordOf(processor);
    change(processor);
    expect(recordOf(processor)).toEqual(before);
    expect(recordOf(open(store))).toEqual(before);
  });

  test("when max_models forgets: a learn adds to it as without the limit", () => {
    const [limited, free] = [taught(), taught()];
    limited.processor.genes.change(geneChangesOf({ max_models: 5 }));
    for (const { processor } of [limited, free]) teach(processor, new Random(6), 1);
    expect(pagesOf(limited.processor, "models")[0]?.models.length).toBeLessThan(
      pagesOf(free.processor, "models")[0]?.models.length ?? 0,
    );
    expect(recordOf(limited.processor)).toEqual(recordOf(free.processor));
  });
});

describe("a knowledge without a record", () => {
  /** As a former release has left it. */
  function former() {
    const { store } = taught();
    const state = store.state();
    if (state === undefined) throw new Error("nothing was learned");
    store.record({
      kind: "state",
      state: { ...state, forecastRecord: [new Array(32).fill(1), [], new Array(32).fill(2)] },
    });
    return { store, processor: open(store) };
  }

  /** The same knowledge, graded as a whole, and its record. */
  const copy = open();
  let graded: number[][];

  beforeAll(() => {
    load(copy, taught().processor);
    graded = recordOf(copy);
  });

  test("opens, forecasts, and is graded part by part as a load without one is", () => {
    const { store, processor } = former();
    expect(processor.knowledge.isUngraded).toBe(true);
    expect(recordOf(processor)).toEqual([]);
    const plain = forecastsOf(processor);
    let parts = 1;
    for (; !processor.knowledge.gradePart().isDone; parts++) expect(forecastsOf(processor)).toEqual(plain);
    expect(parts).toBeGreaterThan(2);
    expect(recordOf(processor)).toEqual(graded);
    expect(forecastsOf(processor)).toEqual(forecastsOf(copy));
    expect(recordOf(open(store))).toEqual(graded);
    expect(processor.knowledge.gradePart()).toEqual({ isDone: true });
  });

  test.each([
    ["with as many models as are graded later", 0, true],
    ["with fewer models", 1, false],
  ])("is what a load %s leaves, and is graded to the same", (_, more, isLeft) => {
    const { processor: from } = taught();
    const models = pagesOf(from, "models").reduce((sum, page) => sum + page.models.length, 0);
    const processor = openProcessor(new MemoryStore(), soleKernel(), undefined, models + more);
    load(processor, from);
    expect(processor.knowledge.isUngraded).toBe(isLeft);
    while (!processor.knowledge.gradePart().isDone);
    expect(recordOf(processor)).toEqual(graded);
    expect(forecastsOf(processor)).toEqual(forecastsOf(copy));
  });

  /** Loads one model of this many symbols where this many models are graded later. */
  function loadLong(length: number, models: number): Processor {
    const long = openProcessor(new MemoryStore(), soleKernel());
    const events = Array.from({ length }, (_, at) => ({ symbols: [`${at % 7}`] }));
    long.knowledge.addModel({ sequence: { events } });
    const processor = openProcessor(new MemoryStore(), soleKernel(), undefined, models);
    load(processor, long);
    return processor;
  }

  test("is what a load leaves of ten symbols for each model from which it is graded later", () => {
    expect(loadLong(100, 10).knowledge.isUngraded).toBe(true);
    expect(loadLong(100, 11).knowledge.isUngraded).toBe(false);
  });

  test("of few long models is graded in as many parts as of many short ones with as many symbols", () => {
    const processor = loadLong(16_000, 100);
    let parts = 1;
    for (; !processor.knowledge.gradePart().isDone; ) parts++;
    expect(parts).toBeGreaterThan(30);
  });

  test("begins anew after an eviction, and comes to the same", () => {
    const { store, processor } = former();
    processor.knowledge.gradePart();
    const again = open(store);
    while (!again.knowledge.gradePart().isDone);
    expect(recordOf(again)).toEqual(graded);
  });

  test("begins anew after a part that failed, and comes to the same", () => {
    const { store, processor } = former();
    // Draws, and reads none.
    processor.knowledge.gradePart();
    const read = vi.spyOn(store.knowledge, "modelById").mockImplementation(() => {
      throw new Error("the model cannot be read");
    });
    expect(() => processor.knowledge.gradePart()).toThrow("the model cannot be read");
    read.mockRestore();
    while (!processor.knowledge.gradePart().isDone);
    expect(recordOf(processor)).toEqual(graded);
  });

  test("that learns meanwhile is graded as it is then, and nothing of it before", () => {
    const { store, processor } = former();
    processor.knowledge.gradePart();
    teach(processor, new Random(9), 20);
    expect(recordOf(processor)).toEqual([]);
    let parts = 1;
    for (; !processor.knowledge.gradePart().isDone; parts++) expect(recordOf(processor)).toEqual([]);
    expect(parts).toBeGreaterThan(2);
    const copy = open();
    load(copy, processor);
    expect(recordOf(processor)).toEqual(recordOf(copy));
    teach(processor, new Random(10), 20);
    expect(recordOf(processor)).not.toEqual(recordOf(copy));
    expect(recordOf(open(store))).toEqual(recordOf(processor));
  });

  test("stays one with a merge, and has nothing to grade once it is cleared", () => {
    const { store, processor } = former();
    const other = taught(2).processor;
    load(processor, other, { merge: true, record: recordOf(other) });
    expect(recordOf(processor)).toEqual([]);
    processor.memory.clearAllMemory(false);
    expect(processor.knowledge.isUngraded).toBe(false);
    expect(recordOf(open(store))).toEqual(EMPTY_RECORD);
  });
});

test("clear-all-memory empties the record, also in the store", () => {
  const { store, processor } = taught();
  processor.memory.clearAllMemory(false);
  expect(recordOf(processor)).toEqual(EMPTY_RECORD);
  expect(recordOf(open(store))).toEqual(EMPTY_RECORD);
});

test("after a restart forecasts are the same", () => {
  const store = new MemoryStore();
  const processor = open(store);
  teach(processor, new Random(1));
  expect(recordOf(open(store))).toEqual(recordOf(processor));
  expect(forecastsOf(open(store))).toEqual(forecastsOf(processor));
});
