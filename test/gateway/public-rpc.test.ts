import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { describe, expect, it, vi } from "vitest";
import { AgentService } from "../../src/gen/noema/v1/agent_service_pb";
import { InspectionService } from "../../src/gen/noema/v1/inspection_service_pb";
import { MemoryService } from "../../src/gen/noema/v1/memory_service_pb";
import { ProvisioningService, RosterService } from "../../src/gen/noema/v1/provisioning_service_pb";
import { StampSchema } from "../../src/gen/noema/v1/stamp_pb";
import { P1, STAMP, TestGateway } from "../support/gateway/test-gateway";

const { observe, learn } = MemoryService.method;

/** The ways in which a generated client may speak, to a gateway. */
const PROTOCOLS: Record<string, (gateway: TestGateway, key?: string) => Transport> = {
  "Connect with binary": (gateway, key) => createConnectTransport({ ...into(gateway, key), useBinaryFormat: true }),
  "Connect with JSON": (gateway, key) => createConnectTransport(into(gateway, key)),
  "Connect with GET": (gateway, key) => createConnectTransport({ ...into(gateway, key), useHttpGet: true }),
  "gRPC-Web": (gateway, key) => createGrpcWebTransport(into(gateway, key)),
};

function into(gateway: TestGateway, key = "ABCD-1234") {
  return {
    baseUrl: "http://127.0.0.1:8787",
    fetch: (url: RequestInfo | URL, init?: RequestInit) => {
      const headers = new Headers(init?.headers);
      headers.set("x-api-key", key);
      return gateway.handle(new Request(String(url), { ...init, headers } as never));
    },
  };
}

const TWO = {
  genomeJson: JSON.stringify({
    agent: "a",
    elements: { nodes: ["p1", "p2"].map((id) => ({ data: { type: "primitive", id, name: id.toUpperCase() } })) },
  }),
};

async function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  const outcome = await call.catch((reason: unknown) => reason);
  expect(outcome).toBeInstanceOf(ConnectError);
  return outcome as ConnectError;
}

describe("a compressed message is refused, and the refusal says what is accepted", () => {
  const WORDS = 'unknown compression "gzip": messages must not be compressed; the only accepted encoding is identity';

  it.each<[name: string, path: string, init: { body?: string; headers: Record<string, string> }]>([
    ["Connect", "Ping", { body: "{}", headers: { "content-type": "application/json", "content-encoding": "gzip" } }],
    ["Connect with GET", "Ping?encoding=json&message=%7B%7D&compression=gzip", { headers: {} }],
    [
      "gRPC-Web",
      "Ping",
      {
        body: "\u0000".repeat(5),
        headers: { "content-type": "application/grpc-web+proto", "grpc-encoding": "gzip" },
      },
    ],
  ])("%s", async (name, path, { body, headers }) => {
    const gateway = new TestGateway();
    const method = body === undefined ? "GET" : "POST";
    const url = `http://127.0.0.1:8787/noema.v1.InspectionService/${path}`;
    const answer = await gateway.handle(
      new Request(url, { method, headers: { ...headers, "x-api-key": "ABCD-1234" }, body: body ?? null } as never),
    );
    expect(gateway.calls.filter(({ rpc }) => rpc === "Ping")).toEqual([]);
    expect(answer.headers.get("accept-encoding")).toBe("identity");
    if (name === "gRPC-Web") {
      expect(answer.headers.get("grpc-status")).toBe("12");
      expect(decodeURIComponent(answer.headers.get("grpc-message") ?? "")).toBe(WORDS);
    } else {
      expect([answer.status, await answer.json()]).toEqual([501, { code: "unimplemented", message: WORDS }]);
    }
  });
});

describe("a body of a service that holds too much is refused before it is decoded", () => {
  const EMPTY_RECORDS = new Uint8Array(4_000_000).map((_, at) => (at % 2 === 0 ? 0x0a : 0));
  const VALUES = "the body holds more than 1000000 values, the maximum";
  const RECORDS =
    "a sequence may have 50000 records (NOEMA_SEQUENCE_RECORDS), got 60000; send it in parts, and clear only with the first";
  const frame = (bytes: Uint8Array) => {
    const framed = new Uint8Array(5 + bytes.length);
    new DataView(framed.buffer).setUint32(1, bytes.length);
    framed.set(bytes, 5);
    return framed;
  };
  const list = (item: string, count: number) => `{"sequence":[${`${item},`.repeat(count - 1)}${item}]}`;

  async function refusal(type: string, body: Uint8Array | string): Promise<string> {
    const gateway = new TestGateway();
    const headers = { "x-api-key": "ABCD-1234", "content-type": type };
    const url = "http://127.0.0.1:8787/noema.v1.MemoryService/ObserveSequence";
    const answer = await gateway.handle(new Request(url, { method: "POST", headers, body: body as never }));
    expect(gateway.calls.filter(({ rpc }) => rpc === "ObserveSequence")).toEqual([]);
    if (type.startsWith("application/json") || type === "application/proto") {
      const { code, message } = (await answer.json()) as { code: string; message: string };
      return `${code}: ${message}`;
    }
    return `${answer.headers.get("grpc-status")}: ${decodeURIComponent(answer.headers.get("grpc-message") ?? "")}`;
  }

  it.each<[name: string, type: string, body: Uint8Array | string, told: string]>([
    ["records in binary", "application/proto", EMPTY_RECORDS, `resource_exhausted: ${VALUES}`],
    ["records in JSON", "application/json", list("{}", 600_000), `resource_exhausted: ${VALUES}`],
    [
      "more records than a sequence may have, in binary",
      "application/proto",
      EMPTY_RECORDS.subarray(0, 120_000),
      `out_of_range: ${RECORDS}`,
    ],
    [
      "more records than a sequence may have, in JSON",
      "application/json",
      list("{}", 60_000),
      `out_of_range: ${RECORDS}`,
    ],
    [
      "more records than a sequence may have, over gRPC-Web",
      "application/grpc-web",
      frame(EMPTY_RECORDS.subarray(0, 120_000)),
      `11: ${RECORDS}`,
    ],
    [
      "JSON nested without end",
      "application/json",
      "[".repeat(100_000),
      "invalid_argument: the body is nested deeper than 100 levels",
    ],
    ["records over gRPC-Web", "application/grpc-web+proto", frame(EMPTY_RECORDS), `8: ${VALUES}`],
    [
      "records over gRPC-Web in JSON",
      "application/grpc-web+json",
      frame(new TextEncoder().encode(list("{}", 600_000))),
      `8: ${VALUES}`,
    ],
    [
      "frames over gRPC-Web",
      "application/grpc-web",
      new Uint8Array(5 * 20_000),
      "8: the body has more than 16 frames; a call has one message",
    ],
  ])("%s", async (_, type, body, told) => {
    expect(await refusal(type, body)).toBe(told);
  });
});

describe.each(Object.entries(PROTOCOLS))("a generated client over %s", (_, transportTo) => {
  it("calls the agent's only processor", async () => {
    const gateway = new TestGateway();
    gateway.answer(observe, { stamp: STAMP, observed: { awake: true, uniqueId: "u" } });
    const reply = await createClient(MemoryService, transportTo(gateway)).observe({ gdf: { strings: ["hello"] } });
    expect(reply).toMatchObject({ stamp: STAMP, observed: { awake: true, uniqueId: "u" } });
    expect(gateway.calls.at(-1)).toMatchObject({ to: `simple/${P1}`, rpc: "Observe" });
    expect(gateway.lastOf(observe)).toMatchObject({ gdf: { strings: ["hello"] } });
  });

  it("names the processor by id or name, and must where there are several", async () => {
    const gateway = new TestGateway();
    gateway.answer(AgentService.method.getGenome, TWO);
    const client = createClient(InspectionService, transportTo(gateway));
    for (const word of ["p2", "P1"]) await client.ping({}, { headers: { "x-processor-id": word } });
    expect(gateway.calls.filter(({ rpc }) => rpc === "Ping").map(({ to }) => to)).toEqual(["simple/p2", "simple/p1"]);
    const error = await errorOf(client.ping({}));
    expect([error.code, error.rawMessage]).toEqual([
      Code.InvalidArgument,
      "the agent has not just one processor; the header X-Processor-Id must hold the id or the name of one",
    ]);
    expect((await errorOf(client.ping({}, { headers: { "x-processor-id": "p9" } }))).code).toBe(Code.NotFound);
  });

  it("learns what the processor refuses, and which processor", async () => {
    const gateway = new TestGateway();
    gateway.fail(learn, Code.ResourceExhausted, "no memory left");
    const error = await errorOf(createClient(MemoryService, transportTo(gateway)).learn({}));
    expect([error.code, error.rawMessage]).toEqual([Code.ResourceExhausted, "no memory left"]);
    expect(error.findDetails(StampSchema)[0]).toMatchObject(STAMP);
  });

  it("learns nothing about a defect", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const gateway = new TestGateway();
    gateway.answerWith(learn, () => {
      throw new ConnectError("internal error", Code.Internal);
    });
    expect((await errorOf(createClient(MemoryService, transportTo(gateway)).learn({}))).rawMessage).toBe(
      "internal error",
    );
    vi.restoreAllMocks();
  });

  it("reads the genome and swaps it", async () => {
    const gateway = new TestGateway();
    gateway.answer(AgentService.method.hotswap, { revision: 2 });
    const client = createClient(AgentService, transportTo(gateway));
    expect((await client.getGenome({})).genomeJson).toContain(P1);
    expect(await client.hotswap({ genomeJson: TWO.genomeJson, purge: true })).toMatchObject({ revision: 2 });
    expect(gateway.lastOf(AgentService.method.hotswap)).toMatchObject({ genomeJson: TWO.genomeJson, purge: true });
  });

  it("needs a key before anything is called", async () => {
    const gateway = new TestGateway();
    const error = await errorOf(createClient(MemoryService, transportTo(gateway, "wrong")).learn({}));
    expect(error.code).toBe(Code.Unauthenticated);
    expect(error.rawMessage).toBe("the request header X-API-KEY does not hold an accepted API key");
    expect(gateway.calls).toEqual([]);
  });

  it("does not find provisioning, nor the calls between a processor and its agent", async () => {
    const gateway = new TestGateway();
    const transport = transportTo(gateway);
    for (const call of [
      () => createClient(ProvisioningService, transport).retire({ purge: true }),
      () => createClient(ProvisioningService, transport).provision({ id: P1 }),
      () => createClient(RosterService, transport).noteTuned({ id: P1 }),
      () => createClient(RosterService, transport).findProcessor({ id: P1 }),
    ]) {
      expect((await errorOf(call())).code).toBe(Code.Unimplemented);
    }
    expect(gateway.calls).toEqual([]);
  });
});

describe("a call without a client", () => {
  const ask = (gateway: TestGateway, path: string, init: RequestInit) =>
    gateway.handle(
      new Request(`http://127.0.0.1${path}`, {
        method: "POST",
        ...init,
        headers: { "x-api-key": "ABCD-1234", "content-type": "application/json", ...(init.headers as object) },
      }),
    );

  it("takes JSON and returns JSON", async () => {
    const gateway = new TestGateway();
    gateway.answer(learn, { stamp: STAMP, model: "abc" });
    const response = await ask(gateway, "/noema.v1.MemoryService/Learn", { body: "{}" });
    expect([response.status, await response.json()]).toEqual([200, { stamp: STAMP, model: "abc" }]);
  });

  it.each([
    ["/noema.v1.MemoryService/Learn", "{", 400, "invalid_argument"],
    ["/noema.v1.MemoryService/Observe", '{"gdf":{"strings":5}}', 400, "invalid_argument"],
    ["/noema.v1.MemoryService/Nothing", "{}", 501, "unimplemented"],
    ["/noema.v1.Nothing/Learn", "{}", 501, "unimplemented"],
  ])("to %s with %s gets an error of Connect", async (path, body, status, code) => {
    const response = await ask(new TestGateway(), path, { body });
    expect([response.status, await response.json()]).toMatchObject([status, { code }]);
  });
});
