/**
 * A split processor in an isolate that is too small for it: parts and head push each other out of memory, and every
 * answer is that of a processor that is not split.
 */

import { env, runInDurableObject } from "cloudflare:test";
import { expect, test, vi } from "vitest";
import { KnowledgeGrading } from "../../../src/object/knowledge-grading";
import type { StoredProcessor } from "../../../src/object/stored-processor";
import { modelName } from "../../../src/processor/knowledge/names";
import { SqliteStore } from "../../../src/store/store";
import { KnowledgeTables } from "../../../src/store/tables/knowledge-tables";
import { kernelsWithin, newHostOn } from "../../support/object/hosts";
import { COUNT, headOn, LossyParts } from "../../support/object/lossy-parts";
import { Random } from "../../support/random";

/** Models of all parts together, and the bytes of an isolate that is too small for all parts at once, but not for one. */
const MODELS = 6_000;
const CROWDED_BYTES = 700_000;
/** An empty record. */
const RECORD = { strings: [], vectors: [], emotives: [], metadataJson: "", uniqueId: "u", command: "", numbers: [] };

const inObject = <Outcome>(work: (storage: DurableObjectStorage) => Promise<Outcome>) =>
  runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()), (_, { storage }) => work(storage));

/** Loads the same models without a record of forecasts. */
async function load(processor: StoredProcessor, models: number): Promise<void> {
  const random = new Random(3);
  const all = Array.from({ length: models }, () => {
    const sequence = Array.from({ length: 6 }, () => ({ symbols: [`s${random.below(12)}`] }));
    const name = modelName(sequence.map(({ symbols }) => symbols));
    return { name, sequence, frequency: 1, emotives: [], metadataJson: [] };
  });
  await processor.run(true, ({ knowledge }) => knowledge.beginLoad("load"));
  await processor.run(true, ({ knowledge }) => knowledge.loadKnowledge({ loadId: "load", models: all, vectors: [] }));
  await processor.run(true, ({ knowledge }) => knowledge.commitLoad("load"));
}

const recordOf = (storage: DurableObjectStorage) => new SqliteStore(storage.sql).state()?.forecastRecord;

/** The record of these models in a processor that is not split. */
const wholeRecord = () =>
  inObject(async (storage) => {
    await load(newHostOn(storage), 60);
    return recordOf(storage);
  });

/** A head whose knowledge is graded when that is asked for. */
function gradedOn(storage: DurableObjectStorage, parts: LossyParts) {
  const take = <Reply>(_: unknown, work: () => Reply) => work();
  const head: StoredProcessor = headOn(storage, parts, () => grading.grade());
  const grading = new KnowledgeGrading(head, { ringBy: () => undefined }, take);
  head.provision("p1", "P1", [], { agent: "", manipulatives: [], parts: COUNT });
  return { head, grading };
}

test("a load is graded when it is answered, although its head leaves memory with every question", async () => {
  const whole = await wholeRecord();
  expect(whole?.flat().length).toBeGreaterThan(20);
  await inObject(async (storage) => {
    const parts = new LossyParts(1);
    parts.share(kernelsWithin());
    const { head, grading } = gradedOn(storage, parts);
    await load(head, 60);
    parts.planted = (_, delivery) => {
      if (delivery.part === 0) parts.evictHead();
      return delivery;
    };
    parts.evictHead();
    await head.graded();
    expect(parts.evicted.head).toBeGreaterThan(20);
    expect(recordOf(storage)).toEqual(whole);
    // All is done: nothing is built for it again.
    const { rounds } = parts;
    await grading.wake();
    expect(parts.rounds).toBe(rounds);
  });
});

test("the alarm of a head that restarts grades what was loaded before, without a call", async () => {
  await inObject(async (storage) => {
    const parts = new LossyParts(1);
    await load(gradedOn(storage, parts).head, 60);
    expect(recordOf(storage)).toEqual([]);
    await gradedOn(storage, parts).grading.wake();
    expect(recordOf(storage)).toEqual(await wholeRecord());
    // The next life has nothing to do, and builds nothing.
    const { head, grading } = gradedOn(storage, parts);
    const runs = vi.spyOn(head, "run");
    await grading.wake();
    expect(runs).not.toHaveBeenCalled();
  });
});

test("parts of one isolate that do not fit into it together are filled again and again, and answer the same", async () => {
  await inObject(async (storage) => {
    const random = new Random(9);
    const parts = new LossyParts(1);
    let head = headOn(storage, parts);
    head.provision("p1", "P1", [], { agent: "", manipulatives: [], parts: COUNT });
    const sequenceOf = (length: number) => ({
      events: Array.from({ length }, () => ({ symbols: [`s${random.below(40)}`] })),
    });
    await head.run(true, ({ knowledge }) => {
      for (let models = 0; models < MODELS; models++) knowledge.addModel({ sequence: sequenceOf(10) });
    });
    const questions = Array.from({ length: 4 }, () => sequenceOf(5));
    const answers = async () => {
      const said: string[] = [];
      for (const sequence of questions) {
        const { predictions } = await head.run(false, ({ memory }) => memory.getPredictions("", { sequence }));
        const { forecast } = await head.run(false, ({ memory }) => memory.getForecast({ sequence, horizon: 2 }));
        said.push(JSON.stringify([predictions, forecast]));
      }
      return said;
    };
    const expected = await answers();
    parts.share(kernelsWithin({ memoryBytes: CROWDED_BYTES }));
    head = headOn(storage, parts);
    const once = parts.sent.get("fill") ?? 0;
    expect(await answers()).toEqual(expected);
    // They were filled more than once.
    expect((parts.sent.get("fill") ?? 0) - once).toBeGreaterThan(2 * once);
    const sighting = await head.run(true, ({ memory }) =>
      memory.observe({ ...RECORD, strings: ["s1"] }, [], undefined, false),
    );
    expect(sighting.observed.predictionMade).toBe(true);
  });
});

test("as many of them are filled in one reading of the rows as have memory together", async () => {
  await inObject(async (storage) => {
    const parts = new LossyParts(1, 12);
    const roomy = headOn(storage, parts);
    roomy.provision("p1", "P1", [], { agent: "", manipulatives: [], parts: parts.count });
    const random = new Random(9);
    await roomy.run(true, ({ knowledge }) => {
      for (let models = 0; models < 3_000; models++) {
        const events = Array.from({ length: 6 }, () => ({ symbols: [`s${random.below(2_000)}`] }));
        knowledge.addModel({ sequence: { events } });
      }
    });
    parts.share(kernelsWithin({ memoryBytes: 700_000 }));
    const head = headOn(storage, parts);
    const readings = vi.spyOn(KnowledgeTables.prototype, "corpusBatches");
    const predict = async (symbol: number) => {
      const sequence = { events: [{ symbols: [`s${symbol}`] }, { symbols: [`s${symbol + 1}`] }] };
      const before = readings.mock.calls.length;
      await head.run(false, ({ memory }) => memory.getPredictions("", { sequence }));
      return readings.mock.calls.length - before;
    };
    // It learns how many fit.
    await predict(1);
    const counts: number[] = [];
    for (const symbol of [2, 3, 4]) counts.push(await predict(symbol));
    // Two questions, each to parts of which most are not in memory.
    expect(Math.min(...counts)).toBeGreaterThan(2);
    expect(Math.max(...counts)).toBeLessThanOrEqual(8);
    vi.restoreAllMocks();
  });
});
