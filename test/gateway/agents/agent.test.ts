import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it, vi } from "vitest";
import { AgentService } from "../../../src/gen/noema/v1/agent_service_pb";
import { InspectionService, PingResponseSchema } from "../../../src/gen/noema/v1/inspection_service_pb";
import { P1, STAMP, TestGateway } from "../../support/gateway/test-gateway";

function genomeOf(...primitives: [id: string, name: string][]): { genomeJson: string } {
  const nodes = primitives.map(([id, name]) => ({ data: { type: "primitive", id, name } }));
  const others = [{ data: { type: "manipulative", id: "m1", name: "P9" } }, { data: null }, "x"];
  return { genomeJson: JSON.stringify({ agent: "a", elements: { nodes: [...nodes, ...others] } }) };
}

const { ping } = InspectionService.method;
const { getGenome } = AgentService.method;

function callsOf(gateway: TestGateway): string[] {
  return gateway.calls.map(({ rpc, to }) => `${rpc} ${to}`);
}

describe("finding a processor", () => {
  it("reads the genome once for all processors it names", async () => {
    const gateway = new TestGateway();
    gateway.answer(getGenome, genomeOf(["p1", "P1"], ["p2", "P2"]));
    for (const word of ["p1", "P2", "p2", "P1"]) await gateway.ask("GET", `/${word}/ping`);
    expect(callsOf(gateway)).toEqual([
      "GetGenome simple",
      "Ping simple/p1",
      "Ping simple/p2",
      "Ping simple/p2",
      "Ping simple/p1",
    ]);
  });

  it("prefers an identifier to another processor's name, and the first of equal names", async () => {
    const gateway = new TestGateway();
    gateway.answer(getGenome, genomeOf(["p1", "p2"], ["p2", "P"], ["p3", "P"]));
    await gateway.ask("GET", "/p2/ping");
    await gateway.ask("GET", "/P/ping");
    expect(callsOf(gateway).slice(1)).toEqual(["Ping simple/p2", "Ping simple/p2"]);
  });

  it("knows no manipulative", async () => {
    const gateway = new TestGateway();
    gateway.answer(getGenome, genomeOf(["p1", "P1"]));
    for (const word of ["m1", "P9"]) expect((await gateway.ask("GET", `/${word}/ping`)).status).toBe(404);
  });

  it("reads the genome again for an unknown name, because a hotswap may have brought it", async () => {
    const gateway = new TestGateway();
    await gateway.ask("GET", "/P1/ping");
    gateway.answer(getGenome, genomeOf(["p2", "P2"]));
    expect((await gateway.ask("GET", "/P2/ping")).status).toBe(200);
  });

  it("reads the genome again when a processor is not in service, and calls once more", async () => {
    const gateway = new TestGateway();
    let inService = false;
    gateway.answerWith(ping, () => {
      if (inService) return create(PingResponseSchema, { stamp: STAMP });
      inService = true;
      throw new ConnectError("never provisioned", Code.FailedPrecondition);
    });
    expect((await gateway.ask("GET", "/P1/ping")).status).toBe(200);
    expect(callsOf(gateway)).toEqual([
      "GetGenome simple",
      `Ping simple/${P1}`,
      "GetGenome simple",
      `Ping simple/${P1}`,
    ]);
  });

  it("answers 500 when the processor stays out of service: its storage is lost", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const gateway = new TestGateway();
    gateway.fail(ping, Code.FailedPrecondition, "never provisioned");
    const { status, json } = await gateway.ask("GET", "/P1/ping");
    expect([status, json.message]).toEqual([
      500,
      `the agent's genome has the processor "${P1}", but the processor's storage holds nothing: docs/damage.md says how to restore it`,
    ]);
    vi.restoreAllMocks();
  });

  it("answers 404 when the processor has left the genome", async () => {
    const gateway = new TestGateway();
    await gateway.ask("GET", "/P1/ping");
    gateway.fail(ping, Code.FailedPrecondition, "never provisioned");
    gateway.answer(getGenome, genomeOf(["p2", "P2"]));
    expect((await gateway.ask("GET", "/P1/ping")).status).toBe(404);
  });

  it("passes on the failure of the second call", async () => {
    const gateway = new TestGateway();
    let calls = 0;
    gateway.answerWith(ping, () => {
      calls += 1;
      throw new ConnectError("no", calls === 1 ? Code.FailedPrecondition : Code.InvalidArgument);
    });
    expect((await gateway.ask("GET", "/P1/ping")).status).toBe(400);
  });

  it("survives a hotswap that ends while the agent answers that its genome is unchanged", async () => {
    const gateway = new TestGateway();
    gateway.answer(getGenome, { ...genomeOf(["p1", "P1"]), revision: 1 });
    await gateway.ask("GET", "/p1/ping");
    gateway.answerWith(getGenome, async (request) => {
      expect(request).toMatchObject({ knownRevision: 1 });
      await gateway.ask("POST", "/genome/hotswap", { body: genomeOf().genomeJson });
      return create(getGenome.output, { revision: 1 });
    });
    expect((await gateway.ask("GET", "/nobody/ping")).status).toBe(404);
    expect((await gateway.ask("GET", "/p1/ping")).status).toBe(200);
  });
});
