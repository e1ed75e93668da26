/** Storage that fails is said and logged, never taken for a processor that there is not; and there is a way back. */

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect, processor, stream } from "noema/client";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ask, PROCESSOR } from "../support/server/processor-calls";
import { makeStateDir, Server, WITH_SMALL_DISK } from "../support/server/server";

/** An idle object lives for 10 s, and on a busy machine somewhat longer. When it goes, SQLite moves the log into the database. */
const EVICTED_MS = 60_000;

let server: Server;

afterEach(() => server.discard());

async function learn(...strings: string[]): Promise<void> {
  await ask(server, "POST observe", { data: { strings } });
  await ask(server, "POST learn");
}

/** The files of all processors with this ending. */
function files(stateDir: string, ending: string): string[] {
  const folder = join(stateDir, "objects", "noema-ProcessorObject");
  const names = readdirSync(folder).filter((name) => name.endsWith(ending) && !name.startsWith("metadata"));
  return names.map((name) => join(folder, name));
}

/** Runs `npm run check-state`. */
function checkState(stateDir: string): { code: number | null; text: string } {
  const script = fileURLToPath(new URL("../../scripts/check-state.mjs", import.meta.url));
  const env = { ...process.env, STATE_DIR: stateDir };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { env, encoding: "utf8" });
  return { code: status, text: stdout + stderr };
}

async function statusOf(call: string): Promise<[status: number, message: string]> {
  const [method = "", path = ""] = call.split(" ");
  const { status, json } = await server.send({ method, path: `${PROCESSOR}/${path}` });
  return [status, String(json.message)];
}

/** Puts the processor in service again, empty, and loads what was exported. */
async function restore(exported: string): Promise<void> {
  const { genome } = (await server.okay("GET /connect")) as {
    genome: { elements: { nodes: { data: { id: string } }[] } };
  };
  const nodes = genome.elements.nodes.filter(({ data: { id } }) => `/${id}` !== PROCESSOR);
  await server.okay("POST /genome/hotswap?purge=true", { ...genome, elements: { ...genome.elements, nodes } });
  await server.okay("POST /genome/hotswap", genome);
  await ask(server, "POST load_kb", exported);
}

test("a database that is damaged is 500 and logged with SQLite's words; removed and put in service again, it is restored", async () => {
  server = await Server.start();
  await learn("user", "data");
  const exported = (await server.send({ method: "GET", path: `${PROCESSOR}/get_kb/raw` })).text;
  const logs = () => files(server.stateDir, "-wal").length;
  await expect.poll(logs, { timeout: EVICTED_MS, interval: 200 }).toBe(0);
  await server.stop();
  const [file = ""] = files(server.stateDir, ".sqlite");
  const bytes = readFileSync(file);
  expect(bytes.length).toBeGreaterThan(8192);
  expect(checkState(server.stateDir)).toEqual({
    code: 0,
    text: expect.stringMatching(/^ok {7}processor simple\/p46b6b076c/m),
  });
  writeFileSync(file, bytes.fill(0x55, 4096));
  expect(checkState(server.stateDir)).toEqual({ code: 1, text: expect.stringMatching(/^DAMAGED .*malformed/m) });
  server = await Server.start(server.stateDir);
  for (const call of ["GET status", "POST learn", "GET get_kb"]) {
    expect(await statusOf(call)).toEqual([500, expect.stringContaining("this processor's storage is damaged")]);
  }
  await expect.poll(() => server.output).toContain("SQLITE_CORRUPT");
  await expect
    .poll(() => server.output)
    .toMatch(/the storage of processor simple\/p46b6b076c \([0-9a-f]{64}\.sqlite\) failed/);
  expect(server.output).not.toContain("user");
  await server.stop();
  for (const each of files(server.stateDir, "")) rmSync(each);
  server = await Server.start(server.stateDir);
  expect(await statusOf("GET status")).toEqual([500, expect.stringContaining("storage holds nothing")]);
  await restore(exported);
  expect((await server.send({ method: "GET", path: `${PROCESSOR}/get_kb/raw` })).text).toBe(exported);
});

test("a full disk is 503 in a sentence that says what is known, is logged, and loses nothing that was answered", async () => {
  server = await Server.start(makeStateDir(), { NOEMA_AGENTS: "late" }, WITH_SMALL_DISK);
  let observed = 0;
  for (; observed < 1000; observed++) {
    const body = { data: { strings: [`user data ${observed} ${"x".repeat(20_000)}`] } };
    const { status, json } = await server.send({ method: "POST", path: `${PROCESSOR}/observe`, body });
    if (status === 200) continue;
    expect([status, json.message]).toEqual([
      503,
      "the disk of the server is full: the request was rolled back and changed nothing, unless it had already reached other processors",
    ]);
    break;
  }
  expect(observed).toBeGreaterThan(10);
  expect(observed).toBeLessThan(1000);
  await expect
    .poll(() => server.output)
    .toMatch(/the storage of processor simple\/p46b6b076c .* failed: database or disk is full: SQLITE_FULL/);
  expect(server.output).not.toContain("user data");
  expect(await ask(server, "GET time")).toBe(`${observed}`);
  const events = (await ask(server, "GET working-memory")) as string[][];
  expect(events.map(([symbol]) => Number(symbol?.split(" ")[2]))).toEqual(
    Array.from({ length: observed }, (_, at) => at),
  );
  // There is no room for the databases of another agent either, and the runtime does not say why it cannot open them.
  const headers = { host: `late.localhost:${new URL(server.address).port}` };
  for (const path of ["/connect", `${PROCESSOR}/time`]) {
    const { status, json } = await server.send({ method: "GET", path, headers });
    expect([status, json.message]).toEqual([
      503,
      expect.stringMatching(/^the disk of the server is full, or cannot be/),
    ]);
  }
  await expect.poll(() => server.output).toMatch(/the storage of agent late .* failed: no room on the disk: /);
  // A stream that broke off is followed by one that says why, and then by others that say the same.
  const lost: string[] = [];
  const link = stream(processor(connect({ address: server.address, key: "ABCD-1234", firstPause: 10 }), "P1"), {
    source: "s",
    webSocket: WebSocket as never,
    retries: 3,
    onLost: ({ message }) => lost.push(message),
  });
  await expect(link.observe({ strings: ["x".repeat(200_000)] })).rejects.toThrow("the disk of the server is full");
  expect(new Set(lost.slice(1))).toEqual(
    new Set(["the link was lost: the disk of the server is full: nothing is accepted until there is room"]),
  );
});

test.each([
  [
    "models are lost",
    "DELETE FROM models;",
    "the rows do not add up to the counters",
    "its rows count 0 models, 0 symbols and 0 members, its state 1 models, 2 symbols and 2 members",
  ],
  [
    "a symbol is lost",
    "DELETE FROM symbols WHERE name = 'user';",
    "1 symbols of models have no name",
    "its rows count 1 models, 1 symbols and 1 members, its state 1 models, 2 symbols and 2 members",
  ],
  [
    "there is a symbol too many",
    "INSERT INTO symbols (id, name, frequency, member_frequency) VALUES (9, 'more', 0, 0);",
    "no model holds the symbol with the number 9",
    "no model holds the symbol with the number 9",
  ],
])("when %s, the start and the check find it", async (_, statement, checked, logged) => {
  server = await Server.start();
  await learn("user", "data");
  await server.stop();
  const [file = ""] = files(server.stateDir, ".sqlite");
  const { status, stderr } = spawnSync("sqlite3", [file, statement], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  expect(checkState(server.stateDir)).toEqual({ code: 1, text: expect.stringContaining(checked) });
  server = await Server.start(server.stateDir);
  expect(await statusOf("GET status")).toEqual([500, expect.stringContaining("this processor's storage is damaged")]);
  await expect.poll(() => server.output).toContain(logged);
});

test("a memory whose events are lost is refused, a session's alone; its name is not logged", async () => {
  server = await Server.start();
  for (const memory of ["", "sessions/kitchen/", "sessions/garden/"]) {
    await ask(server, `POST ${memory}observe`, { data: { strings: ["a"] } });
  }
  await server.stop();
  const [file = ""] = files(server.stateDir, ".sqlite");
  const { status } = spawnSync("sqlite3", [file, "UPDATE memories SET events = NULL WHERE session = 'kitchen';"]);
  expect(status).toBe(0);
  server = await Server.start(server.stateDir);
  expect(await statusOf("GET sessions/kitchen/working-memory")).toEqual([
    500,
    expect.stringContaining("this processor's storage is damaged"),
  ]);
  await expect.poll(() => server.output).toContain("the memory of a session has 0 events, its state 1");
  expect(server.output).not.toContain("kitchen");
  for (const memory of ["", "sessions/garden/"]) {
    expect(await ask(server, `GET ${memory}working-memory`)).toEqual([["a"]]);
  }
  expect(await ask(server, "DELETE sessions/kitchen")).toBe("session-ended");
  expect(await ask(server, "GET sessions/kitchen/working-memory")).toEqual([]);
});

test("a new processor whose log was deleted is not taken for one that there never was", async () => {
  server = await Server.start(makeStateDir());
  await learn("a", "b");
  await server.kill();
  for (const each of files(server.stateDir, "-wal")) rmSync(each);
  server = await Server.start(server.stateDir);
  expect(await statusOf("GET status")).toEqual([500, expect.stringContaining("storage holds nothing")]);
});
