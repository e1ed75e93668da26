/**
 * Processors that share the memory of an isolate answer as each alone would, when they are built again after others needed their memory,
 * after failures, traps and evictions.
 */

import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import type { IsolateKernels } from "../../src/object/isolate-kernels";
import { Fault } from "../../src/processor/ports/fault";
import type { Processor } from "../../src/processor/processor";
import { newProcessor, type ProcessorClient, viewOf } from "../support/object/clients";
import { type HostAtOnce, hostOn, kernelsWithin, newHostOn } from "../support/object/hosts";

/** Enough for one of the processors of these tests, and not for two. */
const MEMORY_BYTES = 2 ** 20;

function textsOf(event: number, count = 200): string[] {
  return Array.from({ length: count }, (_, at) => `${event} ${at}`);
}

function observe(processor: Processor, strings: string[]): void {
  processor.memory.observe(
    { strings, vectors: [], emotives: [], metadataJson: "", uniqueId: "u", command: "", numbers: [] },
    [],
  );
}

/** Learns a model of many symbols, which starts with the event's first text. */
function learn(processor: Processor, event: number): void {
  for (const strings of [textsOf(event), ["end"]]) observe(processor, strings);
  processor.memory.learn();
}

/** How many predictions follow the event. */
function predictions(host: HostAtOnce, event: number): number {
  return host.run(true, (processor) => {
    processor.memory.clearWorkingMemory();
    observe(processor, textsOf(event));
    return processor.memory.getPredictions("").predictions.length;
  });
}

/** Learns and forgets much; then learns a little. */
async function live({ knowledge, memory }: ProcessorClient): Promise<void> {
  for (let event = 0; event < 5; event++) {
    const symbols = textsOf(event, 2_000);
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

/** The host of an object's processor. Objects run apart from each other, each with its own storage. */
class Guest {
  readonly #stub = env.PROCESSORS.getByName(crypto.randomUUID());
  #host: HostAtOnce | undefined;

  /** A new processor, whose kernel is one of these. */
  static async create(kernels: IsolateKernels): Promise<Guest> {
    const guest = new Guest();
    await guest.move(kernels);
    return guest;
  }

  /** Hosts the processor in another isolate, as far as its memory goes. */
  async move(kernels: IsolateKernels): Promise<void> {
    await runInDurableObject(this.#stub, (_, { storage }) => {
      this.#host = this.#host === undefined ? newHostOn(storage, kernels) : hostOn(storage, kernels);
    });
  }

  do<Result>(action: (host: HostAtOnce) => Result): Promise<Result> {
    return runInDurableObject(this.#stub, () => action(this.#host as HostAtOnce)) as Promise<Result>;
  }

  learn(...events: number[]): Promise<void> {
    return this.do((host) => {
      for (const event of events) host.run(true, (processor) => learn(processor, event));
    });
  }

  /** Learns one event after the other, until one is refused; returns how many it holds then. */
  fill(): Promise<number> {
    return this.do((host) => {
      for (let event = 0; ; event++) {
        try {
          host.run(true, (processor) => learn(processor, event));
        } catch (error) {
          expect(error).toMatchObject({ kind: "exhausted" });
          expect(host.processor().inspection.getStatus().status.models).toBe(event);
          return event;
        }
      }
    });
  }

  /** How many predictions follow each event. */
  predictions(...events: number[]): Promise<number[]> {
    return this.do((host) => events.map((event) => predictions(host, event)));
  }
}

test("an object that comes back into the isolate is the same", async () => {
  const processor = await newProcessor();
  await live(processor);
  const before = await viewOf(processor);
  expect(before.predictions.predictions).toHaveLength(1);
  const earlier = await instanceOf(processor);
  await abortAllDurableObjects();
  expect(await viewOf(processor)).toStrictEqual(before);
  expect(await instanceOf(processor)).not.toBe(earlier);
});

test("a processor's memory_bytes are its own", async () => {
  const [one, other] = [await newProcessor(), await newProcessor()];
  const fresh = await bytesOf(other);
  await one.knowledge.addModel({ sequence: { events: [{ symbols: textsOf(1, 2_000) }] } });
  expect(await bytesOf(one)).toBeGreaterThan(fresh + 2_000 * 8);
  expect(await bytesOf(other)).toBe(fresh);
});

test("a purged processor leaves nothing behind", async () => {
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
])("after %s the processor is built again, and others answer as before", async (_, failure) => {
  const kernels = kernelsWithin();
  const [guest, other] = [await Guest.create(kernels), await Guest.create(kernels)];
  await other.learn(7);
  await guest.learn(0);
  await guest.do((host) => {
    const dropped = host.processor();
    const status = dropped.inspection.getStatus();
    const fails = () =>
      host.run(true, (processor) => {
        for (let event = 1; event < 5; event++) learn(processor, event);
        throw failure;
      });
    expect(fails).toThrow(failure);
    expect(host.processor()).not.toBe(dropped);
    expect(host.processor().inspection.getStatus()).toStrictEqual(status);
    expect(() => dropped.inspection.getInfo()).toThrow("released its memory");
  });
  expect(await guest.predictions(0, 3)).toEqual([1, 0]);
  expect(await other.predictions(7)).toEqual([1]);
});

test("two processors that do not fit into memory together answer in turn, each built again, within the limit", async () => {
  const kernels = kernelsWithin({ memoryBytes: MEMORY_BYTES });
  const guests = [await Guest.create(kernels), await Guest.create(kernels)];
  for (const [at, guest] of guests.entries()) {
    await guest.learn(...Array.from({ length: 27 }, (_, event) => 2 * event + at));
  }
  for (let turn = 0; turn < 6; turn++) {
    for (const [at, guest] of guests.entries()) {
      expect(kernels.size).toBe(1);
      expect(await guest.predictions(at + 2, 3 - at)).toEqual([1, 0]);
    }
  }
  expect(kernels.bytes).toBeLessThanOrEqual(MEMORY_BYTES);
});

test("a processor that fits only into cleared memory is built there, and the verb is repeated: it happens once", async () => {
  const alone = await Guest.create(kernelsWithin({ memoryBytes: MEMORY_BYTES }));
  const held = await alone.fill();
  expect(held).toBeGreaterThan(20);
  const kernels = kernelsWithin({ memoryBytes: MEMORY_BYTES });
  const others = await Promise.all(Array.from({ length: 5 }, () => Guest.create(kernels)));
  const guest = await Guest.create(kernels);
  for (const other of others) {
    await other.learn(0, 1, 2);
    await guest.predictions(0);
  }
  // Others hold nothing any more. It is a few models less, because building from the rows needs a larger input.
  const again = await guest.fill();
  expect(again).toBeGreaterThan(held - 6);
  expect(kernels.size).toBe(1);
  expect(kernels.bytes).toBeLessThanOrEqual(MEMORY_BYTES);
  expect(await guest.predictions(0, again - 1, again)).toEqual([1, 1, 0]);
  for (const other of others) expect(await other.predictions(0, 2, 3)).toEqual([1, 1, 0]);
  expect(await guest.predictions(0, again - 1, again)).toEqual([1, 1, 0]);
});

test("the heap of processors that wait is limited too", async () => {
  const kernels = kernelsWithin({ memoryBytes: 2 * MEMORY_BYTES, heapBytes: 60_000 });
  const [one, other] = [await Guest.create(kernels), await Guest.create(kernels)];
  await one.predictions(0);
  await other.predictions(0);
  expect(kernels.size).toBe(2);
  await one.learn(...Array.from({ length: 40 }, (_, event) => event));
  expect(kernels.size).toBe(1);
  expect(await other.predictions(0)).toEqual([0]);
  expect(kernels.size).toBe(1);
  expect(await one.predictions(0)).toEqual([1]);
});
