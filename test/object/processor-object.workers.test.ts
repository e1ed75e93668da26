/** The Durable Object of a processor: in and out of service, and under load. */

import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import type { DescMethod, DescMethodUnary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { version } from "../../package.json";
import { GeneService } from "../../src/gen/noema/v1/gene_service_pb";
import { InspectionService } from "../../src/gen/noema/v1/inspection_service_pb";
import { KnowledgeService } from "../../src/gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../src/gen/noema/v1/memory_service_pb";
import { ModeService } from "../../src/gen/noema/v1/mode_service_pb";
import { ProvisioningService } from "../../src/gen/noema/v1/provisioning_service_pb";
import { createUnaryTransport } from "../../src/rpc/transport/unary-transport";
import { newProcessor, processorNamed, viewOf } from "../support/object/clients";

const SERVICES = [GeneService, InspectionService, KnowledgeService, MemoryService, ModeService, ProvisioningService];

/** All methods but the one that puts a processor into service. */
const METHODS = SERVICES.flatMap((service) => service.methods as DescMethod[])
  .filter(({ name }) => name !== "Provision")
  .map((method) => [method.name, method as DescMethodUnary] as const);

const persistence = (value: number) => ({ name: "persistence", value: { value: { case: "number" as const, value } } });

async function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConnectError);
  return error as ConnectError;
}

/** How many tables an object's database has. */
function tablesOf(name: string): Promise<number> {
  return runInDurableObject(
    env.PROCESSORS.getByName(name),
    (_, { storage }) =>
      storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray().length,
  );
}

describe("an object that has not been provisioned", () => {
  test.each(METHODS)("answers %s by saying so, and stores nothing", async (_, method) => {
    const name = `test/${crypto.randomUUID()}`;
    const transport = createUnaryTransport(
      () => env.PROCESSORS.getByName(name),
      () => ({ name, id: "" }),
    );
    const error = await errorOf(transport.unary(method, undefined, undefined, undefined, {}));
    expect(error).toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: "this processor is not in service: no agent has provisioned it",
    });
    expect(await tablesOf(name)).toBe(0);
  });

  test.each([
    ["an unknown gene", { id: "p1", name: "P1", genes: [{ name: "no_gene" }] }, "no_gene"],
    ["a gene out of range", { id: "p1", name: "P1", genes: [persistence(0)] }, "persistence"],
    ["an empty id", { id: "", name: "P1", genes: [] }, "id is empty"],
  ])("cannot be provisioned with %s", async (_, request, said) => {
    const processor = processorNamed(`test/${crypto.randomUUID()}`);
    const error = await errorOf(processor.provisioning.provision(request));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.rawMessage).toContain(said);
    expect((await errorOf(processor.inspection.ping({}))).code).toBe(Code.FailedPrecondition);
    expect(await tablesOf(processor.name)).toBe(0);
  });
});

describe("provisioning", () => {
  test("makes a processor with its initial genes", async () => {
    const { genes, inspection, provisioning } = processorNamed(`test/${crypto.randomUUID()}`);
    const { stamp } = await provisioning.provision({ id: "p9", name: "P9", genes: [persistence(7)] });
    expect(stamp).toMatchObject({ id: "p9", time: 0 });
    await abortAllDurableObjects();
    expect((await genes.getGenes({ name: "persistence" })).genes[0]?.text).toBe("7");
    expect(await inspection.getInfo({})).toMatchObject({ name: "P9", version, memoryLimitBytes: 96 * 1024 * 1024 });
  });

  test("of an existing processor only renames it", async () => {
    const processor = await newProcessor();
    await processor.memory.observe({ gdf: { strings: ["a"] } });
    const before = await viewOf(processor);
    await processor.provisioning.provision({ id: "p1", name: "P1", genes: [persistence(7)] });
    expect(await viewOf(processor)).toStrictEqual(before);
    await processor.provisioning.provision({ id: "p1", name: "another" });
    expect((await processor.inspection.getInfo({})).name).toBe("another");
  });

  test("never turns one processor into another", async () => {
    const processor = await newProcessor();
    const error = await errorOf(processor.provisioning.provision({ id: "p2", name: "P2" }));
    expect(error).toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: 'this object is the processor "p1" and cannot become "p2"',
    });
    expect((await processor.inspection.getStatus({})).status?.name).toBe("P1");
  });
});

describe("retiring", () => {
  test("keeps the data until the processor is provisioned again", async () => {
    const processor = await newProcessor();
    await processor.memory.observe({ gdf: { strings: ["a"] } });
    const before = await viewOf(processor);
    await processor.provisioning.retire({});
    expect((await errorOf(processor.inspection.ping({}))).code).toBe(Code.FailedPrecondition);
    await abortAllDurableObjects();
    expect((await errorOf(processor.inspection.ping({}))).code).toBe(Code.FailedPrecondition);
    await processor.provisioning.provision({ id: "p1", name: "P1", genes: [persistence(7)] });
    expect(await viewOf(processor)).toStrictEqual(before);
  });

  test("with a purge leaves nothing, also of a retired processor", async () => {
    const processor = await newProcessor();
    await processor.memory.observe({ gdf: { strings: ["a"] } });
    await processor.provisioning.retire({});
    await processor.provisioning.retire({ purge: true });
    expect(await tablesOf(processor.name)).toBe(0);
    expect((await errorOf(processor.provisioning.retire({ purge: true }))).code).toBe(Code.FailedPrecondition);
    await processor.provisioning.provision({ id: "p2", name: "P2" });
    expect((await processor.inspection.getStatus({})).status).toMatchObject({ name: "P2", workingMemorySize: 0 });
  });
});

describe("calls", () => {
  test("at the same time each count once", async () => {
    const { memory, inspection } = await newProcessor();
    const calls = Array.from({ length: 50 }, (_, at) => memory.observe({ gdf: { strings: [`s${at}`] } }));
    const times = (await Promise.all(calls)).map(({ stamp }) => stamp?.time ?? 0);
    expect(times.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
    expect((await inspection.getStatus({})).status?.workingMemorySize).toBe(50);
  });
});
