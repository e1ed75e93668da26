/**
 * Every row of the interface, played over a real socket on the bundle that is deployed, as `npm start` serves it: with what is
 * right, without a key, and with a wrong body. That the rows are the table of operations is tested in test/gateway.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ENVELOPE, ROWS, type Row } from "../support/conformance/interface-rows";
import { GENES } from "../support/conformance/interface-shapes";
import { ask, PROCESSOR, readMind } from "../support/server/processor-calls";
import { type JsonAnswer, Server } from "../support/server/server";

const START_MS = 120_000;
const SYMBOL = "a";
const VECTOR_ID = "VECTOR|35c150a74c97744bec564b4348a394a4059377e2";
const CUT_SHORT = '{"data":';
/** Values of wrong types wherever a body is looked into. */
const WRONG = [5, { data: { data: [{}] }, increment: true, model: 7, sequence: 7, models_kb: 7 }];

let server: Server;
/** What stands for the names in paths and bodies. */
let names: Record<string, string>;

/** The text of a path or a body with names in the places of `<name>`. */
function named(text: string): string {
  return text.replace(/<(\w+)>/g, (_, name) => names[name] ?? `no ${name} is known`);
}

function play(row: Row, body: unknown = row.body, key?: null): Promise<JsonAnswer> {
  const path = named(row.path);
  const text = body === undefined || typeof body === "string" ? body : named(JSON.stringify(body));
  return server.send({ method: row.method, path, body: text, ...(key === null && { key }) });
}

/** Makes a mind in which every row has something to show: one model with a vector in it, a memory that recalls it, one word forbidden. */
async function live(): Promise<void> {
  await ask(server, "POST clear-all-memory");
  await ask(server, "POST sleeping/stop");
  await ask(server, "POST predicting/start");
  await ask(server, "POST autolearning/stop");
  await ask(server, "POST clear-target-class");
  await ask(server, "POST genes/change", { data: { recall_threshold: 0.1 } });
  await ask(server, "POST observe", { data: { strings: [SYMBOL, "b"], vectors: [[1, 2]], emotives: { joy: 1 } } });
  await ask(server, "POST observe", { data: { strings: ["c"] } });
  const model = String(await ask(server, "POST learn"));
  await ask(server, "POST observe", { data: { strings: [SYMBOL, "b"] } });
  await ask(server, "POST blacklisted-symbols/add", { data: [SYMBOL] });
  const vector_id = VECTOR_ID;
  names = {
    primitive_id: PROCESSOR.slice(1),
    gene: "recall_threshold",
    model: encodeURIComponent(model),
    symbol: SYMBOL,
    vector_id,
  };
}

/** The members of each object that a message is, or holds when it is a list. */
function membersOf(message: unknown): string[][] {
  const records = Array.isArray(message) ? message : [message];
  return records.map((record) => Object.keys(record));
}

function expectMessage(row: Row, message: unknown): void {
  if (row.message !== undefined) expect(message).toEqual(row.message);
  if (row.kind === "list") expect(message).toBeInstanceOf(Array);
  else if (row.kind !== undefined) expect(typeof message).toBe(row.kind);
  if (row.form !== undefined) expect(message).toMatch(row.form);
  if (row.record === undefined) return;
  const found = membersOf(message);
  expect(found.length).toBeGreaterThan(0);
  for (const members of found) expect(members).toEqual(row.record);
}

/** That an answer is a failed envelope of the row's processor, or of the word in its path. */
function expectFailed({ json }: JsonAnswer, row: Row): void {
  expect(Object.keys(json)).toEqual(ENVELOPE);
  expect([json.status, typeof json.message]).toEqual(["failed", "string"]);
  const isVector = row.path.endsWith("/vector");
  expect(json.time_stamp === -1).toBe(isVector);
}

beforeAll(async () => {
  server = await Server.start();
}, START_MS);

afterAll(() => server.discard());

describe("with what is right", () => {
  beforeEach(live);

  test.each(ROWS)("$method $path answers", async (row) => {
    const { status, json, headers } = await play(row);
    expect([status, headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
    expect(Object.keys(json)).toEqual(row.members ?? ENVELOPE);
    if ("status" in json) expect(json.status).toBe(row.absent === true ? "failed" : "okay");
    expectMessage(row, json.message);
  });

  test("GET all-genes names the genes of the specification", async () => {
    const { genes } = (await ask(server, "GET all-genes")) as { genes: object };
    expect(Object.keys(genes)).toEqual(expect.arrayContaining(GENES));
  });

  test("GET connect holds the agent's name and its nodes", async () => {
    const { json } = await server.send({ method: "GET", path: "/connect" });
    expect(json).toMatchObject({
      connection: "okay",
      genie: "simple",
      genome: { agent: "simple", elements: { nodes: [{ data: { id: names.primitive_id, name: "P1" } }] } },
    });
  });
});

describe("without a key", () => {
  let before: unknown;

  beforeAll(async () => {
    await live();
    before = await readMind(server);
  });

  test.each(ROWS)("$method $path is refused", async (row) => {
    const answer = await play(row, row.body, null);
    expect(answer.status).toBe(500);
    expect(answer.json.message).toContain("X-API-KEY");
    expect([answer.json.status, Object.keys(answer.json)]).toEqual(["failed", ENVELOPE]);
  });

  test("nothing has changed", async () => {
    expect(await readMind(server)).toEqual(before);
  });
});

describe("with a body that is wrong", () => {
  let before: unknown;

  beforeAll(async () => {
    await live();
    before = await readMind(server);
  });

  test.each(ROWS)("$method $path refuses what is no JSON", async (row) => {
    const answer = await play(row, CUT_SHORT);
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringContaining("JSON")]);
    expectFailed(answer, row);
  });

  test.each(ROWS.filter(({ body }) => body !== undefined))("$method $path refuses other types", async (row) => {
    for (const body of WRONG) {
      const answer = await play(row, body);
      if (row.path.endsWith("/genes/change") && answer.status === 200) {
        expect(answer.json).toMatchObject({ status: "okay", message: "faulty-genes-provided" });
        expect(answer.json.detail).toMatch(/./);
      } else {
        expect(answer.status).toBe(row.absent === true ? 200 : 400);
        expectFailed(answer, row);
      }
    }
  });

  test("nothing has changed", async () => {
    expect(await readMind(server)).toEqual(before);
  });
});
