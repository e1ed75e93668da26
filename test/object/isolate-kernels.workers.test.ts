/** An object never has two linear memories: neither when it comes back into the isolate nor when its processor is built again. */

import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { Fault } from "../../src/processor/ports/fault";
import type { Processor } from "../../src/processor/processor";
import { newProcessor, type ProcessorClient, viewOf } from "../support/object/clients";
import { hostOn, newHostOn } from "../support/object/hosts";

const LIMIT_BYTES = 2 ** 24;

function textsOf(event: number): string[] {
  return Array.from({ length: 2_000 }, (_, at) => `${event} ${at}`);
}

/** Learns and forgets so much that linear memory is larger than a fresh one; then learns a little. */
async function live({ knowledge, memory }: ProcessorClient): Promise<void> {
  for (let event = 0; event < 5; event++) {
    const symbols = textsOf(event);
    await knowledge.addModel({ sequence: { events: [{ symbols }, { symbols: ["end"] }] } });
  }
  await memory.clearAllMemory({});
  await knowledge.addModel({ sequence: { events: [{ symbols: ["x"] }, { symbols: ["y"] }] } });
  await memory.observe({ gdf: { strings: ["x"] } });
}

function bytesOf(processor: ProcessorClient): Promise<number> {
  return processor.inspection.getInfo({}).then(({ memoryBytes }) => memoryBytes);
}

/** The instance that lives in an object now. As long as the test has it, it is not collected. */
function instanceOf({ name }: ProcessorClient): Promise<unknown> {
  return runInDurableObject(env.PROCESSORS.getByName(name), (instance) => instance);
}

test("an object that comes back into the isolate is the same, in its former memory", async () => {
  const processor = await newProcessor();
  const fresh = await bytesOf(processor);
  await live(processor);
  const before = await viewOf(processor);
  expect(before.predictions.predictions).toHaveLength(1);
  expect(before.info.memoryBytes).toBeGreaterThan(fresh);
  const earlier = await instanceOf(processor);
  await abortAllDurableObjects();
  expect(await viewOf(processor)).toStrictEqual(before);
  expect(await instanceOf(processor)).not.toBe(earlier);
});

test("two objects never share memory", async () => {
  const [one, other] = [await newProcessor(), await newProcessor()];
  const fresh = await bytesOf(other);
  await live(one);
  const grown = await bytesOf(one);
  const earlier = [await instanceOf(one), await instanceOf(other)];
  await abortAllDurableObjects();
  expect([await bytesOf(other), await bytesOf(one)]).toEqual([fresh, grown]);
  expect(earlier).toHaveLength(2);
});

test("a purged processor leaves nothing in the memory that the object's next kernel takes over", async () => {
  const processor = await newProcessor();
  await live(processor);
  expect((await processor.memory.getPredictions({})).predictions).toHaveLength(1);
  await processor.provisioning.retire({ purge: true });
  await processor.provisioning.provision({ id: "p2", name: "P2" });
  await processor.memory.observe({ gdf: { strings: ["x"] } });
  expect((await processor.memory.getPredictions({})).predictions).toEqual([]);
  expect((await processor.inspection.getStatus({})).status).toMatchObject({ name: "P2", models: 0 });
});

test.each([
  ["a defect", new Error("defect")],
  ["a trap of the kernel", new WebAssembly.RuntimeError("unreachable")],
  ["a refusal", new Fault("exhausted", "no memory left")],
])("after %s the processor is built again in its former memory", async (_, failure) => {
  const learn = (processor: Processor, event: number) => {
    for (const strings of [textsOf(event), ["end"]]) {
      processor.memory.observe(
        { strings, vectors: [], emotives: [], metadataJson: "", uniqueId: "u", command: "" },
        [],
      );
    }
    processor.memory.learn();
  };
  await runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()), (_instance, { storage }) => {
    const host = newHostOn(storage, LIMIT_BYTES);
    host.run(true, (processor) => learn(processor, 0));
    const dropped = host.processor();
    const status = dropped.inspection.getStatus();
    const fails = () =>
      host.run(true, (processor) => {
        for (let event = 1; event < 5; event++) learn(processor, event);
        throw failure;
      });
    expect(fails).toThrow(failure);
    const grown = dropped.inspection.getInfo().memoryBytes;
    expect(host.processor()).not.toBe(dropped);
    expect(host.processor().inspection.getInfo().memoryBytes).toBe(grown);
    expect(host.processor().inspection.getStatus()).toStrictEqual(status);
    // What was built from the rows alone would be smaller: so this is the memory that had grown.
    expect(hostOn(storage, LIMIT_BYTES).processor().inspection.getInfo().memoryBytes).toBeLessThan(grown);
    expect(() => dropped.inspection.getInfo()).toThrow("released its memory");
  });
});
