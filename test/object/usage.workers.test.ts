/** How full a processor is, and what it has told others, can be asked without bringing it into memory, and is the same as when it is there. */

import { abortAllDurableObjects, env, runInDurableObject, SELF } from "cloudflare:test";
import { Code } from "@connectrpc/connect";
import { describe, expect, test, vi } from "vitest";
import { kernels } from "../../src/object/isolate";
import { billed } from "../../src/store/database/database";
import { forgetAgent, fresh, hotswap, observe, pair, processor, stubOf, teach } from "../support/object/agents";
import { inSession, newProcessor, processorNamed } from "../support/object/clients";
import { genomeText, primitive } from "../support/object/genomes";

test("what a processor has learned is counted from its rows as it is in memory, and asking does not bring it there", async () => {
  const p1 = await newProcessor();
  for (const symbol of ["a", "b", "c"]) {
    const sequence = [
      { strings: [symbol], vectors: [{ components: [symbol.charCodeAt(0), 1] }] },
      { strings: ["end"] },
    ];
    await p1.memory.observeSequence({ sequence, learn: true });
  }
  for (const session of ["x", "y"]) await inSession(p1, session).memory.observe({ gdf: { strings: ["a"] } });
  const live = await p1.inspection.getUsage({});
  expect(live).toMatchObject({ models: 3, symbols: 7, vectors: 3, sessions: 2, stamp: { id: "p1", time: 6 } });
  expect(live.memoryBytes).toBe((await p1.inspection.getInfo({})).memoryBytes);
  expect(live.memoryLimitBytes).toBe((await p1.inspection.getInfo({})).memoryLimitBytes);
  expect(live.maxModels).toBe(0);
  expect(live.storageBytes).toBeGreaterThan(10_000);
  await abortAllDurableObjects();
  const before = kernels.size;
  const stored = await p1.inspection.getUsage({});
  const { memoryBytes: _, ...counts } = live;
  expect(stored).toEqual({ ...counts, storageBytes: expect.any(Number) });
  expect(stored.memoryBytes).toBeUndefined();
  expect(kernels.size).toBe(before);
});

test("an object that is no processor says so, and stores nothing", async () => {
  const nobody = processorNamed(`test/${crypto.randomUUID()}`);
  await expect(nobody.inspection.getUsage({})).rejects.toMatchObject({ code: Code.FailedPrecondition });
});

test("GET /processors lists the processors in the order of the genome; one that has never been used is not put into service", async () => {
  await forgetAgent();
  const ids = Array.from({ length: 40 }, (_, at) => fresh(`q${at}`));
  await hotswap(genomeText(...ids.map((id) => primitive(id))));
  const [first = "", second = ""] = ids;
  await processor(second).memory.observeSequence({ sequence: [{ strings: ["a"] }, { strings: ["b"] }], learn: true });
  const gone = env.PROCESSORS.getByName(`simple/${first}`);
  expect(gone).toBeDefined();
  await processor(first).provisioning.retire({ purge: true });
  const response = await SELF.fetch("http://127.0.0.1/processors", { headers: { "x-api-key": "ABCD-1234" } });
  const { message, status } = (await response.json()) as { message: Record<string, unknown>[]; status: string };
  expect([response.status, status, message.map(({ id }) => id)]).toEqual([200, "okay", ids]);
  expect(message[0]).toEqual({
    id: first,
    max_models: null,
    memory_bytes: null,
    memory_limit_bytes: null,
    models: 0,
    name: `P of ${first}`,
    percent_full: 0,
    sessions: 0,
    status: "unused",
    storage_bytes: null,
    storage_limit_bytes: 10_000_000_000,
    symbols: 0,
    vectors: 0,
  });
  expect(message[1]).toMatchObject({ status: "okay", models: 1, symbols: 2, percent_full: 0.1 });
  await expect(processor(first).inspection.ping({})).rejects.toMatchObject({ code: Code.FailedPrecondition });
  await forgetAgent();
});

describe("what a processor has told others", () => {
  const links = (id: string) => processor(id).inspection.getLinks({});

  test("is counted by link, given up apart, and asking writes no row and brings nothing into memory", async () => {
    const { p1, p2 } = await pair("name");
    const link = { manipulative: `m0-${p1}`, processor: p2 };
    await teach(p1, "a", "b");
    expect((await links(p1)).links).toMatchObject([{ ...link, delivered: 0, givenUp: 0 }]);
    for (const each of ["a", "b"]) await observe(p1, each);
    vi.spyOn(console, "error").mockReturnValue(undefined);
    await runInDurableObject(stubOf(p1), (_, { storage }) => {
      // No target accepts two emotives of one name.
      storage.sql.exec(
        "INSERT INTO outbox (target, symbols, emotives, unique_id, path) VALUES (?, ?, ?, ?, ?)",
        ...[p2, '["x"]', '[["joy",1],["joy",2]]', "u", `["P","abstraction-m0-${p1}"]`],
      );
    });
    await observe(p1, "a");
    const before = billed.rows;
    const told = await links(p1);
    expect(billed.rows).toBe(before);
    expect(told.links).toMatchObject([{ ...link, delivered: 3, givenUp: 1 }]);
    expect(told).toMatchObject({ waiting: 0, waitsFor: "", stamp: { id: p1, time: 5 } });
    expect(Math.abs(told.countedSince - Date.now() / 1000)).toBeLessThan(60);
    expect((await links(p2)).links).toEqual([]);
    await abortAllDurableObjects();
    const held = kernels.size;
    expect((await links(p1)).links).toMatchObject([{ ...link, delivered: 0, givenUp: 0 }]);
    expect(kernels.size).toBe(held);
    await forgetAgent();
  });

  test("names what waits, and for whom", async () => {
    const { p1, p2 } = await pair("name");
    await teach(p1, "a", "b");
    await processor(p2).provisioning.retire({ purge: false });
    for (const each of ["a", "b", "a"]) await observe(p1, each);
    expect(await links(p1)).toMatchObject({ waiting: 3, waitsFor: p2, links: [{ delivered: 0, givenUp: 0 }] });
    await forgetAgent();
  });

  test("is unknown of an object that is no processor", async () => {
    const nobody = processorNamed(`test/${crypto.randomUUID()}`);
    await expect(nobody.inspection.getLinks({})).rejects.toMatchObject({ code: Code.FailedPrecondition });
  });
});
