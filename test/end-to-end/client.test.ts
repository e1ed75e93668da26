/** The built client against `npm start`, over real connections. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type * as Client from "../../src/client";
import { exchange } from "../support/server/http-exchange";
import { Server } from "../support/server/server";

const KEY = "ABCD-1234";
const P1 = "p46b6b076c";

let server: Server;
let client: typeof Client;

beforeAll(async () => {
  server = await Server.start();
  // What others import. The address of a module that is built is no constant, so that its types are not looked for.
  client = await import(new URL("../../dist/client/index.js", import.meta.url).href);
});

afterAll(() => server.discard());

const processor = () => client.processor(client.connect({ address: server.address, key: KEY }), P1);

test("the quick start of docs/client.md predicts the world", async () => {
  const [, code = ""] = /```ts\n(import [\s\S]*?)```/.exec(readFileSync("docs/client.md", "utf8")) ?? [];
  const body = code
    .replace(/^import .*\n/, "")
    .replace("http://127.0.0.1:8787", server.address)
    .replace("console.log(best?.future);", "return best.future;");
  const names = ["connect", "getPredictions", "learn", "observe", "processor"] as const;
  const run = new Function(...names, `return (async () => {${body}})()`);
  expect(await run(...names.map((name) => client[name]))).toEqual([["world"]]);
});

test("every observe counts once while workerd is killed in between", async () => {
  const p1 = processor();
  await client.clearAllMemory(p1);
  const CALLS = 300;
  let next = 0;
  const device = async () => {
    while (next < CALLS) {
      const n = next++;
      if (n % 100 === 50) process.kill(server.workerdPid, "SIGKILL");
      const { unique_id } = await client.observe(p1, { strings: [`s${n}`], unique_id: `u${n}` }, { retries: 20 });
      expect(unique_id).toBe(`u${n}`);
    }
  };
  await Promise.all([device(), device(), device(), device()]);
  expect(await client.getTime(p1)).toBe(CALLS);
  const symbols = (await client.getWorkingMemory(p1)).flat();
  expect(new Set(symbols)).toEqual(new Set(Array.from({ length: CALLS }, (_, n) => `s${n}`)));
  expect(symbols).toHaveLength(CALLS);
});

test("records of many devices, by number in sessions of their own, count once while workerd is killed", async () => {
  const p1 = processor();
  const RECORDS = 60;
  const device = async (name: string) => {
    const memory = client.session(p1, name);
    for (let number = 1; number <= RECORDS; number++) {
      if (number === RECORDS / 2 && name === "device 0") process.kill(server.workerdPid, "SIGKILL");
      const options = { delivery: { source: name, number }, retries: 20 };
      await client.observe(memory, { strings: [`${name}-${number}`] }, options);
    }
    const again = await client.observe(memory, { strings: ["again"] }, { delivery: { source: name, number: 1 } });
    expect(again.redelivered).toBe(true);
    expect(await client.getTime(memory)).toBe(RECORDS);
    expect(await client.getWorkingMemory(memory)).toHaveLength(RECORDS);
  };
  const names = Array.from({ length: 5 }, (_, n) => `device ${n}`);
  await Promise.all(names.map(device));
  expect(await client.listSessions(p1)).toMatchObject(names.map((name) => ({ name, events: RECORDS, time: RECORDS })));
  for (const name of names) expect(await client.endSession(p1, name)).toBe("session-ended");
  expect(await client.listSessions(p1)).toEqual([]);
});

/** Models of two events each, as lines. */
function* models(count: number) {
  for (let n = 0; n < count; n++) {
    const name = createHash("sha1").update(`[['a${n}'], ['b']]`).digest("hex");
    yield { kind: "model" as const, name, sequence: [[`a${n}`], ["b"]] };
  }
}

test("a knowledge base goes out and in as streams, with progress", async () => {
  const p1 = processor();
  await client.clearAllMemory(p1);
  const MODELS = 2000;
  const loading: Client.Progress[] = [];
  await client.loadKnowledgeBase(p1, models(MODELS), { onProgress: (one) => loading.push(one) });
  expect(loading.at(-1)?.records).toBe(MODELS);
  expect(await client.getStatus(p1)).toMatchObject({ models_kb: `{KB| objects: ${MODELS}}` });
  const exporting: Client.Progress[] = [];
  const stream = await client.exportKnowledgeBase(p1, { onProgress: (one) => exporting.push(one) });
  const text = await new Response(stream).text();
  // Each model, each of its first symbols, and the symbol that all share.
  expect(exporting.at(-1)).toEqual({ bytes: Buffer.byteLength(text), records: 2 * MODELS + 1 });
  const before = await client.getKnowledgeBase(p1);
  expect(JSON.parse(text)).toEqual(before);
});

test("a load that is aborted leaves the knowledge as it was", async () => {
  const p1 = processor();
  const before = await client.getKnowledgeBase(p1);
  const controller = new AbortController();
  const reason = new Error("enough");
  const onProgress = ({ records }: Client.Progress) => records > 10_000 && controller.abort(reason);
  const load = client.loadKnowledgeBase(p1, models(200_000), { onProgress, signal: controller.signal });
  await expect(load).rejects.toBe(reason);
  expect(await client.getKnowledgeBase(p1)).toEqual(before);
});

test("a wrong key is told from other failures, and does not stand in the error", async () => {
  const noema = client.connect({ address: server.address, key: "another-key" });
  const call = client.getStatus(client.processor(noema, P1));
  await expect(call).rejects.toMatchObject({ name: "NoemaError", status: 500, operation: "getStatus" });
  await expect(call).rejects.not.toThrow("another-key");
});

test("an agent is called at its own host", async () => {
  const two = await Server.start(undefined, { NOEMA_AGENTS: "kitchen" });
  onTestFinished(() => two.discard());
  const address = two.address.replace("127.0.0.1", "localhost");
  // Not every system's resolver knows names below localhost, and fetch sends no other Host than that of the URL.
  const fetch: Client.Fetch = async (url, { method, headers }) => {
    const { host, pathname } = new URL(url);
    expect(host).toBe(`kitchen.${new URL(address).host}`);
    const answer = await exchange(two.address, { method, path: pathname, headers: { ...headers, host } });
    return new Response(answer.text, { status: answer.status });
  };
  const kitchen = client.connect({ address, key: KEY, agent: "kitchen", fetch });
  expect(await client.getConnection(kitchen)).toMatchObject({ genie: "kitchen", connection: "okay" });
  expect(await client.getConnection(client.connect({ address, key: KEY }))).toMatchObject({ genie: "simple" });
});
