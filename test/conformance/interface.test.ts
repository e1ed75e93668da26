/**
 * Sends every row of the interface to `npm start`, which serves the deployed bundle: as it should be, without a key, and with a
 * wrong body. test/gateway checks that the rows are the table of operations.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ALERT_HOSTS, prepareProcessor, requestOf, type Values } from "../support/conformance/interface-requests";
import { ENVELOPE, type Row, WRONG_BODIES } from "../support/conformance/interface-row";
import { ROWS, WITH_BODY, wrongBodiesOf } from "../support/conformance/interface-rows";
import { GENES } from "../support/conformance/interface-shapes";
import { answerFault } from "../support/openapi/schemas";
import { ask, readEverything } from "../support/server/processor-calls";
import { type JsonAnswer, Server } from "../support/server/server";

const CUT_SHORT = '{"data":';

let server: Server;
/** The values of the placeholders in paths and bodies. */
let values: Values;

/** Sends a row, and expects an answer that fits the OpenAPI document. */
async function send(row: Row, body: unknown = row.body, key?: null): Promise<JsonAnswer> {
  const request = requestOf({ ...row, body }, values);
  const answer = await server.send({ ...request, ...(key === null && { key }) });
  expect(await answerFault(request, answer.status, answer.json)).toBe("");
  return answer;
}

async function prepare(): Promise<void> {
  values = await prepareProcessor(server);
}

/** The members of a message; of each item when the message is a list. */
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

/** Expects a failed envelope with a sentence. */
function expectFailed({ json }: JsonAnswer, row: Row): void {
  expect(Object.keys(json)).toEqual(ENVELOPE);
  expect([json.status, typeof json.message]).toEqual(["failed", "string"]);
  expect(json.time_stamp === -1).toBe(row.untimedFailure === true);
}

beforeAll(async () => {
  server = await Server.start(undefined, ALERT_HOSTS);
});

afterAll(() => server.discard());

/** Swaps the genome until the test is over. */
async function swapFor(genome: unknown): Promise<void> {
  const { genome: before } = await server.okay("GET /connect");
  await server.okay("POST /genome/hotswap", genome);
  onTestFinished(async () => {
    await server.okay("POST /genome/hotswap", before);
  });
}

describe("a valid request", () => {
  beforeEach(prepare);

  test.each(ROWS)("$method $path answers", async (row) => {
    if (row.genome !== undefined) await swapFor(row.genome);
    const { status, json, headers } = await send(row);
    expect([status, headers["content-type"]]).toEqual([200, row.type ?? "application/json; charset=utf-8"]);
    if (row.type !== undefined) return;
    const members = row.members ?? ENVELOPE;
    expect(Object.keys(json)).toEqual(members);
    if (members.includes("status")) expect(json.status).toBe(row.absent === true ? "failed" : "okay");
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
      genome: { agent: "simple", elements: { nodes: [{ data: { id: values.primitive_id, name: "P1" } }] } },
    });
  });
});

/** Describes requests that must change nothing: after all of them everything reads as before. */
function describeRefused(requests: string, defineTests: () => void): void {
  describe(requests, () => {
    let before: unknown;

    beforeAll(async () => {
      await prepare();
      before = await readEverything(server);
    });

    defineTests();

    test("nothing has changed", async () => {
      expect(await readEverything(server)).toEqual(before);
    });
  });
}

describeRefused("a request without a key", () => {
  test.each(ROWS)("$method $path is refused", async (row) => {
    const answer = await send(row, row.body, null);
    expect(answer.status).toBe(500);
    expect(answer.json.message).toContain("X-API-KEY");
    expect([answer.json.status, Object.keys(answer.json)]).toEqual(["failed", ENVELOPE]);
  });
});

describeRefused("a request with a wrong body", () => {
  test.each(ROWS)("$method $path refuses a body that is not JSON", async (row) => {
    const answer = await send(row, CUT_SHORT);
    expect([answer.status, answer.json.message]).toEqual([400, expect.stringContaining("JSON")]);
    expectFailed(answer, row);
  });

  test.each(WITH_BODY)("$method $path answers wrong types as its row says", async (row) => {
    for (const [kind, { http, status, message }] of wrongBodiesOf(row)) {
      const answer = await send(row, WRONG_BODIES[kind]);
      expect([kind, answer.status, answer.json.status]).toEqual([kind, http, status]);
      if (message !== undefined) expect(answer.json.message).toBe(message);
      if (status === "failed") expectFailed(answer, row);
      else expect(answer.json.detail).toMatch(/./);
    }
  });
});
