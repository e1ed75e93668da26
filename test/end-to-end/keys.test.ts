/** Issued keys at a server as people run it: through a power cut, in its log, from the command line, and with settings that are wrong. */

import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeStateDir, Server, startRefused } from "../support/server/server";

const run = promisify(execFile);
const NOEMA = resolve("dist/cli/noema.js");
const P1 = "p46b6b076c";

let stateDir: string;
let server: Server;

beforeEach(async () => {
  stateDir = makeStateDir();
  server = await Server.start(stateDir);
});

afterEach(() => server.discard());

afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

async function createKey(rights: object): Promise<{ readonly id: string; readonly key: string }> {
  return (await server.okay("POST /keys", { data: { name: "sensor-7", ...rights } })).message;
}

/** The status of an answer to a key. */
async function statusOf(call: string, key: string, body?: unknown): Promise<number> {
  return (await server.call(call, body, { key })).status;
}

async function powerCut(): Promise<void> {
  await server.kill();
  server = await Server.start(stateDir);
}

describe("an issued key", () => {
  test("and its deletion survive a power cut right after the answer, and the log has both without a secret", async () => {
    const { id, key } = await createKey({ roles: ["observe"] });
    const first = server;
    await powerCut();
    // What it wrote before the answer may be read only later.
    const logged = first.output;
    expect(await statusOf(`POST /${P1}/observe`, key, { data: { strings: ["a"] } })).toBe(200);
    expect(await statusOf(`POST /${P1}/learn`, key)).toBe(403);
    expect((await server.okay("GET /keys")).message).toMatchObject([{ id, name: "sensor-7", roles: ["observe"] }]);
    await server.okay(`DELETE /keys/${id}`);
    const second = server;
    await powerCut();
    const deleted = second.output;
    expect(await statusOf(`POST /${P1}/observe`, key, { data: { strings: ["a"] } })).toBe(500);
    expect((await server.okay("GET /keys")).message).toEqual([]);
    const lines = (logged + deleted).split("\n").filter((line) => line.startsWith('{"event":"key-'));
    const line = { agent: "simple", id, name: "sensor-7", roles: ["observe"], by: "a configured key" };
    expect(lines.map((text) => JSON.parse(text))).toMatchObject([
      { event: "key-created", ...line },
      { event: "key-deleted", ...line },
    ]);
    expect(logged + deleted + server.output).not.toContain(key.split("_")[2]);
  });

  test("of an agent opens no other one", async () => {
    await server.stop();
    server = await Server.start(stateDir, { NOEMA_AGENTS: "lab" });
    const { key } = await createKey({ roles: ["admin"] });
    const headers = { host: "lab.localhost" };
    expect(await statusOf("GET /keys", key)).toBe(200);
    const { status, json } = await server.call("GET /keys", undefined, { key, headers });
    expect([status, json.message]).toEqual([500, "the request header X-API-KEY does not hold an accepted API key"]);
  });

  test("limited to sessions leaves no trace of what it was refused", async () => {
    const { key } = await createKey({ roles: ["observe", "learn", "manage", "read"], sessions: ["a*"] });
    const record = { data: { strings: ["x"] } };
    expect(await statusOf(`POST /P1/sessions/a%2Fb/observe`, key, record)).toBe(200);
    for (const path of ["/P1/observe", "/P1/sessions/b/observe", "/P1/sessions/b%2Fa/observe"]) {
      expect(await statusOf(`POST ${path}`, key, record)).toBe(403);
    }
    for (const path of ["/P1/sessions/a/../b/observe", "/P1/sessions/a%2f..%2f..%2fobserve/learn"]) {
      expect(await statusOf(`POST ${path}`, key, record)).not.toBe(500);
    }
    const { message } = await server.okay(`GET /${P1}/sessions`);
    expect(message.map(({ name }: { name: string }) => name)).toEqual(["a/b"]);
    expect((await server.okay(`GET /${P1}/working-memory`)).message).toEqual([]);
  });
});

describe("noema keys", () => {
  const noema = (...args: string[]) =>
    run(process.execPath, [NOEMA, ...args], { env: { ...process.env, NOEMA_ADDRESS: server.address } });

  test("creates a key, which is all of stdout, lists it without its secret, and removes it", async () => {
    const created = await noema("keys", "create", "sensor-7", "--role", "observe", "--role", "read", "--session", "a*");
    expect(created.stdout).toMatch(/^noema_[0-9a-f]{16}_[0-9a-f]{40}\n$/);
    const key = created.stdout.trim();
    const [, id = "", secret = ""] = key.split("_");
    expect(created.stderr).not.toContain(secret);
    expect(await statusOf("GET /P1/sessions/ab/time", key)).toBe(200);
    const listed = await noema("keys", "list");
    expect(listed.stdout).toMatch(new RegExp(`^${id} +sensor-7 +read, observe .*sessions a\\*$`, "m"));
    expect(listed.stdout).not.toContain(secret);
    await expect(noema("keys", "remove", key)).rejects.toMatchObject({
      code: 2,
      stderr: expect.not.stringContaining(secret),
    });
    expect((await noema("keys", "remove", id)).stdout).toBe(`Key ${id} is deleted.\n`);
    expect(await statusOf("GET /P1/sessions/ab/time", key)).toBe(500);
    expect((await noema("keys", "list", "--json")).stdout).toBe("[]\n");
  });
});

describe("pages of other origins", () => {
  test("may call where they are named", async () => {
    await server.stop();
    server = await Server.start(stateDir, { NOEMA_ALLOW_ORIGINS: "https://app.example.org" });
    const headers = { origin: "https://app.example.org" };
    const { status, headers: answered } = await server.call("GET /agent/ping", undefined, { headers });
    expect([status, answered["access-control-allow-origin"]]).toEqual([200, "https://app.example.org"]);
    const other = await server.call("GET /agent/ping", undefined, { headers: { origin: "https://other.example" } });
    expect([other.status, other.headers["access-control-allow-origin"]]).toEqual([200, undefined]);
  });

  test.each(["*", "null", "https://app.example.org/path"])("are not named by %s: the start says so", async (origin) => {
    const folder = makeStateDir();
    const { code, output } = await startRefused(folder, { NOEMA_ALLOW_ORIGINS: origin });
    expect([code, output]).toEqual([1, expect.stringContaining("NOEMA_ALLOW_ORIGINS")]);
    expect(output).toContain(origin);
    rmSync(folder, { recursive: true, force: true });
  });
});
