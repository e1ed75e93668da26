/** The client has a function for every operation of the table, and each sends what the operation's example shows. */

import { describe, expect, test } from "vitest";
import { CALLS, SAME } from "../../scripts/openapi/operation-calls";
import { reference } from "../../scripts/openapi/reference/page";
import { rowName } from "../../scripts/openapi/sections";
import * as client from "../../src/client";
import { keyUseOf } from "../../src/gateway/idempotency";
import { ROLES } from "../../src/gateway/keys/role";
import { absentOperations } from "../../src/gateway/operations/absent";
import { operations } from "../../src/gateway/operations/table";
import { ADDRESS, KEY, scripted } from "../support/client/scripted-server";

/** Every operation, except those that always fail. */
const OPERATIONS = operations
  .filter((row) => !absentOperations.includes(row))
  .flatMap((row) => (reference[rowName(row)]?.operationId ?? []).map((name) => ({ name, row })));

const messageOf = ({ message }: Readonly<Record<string, unknown>>) => message;

const COVERED = OPERATIONS.filter(({ name }) => !(name in SAME)).map(({ name, row }) => [name, row] as const);

describe("the client", () => {
  test("has a function for every operation, but one for those that do the same", () => {
    const names = OPERATIONS.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(45);
    expect([...Object.keys(CALLS), ...Object.keys(SAME)].sort()).toEqual([...names].sort());
    expect(Object.values(SAME).filter((name) => !(name in CALLS))).toEqual([]);
  });

  test("has no other function but those that say where to call", () => {
    const functions = Object.entries(client).filter(([, value]) => typeof value === "function");
    const expected = Object.entries(CALLS).map(([name, { as }]) => as ?? name);
    const others = ["NoemaError", "connect", "getHealth", "processor", "session", "stream"];
    expect(functions.map(([name]) => name).sort()).toEqual([...expected, ...others].sort());
  });

  test.each(COVERED)("%s takes a session if the operation is served in sessions", (name, { inSessions }) => {
    expect(CALLS[name]?.inSessions).toBe(inSessions);
  });

  test.each(COVERED)("%s sends the operation's example and returns its answer", async (name, row) => {
    const { make, result = messageOf } = CALLS[name] ?? {};
    const { request, response } = reference[rowName(row)]?.example ?? {};
    const { noema, requests } = scripted(() =>
      typeof response === "string" ? new Response(response) : Response.json(response),
    );
    expect(await make?.(noema)).toEqual(result(response as never));
    expect(requests).toHaveLength(1);
    const [sent] = requests;
    expect([sent?.method, sent?.url.slice(ADDRESS.length)]).toEqual([request?.method, request?.path]);
    const isText = typeof request?.body === "string" && row.path === "/restore";
    const body = isText || sent?.body === undefined ? sent?.body : JSON.parse(sent.body);
    expect(body).toEqual(request?.body);
    expect(sent?.headers.get("x-api-key")).toBe(KEY);
    const key = sent?.headers.get("idempotency-key") ?? null;
    if (keyUseOf(row) === "keeps") expect(key).toMatch(/^[0-9a-f]{32}$/);
    else expect(key).toBeNull();
  });

  test("has the roles of the server, each with a sentence, and the last has all others", () => {
    expect(client.ROLES.map(({ role }) => role)).toEqual(ROLES);
    for (const { meaning } of client.ROLES) expect(meaning).toMatch(/^[A-Z].+\.$/);
  });
});
