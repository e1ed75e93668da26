/** The Durable Object of an agent: its genome, and the processors that the genome describes. */

import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, describe, expect, test } from "vitest";
import simple from "../conformance/genomes/simple.json";
import { agentNamed, processorNamed } from "../support/object/clients";

const PROCESSOR = "simple/p46b6b076c";

afterEach(async () => {
  // Not `reset()`: it forgets the objects that are not loaded.
  await runInDurableObject(env.AGENTS.getByName("simple"), (_, { storage }) => storage.deleteAll());
  await runInDurableObject(env.PROCESSORS.getByName(PROCESSOR), (_, { storage }) => storage.deleteAll());
  await abortAllDurableObjects();
});

async function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConnectError);
  return error as ConnectError;
}

describe("the default agent", () => {
  test("has the default genome, also after its object was lost", async () => {
    const { genomeJson } = await agentNamed("simple").getGenome({});
    expect(JSON.parse(genomeJson)).toEqual(simple);
    await abortAllDurableObjects();
    expect((await agentNamed("simple").getGenome({})).genomeJson).toBe(genomeJson);
  });

  test("puts its processor into service with the node's name and genes", async () => {
    const processor = processorNamed(PROCESSOR);
    expect((await errorOf(processor.inspection.ping({}))).code).toBe(Code.FailedPrecondition);
    await agentNamed("simple").getGenome({});
    expect(await processor.inspection.getInfo({})).toMatchObject({ name: "P1", stamp: { id: "p46b6b076c", time: 0 } });
    const { genes } = await processor.genes.getGenes({});
    const texts = Object.fromEntries(genes.map(({ name, text }) => [name, text]));
    expect(texts).toMatchObject({
      SORT: "sorting",
      persistence: "5",
      recall_threshold: "0.100000",
      max_predictions: "100",
    });
  });

  test("leaves a processor in service as it is", async () => {
    const processor = processorNamed(PROCESSOR);
    await agentNamed("simple").getGenome({});
    await processor.genes.changeGenes({
      changes: [{ name: "persistence", value: { value: { case: "number", value: 9 } } }],
    });
    await processor.memory.observe({ gdf: { strings: ["a"] } });
    await abortAllDurableObjects();
    await agentNamed("simple").getGenome({});
    expect((await processor.genes.getGenes({ name: "persistence" })).genes[0]?.text).toBe("9");
    expect((await processor.inspection.ping({})).stamp?.time).toBe(1);
  });

  test("answers many calls at once", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => agentNamed("simple").getGenome({})));
    expect(new Set(answers.map(({ genomeJson }) => genomeJson)).size).toBe(1);
  });

  test("says why a processor cannot be put into service, and tries again when asked again", async () => {
    const processor = processorNamed(PROCESSOR);
    await processor.provisioning.provision({ id: "other", name: "P9" });
    const error = await errorOf(agentNamed("simple").getGenome({}));
    expect(error.rawMessage).toBe('this object is the processor "other" and cannot become "p46b6b076c"');
    await processor.provisioning.retire({ purge: true });
    await agentNamed("simple").getGenome({});
    expect((await processor.inspection.ping({})).stamp?.id).toBe("p46b6b076c");
  });
});

test("an agent that was given no genome does not exist, and asking stores nothing", async () => {
  const error = await errorOf(agentNamed("nobody").getGenome({}));
  expect(error).toMatchObject({
    code: Code.NotFound,
    rawMessage: 'there is no agent "nobody" in this deployment',
  });
  const tables = await runInDurableObject(
    env.AGENTS.getByName("nobody"),
    (_, { storage }) =>
      storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray().length,
  );
  expect(tables).toBe(0);
});
