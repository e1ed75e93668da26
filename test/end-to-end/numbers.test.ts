/** Encoders and the bins of memories over the served bundle: they outlast a kill, move with a backup, and work at every entrance. */

import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EncoderService } from "../../src/gen/noema/v1/encoder_service_pb";
import { MemoryService } from "../../src/gen/noema/v1/memory_service_pb";
import { ask } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const ENCODER = { hysteresis: 0.5, kind: "step", on_change: false, origin: 0, size: 1 };
const KEY = { "X-API-KEY": "ABCD-1234" };

let server: Server;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(() => server.discard());

const symbolsIn = async (memory: string) =>
  ((await ask(server, `GET ${memory}working-memory`)) as string[][]).map((event) => event.join(" "));

const observe = (memory: string, numbers: Record<string, number>) =>
  ask(server, `POST ${memory}observe`, { data: { numbers } });

test("bins and encoders outlast a kill, and a restore", async () => {
  expect(await ask(server, "PUT encoders/temp", { data: { kind: "step", size: 1, hysteresis: 0.5 } })).toEqual(ENCODER);
  for (const memory of ["", "sessions/a/"]) await observe(memory, { temp: 5.5 });
  await server.kill();
  server = await Server.start(server.stateDir);
  for (const memory of ["", "sessions/a/"]) await observe(memory, { temp: 4.7 });
  const backup = await (await fetch(`${server.address}/backup`, { headers: KEY })).text();
  await ask(server, "DELETE encoders/temp");
  await ask(server, "DELETE sessions/a");
  expect((await fetch(`${server.address}/restore`, { method: "POST", headers: KEY, body: backup })).status).toBe(200);
  expect(await ask(server, "GET encoders")).toEqual({ temp: ENCODER });
  for (const memory of ["", "sessions/a/"]) {
    await observe(memory, { temp: 4.6 });
    expect(await symbolsIn(memory)).toEqual(["temp=5", "temp=5", "temp=5"]);
  }
});

test("what an encoder has collected outlasts a kill, and moves with a backup", async () => {
  const AUTO = { bins: 4, hysteresis: 0, kind: "auto", on_change: false };
  expect(await ask(server, "PUT encoders/load", { data: { kind: "auto", bins: 4 } })).toEqual(AUTO);
  const readings = (memory: string, from: number, count: number) =>
    ask(server, `POST ${memory}sequence-observe`, {
      data: { sequence: Array.from({ length: count }, (_, at) => ({ numbers: { load: from + at } })) },
    });
  for (const [memory, from] of [
    ["sessions/c/", 0],
    ["sessions/d/", 60],
  ] as const) {
    await readings(memory, from, 60);
  }
  await server.kill();
  server = await Server.start(server.stateDir);
  await readings("sessions/c/", 120, 79);
  const backup = await (await fetch(`${server.address}/backup`, { headers: KEY })).text();
  await ask(server, "DELETE encoders/load");
  expect((await fetch(`${server.address}/restore`, { method: "POST", headers: KEY, body: backup })).status).toBe(200);
  expect(await ask(server, "GET encoders/load")).toEqual(AUTO);
  await readings("sessions/d/", 199, 1);
  const found = (await ask(server, "GET encoders/load")) as { edges: number[] };
  expect(found.edges).toEqual(expect.arrayContaining([0, 50, 100, 150, 200]));
  await observe("sessions/d/", { load: 120 });
  expect(await symbolsIn("sessions/d/")).toEqual(["load=100"]);
});

test("the services take encoders and numbers, and refuse as HTTP does", async () => {
  const transport = createConnectTransport({
    baseUrl: server.address,
    httpVersion: "1.1",
    interceptors: [
      (next) => (request) => {
        request.header.set("x-api-key", KEY["X-API-KEY"]);
        return next(request);
      },
    ],
  });
  const encoders = createClient(EncoderService, transport);
  const memory = createClient(MemoryService, transport);
  const put = await encoders.putEncoder({ name: "hum", encoderJson: '{"kind":"edges","edges":[40,60]}' });
  expect(put.encoderJson).toBe('{"edges":[40,60],"hysteresis":0,"kind":"edges","on_change":false}');
  await memory.clearWorkingMemory({});
  await memory.observe({ gdf: { numbers: [{ name: "hum", value: 39 }] } });
  expect((await memory.getWorkingMemory({})).events.map(({ symbols }) => symbols)).toEqual([["hum=-inf"]]);
  expect((await memory.getPercept({})).gdf?.numbers).toMatchObject([{ name: "hum", value: 39 }]);
  await encoders.deleteEncoder({ name: "hum" });
  await expect(memory.observe({ gdf: { numbers: [{ name: "hum", value: 39 }] } })).rejects.toThrow(
    'the number "hum" has no encoder',
  );
  await expect(encoders.putEncoder({ name: "hum", encoderJson: "" })).rejects.toThrow("an encoder must be an object");
});

test("a sequence with one number that has no encoder changes nothing", async () => {
  const before = await ask(server, "GET status");
  const { status, json } = await server.send({
    method: "POST",
    path: "/p46b6b076c/sequence-observe",
    body: JSON.stringify({ data: { sequence: [{ numbers: { temp: 1 } }, { numbers: { wind: 1 } }], clear: true } }),
  });
  expect([status, json.message]).toEqual([400, expect.stringContaining('the number "wind" has no encoder')]);
  expect(await ask(server, "GET status")).toEqual(before);
});
