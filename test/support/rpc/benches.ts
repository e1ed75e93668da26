/** The same services behind three transports: the library's in-memory one, the unary path, and the library's over HTTP. */

import { type ConnectRouter, createRouterTransport, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { AgentService } from "../../../src/gen/noema/v1/agent_service_pb";
import { HttpServices } from "../../../src/object/http-services";
import { agentService } from "../../../src/rpc/services/agent-service";
import type { Registrar } from "../../../src/rpc/services/host";
import { registerProcessor } from "../../../src/rpc/services/processor-services";
import { UnaryServer } from "../../../src/rpc/transport/unary-server";
import { createUnaryTransport } from "../../../src/rpc/transport/unary-transport";
import { registerCount } from "./count-service";
import { MemoryHost } from "./memory-host";

/** What a test talks to. */
export interface Bench {
  transport: Transport;
  host: MemoryHost;
  /** What the agent's object answers with. */
  genome: () => Promise<string>;
}

const BUILD = { version: "1.2.3", date: "2026-04-20T00:00:00.000Z", number: "7" };

function bench(transportOf: (register: (registrar: Registrar) => void) => Transport): Bench {
  const host = new MemoryHost();
  const made: Bench = { host, genome: () => Promise.resolve("{}"), transport: undefined as unknown as Transport };
  made.transport = transportOf((registrar) => {
    registerProcessor(registrar, host, BUILD);
    const keeper = {
      genome: async () => ({ json: await made.genome(), revision: 1, tuned: [] }),
      hotswap: () => Promise.resolve(2),
      noteTuned: () => undefined,
      endpointOf: () => Promise.resolve(undefined),
    };
    registrar.service(AgentService, agentService(keeper));
  });
  return made;
}

function withStreams(register: (registrar: Registrar) => void): (router: ConnectRouter) => void {
  return (router) => {
    register(router);
    registerCount(router);
  };
}

/** A fetch to the services; like every fetch, it ends when its signal aborts. */
function fetchTo(register: (registrar: Registrar) => void) {
  const http = new HttpServices(withStreams(register));
  return (url: unknown, init?: RequestInit) => {
    const request = new Request(String(url), init);
    return new Promise<Response>((resolve, reject) => {
      const abort = () => reject(request.signal.reason);
      if (request.signal.aborted) return abort();
      request.signal.addEventListener("abort", abort);
      http.handle(request).then(resolve, reject);
    });
  };
}

/** Makes a bench over each transport. */
export const BENCHES: readonly [name: string, make: () => Bench][] = [
  ["the library in memory", () => bench((register) => createRouterTransport(withStreams(register)))],
  [
    "the unary path",
    () =>
      bench((register) => {
        const server = new UnaryServer();
        register(server);
        const fetch = fetchTo(register);
        // As over the runtime, neither side sees the other's buffers.
        const unary = async (path: string, body: Uint8Array) =>
          structuredClone(await server.call(path, structuredClone(body)));
        return createUnaryTransport(() => ({ unary, fetch }));
      }),
  ],
  [
    "the library over HTTP",
    () =>
      bench((register) =>
        createConnectTransport({ baseUrl: "https://object", useBinaryFormat: true, fetch: fetchTo(register) }),
      ),
  ],
];
