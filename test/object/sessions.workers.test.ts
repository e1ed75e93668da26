/** Sessions of an object: they last, end when their time is up, and are told apart by other processors. */

import { abortAllDurableObjects, env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, test } from "vitest";
import { kernels } from "../../src/object/isolate";
import { SqliteStore } from "../../src/store/store";
import { forgetAgent, fresh, hotswap, listener, processor, symbol, teach } from "../support/object/agents";
import { inSession, newProcessor, type ProcessorClient, viewOf } from "../support/object/clients";
import { genomeText, manipulative, primitive } from "../support/object/genomes";
import { Life } from "../support/store/memory-life";

const BATCH_MS = 600_000;

function stubOf({ name }: ProcessorClient): DurableObjectStub {
  return env.PROCESSORS.getByName(name) as DurableObjectStub;
}

/** The names of the sessions on the disk, and when the alarm rings. */
function storedBy(client: ProcessorClient): Promise<{ sessions: string[]; alarm: number | null }> {
  return runInDurableObject(stubOf(client), async (_, { storage }) => {
    const rows = storage.sql.exec<{ session: string }>("SELECT DISTINCT session FROM memories WHERE session > ''");
    return { sessions: rows.toArray().map(({ session }) => session), alarm: await storage.getAlarm() };
  });
}

/** Sets how long sessions last. @param seconds 0 for ever */
async function setTtl({ genes }: ProcessorClient, seconds: number): Promise<void> {
  await genes.changeGenes({ changes: [{ name: "session_ttl", value: { value: { case: "number", value: seconds } } }] });
}

async function observeIn(own: ProcessorClient, session: string, ...strings: string[]): Promise<void> {
  await inSession(own, session).memory.observe({ gdf: { strings, uniqueId: "record" } });
}

/** The events of a session, of one string each. */
async function memoryIn(own: ProcessorClient, session: string): Promise<(string | undefined)[]> {
  return (await inSession(own, session).memory.getWorkingMemory({})).events.map(({ symbols }) => symbols[0]);
}

/** How long a session lasts here: far longer than a busy machine takes from an observation to the next look at its session. */
const TTL_S = 60;
/** After this long it is over. */
const OVER_MS = TTL_S * 1_000 + 100;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Makes all sessions so old that their time is up. The object remembers how old they were, so it begins a new life. */
async function endTime(own: ProcessorClient): Promise<void> {
  await runInDurableObject(stubOf(own), (_, { storage }) => {
    storage.sql.exec("UPDATE memories SET changed_at = changed_at - ?", OVER_MS);
  });
  await abortAllDurableObjects();
}

describe("the end of sessions", () => {
  test("comes by the alarm for those whose time is up; the others stay, and the alarm is set for them", async () => {
    const own = await newProcessor();
    const began = Date.now();
    await observeIn(own, "first", "a");
    // The alarm is set in the background.
    await expect.poll(async () => (await storedBy(own)).alarm).not.toBeNull();
    const week = 604_800_000;
    const { alarm } = await storedBy(own);
    expect(alarm).toBeGreaterThanOrEqual(began + week);
    expect(alarm).toBeLessThanOrEqual(Date.now() + week + BATCH_MS);
    await setTtl(own, TTL_S);
    await expect.poll(async () => (await storedBy(own)).alarm).toBeLessThan(Date.now() + 2 * BATCH_MS);
    await endTime(own);
    await observeIn(own, "second", "b");
    expect([await memoryIn(own, "first"), await memoryIn(own, "second")]).toEqual([[], ["b"]]);
    expect((await storedBy(own)).sessions).toEqual(["first", "second"]);
    expect(await runDurableObjectAlarm(stubOf(own))).toBe(true);
    const left = await storedBy(own);
    expect(left.sessions).toEqual(["second"]);
    expect(left.alarm).toBeGreaterThan(Date.now() + BATCH_MS / 2);
    await endTime(own);
    await runDurableObjectAlarm(stubOf(own));
    expect(await storedBy(own)).toEqual({ sessions: [], alarm: null });
  });

  test("does not come where they last for ever", async () => {
    const own = await newProcessor();
    await setTtl(own, 0);
    await observeIn(own, "s", "a");
    await wait(50);
    expect(await storedBy(own)).toEqual({ sessions: ["s"], alarm: null });
  });

  test("comes in a new life of the object, and does nothing to a processor out of service", async () => {
    const own = await newProcessor();
    await setTtl(own, TTL_S);
    await observeIn(own, "s", "a");
    await expect.poll(async () => (await storedBy(own)).alarm).not.toBeNull();
    await endTime(own);
    await own.provisioning.retire({ purge: false });
    await abortAllDurableObjects();
    await runDurableObjectAlarm(stubOf(own));
    expect(await storedBy(own)).toEqual({ sessions: ["s"], alarm: null });
    await own.provisioning.provision({ id: "p1", name: "P1" });
    expect(await memoryIn(own, "s")).toEqual([]);
    await observeIn(own, "t", "a");
    await expect.poll(async () => (await storedBy(own)).alarm).not.toBeNull();
    await abortAllDurableObjects();
    await runDurableObjectAlarm(stubOf(own));
    expect((await storedBy(own)).sessions).toEqual(["t"]);
  });

  test("comes for a session that begins after the alarm has ended all others", async () => {
    const own = await newProcessor();
    await setTtl(own, TTL_S);
    await observeIn(own, "first", "a");
    await expect.poll(async () => (await storedBy(own)).alarm).not.toBeNull();
    await endTime(own);
    await runDurableObjectAlarm(stubOf(own));
    expect(await storedBy(own)).toEqual({ sessions: [], alarm: null });
    await observeIn(own, "second", "a");
    await expect.poll(async () => (await storedBy(own)).alarm).not.toBeNull();
  });

  test("comes again after the processor was purged and made anew", async () => {
    const own = await newProcessor();
    await observeIn(own, "s", "a");
    await expect.poll(async () => (await storedBy(own)).alarm).not.toBeNull();
    await own.provisioning.retire({ purge: true });
    await own.provisioning.provision({ id: "p1", name: "P1" });
    expect(await storedBy(own)).toEqual({ sessions: [], alarm: null });
    await observeIn(own, "s", "a");
    await expect.poll(async () => (await storedBy(own)).alarm).not.toBeNull();
  });
});

test("an alarm that has nothing to delete does not bring the processor into memory", async () => {
  const own = await newProcessor();
  await observeIn(own, "s", "a");
  await abortAllDurableObjects();
  // Something else may want the alarm far more often than sessions end.
  await runInDurableObject(stubOf(own), (_, { storage }) => storage.setAlarm(Date.now() + 60_000));
  const before = kernels.size;
  expect(await runDurableObjectAlarm(stubOf(own))).toBe(true);
  expect(kernels.size).toBe(before);
  expect((await own.inspection.getUsage({})).memoryBytes).toBeUndefined();
  const week = 604_800_000;
  expect((await storedBy(own)).alarm).toBeGreaterThan(Date.now() + week - BATCH_MS);
});

test("sessions with names of every odd character are told apart, and come back after an eviction", async () => {
  const odd = [
    "a",
    "A",
    " ",
    "a/b",
    "%2e",
    "..a",
    "\u{1F600}",
    "e\u0301",
    "\u00E9",
    "'",
    '"',
    "x".repeat(128),
    "__proto__",
  ];
  const own = await newProcessor();
  for (const [at, session] of odd.entries()) {
    for (let count = 0; count <= at; count++) await observeIn(own, session, `${session} ${count}`);
  }
  const views = async () => Promise.all(odd.map((session) => viewOf(inSession(own, session))));
  const before = await views();
  await abortAllDurableObjects();
  expect(await views()).toStrictEqual(before);
  const bytes = (text: string) =>
    Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
  expect((await storedBy(own)).sessions).toEqual(odd.toSorted((a, b) => (bytes(a) < bytes(b) ? -1 : 1)));
  for (const [at, session] of odd.entries()) {
    expect(await memoryIn(own, session)).toEqual(Array.from({ length: at + 1 }, (_, count) => `${session} ${count}`));
  }
});

describe("a session that predicts for others", () => {
  afterEach(() => forgetAgent());

  test("tells the session of the same name, and the own memory the own memory", async () => {
    const [p1, p2] = [fresh("p1"), fresh("p2")] as const;
    const nodes = [
      primitive(p1, { manipulatives: [`m-${p1}`], sort: false }),
      listener(p2),
      manipulative(`m-${p1}`, p1, [p2], ["name"]),
    ];
    await hotswap(genomeText(...nodes));
    const model = await teach(p1, "a", "b");
    const told = [symbol(p1, model, "name", model)];
    const heardIn = async (session: string) =>
      (
        await (session === "" ? processor(p2) : inSession(processor(p2), session)).memory.getWorkingMemory({})
      ).events.map(({ symbols }) => symbols);
    await observeIn(processor(p1), "kitchen / 1", "a");
    expect([await heardIn("kitchen / 1"), await heardIn("")]).toEqual([[told], []]);
    await processor(p1).memory.observe({ gdf: { strings: ["a"], uniqueId: "r" } });
    expect([await heardIn("kitchen / 1"), await heardIn("")]).toEqual([[told], [told]]);
    await abortAllDurableObjects();
    await observeIn(processor(p1), "kitchen / 1", "b");
    expect(await heardIn("kitchen / 1")).toEqual([told, told]);
    expect((await storedBy(processor(p2))).sessions).toEqual(["kitchen / 1"]);
  });
});

describe("a memory that an earlier version has filled with more than is read", () => {
  const LARGE = 1_900_000;

  /** Puts 38 MB of events into a memory, as an earlier version would have. */
  async function fill(client: ProcessorClient, session: string): Promise<void> {
    await runInDurableObject(stubOf(client), (_, { storage }) => {
      const store = new SqliteStore(storage.sql);
      const life = new Life(session);
      for (let at = 0; at < 20; at++) {
        const change = life.observe([`${at % 10}`.repeat(LARGE)]);
        store.record({ ...change, state: { ...change.state, symbols: at + 1, changedAt: Date.now() } });
      }
    });
    await abortAllDurableObjects();
  }

  test.each(["", "s"])("answers, refuses what would need it, and is cleared, memory %j", async (session) => {
    const own = await newProcessor();
    const client = session === "" ? own : inSession(own, session);
    await own.memory.observe({ gdf: { strings: ["a"], uniqueId: "r" } });
    await fill(own, session);
    const status = async () => (await client.inspection.getStatus({})).status;
    expect(await status()).toMatchObject({ workingMemorySize: 20 });
    expect((await own.inspection.getUsage({})).models).toBe(0);
    const observe = () => client.memory.observe({ gdf: { strings: ["b"], uniqueId: "r" } });
    for (const refused of [observe, () => client.memory.learn({}), () => client.memory.getWorkingMemory({})]) {
      await expect(refused()).rejects.toThrow(
        /this memory takes 38\d{6} bytes, .* clear it \(working-memory\/clear\), or end/,
      );
    }
    await client.memory.clearWorkingMemory({});
    await observe();
    expect(await status()).toMatchObject({ workingMemorySize: 1 });
  });

  test("is gone when the processor falls asleep, when all memory is cleared, and when its session ends", async () => {
    const own = await newProcessor();
    await own.memory.observe({ gdf: { strings: ["a"], uniqueId: "r" } });
    await fill(own, "");
    await own.modes.setSleeping({ on: true });
    await own.modes.setSleeping({ on: false });
    await fill(own, "");
    await fill(own, "s");
    await own.memory.clearAllMemory({ keepBlacklist: false });
    await fill(own, "t");
    await own.memory.endSession({ session: "t" });
    expect((await storedBy(own)).sessions).toEqual([]);
    expect((await own.memory.getWorkingMemory({})).events).toEqual([]);
  });
});
