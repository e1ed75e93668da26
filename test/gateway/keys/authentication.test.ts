/** With which headers a request has which key, and what it costs the agent. */

import { create } from "@bufbuild/protobuf";
import { afterEach, describe, expect, it, vi } from "vitest";
import { hashOf, newSecret, partsOfKey } from "../../../src/gateway/keys/new-key";
import {
  type ExportKnowledgeRequest,
  KnowledgeSection,
  KnowledgeService,
} from "../../../src/gen/noema/v1/knowledge_service_pb";
import { keep, type TestKey, testKey } from "../../support/gateway/issued";
import { P1, requestOf, STAMP, TestGateway } from "../../support/gateway/test-gateway";

const { exportKnowledge } = KnowledgeService.method;

const KEY = testKey({ roles: ["observe"] });
const OTHER = testKey({ roles: ["observe"] });

function newGateway(env: object = { API_KEYS: "configured", NOEMA_AGENTS: "lab" }): TestGateway {
  const gateway = new TestGateway(env as never);
  keep(gateway, "simple", KEY, OTHER);
  return gateway;
}

async function answerTo(headers: HeadersInit, gateway = newGateway(), path = "/agent/ping", host = "localhost") {
  const response = await gateway.handle(new Request(`http://${host}${path}`, { headers }));
  const { message } = (await response.json()) as { message?: string };
  return { status: response.status, message, asked: gateway.calls.filter(({ rpc }) => rpc === "GetKeys").length };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a key", () => {
  it.each([
    { "x-api-key": "configured" },
    { "X-API-KEY": "configured" },
    { authorization: "Bearer configured" },
    { authorization: "bearer configured" },
    { authorization: "BEARER   configured" },
    { "x-api-key": "configured", authorization: "Bearer another" },
    { "x-api-key": "configured", authorization: "Basic dXNlcjpwYXNz" },
    { "x-api-key": KEY.text },
    { authorization: `Bearer ${KEY.text}` },
    { "x-api-key": KEY.text, authorization: `Bearer ${OTHER.text}` },
  ])("is taken from %j", async (headers) => {
    expect((await answerTo(headers)).status).toBe(200);
  });

  it.each([
    [{}, "X-API-KEY is missing"],
    [{ authorization: "configured" }, "X-API-KEY is missing"],
    [{ authorization: "Basic configured" }, "X-API-KEY is missing"],
    [{ authorization: "Bearer" }, "X-API-KEY is missing"],
    [{ authorization: "Bearerconfigured" }, "X-API-KEY is missing"],
    [{ authorization: "Bearer wrong" }, "Authorization does not hold"],
    [{ authorization: "Bearer configured wrong" }, "Authorization does not hold"],
    [{ authorization: "Bearer Bearer configured" }, "Authorization does not hold"],
    [{ "x-api-key": "Bearer configured" }, "X-API-KEY does not hold"],
    [{ "x-api-key": "wrong", authorization: "Bearer configured" }, "X-API-KEY does not hold"],
    [{ "x-api-key": "", authorization: "Bearer configured" }, "X-API-KEY does not hold"],
    [{ "x-api-key": "configured, configured" }, "X-API-KEY does not hold"],
    [{ authorization: "Bearer configured, Bearer configured" }, "Authorization does not hold"],
    [{ "x-api-key": `${KEY.text}, ${KEY.text}` }, "X-API-KEY does not hold"],
  ])("is not taken from %j", async (headers, message) => {
    expect(await answerTo(headers as HeadersInit)).toMatchObject({
      status: 500,
      message: expect.stringContaining(message),
      asked: 0,
    });
  });

  it("that is issued is read exactly: anything else is refused without asking the agent", async () => {
    const { id } = KEY.kept;
    const secret = KEY.text.slice(-40);
    for (const text of [
      KEY.text.toUpperCase(),
      `NOEMA_${id}_${secret}`,
      `noema_${id.toUpperCase()}_${"A".repeat(40)}`,
      `noema_${id}_${secret}0`,
      `noema_${id}_${secret.slice(1)}`,
      `noema_${id}`,
      `noema_${id}_`,
      `noema__${secret}`,
      `noema_${id}_${secret}_`,
      `noema-${id}-${secret}`,
      `noema_${secret}_${id}`,
      `noema_${id}_${secret.slice(0, 39)}\u00e9`,
      encodeURIComponent(`noema_${id}_${secret} `),
    ]) {
      expect([text, await answerTo({ "x-api-key": text })]).toMatchObject([text, { status: 500, asked: 0 }]);
    }
  });

  it("with the identifier of one key and the secret of another is refused", async () => {
    const mixed = `noema_${KEY.kept.id}_${OTHER.text.slice(-40)}`;
    expect(await answerTo({ "x-api-key": mixed })).toMatchObject({ status: 500, asked: 1 });
  });

  it("of one agent opens no other, though both have a key of that identifier", async () => {
    const gateway = newGateway();
    expect((await answerTo({ "x-api-key": KEY.text }, gateway, "/agent/ping", "lab.localhost")).status).toBe(500);
    const twin = { ...OTHER, kept: { ...OTHER.kept, id: KEY.kept.id } };
    keep(gateway, "lab", twin);
    expect((await answerTo({ "x-api-key": KEY.text }, newGateway(), "/agent/ping", "lab.localhost")).status).toBe(500);
  });

  it("of an agent that there is not is refused without asking", async () => {
    const answer = await answerTo({ "x-api-key": KEY.text }, newGateway(), "/agent/ping", "nobody.localhost");
    expect(answer).toMatchObject({ status: 500, asked: 0 });
  });

  it("that is issued works where none is configured, and the refusal of others says how to configure one", async () => {
    const gateway = newGateway({});
    expect((await answerTo({ "x-api-key": KEY.text }, gateway)).status).toBe(200);
    for (const headers of [{}, { "x-api-key": "ABCD-1234" }] as HeadersInit[]) {
      expect((await answerTo(headers, gateway)).message).toContain("npx wrangler secret put API_KEYS");
    }
  });

  it("that is issued leaves the local key as it is, and is accepted at any host", async () => {
    const gateway = newGateway({ NOEMA_LOCAL: "true" });
    expect((await answerTo({ "x-api-key": "ABCD-1234" }, gateway)).status).toBe(200);
    expect((await answerTo({ "x-api-key": KEY.text }, gateway, "/agent/ping", "noema.example.org")).status).toBe(200);
    expect((await answerTo({ authorization: "Bearer ABCD-1234" }, gateway, "/agent/ping", "a.example")).status).toBe(
      500,
    );
  });

  it("that is configured costs the agent no question", async () => {
    const gateway = newGateway();
    for (let request = 0; request < 20; request++)
      await answerTo({ "x-api-key": "configured" }, gateway, `/${P1}/time`);
    expect((await answerTo({ "x-api-key": "configured" }, gateway)).asked).toBe(0);
  });

  it("with a limit gets 429 and a time to wait, at the services too", async () => {
    const limited = testKey({ roles: ["observe"], perMinute: 2 });
    const gateway = newGateway();
    keep(gateway, "simple", limited);
    const ask = (path: string) => gateway.ask("GET", path, { key: limited.text });
    expect((await ask("/agent/ping")).status).toBe(200);
    // What is refused counts, too.
    expect((await ask("/nothing/here")).status).toBe(404);
    const { status, headers, json } = await ask("/agent/ping");
    expect([status, headers.get("retry-after"), json.status]).toEqual([429, "30", "failed"]);
    const init = {
      method: "POST",
      headers: { "x-api-key": limited.text, "content-type": "application/json" },
      body: "{}",
    };
    const rpc = await gateway.handle(new Request("http://localhost/noema.v1.MemoryService/Observe", init));
    expect([rpc.status, rpc.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(await rpc.json()).toMatchObject({ code: "resource_exhausted" });
  });

  it("that has expired is no valid key", async () => {
    const expired = testKey({ roles: ["observe"], expires: 1_000 });
    const gateway = newGateway();
    keep(gateway, "simple", expired);
    expect(await answerTo({ "x-api-key": expired.text }, gateway)).toMatchObject({
      status: 500,
      message: "the API key has expired",
    });
  });

  it("that lacks a role is refused before a body is read, and the services say permission_denied", async () => {
    const gateway = newGateway();
    const { status, json } = await gateway.ask("POST", `/${P1}/learn`, { key: KEY.text, body: "{" });
    expect([status, json.message]).toEqual([
      403,
      "POST /<id>/learn needs a key with the role learn; this one has observe",
    ]);
    const init = { method: "POST", headers: { "x-api-key": KEY.text, "content-type": "application/json" }, body: "{" };
    const rpc = await gateway.handle(new Request("http://localhost/noema.v1.MemoryService/Learn", init));
    expect([rpc.status, await rpc.json()]).toMatchObject([403, { code: "permission_denied" }]);
    const grpc = { ...init, headers: { ...init.headers, "content-type": "application/grpc-web+proto" } };
    const refused = await gateway.handle(new Request("http://localhost/noema.v1.MemoryService/Learn", grpc));
    expect([refused.status, refused.headers.get("grpc-status")]).toEqual([200, "7"]);
  });
});

describe("an export under way", () => {
  /** Exports a knowledge base of two pages; something happens after the first. */
  async function exportWhile(key: TestKey, happens: (gateway: TestGateway) => void): Promise<string> {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 });
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const gateway = newGateway();
    keep(gateway, "simple", key);
    gateway.answerWith(exportKnowledge, (request) => {
      const { section, after } = request as ExportKnowledgeRequest;
      const isFirst = section === KnowledgeSection.MODELS && after === "";
      if (isFirst) happens(gateway);
      const models = isFirst ? [{ name: "a".repeat(40), sequence: [{ symbols: ["x"] }], frequency: 1 }] : [];
      return create(exportKnowledge.output, { stamp: STAMP, totals: {}, revision: 1, models, more: isFirst });
    });
    const response = await gateway.handle(requestOf("GET", `/${P1}/get_kb`, { key: key.text }));
    return `${response.status} ${await response.text()}`;
  }

  it("goes on while its key is there, and breaks off when the key was deleted or has expired", async () => {
    const key = testKey({ roles: ["read"] });
    const whole = await exportWhile(key, () => vi.advanceTimersByTime(26_000));
    expect(whole).toMatch(/^200 .*"status":"okay"/);
    const deleted = await exportWhile(key, (gateway) => {
      keep(gateway, "simple");
      vi.advanceTimersByTime(26_000);
    });
    expect(deleted).toMatch(/^500 .*the API key is no longer accepted: it was deleted/);
    const brief = testKey({ roles: ["read"], expires: 1_800_000_001 });
    expect(await exportWhile(brief, () => vi.advanceTimersByTime(1_000))).toMatch(/^500 .*the API key has expired/);
  });
});

describe("a new secret", () => {
  it("has 160 bits, and only its SHA-256 is needed to know it again", async () => {
    const secrets = Array.from({ length: 1000 }, newSecret);
    expect(new Set(secrets).size).toBe(1000);
    for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{40}$/);
    const [secret = ""] = secrets;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret)));
    expect(hashOf(secret)).toEqual(digest);
    expect(partsOfKey(`noema_0123456789abcdef_${secret}`)).toEqual({ id: "0123456789abcdef", secret });
  });
});
