/** One body of tests over every transport: what a caller sees does not depend on how the call travels. */

import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AgentService } from "../../src/gen/noema/v1/agent_service_pb";
import { GeneService } from "../../src/gen/noema/v1/gene_service_pb";
import { InspectionService } from "../../src/gen/noema/v1/inspection_service_pb";
import { KnowledgeSection, KnowledgeService } from "../../src/gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../src/gen/noema/v1/memory_service_pb";
import { ModeService } from "../../src/gen/noema/v1/mode_service_pb";
import { ProvisioningService } from "../../src/gen/noema/v1/provisioning_service_pb";
import { StampSchema } from "../../src/gen/noema/v1/stamp_pb";
import { Fault, type FaultKind } from "../../src/processor/ports/fault";
import { BENCHES, type Bench } from "../support/rpc/benches";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The error that a call ends with. */
async function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ConnectError) return error;
    throw error;
  }
  throw new Error("the call succeeded");
}

/** The members of a message that hold anything. */
function filled(message: object | undefined): string[] {
  const entries = Object.entries(message ?? {}).filter(([name]) => name !== "$typeName");
  return entries
    .filter(([, value]) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
    .map(([name]) => name);
}

describe.each(BENCHES)("over %s", (_, make) => {
  let bench: Bench;
  let memory: ReturnType<typeof memoryClient>;
  const memoryClient = () => createClient(MemoryService, bench.transport);
  const logged = vi.spyOn(console, "error");

  beforeEach(() => {
    bench = make();
    memory = memoryClient();
    logged.mockReset().mockReturnValue(undefined);
  });

  afterEach(() => {
    expect(logged).not.toHaveBeenCalled();
  });

  const observe = (...strings: string[]) => memory.observe({ gdf: { strings } });

  test("a processor observes, learns and predicts", async () => {
    await observe("hello");
    await observe("world");
    expect((await memory.learn({})).model).toBe("7d0678ba6305341ce0d25133ab086208656a562f");
    const { observed, stamp } = await observe("hello");
    expect(observed).toMatchObject({ awake: true, predictionMade: true });
    expect(stamp).toMatchObject({ id: "p46b6b076c", time: 3 });
    const { predictions, packed } = await memory.getPredictions({});
    expect(predictions[0]).toMatchObject({ potential: 3.5, future: [{ symbols: ["world"] }] });
    expect(packed).toBeUndefined();
    const answer = await memory.getPredictions({ packed: true });
    expect(answer.predictions).toEqual([]);
    expect(answer.packed).toMatchObject({ symbols: ["hello", "world"], potential: [3.5], futureCounts: [1] });
  });

  test("a processor says what a sequence would predict, with the members asked for", async () => {
    await memory.observeSequence({ sequence: [{ strings: ["hello"] }, { strings: ["world"] }], learn: true });
    const question = { sequence: { events: [{ symbols: ["hello"] }] }, fields: ["name", "future", "snr"] };
    const { predictions } = await memory.getPredictions(question);
    expect(predictions).toEqual([
      expect.objectContaining({ future: [expect.objectContaining({ symbols: ["world"] })], snr: 1 }),
    ]);
    expect(filled(predictions[0])).toEqual(["name", "future", "snr"]);
    const { packed } = await memory.getPredictions({ ...question, packed: true });
    expect(packed).toMatchObject({ symbols: ["hello", "world"], futureCounts: [1], snr: [1] });
    expect(filled(packed)).toEqual([
      "symbols",
      "names",
      "pastCounts",
      "presentCounts",
      "futureCounts",
      "eventLengths",
      "eventSymbols",
      "snr",
    ]);
    expect((await memory.getPredictions({ sequence: { events: [] } })).predictions).toEqual([]);
    expect((await memory.getWorkingMemory({})).events).toEqual([]);
  });

  test.each([
    [{ top: 0 }, /^top must be a whole number from 1 to 10000, got 0$/],
    [{ sequence: { events: [{}] } }, /^sequence\[0\] must hold at least one symbol, got \[\]$/],
    [
      { fields: ["name", "grandHamiltonian"] },
      /^fields\[1\] must be one of confidence, .*, type, got "grandHamiltonian"$/,
    ],
  ])("the question %j is refused", async (question, message) => {
    const error = await errorOf(memory.getPredictions(question));
    expect(error).toMatchObject({ code: Code.InvalidArgument, rawMessage: expect.stringMatching(message) });
  });

  test.each([
    [{ limit: 0 }, /^limit must be a whole number from 1 to 1000, got 0$/],
    [{ limit: 1001 }, /^limit must be a whole number from 1 to 1000, got 1001$/],
    [{ after: ".." }, /^after must be a name of 1 to 128 bytes of UTF-8 .*, got "\.\."$/],
  ])("the list of sessions refuses %j", async (request, message) => {
    const error = await errorOf(memory.listSessions(request));
    expect(error).toMatchObject({ code: Code.InvalidArgument, rawMessage: expect.stringMatching(message) });
  });

  test("sessions are listed and ended by names that they can have", async () => {
    expect((await memory.listSessions({})).sessions).toEqual([]);
    expect((await memory.endSession({ session: "a" })).stamp?.id).toBe("p46b6b076c");
    const error = await errorOf(memory.endSession({}));
    expect(error).toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringMatching(/^session must be a name /),
    });
  });

  test("the stamp of an answer is of the time after the call", async () => {
    expect((await observe("a")).stamp?.time).toBe(1);
    expect((await memory.clearAllMemory({})).stamp?.time).toBe(0);
  });

  test("a record without an identifier gets a UUID, another keeps its own", async () => {
    const first = (await observe("a")).observed?.uniqueId;
    const second = (await memory.observe({})).observed?.uniqueId;
    expect(first).toMatch(UUID);
    expect(second).toMatch(UUID);
    expect(first).not.toBe(second);
    const { observed } = await memory.observeSequence({ sequence: [{ strings: ["a"] }, { uniqueId: "mine" }] });
    expect(observed.map(({ uniqueId }) => uniqueId)).toEqual([expect.stringMatching(UUID), "mine"]);
  });

  test("texts and doubles arrive as they were sent", async () => {
    const strings = ["", "\0", "\u{1F600}", "e\u0301"];
    const emotives = [
      { name: "joy", value: -0 },
      { name: "\0", value: 5e-324 },
    ];
    await memory.observe({
      gdf: { strings, emotives, vectors: [{ components: [0.1, -0] }], metadataJson: '{"b":1,"a":2}' },
    });
    const { gdf, path } = await memory.getPercept({});
    expect(gdf).toMatchObject({
      strings,
      emotives,
      vectors: [{ components: [0.1, -0] }],
      metadataJson: '{"b":1,"a":2}',
    });
    expect(path).toEqual(["P1-p46b6b076c-process"]);
  });

  test("a message of a megabyte arrives", async () => {
    const strings = Array.from({ length: 1000 }, (_unused, at) => `${at}`.padEnd(1000, "x"));
    await memory.observe({ gdf: { strings } });
    expect((await memory.getPercept({})).gdf?.strings).toEqual(strings);
  });

  test("switches, genes and inspection answer", async () => {
    const modes = createClient(ModeService, bench.transport);
    await modes.setPredicting({ on: false });
    await modes.setAutolearning({ on: true });
    await modes.setTargetClass({ target: "class" });
    await modes.setSleeping({ on: true });
    const inspection = createClient(InspectionService, bench.transport);
    const { status } = await inspection.getStatus({});
    expect(status).toMatchObject({ predict: false, autolearn: true, sleeping: true, target: "class", name: "P1" });
    const genes = createClient(GeneService, bench.transport);
    const changes = [{ name: "persistence", value: { value: { case: "number" as const, value: 9 } } }];
    expect((await genes.changeGenes({ changes })).refusal).toBe("");
    expect((await genes.getGenes({ name: "persistence" })).genes[0]?.text).toBe("9");
    expect((await genes.incrementRecallThreshold({ increment: 0.1 })).text).toBe("0.200000");
    expect(await inspection.getInfo({})).toMatchObject({
      name: "P1",
      version: "1.2.3",
      buildDate: "2026-04-20T00:00:00.000Z",
      buildNumber: "7",
    });
    expect((await inspection.ping({})).stamp?.id).toBe("p46b6b076c");
  });

  test("genes say how a genome holds them", async () => {
    const genes = createClient(GeneService, bench.transport);
    const text = { case: "text" as const, value: "x enabled" };
    await genes.changeGenes({ changes: [{ name: "snapshot_sync_keys", value: { value: text } }] });
    const settings = new Map((await genes.getGenes({})).genes.map((gene) => [gene.name, gene]));
    const settingOf = (name: string) => {
      const { genomeName, genomeValue } = settings.get(name) ?? {};
      return [genomeName, genomeValue?.value.value];
    };
    expect(settingOf("SORT")).toEqual(["sort", true]);
    expect(settingOf("enable_snapshots")).toEqual(["enable_snapshots", false]);
    expect(settingOf("always_update_frequencies")).toEqual(["always_update_frequencies", false]);
    expect(settingOf("persistence")).toEqual(["persistence", 5]);
    expect(settingOf("snapshot_sync_keys")).toEqual(["snapshot_sync_keys", "x enabled"]);
    const [one] = (await genes.getGenes({ name: "SORT" })).genes;
    expect([one?.text, one?.genomeName, one?.genomeValue?.value.value]).toEqual(["sorting", "sort", true]);
  });

  test("knowledge is added, found, exported and loaded", async () => {
    const knowledge = createClient(KnowledgeService, bench.transport);
    const sequence = { events: [{ symbols: ["hello"] }, { symbols: ["world"] }] };
    const { name } = await knowledge.addModel({
      sequence,
      frequency: 3,
      metadata: { metadataJson: ['{"b":1,"a":2}'] },
    });
    expect(name).toBe("7d0678ba6305341ce0d25133ab086208656a562f");
    const { model } = await knowledge.getModel({ name });
    expect(model).toMatchObject({
      name,
      frequency: 3,
      sequence: sequence.events,
      metadataJson: ['{"b":1,"a":2}', "{}"],
    });
    expect((await knowledge.findModels({ symbols: ["hello"] })).names).toEqual([name]);
    const page = await knowledge.exportKnowledge({ section: KnowledgeSection.MODELS });
    expect(page).toMatchObject({ more: false, models: [{ name }], totals: { totalModelFrequencies: 3 } });
    const { loadId } = await knowledge.beginLoad({});
    expect(loadId).toMatch(UUID);
    await knowledge.loadKnowledge({ loadId, models: page.models });
    expect((await knowledge.deleteModel({ name })).deleted).toBe(true);
    await knowledge.commitLoad({ loadId });
    expect((await knowledge.getModel({ name })).model).toEqual(model);
  });

  test("an unknown section is refused", async () => {
    const knowledge = createClient(KnowledgeService, bench.transport);
    const error = await errorOf(knowledge.exportKnowledge({ section: 9 as KnowledgeSection }));
    expect(error).toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: "the section must be 1 (models), 2 (symbols) or 3 (vectors), got 9",
    });
  });

  test("a refusal says what was wrong, who refused and when", async () => {
    await observe("a");
    const error = await errorOf(memory.observe({ gdf: { vectors: [{ components: [] }] } }));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.rawMessage).not.toBe("");
    expect(error.findDetails(StampSchema)).toMatchObject([{ id: "p46b6b076c", time: 1 }]);
    expect((await memory.getWorkingMemory({})).events).toHaveLength(1);
  });

  test.each<[FaultKind, Code]>([
    ["invalid", Code.InvalidArgument],
    ["too-large", Code.OutOfRange],
    ["exhausted", Code.ResourceExhausted],
    ["key-reused", Code.AlreadyExists],
    ["conflict", Code.Aborted],
  ])("a Fault %s has its code", async (kind, code) => {
    bench.host.failure = new Fault(kind, `the sentence, with \u{1F600} and "quotes"`);
    const error = await errorOf(memory.learn({}));
    expect(error).toMatchObject({ code, rawMessage: `the sentence, with \u{1F600} and "quotes"` });
    expect(error.findDetails(StampSchema)).toMatchObject([{ id: "p46b6b076c", time: 0 }]);
  });

  test("a defect gives the caller only a code, and the log everything but the user's data", async () => {
    bench.host.failure = new TypeError("the user's secret\n    secret line");
    const error = await errorOf(memory.learn({}));
    expect(error).toMatchObject({ code: Code.Internal, rawMessage: "internal error", details: [] });
    expect(logged).toHaveBeenCalledOnce();
    const text = String(logged.mock.calls[0]);
    expect(text).toContain("/noema.v1.MemoryService/Learn failed with TypeError");
    expect(text).toContain("over-every-transport.test.ts");
    expect(text).not.toContain("secret");
    logged.mockReset();
  });

  test("an error with a code of its own keeps it", async () => {
    bench.host.failure = new ConnectError("not in service", Code.FailedPrecondition);
    expect(await errorOf(memory.getPercept({}))).toMatchObject({
      code: Code.FailedPrecondition,
      rawMessage: "not in service",
    });
  });

  test("a missing service is unimplemented", async () => {
    const error = await errorOf(createClient(ProvisioningService, bench.transport).retire({}));
    expect(error.code).toBe(Code.Unimplemented);
  });

  test("a deadline ends the wait", async () => {
    bench.genome = () => new Promise(() => undefined);
    const agent = createClient(AgentService, bench.transport);
    const error = await errorOf(agent.getGenome({}, { timeoutMs: 20 }));
    expect(error).toMatchObject({ code: Code.DeadlineExceeded, rawMessage: "the operation timed out" });
  });

  test("a deadline that is not reached, and one of 0, change nothing", async () => {
    const agent = createClient(AgentService, bench.transport);
    expect((await agent.getGenome({}, { timeoutMs: 5_000 })).genomeJson).toBe("{}");
    expect((await agent.getGenome({}, { timeoutMs: 0 })).genomeJson).toBe("{}");
  });

  test("a call can be canceled, before it begins and while it waits", async () => {
    const agent = createClient(AgentService, bench.transport);
    expect(await errorOf(agent.getGenome({}, { signal: AbortSignal.abort() }))).toMatchObject({ code: Code.Canceled });
    bench.genome = () => new Promise(() => undefined);
    const controller = new AbortController();
    const waiting = errorOf(agent.getGenome({}, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 10);
    expect(await waiting).toMatchObject({ code: Code.Canceled });
  });

  test("a caller that wants headers gets them", async () => {
    const got: Headers[] = [];
    await memory.learn({}, { onHeader: (header) => got.push(header), onTrailer: (trailer) => got.push(trailer) });
    expect(got).toEqual([expect.any(Headers), expect.any(Headers)]);
  });
});
