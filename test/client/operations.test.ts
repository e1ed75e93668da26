/** The client has a function for every operation of the table, and each sends what the operation's example shows. */

import { describe, expect, test } from "vitest";
import { CALLS, SAME } from "../../scripts/openapi/operation-calls";
import { entryOf } from "../../scripts/openapi/sections";
import * as client from "../../src/client";
import { keyUseOf } from "../../src/gateway/idempotency";
import { ROLES } from "../../src/gateway/keys/role";
import { absentOperations } from "../../src/gateway/operations/absent";
import { operations } from "../../src/gateway/operations/table";
import { callExample, exampleResult, placesOn } from "../support/client/example-calls";
import { ADDRESS, KEY, scripted } from "../support/client/scripted-server";

/** Every operation, except those that always fail. */
const OPERATIONS = operations
  .filter((row) => !absentOperations.includes(row))
  .flatMap((row) => entryOf(row).operationId);

const COVERED = Object.entries(CALLS).map(([name, call]) => [name, call] as const);

type Client = typeof client;

/** The functions that a session may be passed to. */
type TakingSessions = {
  [F in keyof Client]: Client[F] extends (place: client.Session, ...others: never[]) => unknown ? F : never;
}[keyof Client];

/** The same as data, which the compiler refuses when one is missing or too many. A stream is no operation. */
const TAKING_SESSIONS: Readonly<Record<Exclude<TakingSessions, "stream">, true>> = {
  clearTargetClass: true,
  clearWorkingMemory: true,
  countMatchingModels: true,
  explainForecast: true,
  explainPrediction: true,
  explainSurprise: true,
  getCognition: true,
  getForecast: true,
  getHistory: true,
  getIncident: true,
  getPercept: true,
  getPredictions: true,
  getStatus: true,
  getTime: true,
  getWorkingMemory: true,
  judgeIncident: true,
  learn: true,
  listIncidents: true,
  observe: true,
  observeSequence: true,
  sequenceSurprise: true,
  setTargetClass: true,
};

describe("the client", () => {
  test("has a call for every operation, but one for those that do the same", () => {
    expect(OPERATIONS.length).toBeGreaterThan(45);
    expect([...Object.keys(CALLS), ...Object.keys(SAME)].sort()).toEqual([...OPERATIONS].sort());
    expect(Object.values(SAME).filter((name) => !(name in CALLS))).toEqual([]);
  });

  test("has a function for every call, and no other but those that say where to call", () => {
    const functions = Object.entries(client).filter(([, value]) => typeof value === "function");
    const expected = Object.values(CALLS).map(({ name }) => name);
    const others = ["NoemaError", "connect", "getHealth", "processor", "session", "stream"];
    expect(functions.map(([name]) => name).sort()).toEqual([...expected, ...others].sort());
  });

  test("takes a session in the functions of the operations that are served in sessions", () => {
    const served = Object.values(CALLS).filter(({ row }) => row.inSessions === true);
    expect(Object.keys(TAKING_SESSIONS).sort()).toEqual(served.map(({ name }) => name).sort());
  });

  test.each(COVERED)("%s sends the operation's example and returns its answer", async (operation, { row }) => {
    const { request, response } = entryOf(row).example;
    const { noema, requests } = scripted(() =>
      typeof response === "string" ? new Response(response) : Response.json(response),
    );
    expect(await callExample(operation, placesOn(noema))).toEqual(exampleResult(operation));
    expect(requests).toHaveLength(1);
    const [sent] = requests;
    expect([sent?.method, sent?.url.slice(ADDRESS.length)]).toEqual([request.method, request.path]);
    const isText = typeof request.body === "string" && row.path === "/restore";
    const body = isText || sent?.body === undefined ? sent?.body : JSON.parse(sent.body);
    expect(body).toEqual(request.body);
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
