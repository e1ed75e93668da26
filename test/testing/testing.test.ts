/** `noema/testing` as others use it: the built package, in Miniflare. */

import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  exportKnowledgeBase,
  getConnection,
  getInfo,
  getPredictions,
  getWorkingMemory,
  loadKnowledgeBase,
  NoemaError,
  observe,
  observeSequence,
  type Processor,
  processor,
  session,
} from "noema/client";
import { startNoema, type TestOptions } from "noema/testing";
import { describe, expect, onTestFinished, test } from "vitest";

async function started(options?: TestOptions) {
  const noema = await startNoema(options);
  onTestFinished(() => noema.stop());
  return noema;
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "noema-storage-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An agent's genome with processors of these identifiers. */
function genomeOf(...ids: readonly string[]) {
  return {
    agent: "simple",
    elements: { nodes: ids.map((id) => ({ data: { type: "primitive" as const, id, name: id } })) },
  };
}

/** Learns hello, world, and observes hello. */
async function learnHello(p1: Processor): Promise<void> {
  await observeSequence(p1, { sequence: [{ strings: ["hello"] }, { strings: ["world"] }], learn: true });
  await observe(p1, { strings: ["hello"] });
}

const futureOf = async (p1: Processor) => getPredictions(p1, { fields: ["future"] });

/** How much memory its knowledge takes: less where it was read from storage than where it was learned. */
const memoryBytes = async (p1: Processor) => (await getInfo(p1)).memory_bytes;

describe("a started agent", () => {
  test("serves all operations of the client without a port, streams too", async () => {
    const { client } = await started({ genome: genomeOf("from", "to") });
    const [from, to] = [processor(client, "from"), processor(client, "to")];
    await learnHello(from);
    expect(await futureOf(from)).toEqual([{ future: [["world"]] }]);
    await loadKnowledgeBase(to, await exportKnowledgeBase(from));
    const robot = session(to, "robot 1");
    await observe(robot, { strings: ["hello"] });
    expect(await getPredictions(robot, { fields: ["future"] })).toEqual([{ future: [["world"]] }]);
    await expect(observe(to, { strings: [7] } as never)).rejects.toThrow(NoemaError);
  });

  test("has a real address too", async () => {
    const { address, key, client } = await started();
    await observe(processor(client, "P1"), { strings: ["hello"] });
    const answer = await fetch(`${address}/P1/working-memory`, { headers: { "x-api-key": key } });
    expect(await answer.json()).toMatchObject({ status: "okay", message: [["hello"]] });
  });

  test("takes agents and variables", async () => {
    const noema = await started({
      agents: ["kitchen", "lab"],
      variables: { API_KEYS: "first, second", NOEMA_SEQUENCE_RECORDS: "1", NOEMA_AGENTS: "attic" },
    });
    expect(noema.key).toBe("first");
    for (const name of ["kitchen", "lab", "attic"]) {
      expect((await getConnection(noema.agent(name))).agent_name).toBe(name);
    }
    const sequence = [{ strings: ["a"] }, { strings: ["b"] }];
    await expect(observeSequence(processor(noema.client, "P1"), { sequence })).rejects.toMatchObject({ status: 413 });
  });

  test("is one of several, each with its own memory", async () => {
    const [one, other] = await Promise.all([started(), started()]);
    await observe(processor(one.client, "P1"), { strings: ["hello"] });
    expect(await getWorkingMemory(processor(other.client, "P1"))).toEqual([]);
    await other.stop();
    expect(await getWorkingMemory(processor(one.client, "P1"))).toEqual([["hello"]]);
  });
});

describe("evict", () => {
  test("takes one processor out of memory, which then answers from storage as before", async () => {
    const { client, evict } = await started({ genome: genomeOf("one", "two") }).then((noema) => ({
      client: noema.client,
      evict: (name: string) => noema.evict(name),
    }));
    const [one, two] = [processor(client, "one"), processor(client, "two")];
    for (const place of [one, two]) await learnHello(place);
    const [before, expected] = [await memoryBytes(one), await getPredictions(one)];
    expect(await memoryBytes(two)).toBe(before);
    await evict("one");
    expect(await memoryBytes(one)).toBeLessThan(before);
    expect(await memoryBytes(two)).toBe(before);
    expect(await getPredictions(one)).toEqual(expected);
    expect(await getWorkingMemory(one)).toEqual([["hello"]]);
  });

  test("takes everything of all agents out of memory", async () => {
    const noema = await started({ agents: ["kitchen"] });
    const places = [noema.client, noema.agent("kitchen")].map((agent) => processor(agent, "P1"));
    for (const place of places) await learnHello(place);
    const before = await Promise.all(places.map(memoryBytes));
    await noema.evict();
    await noema.evict();
    for (const [index, place] of places.entries()) {
      expect(await memoryBytes(place)).toBeLessThan(before[index] ?? 0);
      expect(await futureOf(place)).toEqual([{ future: [["world"]] }]);
    }
  });

  test("finds the processor of another agent", async () => {
    const noema = await started({ agents: ["kitchen"] });
    const [own, other] = [noema.client, noema.agent("kitchen")].map((agent) => processor(agent, "P1")) as [
      Processor,
      Processor,
    ];
    for (const place of [own, other]) await learnHello(place);
    const before = await memoryBytes(own);
    await noema.evict(other);
    expect(await memoryBytes(own)).toBe(before);
    expect(await memoryBytes(other)).toBeLessThan(before);
  });

  test("refuses a processor that there is not", async () => {
    const noema = await started();
    await expect(noema.evict("nobody")).rejects.toThrow('there is no processor "nobody"');
    await expect(noema.evict("nobody")).rejects.toThrow(NoemaError);
  });
});

describe("restart", () => {
  test("keeps storage and address, and lets calls wait", async () => {
    const noema = await started();
    const p1 = processor(noema.client, "P1");
    await learnHello(p1);
    const { address } = noema;
    const before = await memoryBytes(p1);
    const restarting = noema.restart();
    const waited = getWorkingMemory(p1);
    await restarting;
    expect(await waited).toEqual([["hello"]]);
    expect(await memoryBytes(p1)).toBeLessThan(before);
    expect(noema.address).toBe(address);
    expect((await fetch(`${address}/P1/status`, { headers: { "x-api-key": noema.key } })).status).toBe(200);
  });
});

test("calls that an eviction or a restart interrupts take effect once", async () => {
  const noema = await started();
  const p1 = processor(noema.client, "P1");
  const observeAll = (prefix: string) =>
    Promise.all(Array.from({ length: 40 }, (_, index) => observe(p1, { strings: [`${prefix}${index}`] })));
  const evicted = observeAll("a");
  await noema.evict();
  await noema.evict("P1");
  await evicted;
  const restarted = observeAll("b");
  await noema.restart();
  await restarted;
  const events = (await getWorkingMemory(p1)).flat();
  expect(events).toHaveLength(80);
  expect(new Set(events).size).toBe(80);
});

describe("stop", () => {
  /** The folders of temporary storage. */
  const temporary = () => readdirSync(tmpdir()).filter((name) => name.startsWith("noema-testing-"));

  test("ends the runtime and deletes temporary storage, once", async () => {
    const before = temporary();
    const noema = await startNoema();
    const added = temporary().filter((name) => !before.includes(name));
    expect(added.length).toBeGreaterThan(0);
    await noema.stop();
    await noema.stop();
    await expect(fetch(noema.address)).rejects.toThrow();
    await expect(getWorkingMemory(processor(noema.client, "P1"), { retries: 0 })).rejects.toThrow("is stopped");
    await expect(noema.restart()).rejects.toThrow("is stopped");
    await expect(noema.evict()).rejects.toThrow("is stopped");
    // Other tests make such folders at the same time.
    expect(added.some((name) => !existsSync(join(tmpdir(), name)))).toBe(true);
  });

  test("keeps a storage folder for one agent at a time", async () => {
    const storage = emptyFolder();
    const first = await started({ storage });
    const sentence = `the storage in ${storage} is in use by another agent: stop that one first`;
    await expect(startNoema({ storage })).rejects.toThrow(sentence);
    await first.restart();
    await expect(startNoema({ storage })).rejects.toThrow(sentence);
    // The one that has it was not disturbed.
    await observe(processor(first.client, "P1"), { strings: ["a"] });
    await first.stop();
    const second = await started({ storage });
    expect(await getWorkingMemory(processor(second.client, "P1"))).toEqual([["a"]]);
  });

  test("leaves a storage folder of one's own, for the next start", async () => {
    const storage = join(emptyFolder(), "new");
    const first = await startNoema({ storage });
    await learnHello(processor(first.client, "P1"));
    await first.stop();
    const { client } = await started({ storage });
    expect(await futureOf(processor(client, "P1"))).toEqual([{ future: [["world"]] }]);
  });

  test("is called at the end of a block by await using", async () => {
    let address = "";
    {
      await using noema = await startNoema();
      address = noema.address;
      expect((await fetch(address)).ok).toBe(true);
    }
    await expect(fetch(address)).rejects.toThrow();
  });
});

describe("a start is refused", () => {
  test.each([
    [{ variables: { NOEMA_MATCHING_STEPS: "many" } }, "the variable NOEMA_MATCHING_STEPS must be a whole number"],
    [{ agents: ["Big_Lab"] }, 'the variable NOEMA_AGENTS names the agent "Big_Lab"'],
    [{ variables: { AGENT_KEYS: "simple:a" } }, "variables has AGENT_KEYS without API_KEYS"],
    [
      { variables: { NOEMA_MATCHING_STEP: "5" } },
      'there is no variable "NOEMA_MATCHING_STEP"; there are API_KEYS, AGENT_KEYS, ',
    ],
    [{ agent: "kitchen" } as never, 'there is no option "agent"; there are genome, agents, variables, storage'],
    [{ genome: {} as never }, "elements must be an object {nodes: [...]}, as in a genome"],
  ])("with %j", async (options, sentence) => {
    await expect(startNoema(options)).rejects.toThrow(sentence);
  });
});
