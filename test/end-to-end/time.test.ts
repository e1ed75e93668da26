/** The time of events over the served bundle: at every entrance, after a kill, in a backup, at other processors. */

import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MemoryService } from "../../src/gen/noema/v1/memory_service_pb";
import { noema } from "../support/cli/noema";
import { genomeText, manipulative, primitive } from "../support/object/genomes";
import { ask } from "../support/server/processor-calls";
import { Server } from "../support/server/server";
import { ServedStream } from "../support/server/stream";

const KEY = { "X-API-KEY": "ABCD-1234" };
const TEXT = "2026-11-23T05:30:00.25+01:00";
const SECONDS = 1_795_408_200.25;

let server: Server;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(() => server.discard());

const perceptOf = async (memory: string) => (await ask(server, `GET ${memory}percept-data`)) as { time?: number };

test("percept-data shows the time that was given, in seconds, and none where none was", async () => {
  await ask(server, "POST observe", { data: { strings: ["a"], time: TEXT } });
  expect((await perceptOf("")).time).toBe(SECONDS);
  expect(await ask(server, "GET cognition-data")).toMatchObject({ time: SECONDS });
  await ask(server, "POST sessions/s/sequence-observe", {
    data: {
      sequence: [
        { strings: ["a"], time: 5 },
        { strings: ["b"], time: 0.5 },
      ],
      learn: true,
    },
  });
  expect((await perceptOf("sessions/s/")).time).toBe(0.5);
  await ask(server, "POST sessions/s/observe", { data: { strings: ["a"] } });
  expect(await perceptOf("sessions/s/")).not.toHaveProperty("time");
  await ask(server, "POST sessions/s/observe", { data: { strings: ["a"], time: 7 } });
});

test("streams, services and the command line take it", async () => {
  const stream = await ServedStream.open(server.address, "/p46b6b076c/sessions/stream/stream");
  await stream.next();
  stream.send({
    n: 1,
    observe: [
      { strings: ["a"], time: 1 },
      { strings: ["b"], time: TEXT },
    ],
  });
  expect(await stream.next()).toMatchObject({ n: 1, message: { observed: [{ status: "observed" }, {}] } });
  stream.send({ n: 2, observe: { strings: ["c"], time: "yesterday" } });
  expect(await stream.next()).toMatchObject({ n: 2, error: { code: 400, message: expect.stringContaining("time") } });
  stream.socket.close();
  expect((await perceptOf("sessions/stream/")).time).toBe(SECONDS);

  const transport = createConnectTransport({
    baseUrl: server.address,
    httpVersion: "1.1",
    interceptors: [
      (next) => (request) => {
        request.header.set("x-api-key", KEY["X-API-KEY"]);
        request.header.set("x-session", "service");
        return next(request);
      },
    ],
  });
  const memory = createClient(MemoryService, transport);
  await memory.observe({ gdf: { strings: ["a"], time: SECONDS } });
  expect((await memory.getPercept({})).gdf?.time).toBe(SECONDS);
  for (const time of [-1, 253_402_300_800, Number.NaN, Number.POSITIVE_INFINITY]) {
    await expect(memory.observe({ gdf: { strings: ["b"], time } })).rejects.toThrow(
      "time must be epoch seconds, a number from 0 to 253402300799, got",
    );
  }
  expect((await memory.getPercept({})).gdf).toMatchObject({ strings: ["a"], time: SECONDS });

  const env = { NOEMA_ADDRESS: server.address };
  for (const [given, shown] of [
    [TEXT, SECONDS],
    ["12.5", 12.5],
  ] as const) {
    await noema(["observe", "a", "--time", given, "--session", "cli"], { env });
    expect((await perceptOf("sessions/cli/")).time).toBe(shown);
  }
});

test("it outlasts a kill, and a restore", async () => {
  await ask(server, "PUT encoders/gap", { data: { kind: "elapsed" } });
  await ask(server, "PUT encoders/hour", { data: { kind: "clock", of: "hour", zone: "Asia/Kolkata" } });
  await server.kill();
  server = await Server.start(server.stateDir);
  const gaps = async () => ((await ask(server, "GET sessions/s/working-memory")) as string[][]).at(-1);
  await ask(server, "POST sessions/s/observe", { data: { strings: ["b"], time: 7 } });
  expect(await gaps()).toEqual(["b", "gap=-inf", "hour=5"]);
  expect((await perceptOf("")).time).toBe(SECONDS);
  const backup = await (await fetch(`${server.address}/backup`, { headers: KEY })).text();
  await ask(server, "DELETE sessions/s");
  await ask(server, "POST clear-all-memory");
  expect((await fetch(`${server.address}/restore`, { method: "POST", headers: KEY, body: backup })).status).toBe(200);
  expect([(await perceptOf("")).time, (await perceptOf("sessions/s/")).time]).toEqual([SECONDS, 7]);
  await ask(server, "POST sessions/s/observe", { data: { strings: ["c"], time: 1807 } });
  expect(await gaps()).toEqual(["c", "gap=900", "hour=6"]);
  expect(await ask(server, "GET encoders")).toMatchObject({ gap: { kind: "elapsed" }, hour: { zone: "Asia/Kolkata" } });
  for (const name of ["gap", "hour"]) await ask(server, `DELETE encoders/${name}`);
});

/** Learns a, b in a processor, a minute apart; what it forecasts after a. */
const whenAfterA = async () => {
  const forecast = await ask(server, "POST forecast", { data: { horizon: 2, sequence: [["a"]] } });
  return (forecast as { steps: { when: unknown }[] }).steps.map(({ when }) => when);
};

test("forecasts say when; a kill, an export, a merge and a restore keep it", async () => {
  await ask(server, "POST clear-all-memory");
  expect(await whenAfterA()).toEqual([null, null]);
  for (const start of [0, 1000]) {
    const sequence = [
      { strings: ["a"], time: start },
      { strings: ["b"], time: start + 60.5 },
    ];
    await ask(server, "POST sequence-observe", { data: { sequence, learn: true } });
  }
  const expected = [{ p10: 60.5, p50: 60.5, p90: 60.5 }, null];
  expect(await whenAfterA()).toEqual(expected);
  await server.kill();
  server = await Server.start(server.stateDir);
  expect(await whenAfterA()).toEqual(expected);
  const kb = async () =>
    (await ask(server, "GET get_kb?order=true")) as { models_kb: Record<string, { times: unknown }> };
  const whole = await kb();
  const [model] = Object.values(whole.models_kb);
  expect(model?.times).toEqual([
    [0, 60.5],
    [1000, 1060.5],
  ]);
  expect(JSON.stringify(await ask(server, "GET get_kb"))).not.toContain("times");
  const backup = await (await fetch(`${server.address}/backup`, { headers: KEY })).text();
  await ask(server, "POST clear-all-memory");
  await ask(server, "POST load_kb", { data: whole });
  expect(await kb()).toEqual(whole);
  await ask(server, "POST load_kb?mode=merge", { data: whole });
  const [merged] = Object.values((await kb()).models_kb);
  expect(merged?.times).toEqual([
    [0, 60.5],
    [0, 60.5],
    [1000, 1060.5],
    [1000, 1060.5],
  ]);
  await ask(server, "POST clear-all-memory");
  expect((await fetch(`${server.address}/restore`, { method: "POST", headers: KEY, body: backup })).status).toBe(200);
  expect(await whenAfterA()).toEqual(expected);
  const broken = JSON.parse(JSON.stringify(whole).replace("60.5", '"soon"'));
  const refused = { method: "POST", path: "/p46b6b076c/load_kb", body: JSON.stringify({ data: broken }) };
  expect(await server.send(refused)).toMatchObject({
    status: 400,
    json: { message: expect.stringContaining("times[0][1]") },
  });
  expect(await whenAfterA()).toEqual(expected);
});

test("a sequence with one time that is none changes nothing", async () => {
  const before = await ask(server, "GET status");
  const sequence = [
    { strings: ["a"], time: 1 },
    { strings: ["b"], time: "2026-02-30T00:00:00Z" },
  ];
  const { status, json } = await server.send({
    method: "POST",
    path: "/p46b6b076c/sequence-observe",
    body: JSON.stringify({ data: { sequence, clear: true } }),
  });
  expect([status, json.message]).toEqual([400, expect.stringContaining("data.sequence[1].time must be epoch seconds")]);
  expect(await ask(server, "GET status")).toEqual(before);
});

test("what a processor tells another one happened when its own event did", async () => {
  const genome = genomeText(
    primitive("p1", { manipulatives: ["m"] }),
    manipulative("m", "p1", ["p2"], ["future"]),
    primitive("p2"),
  );
  await server.okay("POST /genome/hotswap", JSON.parse(genome));
  await server.okay("PUT /p1/add-model", { sequence: [["a"], ["b"]] });
  await server.okay("POST /p1/observe", { data: { strings: ["a"], time: 3.5 } });
  const percept = async () => (await server.okay("GET /p2/percept-data")).message;
  await expect.poll(percept).toMatchObject({ time: 3.5 });
  await server.okay("POST /p1/observe", { data: { strings: ["a"] } });
  await expect.poll(async () => Object.hasOwn(await percept(), "time")).toBe(false);
});
