/**
 * Repeats every operation of the interface under an idempotency key, against `npm start`: one that changes a processor answers the same
 * to the byte and changes nothing more, one that changes nothing ignores the key, and the others refuse it.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyUseOf } from "../../src/gateway/idempotency";
import { operations } from "../../src/gateway/operations/table";
import { ALERT_HOSTS, prepareProcessor, requestOf } from "../support/conformance/interface-requests";
import type { Row } from "../support/conformance/interface-row";
import { ROWS } from "../support/conformance/interface-rows";
import type { Outgoing } from "../support/server/http-exchange";
import { PROCESSOR, readEverything } from "../support/server/processor-calls";
import { type JsonAnswer, Server } from "../support/server/server";

let server: Server;

beforeAll(async () => {
  server = await Server.start(undefined, ALERT_HOSTS);
});

afterAll(() => server.discard());

/** The row's operation in the table. */
function useOf({ method, path }: Row) {
  const pathOf = (of: string) => of.replace(":id", "<primitive_id>").replace(/:(\w+)\+?/, "<$1>");
  const operation = operations.find((each) => each.methods.includes(method) && pathOf(each.path) === path);
  if (operation === undefined) throw new Error(`the table has no ${method} ${path}`);
  return keyUseOf(operation);
}

const rowsThat = (use: string) => ROWS.filter((row) => useOf(row) === use);

let keys = 0;

/** A key that no other test uses. */
function newKey(): string {
  keys++;
  return `"key ${keys}"`.replace(" ", "-");
}

function send(request: Outgoing, key: string): Promise<JsonAnswer> {
  return server.send({ ...request, headers: { "idempotency-key": key } });
}

const replayed = ({ headers }: JsonAnswer) => headers["idempotency-replayed"];

describe("an operation that changes a processor", () => {
  test.each(rowsThat("keeps"))("$method $path answers a repetition alike and does nothing", async (row) => {
    const request = requestOf(row, await prepareProcessor(server));
    const key = newKey();
    const first = await send(request, key);
    expect([first.status, first.json.status, replayed(first)]).toEqual([200, "okay", undefined]);
    const before = await readEverything(server);
    const again = await send(request, key);
    expect([again.status, again.text, replayed(again)]).toEqual([200, first.text, "true"]);
    const others: Outgoing[] = [
      { ...request, path: request.path.replace(PROCESSOR, "/P1") },
      ...(request.body === undefined ? [] : [{ ...request, body: `${request.body} ` }]),
      { method: "POST", path: `${PROCESSOR}/observe`, body: { data: { strings: ["another"] } } },
    ];
    for (const other of others) {
      const refused = await send(other, key);
      expect([refused.status, refused.json.status, refused.json.message]).toEqual([
        422,
        "failed",
        expect.stringContaining("Idempotency-Key"),
      ]);
      expect(refused.json.id).toBe(PROCESSOR.slice(1));
    }
    expect(await readEverything(server)).toEqual(before);
  });

  test("answers a later repetition with the time of the first answer", async () => {
    const request = { method: "POST", path: `${PROCESSOR}/observe`, body: { data: { strings: ["a"] } } };
    const key = newKey();
    const first = await send(request, key);
    await sleep(1_100);
    expect((await send(request, key)).text).toBe(first.text);
  });
});

test("a key is the processor's: in another session it is another request", async () => {
  const observe = (session: string) => ({
    method: "POST",
    path: `${PROCESSOR}/sessions/${session}/observe`,
    body: { data: { strings: ["a"] } },
  });
  const key = newKey();
  const first = await send(observe("one"), key);
  const again = await send(observe("one"), key);
  const other = await send(observe("two"), key);
  expect([first.status, again.text, replayed(again), other.status]).toEqual([200, first.text, "true", 422]);
  expect((await server.okay(`GET ${PROCESSOR}/sessions/one/time`)).message).toBe("1");
  expect((await server.okay(`GET ${PROCESSOR}/sessions/two/time`)).message).toBe("0");
});

describe("an operation that changes nothing", () => {
  test.each(rowsThat("ignores"))("$method $path ignores the key", async (row) => {
    const request = requestOf(row, await prepareProcessor(server));
    for (const key of ["k", "k", "not a key"]) {
      const answer = await send(request, key);
      expect([answer.status, replayed(answer)]).toEqual([200, undefined]);
    }
  });
});

describe("another operation", () => {
  test.each(rowsThat("refuses"))("$method $path refuses the key by name", async (row) => {
    const request = requestOf(row, await prepareProcessor(server));
    const before = await readEverything(server);
    const { status, json } = await send(request, newKey());
    expect([status, json.status, json.message]).toEqual([400, "failed", expect.stringContaining("Idempotency-Key")]);
    expect(await readEverything(server)).toEqual(before);
  });
});

describe("a key", () => {
  const request = { method: "POST", path: `${PROCESSOR}/observe`, body: { data: { strings: ["a"] } } };

  test.each(["", " ", "a b", "a\tb", "\u00e9", "k".repeat(256)])("is refused when it is %j", async (key) => {
    const before = await readEverything(server);
    const { status, json } = await send(request, key);
    expect([status, json.message]).toEqual([
      400,
      expect.stringContaining("the header Idempotency-Key must be 1 to 255 visible ASCII characters"),
    ]);
    expect(await readEverything(server)).toEqual(before);
  });

  test.each(["!", "~", 'a,b;c="d"', "k".repeat(255)])("is accepted when it is %j", async (key) => {
    const first = await send(request, key);
    const again = await send(request, key);
    expect([first.status, again.text, replayed(again)]).toEqual([200, first.text, "true"]);
  });

  test("that came with a refused call is free", async () => {
    const key = newKey();
    const refused = await send({ ...request, body: { data: { strings: [7] } } }, key);
    const taken = await send(request, key);
    expect([refused.status, taken.status, replayed(taken)]).toEqual([400, 200, undefined]);
  });
});
