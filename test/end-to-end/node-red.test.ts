/**
 * The nodes of integrations/node-red in a real Node-RED, as `npm install` of the folder puts them there, against `npm start`. The first run
 * installs Node-RED beside them; where it cannot be installed the tests are left out, which `.ci/run` does not allow. Takes 30 s: Node-RED
 * starts, and the server is killed once.
 */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { buildNodeRed, NODE_RED } from "../../scripts/node-red.mjs";
import { connect, getWorkingMemory, listModels, type Noema, processor, putEncoder, session } from "../../src/client";
import { freePort } from "../support/server/free-port";
import { makeStateDir, Server } from "../support/server/server";

const KEY = "ABCD-1234";
const PROGRAM = join(NODE_RED, "node_modules", "node-red", "red.js");

/** Why Node-RED is not there; `undefined` when it is. */
const missing = existsSync(PROGRAM) ? undefined : installFault();
if (missing !== undefined && process.env.NOEMA_NODE_RED === "required") throw new Error(missing);
const TITLE = missing === undefined ? "Node-RED" : `Node-RED (left out: ${missing})`;

function installFault(): string | undefined {
  const { status, stderr } = spawnSync("npm", ["ci", "--ignore-scripts"], { cwd: NODE_RED, encoding: "utf8" });
  return status === 0 ? undefined : `it cannot be installed: ${stderr.slice(0, 300)}`;
}

/** Answers each POST with what a node makes of its body, whose members become those of the message. */
function asked(path: string, node: object): object[] {
  const at = { z: "tab", x: 0, y: 0 };
  return [
    { id: `${path}-in`, type: "http in", url: `/${path}`, method: "post", wires: [[`${path}-spread`]], ...at },
    {
      id: `${path}-spread`,
      type: "function",
      func: "flow.set('came', (flow.get('came') ?? 0) + 1); return Object.assign(msg, msg.payload);",
      outputs: 1,
      wires: [[`${path}-node`]],
      ...at,
    },
    { id: `${path}-node`, agent: "agent", processor: "P1", session: "", wires: [[`${path}-out`]], ...node, ...at },
    { id: `${path}-out`, type: "http response", wires: [], ...at },
    { id: `${path}-catch`, type: "catch", scope: [`${path}-node`], wires: [[`${path}-failed`]], ...at },
    {
      id: `${path}-failed`,
      type: "function",
      func: "msg.statusCode = 500; msg.payload = msg.error.message; return msg;",
      outputs: 1,
      wires: [[`${path}-out`]],
      ...at,
    },
  ];
}

/** Answers each GET with what a program makes. */
function told(path: string, payload: string): object[] {
  const at = { z: "tab", x: 0, y: 0 };
  return [
    { id: `${path}-in`, type: "http in", url: `/${path}`, method: "get", wires: [[`${path}-read`]], ...at },
    {
      id: `${path}-read`,
      type: "function",
      func: `msg.payload = ${payload}; return msg;`,
      outputs: 1,
      wires: [[`${path}-out`]],
      ...at,
    },
    { id: `${path}-out`, type: "http response", wires: [], ...at },
  ];
}

function flows(address: string): object[] {
  const observing = { type: "noema-observe", strings: "", numbers: "", time: "", learn: false, explain: false };
  return [
    { id: "tab", type: "tab", label: "devices" },
    { id: "agent", type: "noema-agent", address },
    ...asked("observe", { ...observing, explain: true }),
    ...asked("members", {
      ...observing,
      session: "{2}",
      strings: "state, error.code",
      numbers: "temperature",
      time: "at",
    }),
    ...asked("forecast", { type: "noema-forecast", horizon: 2, top: 3 }),
    {
      id: "events",
      type: "noema-events",
      agent: "agent",
      processor: "P1",
      session: "",
      sessions: true,
      events: "learned, surprise",
      wires: [["keep"]],
      z: "tab",
      x: 0,
      y: 0,
    },
    {
      id: "keep",
      type: "function",
      func: "flow.set('events', [...(flow.get('events') ?? []), msg]);",
      outputs: 0,
      wires: [],
      z: "tab",
      x: 0,
      y: 0,
    },
    ...told("events", "flow.get('events') ?? []"),
    ...told("came", "{ messages: flow.get('came') ?? 0 }"),
  ];
}

describe.skipIf(missing !== undefined)(TITLE, () => {
  let server: Server;
  let agent: Noema;
  let folder: string;
  let program: ChildProcess;
  let output = "";
  let base: string;

  /** What a node makes of a message. @throws Error with what the node reports as the failure */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers whose shape is what they check
  async function message(path: string, members: object): Promise<any> {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${base}/${path}`, { method: "POST", headers, body: JSON.stringify(members) });
    if (answer.status === 200) return answer.json();
    throw new Error(await answer.text());
  }

  beforeAll(async () => {
    await buildNodeRed();
    server = await Server.start(makeStateDir(), { PORT: String(await freePort()) });
    agent = connect({ address: server.address, key: KEY });
    folder = mkdtempSync(join(tmpdir(), "noema-node-red-"));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(NODE_RED, join(folder, "node_modules", "node-red-contrib-noema"));
    // As Node-RED's own npm writes it.
    const dependencies = { "node-red-contrib-noema": `file:${NODE_RED}` };
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({ name: "node-red-project", version: "0.0.1", dependencies }),
    );
    writeFileSync(join(folder, "flows.json"), JSON.stringify(flows(server.address)));
    writeFileSync(join(folder, "flows_cred.json"), JSON.stringify({ agent: { key: KEY } }));
    const port = await freePort();
    const settings = {
      uiHost: "127.0.0.1",
      uiPort: port,
      credentialSecret: false,
      flowFile: "flows.json",
      telemetry: { enabled: false, updateNotification: false },
    };
    writeFileSync(join(folder, "settings.js"), `module.exports = ${JSON.stringify(settings)};`);
    base = `http://127.0.0.1:${port}`;
    program = spawn(process.execPath, [PROGRAM, "--userDir", folder], { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [program.stdout, program.stderr]) stream?.on("data", (chunk) => (output += chunk));
    await vi.waitFor(() => expect(output).toContain("Started flows"), { timeout: 60_000, interval: 100 });
  });

  afterAll(async () => {
    program?.kill("SIGTERM");
    await server?.discard();
    rmSync(folder, { recursive: true, force: true });
  });

  test("loads the four types, and never shows the key", async () => {
    const answer = await fetch(`${base}/nodes/node-red-contrib-noema/noema`, {
      headers: { accept: "application/json" },
    });
    const types = ["noema-agent", "noema-observe", "noema-forecast", "noema-events"];
    expect(await answer.json()).toMatchObject({ enabled: true, types });
    expect(output).not.toContain(KEY);
    expect(await (await fetch(`${base}/flows`)).text()).not.toContain(KEY);
  });

  test("observes, learns, says what was unexpected, forecasts, and hears of it", async () => {
    for (const payload of ["fill", "heat", "drain"]) await message("observe", { payload });
    expect(await message("observe", { payload: { strings: ["rinse"] }, learn: true })).toMatchObject({
      processor: "P1",
      session: null,
      learned: expect.stringMatching(/^MODEL\|/),
    });
    await message("observe", { payload: "fill" });
    const { surprise } = await message("observe", { payload: "heat" });
    expect(surprise.bits).toBeGreaterThan(0);
    const forecast = await message("forecast", {});
    expect(forecast.steps.map((step: { symbols: { symbol: string }[] }) => step.symbols[0]?.symbol)).toEqual([
      "drain",
      "rinse",
    ]);
    const given = await message("forecast", { sequence: [["heat"], ["drain"]] });
    expect(given.steps[0].symbols[0].symbol).toBe("rinse");
    await message("observe", { payload: true, topic: "hall/lamp", clear: true });
    expect(await getWorkingMemory(processor(agent, "P1"))).toEqual([["lamp=true"]]);
    expect((await listModels(processor(agent, "P1"))).total).toBe(1);
    const topics = async () => {
      const events = (await (await fetch(`${base}/events`)).json()) as { topic: string }[];
      return new Set(events.map(({ topic }) => topic));
    };
    await expect.poll(topics).toEqual(new Set(["learned", "surprise"]));
  });

  test("takes members as symbols, numbers and time, the session from the topic, and reports what is wrong", async () => {
    const payload = { state: "on", error: { code: 7 }, temperature: 21.5, at: "2026-01-02T03:04:05Z", other: 1 };
    const topic = "plant/oven-1/state";
    await expect(message("members", { topic, payload })).rejects.toThrow("no encoder");
    await putEncoder(processor(agent, "P1"), "temperature", { kind: "step", size: 5 });
    expect(await message("members", { topic, payload })).toMatchObject({ session: "oven-1" });
    const memory = session(processor(agent, "P1"), "oven-1");
    expect(await getWorkingMemory(memory)).toEqual([["error.code=7", "state=on", "temperature=20"]]);
    await expect(message("members", { topic, payload: { temperature: "warm" } })).rejects.toThrow(
      'the payload\'s member "temperature" must be a number, got "warm" (form of the node)',
    );
  });

  test("observes each message once, in order, over a kill of the server", async () => {
    const { port } = new URL(server.address);
    const memory = session(processor(agent, "P1"), "line");
    const texts = Array.from({ length: 40 }, (_, at) => `part ${at}`);
    const sent: Promise<unknown>[] = [];
    const came = async () => ((await (await fetch(`${base}/came`)).json()) as { messages: number }).messages;
    const before = await came();
    for (const [at, payload] of texts.entries()) {
      sent.push(message("observe", { payload, session: "line" }));
      // One after the other: requests over HTTP have no order among themselves.
      await expect.poll(came, { interval: 5 }).toBe(before + at + 1);
      if (at === 15) await server.kill();
      if (at === 25) server = await Server.start(server.stateDir, { PORT: port });
    }
    await Promise.all(sent);
    expect(await getWorkingMemory(memory)).toEqual(texts.map((text) => [text]));
  });
});
