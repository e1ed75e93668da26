/** The commands that stream, against `npm start`: what they show and learn, and what happens when the server goes away. */

import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  clearAllMemory,
  connect,
  createKey,
  exportKnowledgeBase,
  getModel,
  getWorkingMemory,
  learn,
  observe,
  type Processor,
  processor,
  session,
} from "../../src/client";
import { NOEMA, noema, type RunOptions, start } from "../support/cli/noema";
import { freePort } from "../support/server/free-port";
import { Server } from "../support/server/server";

const KEY = "ABCD-1234";

/** So often a test may try to hit a run in its middle. */
const MAX_TRIES = 10;

let server: Server;
let folder: string;
let options: RunOptions;
let p1: Processor;

beforeAll(async () => {
  server = await Server.start(undefined, { NOEMA_AGENTS: "kitchen", PORT: String(await freePort()) });
  folder = mkdtempSync(join(tmpdir(), "noema-cli-"));
  options = { cwd: folder, env: { NOEMA_ADDRESS: server.address } };
  p1 = processor(connect({ address: server.address, key: KEY }), "P1");
});

afterAll(async () => {
  await server.discard();
  rmSync(folder, { recursive: true });
});

/** Ends the server without warning, and starts it again at the same address. */
async function crash(env: Record<string, string> = {}): Promise<void> {
  await server.kill();
  server = await Server.start(server.stateDir, {
    NOEMA_AGENTS: "kitchen",
    PORT: new URL(server.address).port,
    ...env,
  });
}

const run = (...args: string[]) => start(process.execPath, [NOEMA, ...args], options);

const resultOf = async (...args: string[]) => {
  const ended = await noema(args, options);
  expect([ended.code, ended.stderr.split("\n").filter((line) => line.startsWith("noema:"))]).toEqual([0, []]);
  return ended.stdout;
};

/** Options for the server behind a proxy that carries no WebSockets. */
async function withoutWebSockets(): Promise<RunOptions> {
  const proxy = createServer((asked, answer) => {
    const { method, headers } = asked;
    const forwarded = request(new URL(asked.url ?? "/", server.address), { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    asked.pipe(forwarded);
  });
  proxy.on("upgrade", (_, socket) => socket.end("HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n"));
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return { cwd: folder, env: { NOEMA_ADDRESS: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` } };
}

describe("noema watch", () => {
  test("writes a line for each event, as docs/command-line.md shows them", async () => {
    const watching = run("watch", "--times", "2", "--session", "shown");
    await watching.printed(/Watching/);
    const shown = session(p1, "shown");
    await observe(shown, { strings: ["coffee", "milk"] });
    await learn(shown);
    const { code, stdout, stderr } = await watching.ended;
    expect([code, stderr]).toEqual([0, `Watching P1, session shown, at ${server.address}; Ctrl-C ends.\n`]);
    expect(stdout).toMatch(
      /^\d{4}-\S+Z session shown 1 observed coffee \+ milk\n\S+Z session shown 1 learned MODEL\|[0-9a-f]{40}\n$/,
    );
  });

  test("writes events of all sessions as JSON, as the stream tells them", async () => {
    const watching = run("watch", "--times", "3", "--sessions", "--json");
    await watching.printed(/Watching/);
    await observe(p1, { strings: ["own"] });
    await observe(session(p1, "other"), { strings: ["their", "milk"] });
    await learn(session(p1, "other"));
    const { stdout } = await watching.ended;
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      { event: "observed", session: null, symbols: ["own"], unique_id: expect.any(String) },
      { event: "observed", session: "other", interval: 1, symbols: ["milk", "their"] },
      { event: "learned", session: "other", interval: 1, model: expect.stringMatching(/^MODEL\|/) },
    ]);
  });

  test("misses none of hundreds of events that come at once", async () => {
    const watching = run("watch", "--times", "800", "--session", "many", "--json");
    await watching.printed(/Watching/);
    const lines = Array.from({ length: 800 }, (_, at) => JSON.stringify({ strings: [`s${at}`] }));
    await noema(["observe", "--lines", "-", "--session", "many"], { ...options, input: lines.join("\n") });
    const { stdout } = await watching.ended;
    const shown = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).interval);
    expect(shown).toEqual(Array.from({ length: 800 }, (_, at) => at + 1));
  });

  test("connects again when the server was away, and says so", async () => {
    const watching = run("watch", "--times", "2");
    await watching.printed(/Watching/);
    await observe(p1, { strings: ["before"] });
    await watching.printed(/observed before/);
    await crash();
    await watching.printed(/open again/);
    await observe(p1, { strings: ["after"] });
    const { code, stdout, stderr } = await watching.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/observed before\n.* observed after\n$/);
    expect(stderr).toMatch(/noema: the link was lost: .*; trying again\n/);
    expect(stderr).toContain("noema: the stream is open again; what happened in between is not shown\n");
  });

  test("says what to do where it gets no stream", async () => {
    const proxied = await noema(["watch"], await withoutWebSockets());
    expect(proxied).toMatchObject({ code: 1, stdout: "" });
    expect(proxied.stderr).toMatch(
      /^noema: .*does each proxy carry WebSockets.*; noema watch --interval 1 looks without a stream\n$/,
    );
    const { key } = await createKey(p1.noema, { name: "reader", roles: ["read"] });
    const reading = { ...options, env: { ...options.env, NOEMA_API_KEY: key } };
    const refused = await noema(["watch"], reading);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      /^noema: .*observe.*; noema watch --interval 1 looks without a stream \(HTTP 403\)\n$/,
    );
    expect(await noema(["watch", "--interval", "1", "--times", "1"], reading)).toMatchObject({ code: 0, stderr: "" });
    const nobody = await noema(["watch", "--processor", "P9"], options);
    expect(nobody.stderr).toMatch(/^noema: .*P9.* \(HTTP 404\)\n$/);
  });
});

describe("noema observe --lines", () => {
  const linesOf = (symbols: readonly unknown[]) =>
    symbols.map((one) => `${JSON.stringify({ strings: [one] })}\n`).join("");
  const symbols = (count: number) => Array.from({ length: count }, (_, at) => `s${at}`);
  const memory = (name: string) => getWorkingMemory(session(p1, name));

  test("observes each record once and in order, though the server is killed", async () => {
    const many = symbols(20_000);
    writeFileSync(join(folder, "many.jsonl"), linesOf(many));
    const observing = run("observe", "--lines", "many.jsonl", "--session", "lines", "--json");
    await observing.printed(/unique_id/);
    await crash();
    const { code, stdout } = await observing.ended;
    expect([code, stdout.trim().split("\n").length]).toEqual([0, many.length]);
    expect(await memory("lines")).toEqual(many.map((one) => [one]));
  });

  test.each([[], ["--http"]])("ends at the record that is refused, and names its line: %j", async (...more) => {
    const name = `refused ${more}`;
    const input = linesOf(["a", "b", 7, "c"]);
    const ended = await noema(["observe", "--lines", "-", "--session", name, ...more], { ...options, input });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(/^noema: line 3: .*strings\[0\] must be a string, got 7 \(HTTP 400\)\n$/);
    expect(await memory(name)).toEqual([["a"], ["b"]]);
  });

  test("takes records that no frame can carry", async () => {
    const large = "x".repeat(1_100_000);
    const input = linesOf(["before", large, "after"]);
    const ended = await noema(["observe", "--lines", "-", "--session", "large"], { ...options, input });
    expect(ended).toEqual({ code: 0, stdout: "Observed 3 records.\n", stderr: "" });
    expect(await memory("large")).toEqual([["before"], [large], ["after"]]);
  });

  test("reaches an agent whose host no system finds", async () => {
    const ended = await noema(["observe", "--lines", "-", "--agent", "kitchen"], {
      ...options,
      input: linesOf(["tea"]),
    });
    expect(ended).toEqual({ code: 0, stdout: "Observed 1 records.\n", stderr: "" });
    const said = await resultOf("call", "getWorkingMemory", "--agent", "kitchen");
    expect(JSON.parse(said).message).toEqual([["tea"]]);
    expect(await getWorkingMemory(p1)).not.toContainEqual(["tea"]);
  });

  test("says what to do where it gets no stream", async () => {
    const ended = await noema(["observe", "--lines", "-"], { ...(await withoutWebSockets()), input: linesOf(["a"]) });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(/; --http sends requests instead\n$/);
  });
});

describe("noema train", () => {
  /** Sequences of two symbols each. */
  const csvOf = (groups: number) =>
    `g,s\n${Array.from({ length: groups }, (_, g) => `${g},a${g}\n${g},b${g}\n`).join("")}`;
  const ARGS = ["train", "rows.csv", "--group-by", "g", "--symbol", "s", "--json"];

  const write = async (csv: string) => {
    writeFileSync(join(folder, "rows.csv"), csv);
    await clearAllMemory(p1);
  };

  /** The sequences of the models, in the order in which they were learned. */
  async function learned(): Promise<string[][][]> {
    const text = await new Response(await exportKnowledgeBase(p1, { order: true })).text();
    const models: { order: number; name: string }[] = Object.values(JSON.parse(text).models_kb);
    const names = models.sort((a, b) => a.order - b.order).map(({ name }) => name);
    const all = await Promise.all(names.map((name) => getModel(p1, name)));
    expect(all.map((model) => model?.frequency)).toEqual(all.map(() => 1));
    return all.map((model) => model?.sequence ?? []);
  }

  const sequences = (groups: number) => Array.from({ length: groups }, (_, g) => [[`a${g}`], [`b${g}`]]);

  test.each([[], ["--http"]])("learns in the order of the file, also what no frame can carry: %j", async (...more) => {
    const long = Array.from({ length: 1500 }, (_, at) => `long,l${at}\n`).join("");
    const csv = csvOf(40);
    await write(csv.replace("20,a20", `${long}20,a20`));
    const result = JSON.parse(await resultOf(...ARGS, ...more));
    expect(result).toMatchObject({ groups: 41, rows: 1580, learned: 41, nothing: 0, redelivered: 0 });
    const all = await learned();
    expect(all[20]).toHaveLength(1500);
    expect(all.toSpliced(20, 1)).toEqual(sequences(40));
  });

  test("goes on when the server was killed, and learns each sequence once", async () => {
    // On a busy machine a run may have learned everything before the server is killed.
    for (let isCut = false, tries = 0; !isCut; tries++) {
      expect(tries).toBeLessThan(MAX_TRIES);
      await write(csvOf(1000));
      const training = run(...ARGS);
      await training.printed(/Learning \d+\/1000/);
      await crash();
      const { code, stdout, stderr } = await training.ended;
      isCut = /^noema: .*trying again$/m.test(stderr);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ groups: 1000, rows: 2000, nothing: 0 });
      expect(await learned()).toEqual(sequences(1000));
    }
  });

  test("names a sequence that is refused, and sends it again when it is resumed", async () => {
    const wide = ["x", "y", "z"].map((one) => `30,${one}\n`).join("");
    await write(csvOf(60).replace("30,b30\n", `30,b30\n${wide}`));
    await crash({ NOEMA_MEMORY_SYMBOLS: "4" });
    const failed = await noema(ARGS, options);
    expect(failed).toMatchObject({ code: 1, stdout: "" });
    expect(failed.stderr).toContain(
      "noema: the group 30 from line 62: record 5 of 5: working memory may hold 4 symbols",
    );
    const [, resume = ""] = /--resume (\S+)/.exec(failed.stderr) ?? [];
    expect(resume).toMatch(/\+31$/);
    await crash();
    expect(JSON.parse(await resultOf(...ARGS, "--resume", resume))).toMatchObject({ run: resume, groups: 60 });
    const all = await learned();
    expect(all).toHaveLength(60);
    expect(all).toEqual(expect.arrayContaining([[["a30"], ["b30"], ["x"], ["y"], ["z"]]]));
  });

  test("says what to do where it gets no stream", async () => {
    await write(csvOf(2));
    const ended = await noema(ARGS, await withoutWebSockets());
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(/; --http sends requests instead\n$/);
  });
});
