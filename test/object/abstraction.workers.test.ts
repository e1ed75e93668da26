/** What processors predict, told to others: real objects, chains, fan-out, targets that are down, and objects lost at any time. */

import { abortAllDurableObjects, env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, describe, expect, test } from "vitest";
import { AGENT, forgetAgent, fresh, hotswap, listener, memoryOf, observe, processor, teach } from "./agents";
import { genomeText, outlet, primitive } from "./genomes";

afterEach(forgetAgent);

const symbol = (id: string, model: string, field: string, value: string) =>
  `PRIMITIVE|${id}|${model}|${field}|${value}`;

/** An agent in which p1 tells p2. */
async function pair(...fields: string[]) {
  const [p1, p2] = [fresh("p1"), fresh("p2")] as const;
  const nodes = fields.map((field, at) => outlet(`m${at}-${p1}`, p1, [p2], [field]));
  const manipulatives = fields.map((_, at) => `m${at}-${p1}`);
  await hotswap(genomeText(primitive(p1, { manipulatives, sort: false }), listener(p2), ...nodes));
  return { p1, p2 };
}

function stubOf(id: string): DurableObjectStub {
  return env.PROCESSORS.getByName(`${AGENT}/${id}`) as DurableObjectStub;
}

/** How many events of a processor wait. */
function waitingFor(id: string): Promise<number> {
  return runInDurableObject(stubOf(id), (_, { storage }) => {
    return storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM outbox").one().n;
  });
}

/** When the alarm of a processor rings, epoch milliseconds; `null` when it will not. */
function alarmOf(id: string): Promise<number | null> {
  return runInDurableObject(stubOf(id), (_, { storage }) => storage.getAlarm());
}

describe("what a processor predicts", () => {
  test("is observed by another before the observation is answered, with its emotives and its way", async () => {
    const { p1, p2 } = await pair("name", "future");
    const model = await teach(p1, "hello", "world");
    await processor(p1).memory.observe({
      gdf: {
        strings: ["hello"],
        emotives: [{ name: "joy", value: 0.5 }],
        metadataJson: '{"kept":"here"}',
        uniqueId: "mine",
      },
    });
    expect(await memoryOf(p2)).toEqual([[symbol(p1, model, "name", model)], [symbol(p1, model, "future", "world")]]);
    const { gdf, path } = await processor(p2).memory.getPercept({});
    expect(gdf).toMatchObject({ emotives: [{ name: "joy", value: 0.5 }], metadataJson: "{}", uniqueId: "mine" });
    expect(path).toEqual([`P of ${p1}-${p1}-process`, `abstraction-m1-${p1}`, `P of ${p2}-${p2}-process`]);
    await observe(p1, "world");
    // Nothing is expected after world, so the future says nothing.
    expect((await memoryOf(p2)).length).toBe(3);
    expect(await waitingFor(p1)).toBe(0);
  });

  test("is not told when nothing is predicted, or only emotives are observed, or predicting is off", async () => {
    const { p1, p2 } = await pair("name");
    await teach(p1, "hello", "world");
    await observe(p1, "unknown");
    await processor(p1).memory.clearWorkingMemory({});
    await observe(p1, "hello");
    expect((await memoryOf(p2)).length).toBe(1);
    await processor(p1).memory.observe({ gdf: { emotives: [{ name: "joy", value: 1 }] } });
    await processor(p1).modes.setPredicting({ on: false });
    await observe(p1, "hello");
    expect((await memoryOf(p2)).length).toBe(1);
  });

  test("is told of each record of a sequence, and before an automatic learn", async () => {
    const { p1, p2 } = await pair("name");
    const model = await teach(p1, "a", "b");
    await processor(p1).modes.setAutolearning({ on: true });
    const two = { name: "max_sequence_length", value: { value: { case: "number" as const, value: 2 } } };
    await processor(p1).genes.changeGenes({ changes: [two] });
    const sequence = ["a", "b", "unknown"].map((each) => ({ strings: [each] }));
    const { observed } = await processor(p1).memory.observeSequence({ sequence });
    expect(observed.map(({ autoLearnedModel }) => autoLearnedModel)).toEqual(["", model, expect.any(String)]);
    expect((await memoryOf(p2)).length).toBe(observed.filter(({ predictionMade }) => predictionMade).length);
  });

  test("goes down a chain, and to several at once", async () => {
    const [p1, p2, p3, p4] = [fresh("p1"), fresh("p2"), fresh("p3"), fresh("p4")] as const;
    await hotswap(
      genomeText(
        primitive(p1, { manipulatives: [`m1-${p1}`] }),
        outlet(`m1-${p1}`, p1, [p2, p4], ["future"]),
        primitive(p2, { manipulatives: [`m2-${p1}`] }),
        outlet(`m2-${p1}`, p2, [p3, p4], ["future"]),
        listener(p3),
        listener(p4),
      ),
    );
    const first = await teach(p1, "a", "b");
    const [told, then] = [symbol(p1, first, "future", "b"), "then"];
    const second = await teach(p2, told, then);
    await observe(p1, "a");
    const further = symbol(p2, second, "future", then);
    expect(await memoryOf(p2)).toEqual([[told]]);
    expect(await memoryOf(p3)).toEqual([[further]]);
    // P2 is told first and tells on before it answers.
    expect(await memoryOf(p4)).toEqual([[further], [told]]);
    const { path } = await processor(p3).memory.getPercept({});
    expect(path).toEqual([
      `P of ${p1}-${p1}-process`,
      `abstraction-m1-${p1}`,
      `P of ${p2}-${p2}-process`,
      `abstraction-m2-${p1}`,
      `P of ${p3}-${p3}-process`,
    ]);
  });

  test("arrives in order and once, however many observe at the same time", async () => {
    const { p1, p2 } = await pair("name", "extras");
    const model = await teach(p1, "a", "b");
    await observe(p1, "a");
    await processor(p2).memory.clearWorkingMemory({});
    await Promise.all(Array.from({ length: 20 }, (_, at) => observe(p1, `x${at}`)));
    const memory = await memoryOf(p1);
    const extras = memory.slice(1).map((_, at) => memory.slice(1, at + 2).flat());
    const told = await memoryOf(p2);
    expect(told.filter((_, at) => at % 2 === 0)).toEqual(
      extras.slice(0, told.length / 2).map(() => [symbol(p1, model, "name", model)]),
    );
    expect(told.filter((_, at) => at % 2 === 1)).toEqual(
      extras.slice(0, told.length / 2).map((all) => all.map((value) => symbol(p1, model, "extras", value))),
    );
    expect(told.length).toBeGreaterThan(10);
  });

  test("costs processors that tell nobody neither an alarm nor a row", async () => {
    const { p2 } = await pair("name");
    await teach(p2, "a", "b");
    await observe(p2, "a");
    expect(await alarmOf(p2)).toBe(null);
    expect(await waitingFor(p2)).toBe(0);
  });
});

describe("a target that is down", () => {
  test("gets the events when it is back, in order and once, and the observations are answered meanwhile", async () => {
    const { p1, p2 } = await pair("name");
    const model = await teach(p1, "a", "b");
    await processor(p2).provisioning.retire({ purge: false });
    for (const each of ["a", "b"]) {
      const { observed, stamp } = await observe(p1, each);
      expect([observed?.predictionMade, stamp?.id]).toEqual([true, p1]);
    }
    expect(await waitingFor(p1)).toBe(2);
    expect(await alarmOf(p1)).toBeGreaterThan(Date.now() - 60_000);
    await abortAllDurableObjects();
    expect(await waitingFor(p1)).toBe(2);
    await processor(p2).provisioning.provision({ id: p2, name: "P2", agent: AGENT });
    expect(await runDurableObjectAlarm(stubOf(p1))).toBe(true);
    expect(await memoryOf(p2)).toEqual([[symbol(p1, model, "name", model)], [symbol(p1, model, "name", model)]]);
    expect(await waitingFor(p1)).toBe(0);
    await runDurableObjectAlarm(stubOf(p1));
    await observe(p1, "a");
    expect((await memoryOf(p2)).length).toBe(3);
  });

  test("is asked again by the alarm alone", async () => {
    const { p1, p2 } = await pair("name");
    await teach(p1, "a", "b");
    await processor(p2).provisioning.retire({ purge: false });
    await observe(p1, "a");
    await processor(p2).provisioning.provision({ id: p2, name: "P2", agent: AGENT });
    await expect.poll(() => memoryOf(p2), { timeout: 30_000, interval: 100 }).toHaveLength(1);
    await expect.poll(() => waitingFor(p1), { timeout: 30_000, interval: 100 }).toBe(0);
  });

  test("is no longer waited for when it has left the agent", async () => {
    const { p1, p2 } = await pair("name");
    await teach(p1, "a", "b");
    await processor(p2).provisioning.retire({ purge: false });
    await observe(p1, "a");
    expect(await waitingFor(p1)).toBe(1);
    await hotswap(genomeText(primitive(p1)));
    await runDurableObjectAlarm(stubOf(p1));
    expect(await waitingFor(p1)).toBe(0);
  });

  test("gets nothing of a predecessor of its sender twice, and nothing of a successor too little", async () => {
    const { p1, p2 } = await pair("name");
    await teach(p1, "a", "b");
    await observe(p1, "a");
    await processor(p1).provisioning.retire({ purge: true });
    const outlets = [{ manipulative: "m", fields: ["name"], targets: [{ id: p2 }] }];
    await processor(p1).provisioning.provision({ id: p1, name: "P1", agent: AGENT, outlets });
    await teach(p1, "a", "b");
    await observe(p1, "a");
    expect((await memoryOf(p2)).length).toBe(2);
  });
});

describe("an event that a target refuses", () => {
  test("is given up, so that those behind it arrive", async () => {
    const { p1, p2 } = await pair("name");
    const model = await teach(p1, "a", "b");
    await runInDurableObject(stubOf(p1), (_, { storage }) => {
      // No target accepts an entry of a path that is not well-formed.
      storage.sql.exec(
        "INSERT INTO outbox (target, symbols, emotives, unique_id, path) VALUES (?, ?, ?, ?, ?)",
        ...[p2, '["x"]', '[["joy",1],["joy",2]]', "u", "[]"],
      );
    });
    await observe(p1, "a");
    expect(await memoryOf(p2)).toEqual([[symbol(p1, model, "name", model)]]);
    expect(await waitingFor(p1)).toBe(0);
  });
});

describe("a delivery", () => {
  test("is taken once, by an observer that was lost too, and by one that sleeps", async () => {
    const { p2 } = await pair("name");
    const deliver = (source: string, number: number, value: string) =>
      processor(p2).memory.observe({ gdf: { strings: [value] }, delivery: { source, number } });
    expect((await deliver("s", 3, "three")).redelivered).toBe(false);
    expect((await deliver("s", 3, "three")).redelivered).toBe(true);
    expect((await deliver("s", 2, "two")).redelivered).toBe(true);
    expect((await deliver("t", 1, "one")).redelivered).toBe(false);
    await abortAllDurableObjects();
    expect((await deliver("s", 3, "three")).redelivered).toBe(true);
    await processor(p2).modes.setSleeping({ on: true });
    expect(await deliver("s", 4, "slept")).toMatchObject({ redelivered: false, observed: { awake: false } });
    await processor(p2).modes.setSleeping({ on: false });
    expect((await deliver("s", 4, "slept")).redelivered).toBe(true);
    expect(await memoryOf(p2)).toEqual([]);
    expect((await processor(p2).inspection.ping({})).stamp?.time).toBe(2);
  });

  test.each([
    ["an empty source", "", 1, "source of a delivery is empty"],
    ["a number below 1", "s", 0, "whole number of 1 or more, got 0"],
    ["a fraction", "s", 1.5, "whole number of 1 or more, got 1.5"],
  ])("is refused with %s", async (_, source, number, said) => {
    const { p2 } = await pair("name");
    const call = processor(p2).memory.observe({ gdf: { strings: ["a"] }, delivery: { source, number } });
    const error = ConnectError.from(await call.catch((reason: unknown) => reason));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.rawMessage).toContain(said);
  });
});
