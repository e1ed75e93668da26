/** A processor whose verb fails: memory and disk are as before, or memory is built again from disk. */

import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, test, vi } from "vitest";
import { modelName } from "../../src/processor/knowledge/names";
import { Fault } from "../../src/processor/ports/fault";
import type { Processor } from "../../src/processor/processor";
import { type HostAtOnce, hostOn, kernelsWithin, newHostOn } from "../support/object/hosts";

/** Runs `work` on the host of a processor that has learned something, in an object of its own. */
function onHost<Outcome>(work: (host: HostAtOnce, storage: DurableObjectStorage) => Outcome): Promise<Outcome> {
  return runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()), (_, { storage }) => {
    const host = newHostOn(storage);
    host.run(true, (processor) => live(processor));
    return work(host, storage);
  });
}

function gdf(...strings: string[]) {
  return { strings, vectors: [], emotives: [], metadataJson: "", uniqueId: "record", command: "", numbers: [] };
}

function live(processor: Processor): void {
  processor.memory.observe(gdf("hello"), []);
  processor.memory.observe(gdf("world"), []);
  processor.memory.learn();
  processor.memory.observe(gdf("hello"), []);
}

function viewOf(processor: Processor): unknown[] {
  return [processor.time, processor.inspection.getStatus(), processor.memory.getCognition(), processor.genes.get("")];
}

/** Runs a verb that is expected to throw. */
function fails(host: HostAtOnce, writes: boolean, verb: (processor: Processor) => void): unknown {
  try {
    host.run(writes, verb);
  } catch (error) {
    return error;
  }
  throw new Error("the verb did not fail");
}

describe.each([
  ["a defect", new Error("defect")],
  ["a trap of the kernel", new WebAssembly.RuntimeError("unreachable")],
  ["a refusal", new Fault("exhausted", "no memory left")],
])("%s after a verb has recorded", (_, failure) => {
  test("undoes what was recorded, in memory and on disk", async () => {
    const [before, after, reopened, error, same] = await onHost((host, storage) => {
      const processor = host.processor();
      const seen = viewOf(processor);
      const thrown = fails(host, true, (each) => {
        live(each);
        each.genes.change([{ name: "persistence", value: { value: { case: "number", value: 9 } } }]);
        throw failure;
      });
      return [
        seen,
        viewOf(host.processor()),
        viewOf(hostOn(storage).processor()),
        thrown,
        host.processor() === processor,
      ];
    });
    expect(error).toBe(failure);
    expect(after).toStrictEqual(before);
    expect(reopened).toStrictEqual(before);
    expect(same).toBe(false);
  });

  test("leaves the processor usable", async () => {
    const times = await onHost((host) => {
      fails(host, true, (processor) => {
        live(processor);
        throw failure;
      });
      host.run(true, live);
      return [host.processor().time, host.processor().inspection.getStatus().status.models];
    });
    expect(times).toEqual([6, 2]);
  });
});

test("a refusal that recorded nothing keeps the processor in memory", async () => {
  const [error, same] = await onHost((host) => {
    const processor = host.processor();
    const thrown = fails(host, true, (each) => {
      each.modes.setTargetClass("\uD800");
    });
    return [thrown, host.processor() === processor];
  });
  expect(error).toMatchObject({ kind: "invalid" });
  expect(same).toBe(true);
});

test("a defect of a reading verb drops the processor, too: memory may be wrong", async () => {
  const same = await onHost((host) => {
    const processor = host.processor();
    fails(host, false, () => {
      throw new RangeError("defect");
    });
    return host.processor() === processor;
  });
  expect(same).toBe(false);
});

const ALERT = {
  name: "a",
  when: { kind: "learned" as const },
  url: "https://hooks.example.org/",
  format: "standard" as const,
  secret: `whsec_${"A".repeat(32)}`,
};

describe("an observation that writes one row", () => {
  /** Runs a verb as an observe does, and counts the transactions. */
  function observing<Reply>(host: HostAtOnce, storage: DurableObjectStorage, verb: (each: Processor) => Reply) {
    const transactions = vi.spyOn(storage, "transactionSync");
    try {
      const reply = host.run(true, verb, "", "", true);
      return { reply, transactions: transactions.mock.calls.length };
    } finally {
      transactions.mockRestore();
    }
  }

  test("needs no transaction, and is on disk", async () => {
    const [transactions, after, reopened] = await onHost((host, storage) => {
      const { transactions: count } = observing(host, storage, ({ memory }) => memory.observe(gdf("world"), []));
      return [count, viewOf(host.processor()), viewOf(hostOn(storage).processor())];
    });
    expect(transactions).toBe(0);
    expect(reopened).toStrictEqual(after);
    expect(after[0]).toBe(4);
  });

  test.each([
    ["a defect", new Error("defect")],
    ["a refusal", new Fault("exhausted", "no memory left")],
  ])("%s after it undoes it, in memory and on disk", async (_, failure) => {
    const [before, after, reopened] = await onHost((host, storage) => {
      const seen = viewOf(host.processor());
      const failing = ({ memory }: Processor) => {
        memory.observe(gdf("world"), []);
        throw failure;
      };
      expect(() => observing(host, storage, failing)).toThrow(failure);
      return [seen, viewOf(host.processor()), viewOf(hostOn(storage).processor())];
    });
    expect(after).toStrictEqual(before);
    expect(reopened).toStrictEqual(before);
  });

  test("one that is too large for a row leaves everything as it was", async () => {
    const [before, after, reopened] = await onHost((host, storage) => {
      const seen = viewOf(host.processor());
      const large = { ...gdf("x"), command: "x".repeat(2_200_000) };
      expect(() => observing(host, storage, ({ memory }) => memory.observe(large, []))).toThrow("2 MB");
      return [seen, viewOf(host.processor()), viewOf(hostOn(storage).processor())];
    });
    expect(after).toStrictEqual(before);
    expect(reopened).toStrictEqual(before);
  });

  test("one of several rows has a transaction", async () => {
    const [transactions, after, reopened] = await onHost((host, storage) => {
      const records = Array.from({ length: 4 }, (_, at) => gdf(`${at}`.repeat(300_000)));
      const { transactions: count } = observing(host, storage, ({ memory }) =>
        memory.observeSequence({ sequence: records, learn: false, clear: false }),
      );
      return [count, viewOf(host.processor()), viewOf(hostOn(storage).processor())];
    });
    expect(transactions).toBe(1);
    expect(reopened).toStrictEqual(after);
  });

  test("one that records more runs again in a transaction, and has its effect once", async () => {
    const [{ transactions, reply }, after, reopened] = await onHost((host, storage) => {
      const outcome = observing(host, storage, (each) => {
        each.memory.observe(gdf("world"), []);
        return each.memory.learn();
      });
      return [outcome, viewOf(host.processor()), viewOf(hostOn(storage).processor())];
    });
    // The other one reads who the processor is that is built anew.
    expect(transactions).toBe(2);
    expect(reply).toMatchObject({ model: modelName([["hello"], ["world"]]) });
    expect(after[0]).toBe(4);
    expect(after[1]).toMatchObject({ status: { models: 1 } });
    expect(reopened).toStrictEqual(after);
  });

  test.each<[string, (processor: Processor) => unknown]>([
    ["autolearns", ({ modes }) => modes.setAutolearning(true)],
    ["has alerts", ({ alerts }) => alerts.putAlert(ALERT)],
  ])("a processor that %s has a transaction at once", async (_, prepare) => {
    const transactions = await onHost((host, storage) => {
      host.run(true, prepare);
      return observing(host, storage, ({ memory }) => memory.observe(gdf("world"), [])).transactions;
    });
    expect(transactions).toBe(1);
  });
});

test("reading verbs write nothing", async () => {
  const written = await onHost((host, { sql }) => {
    const written = () => sql.exec<{ rows: number }>("SELECT total_changes() AS rows").one().rows;
    const before = written();
    host.run(false, (processor) => {
      viewOf(processor);
      processor.memory.getPercept();
      processor.memory.getPredictions("");
      processor.inspection.getInfo();
    });
    const read = written() - before;
    host.run(true, (processor) => processor.modes.setPredicting(false));
    return [read, written() - before > 0];
  });
  expect(written).toEqual([0, true]);
});

test("a processor whose memory is full refuses to learn, loses nothing, and learns again once something is deleted", async () => {
  const limitBytes = 2 ** 20;
  const outcome = await runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()), (_, { storage }) => {
    const host = newHostOn(storage, kernelsWithin({ memoryBytes: limitBytes }));
    const learnBatch = (batch: number) =>
      host.run(true, (processor) => {
        for (let at = 0; at < 50; at++) {
          processor.memory.observe(
            gdf(...Array.from({ length: 20 }, (_unused, symbol) => `${batch} ${at} ${symbol}`)),
            [],
          );
          processor.memory.learn();
        }
      });
    let learned = 0;
    let refusal: unknown;
    let before: unknown;
    while (refusal === undefined) {
      before = viewOf(host.processor());
      try {
        learnBatch(learned);
        learned++;
      } catch (error) {
        refusal = error;
      }
    }
    const { memoryBytes, memoryLimitBytes } = host.processor().inspection.getInfo();
    const after = viewOf(host.processor());
    const reopened = viewOf(hostOn(storage, kernelsWithin({ memoryBytes: limitBytes })).processor());
    host.run(true, (processor) => processor.memory.clearAllMemory(false));
    learnBatch(0);
    const again = host.processor().inspection.getStatus().status.models;
    return { learned, refusal, before, after, reopened, memoryBytes, memoryLimitBytes, again };
  });
  expect(outcome.refusal).toMatchObject({ name: "Fault", kind: "exhausted" });
  expect(outcome.learned).toBeGreaterThan(1);
  expect(outcome.after).toStrictEqual(outcome.before);
  expect(outcome.reopened).toStrictEqual(outcome.before);
  expect(outcome.memoryLimitBytes).toBe(limitBytes);
  expect(outcome.memoryBytes).toBeLessThanOrEqual(limitBytes);
  expect(outcome.again).toBe(50);
});

test("a knowledge base that does not fit into memory is refused whole, and the present one stays", async () => {
  const limitBytes = 2 ** 20;
  const models = Array.from({ length: 3_000 }, (_, at) => {
    const sequence = Array.from({ length: 20 }, (_unused, event) => ({ symbols: [`${at} ${event}`] }));
    const name = modelName(sequence.map(({ symbols }) => symbols));
    return { name, sequence, frequency: 1, emotives: [], metadataJson: sequence.map(() => "{}") };
  });
  const outcome = await runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()), (_, { storage }) => {
    const host = newHostOn(storage, kernelsWithin({ memoryBytes: limitBytes }));
    host.run(true, (processor) => live(processor));
    const before = viewOf(host.processor());
    host.run(true, (processor) => processor.knowledge.beginLoad("load"));
    for (let at = 0; at < models.length; at += 100) {
      const part = { loadId: "load", models: models.slice(at, at + 100), vectors: [] };
      host.run(true, (processor) => processor.knowledge.loadKnowledge(part));
    }
    const refusal = fails(host, true, (processor) => processor.knowledge.commitLoad("load"));
    const after = viewOf(host.processor());
    const reopened = hostOn(storage, kernelsWithin({ memoryBytes: limitBytes }));
    return { before, refusal, after, reopened: viewOf(reopened.processor()) };
  });
  expect(outcome.refusal).toMatchObject({ name: "Fault", kind: "exhausted" });
  expect(outcome.after).toStrictEqual(outcome.before);
  expect(outcome.reopened).toStrictEqual(outcome.before);
});

test("what the object holds besides the processor counts as heap", async () => {
  const [alone, besides] = await onHost((_, storage) =>
    [0, 12_345].map((heapBytes) => {
      const kernels = kernelsWithin();
      const use = vi.spyOn(kernels, "use");
      hostOn(storage, kernels, heapBytes).run(false, viewOf);
      return use.mock.lastCall?.[1] ?? 0;
    }),
  );
  expect(Number(besides) - Number(alone)).toBe(12_345);
});
