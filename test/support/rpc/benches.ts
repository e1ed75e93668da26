/** The same services behind three transports: the library's in memory, the unary path, and the library's over HTTP. */

import { createConnectRouter, createRouterTransport, type Transport } from "@connectrpc/connect";
import { universalServerRequestFromFetch, universalServerResponseToFetch } from "@connectrpc/connect/protocol";
import { createConnectTransport } from "@connectrpc/connect-web";
import { registerAgent } from "../../../src/rpc/services/agent-service";
import { toConnectError } from "../../../src/rpc/services/connect-error";
import { registerProcessor } from "../../../src/rpc/services/processor-services";
import type { Registrar } from "../../../src/rpc/services/serve";
import { UnaryServer } from "../../../src/rpc/transport/unary-server";
import { createUnaryTransport } from "../../../src/rpc/transport/unary-transport";
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
    registerAgent(registrar, {
      genome: async () => ({ json: await made.genome(), revision: 1, tuned: [], places: new Map() }),
      hotswap: () => Promise.resolve({ revision: 2, change: {} }),
      previewHotswap: () => Promise.resolve({}),
      noteTuned: () => Promise.resolve(),
      locate: () => Promise.resolve(undefined),
      noteJurisdiction: () => undefined,
    });
  });
  return made;
}

/** Answers a request as the library's handlers do; a path that no service has gets 404. */
async function answer(register: (registrar: Registrar) => void, request: Request): Promise<Response> {
  const router = createConnectRouter({ grpc: false });
  register(router);
  const handler = router.handlers.find(({ requestPath }) => requestPath === new URL(request.url).pathname);
  if (handler === undefined) return new Response(null, { status: 404 });
  return universalServerResponseToFetch(await handler(universalServerRequestFromFetch(request, {})));
}

/** A fetch to the services; like every fetch, it ends when its signal aborts. */
function fetchTo(register: (registrar: Registrar) => void) {
  return (url: unknown, init?: RequestInit) => {
    const request = new Request(String(url), init);
    return new Promise<Response>((resolve, reject) => {
      const abort = () => reject(request.signal.reason);
      if (request.signal.aborted) return abort();
      request.signal.addEventListener("abort", abort);
      answer(register, request).then(resolve, reject);
    });
  };
}

/** Makes a bench over each transport. */
export const BENCHES: readonly [name: string, make: () => Bench][] = [
  ["the library in memory", () => bench((register) => createRouterTransport(register))],
  [
    "the unary path",
    () =>
      bench((register) => {
        const server = new UnaryServer(toConnectError);
        register(server);
        // As over the runtime, neither side sees the other's buffers.
        const unary = async (path: string, body: Uint8Array) =>
          structuredClone(await server.call(path, structuredClone(body)));
        return createUnaryTransport(
          () => ({ unary }),
          () => ({ name: "an object", id: "" }),
        );
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
