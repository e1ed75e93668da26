/** What an operator sees of `npm start`: health that notices a full disk, one line of JSON for each failure, and metrics of the whole server. */

import { setTimeout as sleep } from "node:timers/promises";
import parsePrometheusTextFormat from "parse-prometheus-text-format";
import { afterEach, expect, test } from "vitest";
import { publish, TYPE } from "../support/mqtt/packets.mjs";
import { RawClient } from "../support/mqtt/raw-client";
import { PROCESSOR } from "../support/server/processor-calls";
import { makeStateDir, Server, WITH_SMALL_DISK } from "../support/server/server";
import { ServedStream } from "../support/server/stream";

let server: Server;

afterEach(() => server.discard());

/** Longer than an outcome of the health is repeated. */
const STALE_MS = 1_100;

async function health(): Promise<[status: number, text: string]> {
  const { status, text } = await server.send({ method: "GET", path: "/health", key: null });
  return [status, text];
}

/** The lines of the log that are about requests and have come whole. */
function lines(): Record<string, unknown>[] {
  return server.output
    .split("\n")
    .slice(0, -1)
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}

/** The value of a metric with one sample, or of the sample with these labels. */
async function metric(name: string, labels: Record<string, string> = {}): Promise<number> {
  const { text } = await server.send({ method: "GET", path: "/metrics" });
  const samples = parsePrometheusTextFormat(text).find((family) => family.name === name)?.metrics ?? [];
  const isWanted = (own: Readonly<Record<string, string>> = {}) =>
    Object.entries(labels).every(([label, value]) => own[label] === value);
  return Number(samples.find((sample) => isWanted(sample.labels))?.value);
}

test("a full disk is bad health without a reason, one line for each request that failed, and counted", async () => {
  server = await Server.start(makeStateDir(), {}, WITH_SMALL_DISK);
  expect(await health()).toEqual([200, '{"status":"okay"}']);
  let refused = 0;
  for (let observed = 0; observed < 1_000 && refused < 5; observed++) {
    const body = { data: { strings: [`user data ${observed} ${"x".repeat(20_000)}`] } };
    const { status } = await server.send({ method: "POST", path: `${PROCESSOR}/observe`, body });
    if (status === 503) refused++;
  }
  expect(refused).toBe(5);
  await sleep(STALE_MS);
  expect(await health()).toEqual([503, '{"status":"failed"}']);
  const failed = () => lines().filter(({ event }) => event === "failed");
  // A line may come after the answer that it is about.
  await expect
    .poll(() => failed().map(({ operation, status }) => [operation, status]))
    .toEqual([...Array(5).fill(["POST /{id}/observe", 503]), ["GET /health", 503]]);
  expect(new Set(failed().map(({ request_id }) => request_id)).size).toBe(6);
  expect(server.output).not.toContain("user data");
  expect(await metric("noema_requests_total", { operation: "POST /{id}/observe", status: "503" })).toBe(5);
});

test("metrics of a server are those of its processors, too: rows, memory, events between them", async () => {
  server = await Server.start();
  const before = await metric("noema_rows_written_total");
  for (const strings of [["a"], ["b"]]) {
    await server.okay(`POST ${PROCESSOR}/observe`, { data: { strings } });
  }
  expect((await metric("noema_rows_written_total")) - before).toBeGreaterThanOrEqual(2);
  expect(await metric("noema_live_processors")).toBe(1);
  expect(await metric("noema_kernel_bytes")).toBeGreaterThan(10_000);
  expect(await metric("noema_kernel_limit_bytes")).toBeGreaterThan(90_000_000);
  expect(await metric("noema_outbox_waiting")).toBe(0);
  expect(await metric("noema_requests_total", { operation: "POST /{id}/observe", status: "200" })).toBe(2);
  await server.okay("POST /p46b6b076c/observe", { data: { strings: ["c"] }, delivery: { source: "s", number: 1 } });
  await server.okay("POST /p46b6b076c/observe", { data: { strings: ["c"] }, delivery: { source: "s", number: 1 } });
  expect(await metric("noema_redeliveries_total")).toBe(1);
});

/** The samples of a metric, by the value of their one label. */
async function samplesOf(name: string): Promise<Record<string, number>> {
  const { text } = await server.send({ method: "GET", path: "/metrics" });
  const samples = parsePrometheusTextFormat(text).find((family) => family.name === name)?.metrics ?? [];
  return Object.fromEntries(samples.map(({ labels, value }) => [Object.values(labels ?? {})[0] ?? "", Number(value)]));
}

test("streams are counted: how many are open, what became of their messages, what they observed", async () => {
  server = await Server.start();
  const streams = await Promise.all([1, 2, 3].map(() => ServedStream.open(server.address, `${PROCESSOR}/stream`)));
  const [stream] = streams as [ServedStream, ...ServedStream[]];
  expect(await metric("noema_streams_open")).toBe(3);
  await stream.next();
  for (const message of [
    { subscribe: ["observed"] },
    { n: 1, observe: [{ strings: ["a"] }, { strings: ["b"] }], learn: true, predictions: true, forecast: true },
    { n: 1, observe: [{ strings: ["a"] }] },
    { n: 2, observe: [{ strings: [7] }] },
    "no JSON",
  ]) {
    stream.send(message);
    await stream.next();
  }
  expect(await samplesOf("noema_stream_frames_total")).toEqual({ taken: 1, redelivered: 1, refused: 2 });
  expect(await metric("noema_stream_events_total")).toBe(2);
  // A number that came before on the same connection is no call.
  expect(await metric("noema_calls_total", { call: "frame" })).toBe(1);
  await server.okay(`POST ${PROCESSOR}/observe`, { data: { strings: ["c"] } });
  await server.okay(`POST ${PROCESSOR}/sequence-observe`, {
    data: { sequence: [{ strings: ["d"] }, { strings: ["e"] }], learn: true },
  });
  const names = ["records", "learned", "predictions", "forecasts"];
  const counts = await Promise.all(names.map((name) => metric(`noema_${name}_total`)));
  expect(counts).toEqual([5, 2, 1, 1]);
  for (const each of streams) each.socket.terminate();
  await expect.poll(() => metric("noema_streams_open")).toBe(0);
});

test("open streams and MQTT connections are counted anew after their objects were out of memory", async () => {
  server = await Server.start();
  const streams = await Promise.all([1, 2, 3, 4].map(() => ServedStream.open(server.address, `${PROCESSOR}/stream`)));
  const clients = await Promise.all(
    ["a", "b"].map(async (clientId) => (await RawClient.connected(server.address, { clientId })).client),
  );
  const [client] = clients as [RawClient, RawClient];
  expect(await metric("noema_streams_open")).toBe(6);
  expect(await metric("noema_mqtt_connections_open")).toBe(2);
  // The runtime takes an object out of memory when nothing has happened for ten seconds.
  await sleep(12_000);
  expect(await metric("noema_streams_open")).toBe(6);
  expect(await metric("noema_mqtt_connections_open")).toBe(2);
  for (const each of streams.slice(1)) each.socket.terminate();
  await expect.poll(() => metric("noema_streams_open")).toBe(3);
  client.send(publish(5, "noema/P1/observe", "a", 1, 1), publish(5, "nowhere", "a", 1, 2));
  expect([(await client.next()).type, (await client.next()).type]).toEqual([TYPE.puback, TYPE.puback]);
  expect(await samplesOf("noema_stream_frames_total")).toMatchObject({ taken: 1, refused: 1 });
  streams[0]?.socket.close();
  client.drop();
  await expect.poll(() => metric("noema_streams_open")).toBe(1);
  clients[1]?.drop();
  await expect.poll(() => metric("noema_streams_open")).toBe(0);
});

test("rows are counted by the call that wrote them, and together they are all rows", async () => {
  server = await Server.start();
  await server.okay(`POST ${PROCESSOR}/observe`, { data: { strings: ["a"] } });
  await server.okay(`POST ${PROCESSOR}/observe`, { data: { strings: ["b"] } });
  await server.okay(`POST ${PROCESSOR}/predictions`, {});
  const learned = await metric("noema_rows_written_total");
  await server.okay(`POST ${PROCESSOR}/learn`, {});
  const rows = await samplesOf("noema_call_rows_written_total");
  const total = await metric("noema_rows_written_total");
  expect(rows).toMatchObject({ "MemoryService/Observe": 2, "MemoryService/GetPredictions": 0 });
  expect(rows["MemoryService/Learn"]).toBe(total - learned);
  expect(Object.values(rows).reduce((sum, each) => sum + each, 0)).toBe(total);
  const calls = { "MemoryService/Observe": 2, "MemoryService/GetPredictions": 1, "MemoryService/Learn": 1 };
  expect(await samplesOf("noema_calls_total")).toMatchObject(calls);
});

test("the newest requests that went wrong are told, and to ask costs no row", async () => {
  server = await Server.start();
  const started = await metric("noema_start_time_seconds");
  await server.send({ method: "POST", path: `${PROCESSOR}/observe`, body: { data: { strings: [7] } } });
  await server.send({ method: "GET", path: `${PROCESSOR}/status`, key: "noema_0123456789abcdef_secret" });
  const before = await metric("noema_rows_written_total");
  const { json, text } = await server.send({ method: "GET", path: "/requests/recent" });
  const [stranger, mistake] = json.message.requests;
  expect(stranger).toMatchObject({ event: "key-refused", status: 500, operation: null, processor: null });
  expect(mistake).toMatchObject({ event: "refused", status: 400, operation: "POST /{id}/observe", message: null });
  expect(Date.parse(json.message.since)).toBe(Math.round(started * 1000));
  expect(text).not.toContain("secret");
  expect(await metric("noema_rows_written_total")).toBe(before);
});
