/** What an operator sees of `npm start`: health that notices a full disk, one line of JSON for each failure, and metrics of the whole server. */

import { setTimeout as sleep } from "node:timers/promises";
import parsePrometheusTextFormat from "parse-prometheus-text-format";
import { afterEach, expect, test } from "vitest";
import { PROCESSOR } from "../support/server/processor-calls";
import { makeStateDir, Server, WITH_SMALL_DISK } from "../support/server/server";

let server: Server;

afterEach(() => server.discard());

/** Longer than an outcome of the health is repeated. */
const STALE_MS = 1_100;

async function health(): Promise<[status: number, text: string]> {
  const { status, text } = await server.send({ method: "GET", path: "/health", key: null });
  return [status, text];
}

/** The lines of the log that are about requests. */
function lines(): Record<string, unknown>[] {
  return server.output
    .split("\n")
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
  const failed = lines().filter(({ event }) => event === "failed");
  expect(failed.map(({ operation, status }) => [operation, status])).toEqual([
    ...Array(5).fill(["POST /{id}/observe", 503]),
    ["GET /health", 503],
  ]);
  expect(new Set(failed.map(({ request_id }) => request_id)).size).toBe(6);
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
