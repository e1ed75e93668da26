/**
 * A processor outside Cloudflare. It has the mind and the kernel of the bundled processor, and Node serves it over Connect, gRPC-Web and
 * gRPC: HTTP/1.1 on one port, HTTP/2 on another. Environment: PORT and H2_PORT (0 takes any free port), HOST, JOURNAL (a file), KEY,
 * PROCESSOR_ID, PROCESSOR_NAME, KERNEL (the file of the compiled kernel).
 */

import { timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { registerProcessor } from "../../src/rpc/services/processor-services";
import { JournalHost } from "./journal-host";

const { PORT = "8860", H2_PORT = "8861", HOST = "127.0.0.1", KEY = "", KERNEL = "build/kernel.wasm" } = process.env;
const { JOURNAL = "noema-processor.journal", PROCESSOR_ID = "p1", PROCESSOR_NAME = "P1" } = process.env;

const BUILD = { version: "example", date: "1970-01-01T00:00:00.000Z", number: "0" };

/** Refuses calls without the key, if one is set. */
const keyed: Interceptor = (next) => (request) => {
  const [given, expected] = [Buffer.from(request.header.get("x-api-key") ?? ""), Buffer.from(KEY)];
  if (KEY !== "" && !(given.length === expected.length && timingSafeEqual(given, expected))) {
    throw new ConnectError("the request header X-API-KEY does not hold the key", Code.Unauthenticated);
  }
  return next(request);
};

async function listen(server: Server, port: string): Promise<string> {
  await once(server.listen(Number(port), HOST), "listening");
  return `http://${HOST}:${(server.address() as AddressInfo).port}`;
}

/** Node has this function. The types here are those of Workers, which do not: they get compiled modules. */
const compiler = WebAssembly as unknown as { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };

const host = new JournalHost({
  id: PROCESSOR_ID,
  name: PROCESSOR_NAME,
  journal: JOURNAL,
  kernel: await compiler.compile(readFileSync(KERNEL)),
});

const handler = connectNodeAdapter({
  interceptors: [keyed],
  routes: (router) => registerProcessor(router, host, BUILD),
});

const http = await listen(createServer(handler), PORT);
const http2 = await listen(createHttp2Server(handler), H2_PORT);
console.log(`Processor ${PROCESSOR_ID} listens on ${http} (HTTP/1.1) and ${http2} (HTTP/2)`);
