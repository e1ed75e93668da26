/** How events reach other processors: targets that are down, refuse or have left, events sent twice, and lost objects. */

import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  AGENT,
  forgetAgent,
  hotswap,
  memoryOf,
  observe,
  pair,
  processor,
  stubOf,
  symbol,
  teach,
  waitingFor,
} from "../support/object/agents";
import { genomeText, primitive } from "../support/object/genomes";

beforeEach(() => {
  // Events that are given up are logged.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await forgetAgent();
});

/** When the alarm of a processor rings, epoch milliseconds; `null` when it will not. */
function alarmOf(id: string): Promise<number | null> {
  return runInDurableObject(stubOf(id), (_, { storage }) => storage.getAlarm());
}

describe("a target that is down", () => {
  test("gets the events in order and once when it is back; meanwhile the observations are answered", async () => {
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

  test("gets the events from the alarm, without another call", async () => {
    const { p1, p2 } = await pair("name");
    await teach(p1, "a", "b");
    await processor(p2).provisioning.retire({ purge: false });
    await observe(p1, "a");
    await processor(p2).provisioning.provision({ id: p2, name: "P2", agent: AGENT });
    await expect.poll(() => memoryOf(p2), { timeout: 30_000, interval: 100 }).toHaveLength(1);
    await expect.poll(() => waitingFor(p1), { timeout: 30_000, interval: 100 }).toBe(0);
  });

  test("stops blocking the queue when it has left the agent", async () => {
    const { p1, p2 } = await pair("name");
    await teach(p1, "a", "b");
    await processor(p2).provisioning.retire({ purge: false });
    await observe(p1, "a");
    expect(await waitingFor(p1)).toBe(1);
    await hotswap(genomeText(primitive(p1)));
    await runDurableObjectAlarm(stubOf(p1));
    expect(await waitingFor(p1)).toBe(0);
  });

  test("observes each event once, also when its sender was purged and made again", async () => {
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

describe("an event that a lost object did not deliver", () => {
  test("is delivered before the next answer, also when that answers the same delivery again", async () => {
    const { p1, p2 } = await pair("name");
    await teach(p1, "a", "b");
    const delivery = { source: "sender", number: 1 };
    await processor(p1).memory.observe({ gdf: { strings: ["a"] }, delivery });
    // As if it had been lost after it committed and before it delivered.
    await processor(p2).memory.clearAllMemory({});
    await runInDurableObject(stubOf(p1), (_, { storage }) => {
      storage.sql.exec(
        "INSERT INTO outbox (target, symbols, emotives, unique_id, path) VALUES (?, ?, ?, ?, ?)",
        ...[p2, '["left"]', "[]", "u", "[]"],
      );
    });
    await abortAllDurableObjects();
    expect((await processor(p1).memory.observe({ gdf: { strings: ["a"] }, delivery })).redelivered).toBe(true);
    expect(await memoryOf(p2)).toEqual([["left"]]);
  });
});

describe("an event that a target refuses", () => {
  test("is given up, so that the events after it arrive", async () => {
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
  test("is observed once, also by a processor that was lost, and by one that sleeps", async () => {
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
    ["an empty source", ["P1"], "", 1, "source of a delivery must be a name"],
    ["a long source", ["P1"], "s".repeat(129), 1, "source of a delivery must be a name"],
    ["a client's empty source", [], "", 1, "source of a delivery must be a name"],
    ["a number below 1", [], "s", 0, "whole number of 1 or more, got 0"],
    ["a fraction", [], "s", 1.5, "whole number of 1 or more, got 1.5"],
  ])("is refused with %s", async (_, path, source, number, said) => {
    const { p2 } = await pair("name");
    const call = processor(p2).memory.observe({ gdf: { strings: ["a"] }, path, delivery: { source, number } });
    const error = ConnectError.from(await call.catch((reason: unknown) => reason));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.rawMessage).toContain(said);
  });
});
