/** `npm start` from outside: what it prints, which keys it accepts, what it refuses, and that the state outlives it. */

import { readFileSync, rmSync } from "node:fs";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { exchange } from "../support/server/http-exchange";
import { NpmRun } from "../support/server/npm-run";
import { ask, PROCESSOR } from "../support/server/processor-calls";
import { makeStateDir, ROOT, Server, startRefused } from "../support/server/server";

const running: Server[] = [];

async function start(stateDir?: string, env?: Record<string, string>): Promise<Server> {
  const server = await Server.start(stateDir, env, undefined, ROOT);
  running.push(server);
  return server;
}

const refused = (stateDir: string, env: Record<string, string>) => startRefused(stateDir, env, undefined, ROOT);

/** A folder for a start that is refused; deleted after the test. */
function emptyStateDir(): string {
  const stateDir = makeStateDir();
  onTestFinished(() => rmSync(stateDir, { recursive: true }));
  return stateDir;
}

afterEach(async () => {
  for (const server of running.splice(0)) await server.discard();
});

describe("a server", () => {
  test("prints its address, the local key and a request that works", async () => {
    const server = await start();
    expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const [, header = "", url = ""] = /^Try: curl -H "(.*)" (\S+)$/m.exec(server.greeting) ?? [];
    expect(header).toBe("X-API-KEY: ABCD-1234");
    const { status, text } = await exchange(server.address, { method: "GET", path: new URL(url).pathname });
    expect(status).toBe(200);
    expect(JSON.parse(text).message.name).toBe("P1");
  });

  test("says which build it is", async () => {
    const server = await start();
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(await ask(server, "GET info")).toMatchObject({
      version,
      build_date: expect.stringMatching(/^20\d\d-\d\d-\d\dT/),
      build_number: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
  });

  test("stops with code 0, frees its port, and keeps the state for the next start", async () => {
    const first = await start();
    await ask(first, "POST observe", { data: { strings: ["hello"] } });
    expect(await first.stop()).toBe(0);
    await expect(exchange(first.address, { method: "GET", path: "/agent/ping" })).rejects.toThrow("ECONNREFUSED");
    const second = await start(first.stateDir);
    expect(await ask(second, "GET working-memory")).toEqual([["hello"]]);
  });

  test("stops when npm, which runs it, gets a signal", async () => {
    const run = await NpmRun.start(["start"], { STATE_DIR: emptyStateDir() }, /^Noema listens on (http:\S+)\n/m);
    await run.end();
    await expect(exchange(run.address, { method: "GET", path: "/agent/ping" })).rejects.toThrow("ECONNREFUSED");
  });
});

test("the local key does not count at a host that a web page points at this machine", async () => {
  const server = await start();
  const observe = (host: string) =>
    server.send({
      method: "POST",
      path: `${PROCESSOR}/observe`,
      body: { data: { strings: ["hello"] } },
      headers: { host },
    });
  const { status, json } = await observe("rebound.example:8787");
  expect([status, json.message]).toEqual([
    500,
    expect.stringContaining('the local key is not accepted at the host "rebound.example"'),
  ]);
  expect(await ask(server, "GET working-memory")).toEqual([]);
  for (const host of ["localhost", "localhost:1", "simple.localhost", "127.9.9.9:80", "[::1]"]) {
    expect([host, (await observe(host)).status]).toEqual([host, 200]);
  }
});

describe("configured keys", () => {
  test("are all accepted, replace the local key, and are never printed", async () => {
    const server = await start(undefined, { API_KEYS: "first-secret, second-secret\nthird-secret" });
    const statusWith = async (key: string | null) =>
      (await server.send({ method: "GET", path: `${PROCESSOR}/status`, key })).status;
    expect(await statusWith("first-secret")).toBe(200);
    expect(await statusWith("second-secret")).toBe(200);
    expect(await statusWith("third-secret")).toBe(200);
    expect(await statusWith("ABCD-1234")).toBe(500);
    expect(await statusWith(null)).toBe(500);
    expect(server.greeting).not.toContain("secret");
  });

  test("of single agents replace the local key too", async () => {
    const server = await start(undefined, {
      AGENT_KEYS: "nobody:other-secret kitchen:lab-secret",
      NOEMA_AGENTS: "kitchen",
    });
    const statusWith = async (key: string, host: string) =>
      (await server.send({ method: "GET", path: "/agent/ping", key, headers: { host } })).status;
    expect(await statusWith("ABCD-1234", "localhost")).toBe(500);
    expect(await statusWith("ABCD-1234", "kitchen.localhost")).toBe(500);
    expect(await statusWith("lab-secret", "localhost")).toBe(500);
    expect(await statusWith("lab-secret", "kitchen.localhost")).toBe(200);
    expect(server.greeting).not.toContain("secret");
    expect(server.greeting).toContain('Try: curl -H "X-API-KEY: $KEY" -H "Host: kitchen.localhost" http');
  });

  test("of single agents must open an agent that there is", async () => {
    const { code, output } = await refused(emptyStateDir(), { AGENT_KEYS: "kitchen:secret", NOEMA_AGENTS: "lab" });
    expect([code, output]).toEqual([
      1,
      "AGENT_KEYS has a key for kitchen, which is not one of the agents: simple, lab. Name the agent in NOEMA_AGENTS, or set API_KEYS.\n",
    ]);
  });

  test("are required where other machines can call", async () => {
    const { code, output } = await refused(emptyStateDir(), { HOST: "0.0.0.0" });
    expect(code).toBe(1);
    expect(output).toContain("HOST is 0.0.0.0, which other machines can reach, and no key is set: set API_KEYS");
  });
});

describe("a start is refused with one sentence", () => {
  async function sentence(env: Record<string, string>, stateDir = emptyStateDir()): Promise<string> {
    const { code, output } = await refused(stateDir, env);
    expect(code).toBe(1);
    expect(output.trimEnd().split("\n")).toHaveLength(1);
    return output;
  }

  test.each(["http", "-1", "65536", "80.5"])("when PORT is %s", async (port) => {
    expect(await sentence({ PORT: port })).toContain(`PORT is "${port}"; accepted is a whole number from 0`);
  });

  test("when the port is taken", async () => {
    const { port } = new URL((await start()).address);
    expect(await sentence({ PORT: port })).toContain(
      `Cannot listen on 127.0.0.1:${port}: another program listens there`,
    );
  });

  test.each(["/dev/null/state", "/proc/state"])("when the state folder cannot be made: %s", async (stateDir) => {
    expect(await sentence({}, stateDir)).toContain(`The state cannot be kept in ${stateDir} (E`);
  });

  test("when another server uses the state folder", async () => {
    const { stateDir, address } = await start();
    expect(await sentence({}, stateDir)).toContain(`The state in ${stateDir} is in use by the server at ${address}`);
  });
});
