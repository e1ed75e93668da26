/** The routes that an agent's object keeps: bounds, what survives, and what a restore does to them. */

import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { afterEach, expect, test } from "vitest";
import { AgentRestoreService } from "../../src/gen/noema/v1/backup_service_pb";
import { RouteService } from "../../src/gen/noema/v1/route_service_pb";
import { MAX_ROUTES, MAX_ROUTES_BYTES } from "../../src/mqtt/routes";
import { createUnaryTransport } from "../../src/rpc/transport/unary-transport";
import { isMigrated } from "../../src/store/database/migrations";
import { agentNamed } from "../support/object/clients";

const transport = createUnaryTransport(
  () => env.AGENTS.getByName("simple"),
  () => ({ name: "simple", id: "" }),
);
const routes = createClient(RouteService, transport);

const stored = <T>(work: (storage: DurableObjectStorage) => T): Promise<T> =>
  runInDurableObject(env.AGENTS.getByName("simple"), (_, { storage }) => work(storage));

afterEach(async () => {
  await stored((storage) => storage.deleteAll());
  await abortAllDurableObjects();
});

const ZIGBEE = { name: "zigbee", topic: "zigbee2mqtt/+", processor: "P1", session: "{2}", numbers: ["temperature"] };
const ALL = { name: "all", topic: "#", processor: "P1", learn: true };

async function refusal(work: Promise<unknown>): Promise<[code: Code, message: string]> {
  const error = await work.catch((reason: unknown) => reason);
  if (error instanceof ConnectError) return [error.code, error.rawMessage];
  throw new Error("it was not refused");
}

test("routes are kept by name, survive the loss of the object, and can be replaced and deleted", async () => {
  await routes.putRoute({ route: ZIGBEE });
  await routes.putRoute({ route: ALL });
  await abortAllDurableObjects();
  const { revision, routes: all } = await routes.getRoutes({});
  expect(all).toMatchObject([ALL, ZIGBEE]);
  expect((await routes.getRoutes({ knownRevision: revision })).routes).toEqual([]);
  await routes.putRoute({ route: { ...ALL, learn: false } });
  const later = await routes.getRoutes({ knownRevision: revision });
  expect(later.routes).toMatchObject([{ name: "all", learn: false }, ZIGBEE]);
  expect(later.revision).toBeGreaterThan(revision);
  await routes.deleteRoute({ name: "all" });
  await routes.deleteRoute({ name: "all" });
  expect((await routes.getRoutes({})).routes).toMatchObject([ZIGBEE]);
});

test("an agent without routes answers none, and stores nothing for it", async () => {
  expect(await routes.getRoutes({})).toMatchObject({ revision: 0, routes: [] });
  expect(await stored(({ sql }) => isMigrated(sql))).toBe(false);
});

test("a route that cannot be is refused from every caller, and changes nothing", async () => {
  await routes.putRoute({ route: ALL });
  const wrong = { ...ZIGBEE, session: "{3}" };
  expect(await refusal(routes.putRoute({ route: wrong }))).toEqual([
    Code.InvalidArgument,
    'data.session has {3}, and the levels of "zigbee2mqtt/+" count from {1} to {2}',
  ]);
  expect((await routes.getRoutes({})).routes).toMatchObject([ALL]);
});

test("there are no more routes than may be, and they take no more bytes", async () => {
  await routes.putRoute({ route: ALL });
  const json = '{"topic":"a/#","processor":"P1","strings":[],"numbers":[],"learn":false}';
  await stored(({ sql }) => {
    for (let at = 1; at < MAX_ROUTES; at++) sql.exec("INSERT INTO routes (name, json) VALUES (?, ?)", `r${at}`, json);
  });
  expect(await refusal(routes.putRoute({ route: ZIGBEE }))).toEqual([
    Code.ResourceExhausted,
    "an agent may have 1000 routes, and it would have 1001; delete some first",
  ]);
  await routes.putRoute({ route: { ...ALL, topic: "a" } });
  await stored(({ sql }) => sql.exec("DELETE FROM routes WHERE name <> 'all'"));
  await stored(({ sql }) =>
    sql.exec("INSERT INTO routes (name, json) VALUES ('z', ?)", json + " ".repeat(MAX_ROUTES_BYTES - 300)),
  );
  const [code, message] = await refusal(routes.putRoute({ route: { ...ALL, name: "long", topic: "x".repeat(900) } }));
  expect([code, message]).toEqual([
    Code.ResourceExhausted,
    expect.stringMatching(
      /^the routes of an agent may take 1048576 bytes, and they would take 10\d{5}; delete some first$/,
    ),
  ]);
  expect((await routes.getRoutes({})).routes.map(({ name }) => name)).toEqual(["all", "z"]);
});

test("a restore replaces the routes with the genome, or changes nothing", async () => {
  await routes.putRoute({ route: ALL });
  const { genomeJson } = await agentNamed("simple").getGenome({});
  const restorer = createClient(AgentRestoreService, transport);
  const { processors } = await restorer.planRestore({ genomeJson });
  expect(processors).toHaveLength(1);
  const retired = JSON.stringify({ agent: "simple", elements: { nodes: [] } });
  const asked = { restoreId: "r", genomeJson: retired, staged: [] };
  expect(await refusal(restorer.commitRestore({ ...asked, routes: [{ ...ZIGBEE, topic: "a/#/b" }] }))).toEqual([
    Code.InvalidArgument,
    expect.stringContaining("data.topic cannot be a topic filter"),
  ]);
  expect(await refusal(restorer.commitRestore({ ...asked, routes: [ALL, ALL] }))).toEqual([
    Code.InvalidArgument,
    "two routes have the same name",
  ]);
  expect((await routes.getRoutes({})).routes).toMatchObject([ALL]);
  await restorer.commitRestore({ ...asked, routes: [ZIGBEE] });
  expect((await routes.getRoutes({})).routes).toMatchObject([ZIGBEE]);
  await restorer.commitRestore({ ...asked, restoreId: "s" });
  expect((await routes.getRoutes({})).routes).toEqual([]);
});
