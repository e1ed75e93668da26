/** The reference has every row of the table, and every example in it is what a server answers. */

import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { httpPage } from "../../scripts/openapi/http-page";
import type { Call, Example, Json } from "../../scripts/openapi/reference/entry";
import { failures, reference, situation } from "../../scripts/openapi/reference/page";
import { rowName, sections } from "../../scripts/openapi/sections";
import { operations } from "../../src/gateway/operations/table";
import genome from "../../src/object/genome/simple.json";
import { ALERT_HOSTS } from "../support/conformance/interface-requests";
import { ask } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const START_MS = 120_000;

let server: Server;
/** What a new processor says of itself. */
let fresh: unknown;

async function read(): Promise<unknown> {
  const { json: connection } = await server.send({ method: "GET", path: "/connect" });
  const readings = ["GET status", "GET all-genes", "GET list-blacklisted-symbols", "GET percept-data", "GET get_kb"];
  return { connection, answers: await Promise.all(readings.map((reading) => ask(server, reading))) };
}

/** Whether the processor is in the situation of the page now: after a GET that follows it, it still is. */
let isReady = false;

/** Puts the processor into the situation of the page, whatever an example has done to it. A new one would take a tenth of a second. */
async function prepare({ after = [], request }: Pick<Example, "after" | "request">): Promise<void> {
  if (!isReady) {
    await renew();
    await play(situation);
  }
  await play(after);
  isReady = request.method === "GET" && after.length === 0;
}

async function renew(): Promise<void> {
  await server.send({ method: "POST", path: "/genome/hotswap", body: genome });
  const { json: keys } = await server.send({ method: "GET", path: "/keys" });
  for (const { id } of keys.message as { id: string }[]) await server.send({ method: "DELETE", path: `/keys/${id}` });
  for (const name of Object.keys((await ask(server, "GET alerts")) as object))
    await ask(server, `DELETE alerts/${name}`);
  await ask(server, "POST sleeping/stop");
  await ask(server, "POST predicting/start");
  await ask(server, "POST autolearning/stop");
  await ask(server, "POST clear-target-class");
  await ask(server, "POST clear-all-memory");
  await ask(server, "POST genes/change", { data: { recall_threshold: 0.1, max_predictions: 100, history: 0 } });
  expect(await read()).toEqual(fresh);
}

async function play(calls: readonly Call[]): Promise<void> {
  for (const call of calls) expect((await server.send(call)).json.status).toBe("okay");
}

/** An answer as text, without what differs from run to run. */
function timeless(text: string): string {
  return (
    text
      .replace(/"time_stamp":\d+/, '"time_stamp":0')
      .replace(/"unique_id":"[0-9a-f-]{36}"/g, '"unique_id":""')
      .replace(/"last_observed":\d+/, '"last_observed":0')
      .replace(/"learned_at":\d+/, '"learned_at":0')
      // How long after the event before, by the server's clock.
      .replace(/"when":\{"p10":[\d.]+,"p50":[\d.]+,"p90":[\d.]+\}/g, '"when":{}')
      // Incidents outlive a clear.
      .replace(/"incidents":\d+/, '"incidents":0')
      // A clear does not make the numbers of models begin anew.
      .replace(/"order":\d+/, '"order":0')
      .replace(/"counted_since":\d+/, '"counted_since":0')
      .replace(/"build_(date|number)":"[^"]+"/g, '"build_$1":""')
      .replace(/"(memory|storage)_bytes":\d+/g, '"$1_bytes":0')
      .replace(/"created":\d+,"id":"[0-9a-f]{16}"/g, '"created":0,"id":""')
      .replace(/noema_[0-9a-f]{16}_[0-9a-f]{40}/g, "noema")
      // Which requests went wrong, or were slow, is another matter each time: test/gateway/watching says what is told of them.
      .replace(/"requests":\[.*\],"since":"[^"]+"/, '"requests":[],"since":""')
      .replace(/msg_[0-9a-f]{32}/g, "msg")
  );
}

/** The lines that say what a text is: of metrics, those that explain; of a backup, all, by their kind. The rest differs from run to run. */
function explained(lines: string): string[] {
  const kinds = Array.from(lines.matchAll(/^\{"check":"[0-9a-f]{16}","(\w+)"/gm), ([, kind = ""]) => kind);
  return [...lines.split("\n").filter((line) => line.startsWith("#")), ...kinds];
}

async function expectAnswer(request: Call & { key?: null }, response: Json, status: number): Promise<void> {
  const answer = await server.send(request);
  if (typeof response === "string") return expect(explained(answer.text)).toEqual(explained(response));
  expect(timeless(answer.text)).toBe(timeless(JSON.stringify(response)));
  expect(answer.status).toBe(status);
}

beforeAll(async () => {
  server = await Server.start(undefined, ALERT_HOSTS);
  fresh = await read();
}, START_MS);

afterAll(() => server.discard());

describe("the reference", () => {
  test("stands in one file, too, with links that lead somewhere", () => {
    const page = httpPage();
    const headings = [...page.matchAll(/^### `(.*)`$/gm)].map(([, heading = ""]) => heading);
    expect(headings).toEqual(operations.map((row) => rowName(row).replace(/:(\w+)\+?/g, "<$1>")));
    const files = [...page.matchAll(/\]\(\.\.\/([^)#]+)/g)].map(([, file = ""]) => file);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  test("has every row of the table, and nothing else", () => {
    const names = operations.map(rowName);
    expect(sections.flatMap(({ rows }) => rows)).toEqual(operations);
    expect(Object.keys(reference).sort()).toEqual([...names].sort());
  });

  test("costs the Worker nothing", () => {
    const { sources } = JSON.parse(readFileSync("dist/worker.js.map", "utf8")) as { sources: string[] };
    expect(sources.some((source) => source.endsWith("operations/table.ts"))).toBe(true);
    expect(sources.filter((source) => source.includes("scripts/openapi/"))).toEqual([]);
  });
});

describe("its examples", () => {
  test.each(Object.entries(reference))("%s", async (_, { example }) => {
    await prepare(example);
    await expectAnswer(example.request, example.response, 200);
  });

  test.each(
    failures.flatMap(({ status, example }) => (example === undefined ? [] : [{ status, ...example }])),
  )("HTTP $status", async ({ status, request, keyless, response }) => {
    await prepare({ request });
    await expectAnswer(keyless ? { ...request, key: null } : request, response, status);
  });

  test.each(
    operations.map((operation) => [rowName(operation), operation] as const),
  )("%s shows the row's methods and path", (name, { methods, path }) => {
    const { request } = reference[name]?.example ?? {};
    expect(methods).toContain(request?.method);
    const form = path.replace(/:\w+\+$/, ".+").replace(/:\w+/g, "[^/]+");
    expect(request?.path).toMatch(new RegExp(`^${form}(\\?.*)?$`));
  });
});
