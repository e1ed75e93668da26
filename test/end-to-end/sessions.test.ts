/** Sessions of the deployed bundle: many devices at one processor, each with a memory of its own, over restarts and kills. */

import { afterEach, describe, expect, test } from "vitest";
import { ask, PROCESSOR, readEverything } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const DEVICES = 40;
const ROUNDS = 5;
const CONNECTIONS = 16;
const START_MS = 120_000;

let server: Server;

afterEach(() => server.discard());

/** Does work for every device, with this many requests under way. */
async function forAll(work: (device: number) => Promise<void>): Promise<void> {
  const devices = Array.from({ length: DEVICES }, (_, device) => device).values();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (const device of devices) await work(device);
    }),
  );
}

const name = (device: number) => encodeURIComponent(`robot ${device}/ü`);

/** Calls an operation in the session of a device. */
const inSession = (call: string, device: number, body?: unknown) =>
  ask(server, call.replace(" ", ` sessions/${name(device)}/`), body);

const observe = (device: number, ...strings: string[]) => inSession("POST observe", device, { data: { strings } });

describe("devices that share a processor", () => {
  test(
    "predict each its own, lose nothing and double nothing, also after kills",
    async () => {
      server = await Server.start();
      const { stateDir } = server;
      await ask(server, "POST observe", { data: { strings: ["own"] } });
      for (let round = 0; round < ROUNDS; round++) {
        // Each device lives through a sequence of its own, and all of them at the same time.
        await forAll(async (device) => {
          await observe(device, `begin ${device}`);
          await observe(device, `end ${device}`);
          await inSession("POST learn", device);
          await observe(device, `begin ${device}`);
        });
        await server.kill();
        server = await Server.start(stateDir);
        await forAll(async (device) => {
          const [prediction] = (await inSession("POST predictions", device)) as {
            future: string[][];
            frequency: number;
          }[];
          expect(prediction).toMatchObject({ future: [[`end ${device}`]], frequency: round + 1 });
          expect(await inSession("GET working-memory", device)).toEqual([[`begin ${device}`]]);
          await inSession("POST working-memory/clear", device);
        });
      }
      await forAll(async (device) => {
        expect(await inSession("GET time", device)).toBe(String(3 * ROUNDS));
      });
      expect(await ask(server, "GET working-memory")).toEqual([["own"]]);
      expect(await ask(server, "GET time")).toBe("1");
      expect(await ask(server, "GET status")).toMatchObject({ models_kb: `{KB| objects: ${DEVICES}}` });
      await expectListed();
    },
    START_MS,
  );
});

/** Expects every session once in the list, by the bytes of its name, page by page. */
async function expectListed(): Promise<void> {
  const listed: { name: string; time: number }[] = [];
  for (;;) {
    const after = encodeURIComponent(listed.at(-1)?.name ?? "");
    const page = (await ask(server, `GET sessions?limit=7&after=${after}`)) as typeof listed;
    listed.push(...page);
    if (page.length < 7) break;
  }
  const names = Array.from({ length: DEVICES }, (_, device) => `robot ${device}/ü`);
  expect(listed.map((session) => session.name)).toEqual(
    names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  );
  expect(listed.every(({ time }) => time === 3 * ROUNDS)).toBe(true);
}

describe("a session", () => {
  test("is created by the first change, and no name reaches another memory", async () => {
    server = await Server.start();
    const own = async () => ({ ...(await readEverything(server)), "GET sessions": undefined });
    const before = await own();
    for (const call of ["POST predictions", "GET working-memory", "GET percept-data", "GET status", "GET time"]) {
      await inSession(call, 1);
    }
    expect(await ask(server, "GET sessions")).toEqual([]);
    for (const path of [
      "sessions/../observe",
      "sessions/%2e%2e/observe",
      "sessions/.%2E/observe",
      "sessions/\\..\\..\\observe",
    ]) {
      const answer = await server.call(`POST ${PROCESSOR}/${path}`, { data: { strings: ["a"] } });
      expect([path, answer.status]).toEqual([path, 400]);
    }
    for (const odd of ["a/../b", "%2e%2e", "...", "\\", "?", "#", "e\u0301", "\u00e9", "sessions"]) {
      await ask(server, `POST sessions/${encodeURIComponent(odd)}/observe`, { data: { strings: [odd] } });
      expect(await ask(server, `GET sessions/${encodeURIComponent(odd)}/working-memory`)).toEqual([[odd]]);
    }
    expect(await ask(server, "GET sessions")).toHaveLength(9);
    expect(await own()).toEqual(before);
    expect(await ask(server, `DELETE sessions/${encodeURIComponent("a/../b")}`)).toBe("session-ended");
    expect(await ask(server, `GET sessions/${encodeURIComponent("a/../b")}/time`)).toBe("0");
    await ask(server, "POST clear-all-memory");
    expect(await ask(server, "GET sessions")).toEqual([]);
  });

  test("is gone after session_ttl, and one too many is refused with 429", async () => {
    server = await Server.start(undefined, { NOEMA_SESSIONS: "2" });
    await observe(1, "a");
    await observe(2, "a");
    const answer = await server.call(`POST ${PROCESSOR}/sessions/third/observe`, { data: { strings: ["a"] } });
    expect([answer.status, answer.json.message]).toEqual([429, expect.stringContaining("NOEMA_SESSIONS")]);
    expect(await ask(server, "GET sessions")).toHaveLength(2);
    await ask(server, "POST genes/change", { data: { session_ttl: 3 } });
    await new Promise((resolve) => setTimeout(resolve, 3_100));
    expect(await inSession("GET time", 1)).toBe("0");
    expect(await ask(server, "GET sessions")).toEqual([]);
    await ask(server, "POST sessions/third/observe", { data: { strings: ["a"] } });
    // On a busy machine the third may be gone before one looks.
    const names = ((await ask(server, "GET sessions")) as { name: string }[]).map((session) => session.name);
    expect(["", "third"]).toContain(names.join());
  });
});

describe("at the services, a session", () => {
  /** Calls a service with JSON, in a session when one is given. */
  async function callService(method: string, message: object, session?: string) {
    const answer = await server.send({
      method: "POST",
      path: `/noema.v1.${method}`,
      body: message,
      headers: session === undefined ? {} : { "x-session": encodeURIComponent(session) },
    });
    return { status: answer.status, json: answer.json };
  }

  test("is the same as over HTTP/JSON, for every call about one memory", async () => {
    server = await Server.start();
    const odd = "a/../\u00fc %";
    const path = `sessions/${encodeURIComponent(odd)}`;
    const okay = async (method: string, message: object = {}, session: string | undefined = odd) => {
      const { status, json } = await callService(method, message, session);
      expect([method, status]).toEqual([method, 200]);
      return json;
    };
    for (const strings of [["hello"], ["world"]]) await okay("MemoryService/Observe", { gdf: { strings } });
    expect(await ask(server, `GET ${path}/working-memory`)).toEqual([["hello"], ["world"]]);
    const { model } = await okay("MemoryService/Learn");
    await okay("MemoryService/ObserveSequence", { sequence: [{ strings: ["hello"] }] });
    expect((await okay("MemoryService/GetWorkingMemory")).events).toEqual([{ symbols: ["hello"] }]);
    expect((await okay("MemoryService/GetPredictions")).predictions).toEqual([
      expect.objectContaining({ name: model }),
    ]);
    expect((await okay("MemoryService/GetPercept")).gdf.strings).toEqual(["hello"]);
    expect((await okay("MemoryService/GetCognition")).symbols).toEqual(["hello"]);
    await okay("ModeService/SetTargetClass", { target: "world" });
    expect(await ask(server, `GET ${path}/status`)).toMatchObject({ target: "world", time: 3, size_WM: 1 });
    expect((await okay("InspectionService/GetStatus")).status).toMatchObject({ target: "world" });
    expect((await okay("InspectionService/Ping")).stamp.time).toBe(3);
    await okay("MemoryService/ClearWorkingMemory");
    expect(await ask(server, `GET ${path}/working-memory`)).toEqual([]);
    const { sessions } = (await callService("MemoryService/ListSessions", {})).json;
    expect(sessions).toEqual([{ name: odd, time: 3, lastObserved: expect.any(Number) }]);
    await callService("MemoryService/EndSession", { session: odd });
    expect((await callService("MemoryService/ListSessions", {})).json.sessions).toBeUndefined();
    // Nothing of it reached the processor's own memory.
    expect(await ask(server, "GET time")).toBe("0");
    expect(await ask(server, "GET status")).toMatchObject({ target: "", last_learned_model_name: "" });
  });

  test("is refused by every call that is about no single memory", async () => {
    server = await Server.start();
    for (const method of [
      "GeneService/GetGenes",
      "MemoryService/ClearAllMemory",
      "MemoryService/ListSessions",
      "AgentService/GetGenome",
    ]) {
      const { status, json } = await callService(method, {}, "s");
      expect([method, status, json.code]).toEqual([method, 400, "invalid_argument"]);
    }
    expect((await callService("MemoryService/Learn", {}, "..")).status).toBe(400);
    const { status, json } = await server.call(`GET ${PROCESSOR}/time`, undefined, { headers: { "x-session": "s" } });
    expect([status, json.message]).toEqual([400, expect.stringContaining("X-Session")]);
  });
});
