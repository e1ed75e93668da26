/** The public services of a real server, called with the library's clients for Node and with curl. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AgentService } from "../../src/gen/noema/v1/agent_service_pb";
import { GeneService } from "../../src/gen/noema/v1/gene_service_pb";
import { KnowledgeService } from "../../src/gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../src/gen/noema/v1/memory_service_pb";
import { ask } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

let server: Server;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(() => server.discard());

function keyed(key: string): Interceptor {
  return (next) => (request) => {
    request.header.set("x-api-key", key);
    return next(request);
  };
}

describe.each([
  ["Connect, binary", createConnectTransport, true],
  ["Connect, JSON", createConnectTransport, false],
  ["gRPC-Web, binary", createGrpcWebTransport, true],
  ["gRPC-Web, JSON", createGrpcWebTransport, false],
] as const)("connect-node over %s", (_, create, useBinaryFormat) => {
  const transport = (key = "ABCD-1234") =>
    create({ baseUrl: server.address, httpVersion: "1.1", useBinaryFormat, interceptors: [keyed(key)] });

  test("has the same effect as the HTTP/JSON call", async () => {
    await ask(server, "POST clear-all-memory");
    const memory = createClient(MemoryService, transport());
    for (const each of ["hello", "world"]) await memory.observe({ gdf: { strings: [each] } });
    expect((await memory.learn({})).model).toBe("7d0678ba6305341ce0d25133ab086208656a562f");
    const { observed, stamp } = await memory.observe({
      gdf: { strings: ["hello"], emotives: [{ name: "joy", value: 1 }] },
    });
    expect(observed?.predictionMade).toBe(true);
    expect(String(stamp?.time)).toBe(await ask(server, "GET time"));
    const [prediction] = (await memory.getPredictions({})).predictions;
    const [told] = (await ask(server, "POST predictions")) as { potential: number; future: string[][] }[];
    expect(prediction?.potential).toBe(told?.potential);
    expect(prediction?.future.map(({ symbols }) => symbols)).toEqual(told?.future);
  });

  test("answers a repetition under an idempotency key alike, and does nothing", async () => {
    const memory = createClient(MemoryService, transport());
    const key = crypto.randomUUID();
    const replays: (string | null)[] = [];
    const options = {
      headers: { "idempotency-key": key },
      onHeader: (headers: Headers) => replays.push(headers.get("idempotency-replayed")),
    };
    const first = await memory.observe({ gdf: { strings: ["hello"] } }, options);
    expect(await memory.observe({ gdf: { strings: ["hello"] } }, options)).toEqual(first);
    expect(replays).toEqual([null, "true"]);
    expect(String(first.stamp?.time)).toBe(await ask(server, "GET time"));
    const other = ConnectError.from(await memory.learn({}, options).catch((reason: unknown) => reason));
    expect(other.code).toBe(Code.AlreadyExists);
    await memory.getWorkingMemory({}, options);
    expect(replays.at(-1)).toBe(null);
  });

  test("refuses an idempotency key where no answer is kept, and one that is malformed", async () => {
    const headers = { "idempotency-key": "k" };
    const calls = [
      () => createClient(KnowledgeService, transport()).beginLoad({}, { headers }),
      () => createClient(AgentService, transport()).hotswap({ genomeJson: "{}" }, { headers }),
      () => createClient(MemoryService, transport()).learn({}, { headers: { "idempotency-key": "a b" } }),
    ];
    for (const call of calls) {
      const error = ConnectError.from(await call().catch((reason: unknown) => reason));
      expect([error.code, error.rawMessage]).toEqual([
        Code.InvalidArgument,
        expect.stringContaining("Idempotency-Key"),
      ]);
    }
  });

  test("is refused as the HTTP/JSON call is", async () => {
    const genes = createClient(GeneService, transport());
    const error = ConnectError.from(
      await genes.incrementRecallThreshold({ increment: 5 }).catch((reason: unknown) => reason),
    );
    const told = await server.send({
      method: "POST",
      path: "/P1/gene/increment-recall-threshold",
      body: { increment: 5 },
    });
    expect([error.code, error.rawMessage]).toEqual([Code.InvalidArgument, told.json.message]);
    const refused = createClient(MemoryService, transport("wrong"));
    const reason = ConnectError.from(await refused.learn({}).catch((each: unknown) => each));
    expect(reason.code).toBe(Code.Unauthenticated);
  });
});

test("curl needs no more than JSON", async () => {
  await ask(server, "POST clear-all-memory");
  const curl = async (...args: string[]) => (await promisify(execFile)("curl", ["-s", ...args])).stdout;
  const call = ["-H", "X-API-KEY: ABCD-1234", "-H", "content-type: application/json"];
  const observe = `${server.address}/noema.v1.MemoryService/Observe`;
  const answer = JSON.parse(await curl(...call, observe, "-d", '{"gdf": {"strings": ["hello"], "uniqueId": "mine"}}'));
  expect(answer).toEqual({ stamp: { id: "p46b6b076c", time: 1 }, observed: { awake: true, uniqueId: "mine" } });
  expect(await ask(server, "GET working-memory")).toEqual([["hello"]]);
  expect(JSON.parse(await curl(observe, "-d", "{}", "-H", "content-type: application/json"))).toMatchObject({
    code: "unauthenticated",
  });
  const ping = `${server.address}/noema.v1.InspectionService/Ping?connect=v1&encoding=json&message=%7B%7D`;
  expect(JSON.parse(await curl(...call.slice(0, 2), ping))).toEqual({ stamp: { id: "p46b6b076c", time: 1 } });
});
