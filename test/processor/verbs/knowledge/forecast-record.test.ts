/** What becomes of the record of forecasts when the knowledge changes: the rows of the table in docs/forecast.md. */

import { describe, expect, test } from "vitest";
import type { ForecastRecord } from "../../../../src/processor/ports/forecaster";
import { RECORD_NUMBERS } from "../../../../src/processor/ports/forecaster";
import type { Processor } from "../../../../src/processor/processor";
import { MemoryStore } from "../../../support/memory-store";
import { openProcessor } from "../../../support/open-processor";
import { gdfOf, geneChangesOf } from "../../../support/processor/calls";
import { pagesOf } from "../../../support/processor/knowledge-form";
import { Random } from "../../../support/random";

const SYMBOLS = ["a", "b", "c", "d", "e"];

/** Learns sequences in which a symbol is mostly followed by the next. */
function teach(processor: Processor, random: Random, models = 40): void {
  for (let model = 0; model < models; model++) {
    let at = random.below(SYMBOLS.length);
    const sequence = Array.from({ length: 4 + random.below(4) }, () => {
      at = (at + (random.below(4) === 0 ? 2 : 1)) % SYMBOLS.length;
      return gdfOf({ strings: [SYMBOLS[at] ?? ""] });
    });
    processor.memory.observeSequence({ sequence, learn: true, clear: true });
  }
}

function taught(seed = 1) {
  const store = new MemoryStore();
  const processor = openProcessor(store);
  teach(processor, new Random(seed));
  return { store, processor };
}

/** What past forecasts tell, as an export says it. */
function recordOf(processor: Processor): number[][] {
  const [page] = pagesOf(processor, "models", true);
  return (page?.forecastRecord?.horizons ?? []).map(({ numbers }) => numbers);
}

/** What comes after some memories, at all horizons. */
function forecastsOf(processor: Processor): unknown {
  return [["a"], ["b", "c"], ["d", "e", "a"], ["a", "a", "x"]].map((symbols) => {
    const sequence = { events: symbols.map((symbol) => ({ symbols: [symbol] })) };
    return processor.memory.getForecast({ sequence, horizon: 10 });
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

describe("a load", () => {
  test("of an export with order forecasts as the original does, and learns as it does", () => {
    const { processor } = taught();
    const copy = openProcessor();
    load(copy, processor, { record: recordOf(processor) });
    expect(forecastsOf(copy)).toEqual(forecastsOf(processor));
    for (const each of [processor, copy]) teach(each, new Random(3));
    expect(recordOf(copy)).toEqual(recordOf(processor));
    expect(forecastsOf(copy)).toEqual(forecastsOf(processor));
  });

  test("of an empty record begins with equal trust", () => {
    const { processor } = taught();
    const copy = openProcessor();
    load(copy, processor, { record: [] });
    expect(recordOf(copy)).toEqual([]);
  });

  test("without a record grades what it loads, whatever was there before", () => {
    const { processor } = taught();
    const [copy, other] = [openProcessor(), taught(4).processor];
    load(copy, processor, { order: false });
    load(other, processor, { order: false });
    expect(recordOf(copy)[0]).toHaveLength(RECORD_NUMBERS);
    expect(recordOf(copy)).not.toEqual(recordOf(processor));
    expect(recordOf(other)).toEqual(recordOf(copy));
  });

  test.each([
    26, 28,
  ])("of a record of a former release, of %i numbers, grades what it loads as without one", (count) => {
    const { processor } = taught();
    const [copy, other] = [openProcessor(), openProcessor()];
    load(copy, processor);
    load(other, processor, { record: [new Array(count).fill(7), []] });
    expect(recordOf(other)).toEqual(recordOf(copy));
    expect(forecastsOf(other)).toEqual(forecastsOf(copy));
  });

  test("with a wrong record is refused, and changes nothing", () => {
    const { processor } = taught();
    const before = [recordOf(processor), forecastsOf(processor)];
    for (const merge of [false, true]) {
      expect(() => load(processor, taught(5).processor, { merge, record: [[1]] })).toThrow(
        expect.objectContaining({
          kind: "invalid",
          message: `forecast_record[0] must be an empty list or one of ${RECORD_NUMBERS} numbers, got a list of 1`,
        }),
      );
      expect([recordOf(processor), forecastsOf(processor)]).toEqual(before);
    }
    const most = new Array(RECORD_NUMBERS).fill(Number.MAX_SAFE_INTEGER);
    expect(() => load(processor, taught(5).processor, { merge: true, record: [most] })).toThrow(/the sum of both/);
    expect(() => processor.knowledge.mergeLoad("other", { horizons: [{ numbers: most.map(() => 1) }] })).toThrow();
    expect([recordOf(processor), forecastsOf(processor)]).toEqual(before);
  });
});

describe("a merge", () => {
  test("adds the record of the file, so that parts sum up in any order", () => {
    const [one, other] = [taught(1).processor, taught(2).processor];
    const [ofOne, ofOther] = [recordOf(one), recordOf(other)];
    load(one, other, { merge: true, record: ofOther });
    const sum = ofOne.map((numbers, at) => numbers.map((number, place) => number + (ofOther[at]?.[place] ?? 0)));
    expect(recordOf(one)).toEqual(sum);
    load(other, taught(1).processor, { merge: true, record: ofOne });
    expect(recordOf(other)).toEqual(sum);
  });

  test("into nothing takes the record over", () => {
    const { processor } = taught();
    const copy = openProcessor();
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
    expect(recordOf(openProcessor(store))).toEqual(before);
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

test("clear-all-memory empties the record, also in the store", () => {
  const { store, processor } = taught();
  processor.memory.clearAllMemory(false);
  expect(recordOf(processor)).toEqual([]);
  expect(recordOf(openProcessor(store))).toEqual([]);
});

test("after a restart forecasts are the same", () => {
  const { store, processor } = taught();
  expect(forecastsOf(openProcessor(store))).toEqual(forecastsOf(processor));
});
