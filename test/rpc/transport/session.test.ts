/** The session of a call, over a native call and over HTTP: which calls take one, and which names it may have. */

import { getOption } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, createConnectRouter, type Transport } from "@connectrpc/connect";
import { universalServerRequestFromFetch, universalServerResponseToFetch } from "@connectrpc/connect/protocol";
import { createConnectTransport } from "@connectrpc/connect-web";
import { describe, expect, test } from "vitest";
import { GeneService } from "../../../src/gen/noema/v1/gene_service_pb";
import { InspectionService } from "../../../src/gen/noema/v1/inspection_service_pb";
import { KnowledgeService } from "../../../src/gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../../src/gen/noema/v1/memory_service_pb";
import { ModeService } from "../../../src/gen/noema/v1/mode_service_pb";
import { serves_session } from "../../../src/gen/noema/v1/session_pb";
import { toConnectError } from "../../../src/rpc/services/connect-error";
import { registerProcessor } from "../../../src/rpc/services/processor-services";
import type { Registrar } from "../../../src/rpc/services/serve";
import { UnaryServer } from "../../../src/rpc/transport/unary-server";
import { createUnaryTransport } from "../../../src/rpc/transport/unary-transport";
import { MemoryHost } from "../../support/rpc/memory-host";

const BUILD = { version: "1.2.3", date: "2026-04-20T00:00:00.000Z", number: "7" };

type TransportTo = (register: (registrar: Registrar) => void, session?: string, header?: string) => Transport;

const native: TransportTo = (register, session) => {
  const server = new UnaryServer(toConnectError);
  register(server);
  const object = { unary: async (...call: Parameters<UnaryServer["call"]>) => server.call(...structuredClone(call)) };
  const named = { name: "an object", id: "" };
  return createUnaryTransport(
    () => object,
    () => named,
    session === undefined ? undefined : { session },
  );
};

const http: TransportTo = (register, session, header = session && encodeURIComponent(session)) => {
  const router = createConnectRouter({ grpc: false });
  register(router);
  return createConnectTransport({
    baseUrl: "https://object",
    fetch: async (url, init) => {
      const request = new Request(url, init);
      if (header !== undefined) request.headers.set("x-session", header);
      const handler = router.handlers.find(({ requestPath }) => requestPath === new URL(request.url).pathname);
      if (handler === undefined) return new Response(null, { status: 404 });
      return universalServerResponseToFetch(await handler(universalServerRequestFromFetch(request, {})));
    },
  });
};

describe.each([
  ["a native call", native],
  ["HTTP", http],
])("over %s", (_, transportTo) => {
  function begin(session?: string, header?: string) {
    const host = new MemoryHost();
    const transport = transportTo((registrar) => registerProcessor(registrar, host, BUILD), session, header);
    return { host, memory: createClient(MemoryService, transport), genes: createClient(GeneService, transport) };
  }

  test.each([
    "s",
    "/",
    "a b",
    "ü→𝄞",
    "%2e%2e",
    "ab",
    "...",
    "x".repeat(128),
  ])("the session %j reaches the verb", async (session) => {
    const { host, memory } = begin(session);
    await memory.learn({});
    await memory.getWorkingMemory({});
    expect(host.sessions).toEqual([session, session]);
  });

  test("a call without a session is about the processor's own memory", async () => {
    const { host, memory, genes } = begin();
    await memory.learn({});
    await genes.getGenes({});
    expect(host.sessions).toEqual(["", ""]);
  });

  test("a call that is about no single memory refuses a session", async () => {
    const { host, genes } = begin("s");
    const error = await genes.getGenes({}).catch((reason: unknown) => ConnectError.from(reason));
    expect(error).toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: "GeneService/GetGenes concerns no single memory: it takes no session",
    });
    expect(host.sessions).toEqual([]);
  });
});

test.each([
  "",
  ".",
  "..",
  "%2e%2E",
  "a%00b",
  "a%7f",
  "a%c2%85",
  "x".repeat(129),
  "%c3%bc".repeat(65),
  "%zz",
  "%ff",
  "ü",
])("the header X-Session refuses %j", async (header) => {
  const host = new MemoryHost();
  const transport = http((registrar) => registerProcessor(registrar, host, BUILD), undefined, header);
  const error = await createClient(MemoryService, transport)
    .learn({})
    .catch((reason: unknown) => ConnectError.from(reason));
  expect(error).toMatchObject({ code: Code.InvalidArgument });
  expect((error as ConnectError).rawMessage).toMatch(/^the header X-Session must hold a name .*, got "/);
  expect(host.sessions).toEqual([]);
});

test("the contract says which calls are about one memory", () => {
  const services = [MemoryService, GeneService, ModeService, InspectionService, KnowledgeService];
  const methods = services.flatMap((service) => service.methods).filter((method) => getOption(method, serves_session));
  expect(methods.map(({ name }) => name)).toEqual([
    "Observe",
    "ObserveSequence",
    "Learn",
    "GetWorkingMemory",
    "ClearWorkingMemory",
    "GetPredictions",
    "GetForecast",
    "ExplainPrediction",
    "ExplainForecast",
    "CountMatchingModels",
    "ExplainSurprise",
    "GetSequenceSurprise",
    "GetPercept",
    "GetCognition",
    "SetTargetClass",
    "Ping",
    "GetStatus",
  ]);
});
