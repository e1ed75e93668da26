/** CORS: closed until origins are named, then open for exactly these. */

import { describe, expect, it } from "vitest";
import { keep, testKey } from "../support/gateway/issued";
import { P1, TestGateway } from "../support/gateway/test-gateway";

const APP = "https://app.example.org";
const OPEN = { API_KEYS: "key", NOEMA_ALLOW_ORIGINS: `${APP}, http://localhost:5173` };
const ORIGIN = "access-control-allow-origin";

function ask(
  env: object,
  method: string,
  path: string,
  headers: Record<string, string>,
  gateway = new TestGateway(env as never),
) {
  return gateway.handle(new Request(`http://noema.example${path}`, { method, headers }));
}

const preflightOf = (origin: string) => ({
  origin,
  "access-control-request-method": "POST",
  "access-control-request-headers": "x-api-key, content-type, idempotency-key",
});

/** The names of the headers of an answer that are about origins. */
function corsHeaders({ headers }: Response): string[] {
  const isVarying = (headers.get("vary") ?? "").split(", ").includes("origin");
  return [...[...headers.keys()].filter((name) => name.startsWith("access-control-")), ...(isVarying ? ["vary"] : [])];
}

/** Names of a header that lists some, in order. */
const namesIn = (response: Response, header: string) => (response.headers.get(header) ?? "").split(", ").sort();

describe("without NOEMA_ALLOW_ORIGINS", () => {
  it.each([
    {},
    { NOEMA_ALLOW_ORIGINS: "" },
    { NOEMA_ALLOW_ORIGINS: " , " },
  ])("no answer has a header of CORS: %j", async (env) => {
    const keys = { API_KEYS: "key", ...env };
    for (const headers of [{ origin: APP }, { origin: APP, "x-api-key": "key" }, preflightOf(APP)]) {
      for (const method of ["OPTIONS", "GET"]) {
        expect(corsHeaders(await ask(keys, method, "/agent/ping", headers))).toEqual([]);
        expect(corsHeaders(await ask(keys, method, "/openapi.json", headers))).toEqual([]);
      }
    }
    expect((await ask(keys, "OPTIONS", "/agent/ping", preflightOf(APP))).status).toBe(403);
  });
});

describe("with NOEMA_ALLOW_ORIGINS", () => {
  it.each([
    "/agent/ping",
    `/${P1}/observe`,
    "/keys",
    "/nothing",
    "/noema.v1.MemoryService/Observe",
    "/",
  ])("a preflight for %s is answered without a key", async (path) => {
    for (const origin of [APP, "http://localhost:5173"]) {
      const response = await ask(OPEN, "OPTIONS", path, preflightOf(origin));
      expect([response.status, response.headers.get(ORIGIN), await response.text()]).toEqual([204, origin, ""]);
      expect(response.headers.get("vary")).toBe("origin");
      expect(namesIn(response, "access-control-allow-headers")).toEqual(
        expect.arrayContaining(["authorization", "content-type", "idempotency-key", "x-api-key", "x-request-id"]),
      );
      expect(namesIn(response, "access-control-allow-methods")).toEqual(["DELETE", "GET", "HEAD", "POST", "PUT"]);
      expect(response.headers.has("access-control-allow-credentials")).toBe(false);
    }
  });

  it.each([
    "https://other.example",
    "http://app.example.org",
    "https://app.example.org:8443",
    "https://app.example.org.evil.example",
    "https://xapp.example.org",
    "HTTPS://APP.EXAMPLE.ORG",
    "null",
    "*",
    "",
  ])("the origin %j gets no header and no preflight, and a cache is told that answers differ", async (origin) => {
    const preflight = await ask(OPEN, "OPTIONS", "/agent/ping", preflightOf(origin));
    expect([preflight.status, corsHeaders(preflight)]).toEqual([403, ["vary"]]);
    expect(await preflight.json()).toMatchObject({
      status: "failed",
      message: `pages of the origin ${JSON.stringify(origin)} may not call this server: list it in the variable NOEMA_ALLOW_ORIGINS, exactly as here`,
    });
    const answer = await ask(OPEN, "GET", "/agent/ping", { origin, "x-api-key": "key" });
    expect([answer.status, corsHeaders(answer)]).toEqual([200, ["vary"]]);
  });

  it.each([
    ["GET", "/agent/ping", { "x-api-key": "key" }, 200],
    ["GET", "/agent/ping", {}, 500],
    ["GET", "/agent/ping", { "x-api-key": "wrong" }, 500],
    ["GET", "/nothing", { "x-api-key": "key" }, 404],
    ["GET", `/${P1}/learn`, { "x-api-key": "key" }, 405],
    ["GET", "/openapi.json", {}, 200],
    ["POST", "/noema.v1.MemoryService/Learn", { "x-api-key": "wrong", "content-type": "application/json" }, 401],
  ])("%s %s with %j can be read by the page, failure or not", async (method, path, headers, status) => {
    const response = await ask(OPEN, method, path, { origin: APP, ...(headers as Record<string, string>) });
    expect([response.status, response.headers.get(ORIGIN)]).toEqual([status, APP]);
    expect(response.headers.get("vary")).toContain("origin");
    expect(namesIn(response, "access-control-expose-headers")).toEqual(
      expect.arrayContaining(["idempotency-replayed", "retry-after", "x-request-id"]),
    );
  });

  it("a key that lacks a right is told so in a form that the page can read", async () => {
    const key = testKey({ roles: ["read"], perMinute: 1 });
    const gateway = new TestGateway(OPEN as never);
    keep(gateway, "simple", key);
    for (const status of [403, 429]) {
      const response = await ask(OPEN, "POST", `/${P1}/learn`, { origin: APP, "x-api-key": key.text }, gateway);
      expect([response.status, response.headers.get(ORIGIN)]).toEqual([status, APP]);
    }
  });

  it("a request without an origin is answered as ever", async () => {
    const response = await ask(OPEN, "GET", "/agent/ping", { "x-api-key": "key" });
    expect([response.status, response.headers.has(ORIGIN)]).toEqual([200, false]);
    // OPTIONS that is no preflight.
    expect((await ask(OPEN, "OPTIONS", "/agent/ping", { origin: APP })).status).toBe(500);
  });

  it.each([
    "*",
    "null",
    "https://*.example.org",
    "app.example.org",
    "https://app.example.org/",
    "https://app.example.org/path",
    "https://App.example.org",
    "https://app.example.org:443",
    "http://app.example.org:80",
    "https://user@app.example.org",
    "file:///tmp",
    "ws://app.example.org",
    "https://",
  ])("the value %s is refused by name, and nothing works until it is corrected", async (value) => {
    const env = { API_KEYS: "key", NOEMA_ALLOW_ORIGINS: `${APP} ${value}` };
    const response = await ask(env, "GET", "/agent/ping", { "x-api-key": "key" });
    const { message } = (await response.json()) as { message: string };
    expect([response.status, message]).toEqual([
      500,
      expect.stringContaining(
        `the variable NOEMA_ALLOW_ORIGINS has ${JSON.stringify(value)}; it must list exact origins`,
      ),
    ]);
  });
});

it("no cache may keep an answer that needs a key, failed or not", async () => {
  const json = { "content-type": "application/json", "x-processor-id": "P1" };
  for (const [method, path, headers] of [
    ["GET", "/agent/ping", { "x-api-key": "key" }],
    ["GET", "/agent/ping", {}],
    ["GET", "/nothing", { "x-api-key": "key" }],
    ["POST", "/noema.v1.MemoryService/Learn", { ...json, "x-api-key": "key" }],
    ["POST", "/noema.v1.MemoryService/Learn", json],
  ] as const) {
    const response = await ask(OPEN, method, path, headers);
    expect([path, response.headers.get("cache-control")]).toEqual([path, "no-store"]);
  }
});
