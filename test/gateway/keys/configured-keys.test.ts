import { describe, expect, it } from "vitest";
import type { KeyEnv } from "../../../src/gateway/keys/configured-keys";
import { ALL_REQUESTS, P1, TestGateway } from "../../support/gateway/test-gateway";

describe("the key", () => {
  it.each([
    ...ALL_REQUESTS,
    ["POST", "/"] as const,
    ["PATCH", "/no/such/path"] as const,
  ])("is checked before anything else for %s %s", async (method, path) => {
    const gateway = new TestGateway();
    for (const key of [null, "", "ABCD-1235", "abcd-1234", "ABCD-1234,ABCD-1234"]) {
      const answer = await gateway.ask(method, path, { key, body: "{" });
      expect([answer.status, answer.json.status, typeof answer.json.message]).toEqual([500, "failed", "string"]);
      expect(Object.keys(answer.json)).toEqual(["id", "interval", "message", "status", "time_stamp"]);
    }
    expect(gateway.calls).toEqual([]);
  });

  it("can be any of the configured keys, which commas or white space separate", async () => {
    const gateway = new TestGateway({ API_KEYS: "one, two\nthree\t" });
    for (const key of ["one", "two", "three"])
      expect((await gateway.ask("GET", `/${P1}/ping`, { key })).status).toBe(200);
    for (const key of ["one,", "on", "One", "onee", "thre", "threee", "three".repeat(100), "ABCD-1234", "one, two"]) {
      expect((await gateway.ask("GET", `/${P1}/ping`, { key })).status).toBe(500);
    }
  });

  it("of local use is accepted only in a local environment, and only when no other key is configured", async () => {
    for (const keys of [{ API_KEYS: "one" }, { AGENT_KEYS: "simple:one" }, { API_KEYS: "one,ABCD-1234" }]) {
      const configured = new TestGateway({ ...keys, NOEMA_LOCAL: "true" });
      expect((await configured.ask("GET", "/agent/ping")).status).toBe(500);
      expect((await configured.ask("GET", "/agent/ping", { key: "one" })).status).toBe(200);
    }
    for (const API_KEYS of ["", " ", "ABCD-1234"]) {
      const local = new TestGateway({ API_KEYS, NOEMA_LOCAL: "true" });
      expect((await local.ask("GET", "/agent/ping")).status).toBe(200);
    }
    for (const NOEMA_LOCAL of ["false", "1", ""]) {
      for (const API_KEYS of ["one", "one,ABCD-1234", "ABCD-1234"]) {
        const deployed = new TestGateway({ API_KEYS, NOEMA_LOCAL });
        expect((await deployed.ask("GET", "/agent/ping")).status).toBe(500);
      }
    }
  });

  describe("of local use", () => {
    const statusAt = async (host: string, keys: object = {}, key = "ABCD-1234") => {
      const gateway = new TestGateway({ NOEMA_LOCAL: "true", NOEMA_AGENTS: "lab", ...keys } as KeyEnv);
      const answer = await gateway.handle(new Request(`http://${host}/agent/ping`, { headers: { "x-api-key": key } }));
      const { message } = (await answer.json()) as { message?: string };
      return [answer.status, message];
    };

    it.each([
      "localhost",
      "localhost:8787",
      "LocalHost.",
      "lab.localhost:1",
      "127.0.0.1",
      "127.0.0.1:65535",
      "127.8.9.10",
      "127.1",
      "[::1]:8787",
    ])("is accepted at %s", async (host) => {
      expect(await statusAt(host)).toEqual([200, undefined]);
    });

    it.each([
      ["rebound.example", "rebound.example"],
      ["rebound.example:8787", "rebound.example"],
      ["lab.example.org", "lab.example.org"],
      ["localhost.example", "localhost.example"],
      ["notlocalhost", "notlocalhost"],
      ["127.0.0.1.example", "127.0.0.1.example"],
      ["192.168.0.7:8787", "192.168.0.7"],
      ["0.0.0.0:8787", "0.0.0.0"],
      ["[::2]", "[::2]"],
    ])("is refused at %s, which a page of another site may have pointed to this machine", async (host, named) => {
      expect(await statusAt(host)).toEqual([
        500,
        expect.stringContaining(`the local key is not accepted at the host "${named}"`),
      ]);
    });

    it("does not limit the hosts of configured keys", async () => {
      expect(await statusAt("rebound.example", { API_KEYS: "one" }, "one")).toEqual([200, undefined]);
      expect(await statusAt("lab.example", { AGENT_KEYS: "lab:two" }, "two")).toEqual([200, undefined]);
      expect((await statusAt("rebound.example", { API_KEYS: "one" }))[0]).toBe(500);
    });

    it("is refused at other hosts by the services too", async () => {
      const gateway = new TestGateway();
      const headers = { "x-api-key": "ABCD-1234", "content-type": "application/json" };
      const init = { method: "POST", headers, body: "{}" };
      const answer = await gateway.handle(new Request("http://rebound.example/noema.v1.MemoryService/Learn", init));
      expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining("rebound.example")]);
      expect(gateway.calls).toEqual([]);
    });
  });

  it("is compared to its last byte, also where characters have several bytes", async () => {
    const gateway = new TestGateway({ API_KEYS: "sesam\u00e9 sesame12" });
    const statusOf = async (key: string) => (await gateway.ask("GET", `/${P1}/ping`, { key })).status;
    expect([await statusOf("sesam\u00e9"), await statusOf("sesame12")]).toEqual([200, 200]);
    for (const key of ["sesam", "sesam\u00e8", "sesam\u00e91", "sesame1", "sesame1\u00e9", "sesame12\u00e9"]) {
      expect(await statusOf(key)).toBe(500);
    }
  });

  it("is refused with the command that configures one when none is configured", async () => {
    const answer = await new TestGateway({ API_KEYS: " , " }).ask("GET", "/agent/ping", { key: "" });
    expect(answer.json.message).toContain("npx wrangler secret put API_KEYS");
  });

  it("never comes back in an answer", async () => {
    const answer = await new TestGateway({ API_KEYS: "sesame" }).ask("GET", `/${P1}/ping`, { key: "open-barley" });
    expect(answer.text).not.toMatch(/sesame|open-barley/);
  });
});
