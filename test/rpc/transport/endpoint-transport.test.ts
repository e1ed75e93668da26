/** The transport to processors elsewhere, over real sockets: which addresses may be called, and how every failure ends. */

import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { afterEach, describe, expect, test } from "vitest";
import { InspectionService } from "../../../src/gen/noema/v1/inspection_service_pb";
import { MemoryService } from "../../../src/gen/noema/v1/memory_service_pb";
import { registerProcessor } from "../../../src/rpc/services/processor-services";
import {
  createEndpointTransport,
  endpointRefusal,
  endpointsRefusal,
  MAX_REPLY_BYTES,
} from "../../../src/rpc/transport/endpoint-transport";
import { MemoryHost } from "../../support/rpc/memory-host";

const BUILD = { version: "1.2.3", date: "2026-04-20T00:00:00.000Z", number: "7" };

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A processor, in memory, and what it is asked with. */
function processor(): { listener: RequestListener; headers: IncomingHttpHeaders[] } {
  const host = new MemoryHost();
  const adapter = connectNodeAdapter({ routes: (router) => registerProcessor(router, host, BUILD) });
  const headers: IncomingHttpHeaders[] = [];
  const listener: RequestListener = (request, response) => {
    headers.push(request.headers);
    adapter(request, response);
  };
  return { listener, headers };
}

function clients(host: string, env: object = {}, path = "") {
  const transport = createEndpointTransport(`http://${host}${path}`, "p7", {
    NOEMA_LOCAL: "true",
    NOEMA_ENDPOINT_HOSTS: host,
    ...env,
  });
  return { memory: createClient(MemoryService, transport), inspection: createClient(InspectionService, transport) };
}

async function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  const outcome = await call.catch((reason: unknown) => reason);
  expect(outcome).toBeInstanceOf(ConnectError);
  return outcome as ConnectError;
}

describe("the variables", () => {
  test.each([
    {},
    { NOEMA_ENDPOINT_HOSTS: "" },
    {
      NOEMA_ENDPOINT_HOSTS: "a.example, b.example:8443 localhost:9000\n192.168.0.7 [::1]:1 c.example:80 d.example:443",
    },
    { NOEMA_ENDPOINT_KEYS: "a.example=k, b.example:8443=k=k" },
  ])("%j are right", (env) => {
    expect(endpointsRefusal(env)).toBeUndefined();
  });

  test.each([
    "https://a.example",
    "A.example",
    "a.example/",
    "a.example:",
    "a.example:70000",
    "user@a.example",
    "*",
  ])("the host %j is named", (host) => {
    expect(endpointsRefusal({ NOEMA_ENDPOINT_HOSTS: `good.example ${host}` })).toContain(
      `the variable NOEMA_ENDPOINT_HOSTS has ${JSON.stringify(host)}; it must list hosts as URLs have them`,
    );
  });

  test.each(["k", "=k", "a.example=", "https://a.example=k"])("the entry %j of the keys is not shown", (entry) => {
    expect(endpointsRefusal({ NOEMA_ENDPOINT_KEYS: `good.example=k ${entry}` })).toBe(
      "the secret NOEMA_ENDPOINT_KEYS has an entry that is not of the form host:port=key",
    );
  });
});

describe("a processor elsewhere", () => {
  test("answers like one in this deployment, and gets its identifier and the key of its host", async () => {
    const { listener, headers } = processor();
    const host = await listen(listener);
    const { memory } = clients(host, { NOEMA_ENDPOINT_KEYS: `other=no ${host}=k=1` });
    expect(await memory.observe({ gdf: { strings: ["hello"] } })).toMatchObject({ stamp: { time: 1 } });
    expect(headers[0]).toMatchObject({
      "x-processor-id": "p7",
      "x-api-key": "k=1",
      "content-type": "application/proto",
    });
    expect(headers[0]).toHaveProperty("connect-timeout-ms");
  });

  test("refuses in its own words", async () => {
    const { memory } = clients(await listen(processor().listener));
    const error = await errorOf(memory.observe({ gdf: { emotives: [{ name: "joy", value: Number.NaN }] } }));
    expect([error.code, error.rawMessage]).toEqual([
      Code.InvalidArgument,
      'emotive "joy" must be a finite number, got NaN',
    ]);
  });

  test("gets a call without side effects once more when it could not be reached, and no other call", async () => {
    const { listener } = processor();
    let calls = 0;
    const host = await listen((request, response) => {
      calls++;
      if (calls % 2 === 1) request.socket.destroy();
      else listener(request, response);
    });
    const { memory, inspection } = clients(host);
    expect((await inspection.ping({})).stamp?.time).toBe(0);
    expect(calls).toBe(2);
    expect((await errorOf(memory.learn({}))).code).toBe(Code.Unavailable);
    expect(calls).toBe(3);
  });

  test("that is down is unavailable", async () => {
    const host = await listen(() => undefined);
    servers.splice(0)[0]?.close();
    const error = await errorOf(clients(host).memory.learn({}));
    expect([error.code, error.rawMessage]).toEqual([
      Code.Unavailable,
      "the processor cannot be reached: it did not answer",
    ]);
  });

  test("that does not answer fails the call at the deadline", async () => {
    const { memory } = clients(await listen(() => undefined));
    expect((await errorOf(memory.learn({}, { timeoutMs: 50 }))).code).toBe(Code.DeadlineExceeded);
  });

  test("is read no further than the largest answer that one here may give", async () => {
    let sent = 0;
    const host = await listen((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "application/proto" });
      const part = Buffer.alloc(1_048_576);
      const send = () => {
        while (sent < 200 * part.length && !response.destroyed) {
          sent += part.length;
          if (!response.write(part)) break;
        }
      };
      response.on("drain", send);
      send();
    });
    const error = await errorOf(clients(host).memory.learn({}));
    expect([error.code, error.rawMessage]).toEqual([
      Code.Unavailable,
      `the processor cannot be reached: it answered with more than ${MAX_REPLY_BYTES} bytes`,
    ]);
    expect(sent).toBeLessThan(2 * MAX_REPLY_BYTES);
  });

  test("cannot redirect a call", async () => {
    const { listener, headers } = processor();
    const trap = await listen(listener);
    const host = await listen((request, response) => {
      request.resume();
      response.writeHead(307, { location: `http://${trap}${request.url}` }).end();
    });
    const error = await errorOf(clients(host, { NOEMA_ENDPOINT_HOSTS: `${host} ${trap}` }).memory.learn({}));
    expect([error.code, error.rawMessage]).toEqual([
      Code.Unavailable,
      "the processor cannot be reached: it answered with a redirect, which is not followed",
    ]);
    expect(headers).toEqual([]);
  });

  test.each([
    401, 403,
  ])("that answers %d is unavailable: the key is the deployment's mistake, not the client's", async (status) => {
    const host = await listen((request, response) => {
      request.resume();
      response.writeHead(status).end();
    });
    expect((await errorOf(clients(host).memory.learn({}))).code).toBe(Code.Unavailable);
  });

  test("is not called at an address that is not allowed", async () => {
    const { listener, headers } = processor();
    const host = await listen(listener);
    const error = await errorOf(clients(host, { NOEMA_ENDPOINT_HOSTS: "example.org" }).memory.learn({}));
    expect(error.code).toBe(Code.Unavailable);
    expect(error.rawMessage).toContain(`its host ${host} is not listed in the variable NOEMA_ENDPOINT_HOSTS`);
    expect(headers).toEqual([]);
  });
});

describe("an address", () => {
  const env = { NOEMA_ENDPOINT_HOSTS: "a.example.org, b.example.org:8443 10.0.0.1 127.0.0.1:1 localhost:1 [::1]:1" };
  const local = { ...env, NOEMA_LOCAL: "true" };

  test.each([
    ["https://a.example.org", env],
    ["https://A.example.org:443/some/path", env],
    ["https://b.example.org:8443/", env],
    ["http://127.0.0.1:1/x", local],
    ["http://localhost:1", local],
    ["http://[::1]:1", local],
  ])("%s is allowed", (endpoint, environment) => {
    expect(endpointRefusal(endpoint, environment)).toBeUndefined();
  });

  test.each([
    ["a.example.org", env, "must be a URL"],
    ["", env, "must be a URL"],
    ["http://a.example.org", local, "must begin with https://"],
    ["http://10.0.0.1", local, "must begin with https://"],
    ["http://127.0.0.1:1", env, "must begin with https://"],
    ["http://127.0.0.1.example.org:1", local, "must begin with https://"],
    ["ftp://a.example.org", env, "must begin with https://"],
    ["https://user@a.example.org", env, "without user"],
    ["https://a.example.org?x=1", env, "without user, query and fragment"],
    ["https://a.example.org:8443", env, "its host a.example.org:8443 is not listed in"],
    ["https://b.example.org", env, "its host b.example.org is not listed in"],
    ["https://sub.a.example.org", env, "is not listed in"],
    ["http://127.0.0.1:2", local, "its host 127.0.0.1:2 is not listed in"],
    ["https://a.example.org", {}, "is not listed in"],
  ])("%s is refused", (endpoint, environment, said) => {
    expect(endpointRefusal(endpoint, environment)).toContain(said);
  });
});
