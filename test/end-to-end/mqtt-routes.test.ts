/** The routes of an agent over the served bundle: put, shown, deleted, refused, kept across a kill, a backup and a restore. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { Server } from "../support/server/server";

const KEY = "ABCD-1234";

const GENOME = {
  agent: "simple",
  elements: {
    nodes: ["P1", "mqtt"].map((name) => ({ data: { type: "primitive", id: `id-of-${name}`, name } })),
  },
};

const ZIGBEE = {
  topic: "zigbee2mqtt/+",
  processor: "P1",
  session: "{2}",
  strings: ["occupancy"],
  numbers: ["temperature", "power.now"],
  time: "last_seen",
  learn: true,
};

let server: Server;

interface Asking {
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask(call: string, { body, key = KEY, headers }: Asking = {}) {
  const [method = "", path = ""] = call.split(" ");
  const response = await fetch(server.address + path, {
    method,
    headers: { "X-API-KEY": key, ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const { message, id, interval } = (await response.json()) as { message: unknown; id: string; interval: number };
  return { status: response.status, message, id, interval };
}

const answered = (message: unknown) => ({ status: 200, message, id: "agent", interval: 0 });

const refused = (status: number, message: unknown) => expect.objectContaining({ status, message });

beforeAll(async () => {
  server = await Server.start();
  expect(await ask("POST /genome/hotswap", { body: GENOME })).toMatchObject({ status: 200 });
});

afterAll(() => server.discard());

test("a route is put, shown, replaced and deleted", async () => {
  expect(await ask("GET /mqtt/routes")).toEqual(answered({}));
  expect(await ask("PUT /mqtt/routes/zigbee", { body: { data: ZIGBEE } })).toEqual(answered(ZIGBEE));
  const least = { learn: false, processor: "{1}", topic: "+/x" };
  expect(await ask("PUT /mqtt/routes/a%2Fb%20%C3%BC", { body: { processor: "{1}", topic: "+/x" } })).toEqual(
    answered(least),
  );
  expect(await ask("GET /mqtt/routes")).toEqual(answered({ "a/b ü": least, zigbee: ZIGBEE }));
  expect(await ask("GET /mqtt/routes/a%2Fb%20%C3%BC")).toEqual(answered(least));
  expect(await ask("PUT /mqtt/routes/zigbee", { body: { data: { ...ZIGBEE, learn: false } } })).toEqual(
    answered({ ...ZIGBEE, learn: false }),
  );
  for (let time = 0; time < 2; time++) {
    expect(await ask("DELETE /mqtt/routes/a%2Fb%20%C3%BC")).toEqual(answered("route-deleted"));
  }
  expect(await ask("GET /mqtt/routes/a%2Fb%20%C3%BC")).toEqual(
    refused(404, 'there is no route "a/b ü"; GET mqtt/routes lists them'),
  );
});

test("what cannot be a route is refused by name, and changes nothing", async () => {
  const { message: before } = await ask("GET /mqtt/routes");
  const put = (body: unknown, name = "x") => ask(`PUT /mqtt/routes/${name}`, { body });
  expect(await put({ data: { ...ZIGBEE, processor: "P2" } })).toEqual(
    refused(400, 'data.processor must be the id or name of a processor, got "P2"; the agent has no such processor'),
  );
  expect(await put({ data: { ...ZIGBEE, session: "{9}" } })).toEqual(
    refused(400, 'data.session has {9}, and the levels of "zigbee2mqtt/+" count from {1} to {2}'),
  );
  expect(await put({ data: { ...ZIGBEE, topic: "noema/#" } })).toEqual(
    refused(400, expect.stringContaining("data.topic must be a filter of other topics than noema/...")),
  );
  expect(await put({ data: { ...ZIGBEE, member: 1 } })).toEqual(
    refused(400, expect.stringContaining("data.member is unknown (accepted: topic, processor,")),
  );
  expect(await put({ data: ZIGBEE, more: 1 })).toEqual(refused(400, expect.stringContaining("more")));
  expect(await put("{")).toEqual(refused(400, expect.stringContaining("JSON")));
  expect(await put({ data: ZIGBEE }, "%0a")).toEqual(
    refused(400, expect.stringContaining("the route in the path must be a name of 1 to 128 bytes")),
  );
  const keyed = { body: { data: ZIGBEE }, headers: { "idempotency-key": "k" } };
  expect(await ask("PUT /mqtt/routes/x", keyed)).toMatchObject({ status: 400 });
  expect(await ask("POST /mqtt/routes/x", { body: { data: ZIGBEE } })).toMatchObject({ status: 405 });
  expect(await ask("GET /mqtt/routes?all=true")).toMatchObject({ status: 400 });
  expect((await ask("GET /mqtt/routes")).message).toEqual(before);
});

test("a processor called mqtt gives way to the routes, and answers by its id", async () => {
  expect(await ask("GET /mqtt/status")).toMatchObject({ status: 404 });
  expect(await ask("GET /id-of-mqtt/status")).toMatchObject({ status: 200, id: "id-of-mqtt" });
  expect(await ask("GET /mqtt/routes")).toMatchObject({ status: 200, id: "agent" });
});

test("keys: manage changes, read and manage see, a limited key does neither", async () => {
  const keyWith = async (rights: object) => {
    const { message } = await ask("POST /keys", { body: { data: { name: "k", ...rights } } });
    return (message as { key: string }).key;
  };
  const statuses = async (rights: object) => {
    const key = await keyWith(rights);
    const put = await ask("PUT /mqtt/routes/zigbee", { key, body: { data: ZIGBEE } });
    const get = await ask("GET /mqtt/routes", { key });
    const drop = await ask("DELETE /mqtt/routes/none", { key });
    return [put.status, get.status, drop.status];
  };
  expect(await statuses({ roles: ["manage"] })).toEqual([200, 200, 200]);
  expect(await statuses({ roles: ["read"] })).toEqual([403, 200, 403]);
  expect(await statuses({ roles: ["observe", "learn"] })).toEqual([403, 403, 403]);
  expect(await statuses({ roles: ["manage"], processors: ["id-of-P1"] })).toEqual([403, 403, 403]);
  expect(await statuses({ roles: ["manage", "read"], sessions: ["a*"] })).toEqual([403, 403, 403]);
});

test("routes outlast a kill, and a restore brings back those of the backup", async () => {
  await ask("PUT /mqtt/routes/zigbee", { body: { data: ZIGBEE } });
  const headers = { "X-API-KEY": KEY };
  const backup = await (await fetch(`${server.address}/backup`, { headers })).text();
  await ask("DELETE /mqtt/routes/zigbee");
  await ask("PUT /mqtt/routes/later", { body: { data: { topic: "#", processor: "P1" } } });
  await server.kill();
  server = await Server.start(server.stateDir);
  expect(await ask("GET /mqtt/routes")).toEqual(answered({ later: { learn: false, processor: "P1", topic: "#" } }));
  const alone = await fetch(`${server.address}/restore?processor=P1`, { method: "POST", headers, body: backup });
  expect(alone.status).toBe(200);
  expect(Object.keys((await ask("GET /mqtt/routes")).message as object)).toEqual(["later"]);
  const restored = await fetch(`${server.address}/restore`, { method: "POST", headers, body: backup });
  expect(restored.status).toBe(200);
  expect(await ask("GET /mqtt/routes")).toEqual(answered({ zigbee: ZIGBEE }));
});
