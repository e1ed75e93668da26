/** Which agent a host means, and which hosts mean none. */

import { describe, expect, it } from "vitest";
import { createGateway } from "../../../src/gateway/gateway";
import type { KeyEnv } from "../../../src/gateway/keys/configured-keys";
import { TestGateway } from "../../support/gateway/test-gateway";

const ENV = { API_KEYS: "sesame", NOEMA_AGENTS: "kitchen, lab\n x-1" };
const WITH_DOMAIN = { ...ENV, NOEMA_DOMAIN: "example.org" };

/** Asks for a URL, and says of which agent the genome was read; the answer's HTTP status when of none. */
async function agentAt(url: string, env: object = ENV, key = "sesame"): Promise<string | number> {
  const gateway = new TestGateway(env as KeyEnv);
  const response = await gateway.handle(new Request(url, { headers: { "x-api-key": key } }));
  return gateway.calls.find(({ rpc }) => rpc === "GetGenome")?.to ?? response.status;
}

describe("the agent that a request is for", () => {
  it.each([
    ["http://kitchen.example.org/connect", "kitchen"],
    ["https://KITCHEN.Example.org:8443/connect", "kitchen"],
    ["http://lab.localhost:8787/connect", "lab"],
    ["http://x-1.a.b.c.example.org/connect", "x-1"],
    ["http://simple.example.org/connect", "simple"],
    ["http://example.org/connect", "simple"],
    ["http://unknown.example.org/connect", "simple"],
    ["http://kitchen/connect", "simple"],
    ["http://localhost:8787/connect", "simple"],
    ["http://127.0.0.1:8787/connect", "simple"],
    ["http://[::1]:8787/connect", "simple"],
    ["https://kitchen.account.workers.dev/connect", "simple"],
    ["https://sub.kitchen.example.org/connect", "simple"],
  ])("of %s is %s", async (url, agent) => {
    expect(await agentAt(url)).toBe(agent);
  });

  it.each([
    ["http://kitchen.example.org/connect", "kitchen"],
    ["http://kitchen.example.org./connect", "kitchen"],
    ["http://kitchen.sub.example.org:8443/connect", "kitchen"],
    ["http://simple.example.org/connect", "simple"],
    ["http://example.org/connect", "simple"],
    ["http://unknown.example.com/connect", "simple"],
    ["http://kitchen.example.com/connect", "kitchen"],
    ["http://notexample.org/connect", "simple"],
    ["http://unknown.notexample.org/connect", "simple"],
    ["http://127.0.0.1:8787/connect", "simple"],
    ["https://unknown.account.workers.dev/connect", "simple"],
  ])("of %s, where NOEMA_DOMAIN is example.org, is %s", async (url, agent) => {
    expect(await agentAt(url, WITH_DOMAIN)).toBe(agent);
  });

  it.each([
    ["http://kitchn.example.org", "kitchn"],
    ["http://kitchn.example.org.", "kitchn"],
    ["http://sub.kitchen.example.org:8443", "sub"],
    ["http://kitchn.localhost:8787", "kitchn"],
    ["http://kitchn.a.localhost.", "kitchn"],
  ])("of %s is none, and the answer names the label", async (origin, label) => {
    const gateway = new TestGateway(WITH_DOMAIN);
    const send = (path: string, init: RequestInit) =>
      gateway.handle(new Request(origin + path, { ...init, headers: { "x-api-key": "sesame", ...init.headers } }));
    for (const [path, init] of [
      ["/connect", {}],
      ["/agent/ping", {}],
      ["/P1/observe", { method: "POST", body: '{"data":{"strings":["a"]}}' }],
      ["/no/such/path", {}],
    ] as const) {
      const answer = await send(path, init);
      expect([answer.status, (await answer.json()) as object]).toEqual([
        404,
        expect.objectContaining({ status: "failed", message: expect.stringContaining(`there is no agent "${label}"`) }),
      ]);
    }
    const headers = { "content-type": "application/json" };
    const rpc = await send("/noema.v1.MemoryService/Learn", { method: "POST", body: "{}", headers });
    expect([rpc.status, await rpc.json()]).toEqual([
      404,
      { code: "not_found", message: expect.stringContaining(`there is no agent "${label}"`) },
    ]);
    const keyless = await send("/connect", { headers: { "x-api-key": "wrong" } });
    expect(keyless.status).toBe(500);
    expect(gateway.calls).toEqual([]);
  });

  it("has processors of its own", async () => {
    const gateway = new TestGateway(ENV);
    const init = { headers: { "x-api-key": "sesame" } };
    for (const host of ["kitchen.example.org", "lab.example.org", "example.org"]) {
      await gateway.handle(new Request(`http://${host}/P1/ping`, init));
    }
    expect(gateway.calls.map(({ to }) => to)).toEqual(
      ["kitchen", "lab", "simple"].flatMap((agent) => [agent, `${agent}/p46b6b076c`]),
    );
  });

  it.each([
    "Kitchen",
    "k\u00FCche",
    "a.b",
    "-x",
    "x_1",
    "x".repeat(64),
  ])("cannot be found while the deployment names an agent %s", async (name) => {
    const gateway = createGateway({ API_KEYS: "sesame", NOEMA_AGENTS: `lab ${name}` }, {} as never);
    const ask = (key: string) =>
      gateway(new Request("http://127.0.0.1/agent/ping", { headers: { "x-api-key": key } })).then((answer) =>
        answer.text(),
      );
    expect(await ask("sesame")).toContain("the variable NOEMA_AGENTS names the agent");
    expect(await ask("wrong")).not.toContain("NOEMA_AGENTS");
  });

  it.each([
    "Example.org",
    "*.example.org",
    ".example.org",
    "example.org.",
    "example.org:8787",
    "https://example.org",
    "a.org b.org",
  ])("cannot be found while NOEMA_DOMAIN is %s", async (domain) => {
    const gateway = new TestGateway({ ...ENV, NOEMA_DOMAIN: domain } as KeyEnv);
    const request = new Request("http://127.0.0.1/agent/ping", { headers: { "x-api-key": "sesame" } });
    const answer = await gateway.handle(request);
    expect([answer.status, await answer.text()]).toEqual([
      500,
      expect.stringContaining(
        `the variable NOEMA_DOMAIN is \\"${domain}\\"; it must be one domain such as example.org`,
      ),
    ]);
  });
});

describe("a key", () => {
  const env = { API_KEYS: "all:1 other", AGENT_KEYS: "kitchen:K1,kitchen:K2 lab:L:1", NOEMA_AGENTS: "kitchen lab" };

  it.each([
    ["all:1", ["kitchen", "lab", "simple"]],
    ["other", ["kitchen", "lab", "simple"]],
    ["K1", ["kitchen", 500, 500]],
    ["K2", ["kitchen", 500, 500]],
    ["L:1", [500, "lab", 500]],
    ["kitchen:K1", [500, 500, 500]],
    ["ABCD-1234", [500, 500, 500]],
  ])("%s opens %j", async (key, opened) => {
    const hosts = ["kitchen.example.org", "lab.example.org", "example.org"];
    expect(await Promise.all(hosts.map((host) => agentAt(`http://${host}/connect`, env, key)))).toEqual(opened);
  });

  it.each(["noagent", ":key", "agent:"])("is not accepted while AGENT_KEYS holds %s", async (entry) => {
    const gateway = new TestGateway({ API_KEYS: "all", AGENT_KEYS: entry });
    const response = await gateway.handle(new Request("http://a.b/agent/ping", { headers: { "x-api-key": "all" } }));
    expect(response.status).toBe(500);
    expect(await response.text()).toContain("an entry that is not of the form agent:key");
  });
});
