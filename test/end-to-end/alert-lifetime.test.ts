/**
 * What becomes of deliveries that wait: in a kill, out of service, when too many wait, and when a webhook says to wait or to stop. Takes
 * 35 s: the second attempt comes seconds after the first.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Delivery, SECRET, TestWebhook } from "../support/alerts/webhook";
import { genomeText, manipulative, primitive } from "../support/object/genomes";
import { Server } from "../support/server/server";

/** The time that a delivery may take before an object looks after it as lost. */
const PATIENCE_MS = 60_000;

/** How long a webhook may take to answer. */
const DEADLINE_MS = 10_000;

let server: Server;
let webhook: TestWebhook;
let env: { NOEMA_ALERT_HOSTS: string };

const GENOME = genomeText(
  primitive("p1", { manipulatives: ["m1"] }),
  manipulative("m1", "p1", ["p2"], ["name"]),
  primitive("p2"),
);

beforeEach(async () => {
  webhook = await TestWebhook.start();
  env = { NOEMA_ALERT_HOSTS: webhook.host };
  server = await Server.start(undefined, env);
  await server.okay("POST /genome/hotswap", JSON.parse(GENOME));
});

afterEach(async () => {
  await server.discard();
  await webhook.stop();
});

async function set(name: string, url = webhook.url(name), when: object = { learned: true }): Promise<void> {
  await server.okay(`PUT /p1/alerts/${name}`, { data: { when, url, secret: SECRET } });
}

async function learn(symbol: string, place = ""): Promise<string> {
  await server.okay(`POST /p1${place}/observe`, { data: { strings: [symbol, "z"] } });
  return (await server.okay(`POST /p1${place}/learn`)).message;
}

const alert = async (name: string) => (await server.okay(`GET /p1/alerts/${name}`)).message;

/** How the last attempt of an alert ended. */
async function ended(name: string) {
  await expect
    .poll(() => alert(name), { timeout: PATIENCE_MS, interval: 50 })
    .not.toMatchObject({ last_delivery: null });
  return (await alert(name)).last_delivery;
}

async function metricsOf(...names: string[]): Promise<number[]> {
  const { text } = await server.send({ method: "GET", path: "/metrics" });
  return names.map((name) => Number(new RegExp(`^noema_alerts_${name} (\\d+)$`, "m").exec(text)?.[1]));
}

test("after a kill the same deliveries come again, with the same identifiers and bytes", async () => {
  await set("later");
  webhook.otherwise = (_, response) => response.writeHead(500).end();
  for (const session of ["a", "b"]) await learn("x", `/sessions/${session}`);
  const bytes = (deliveries: Delivery[]) =>
    [...new Set(deliveries.map(({ id, body }) => id + JSON.stringify(body)))].sort();
  // One of them may be tried again before the other is tried.
  await expect.poll(() => bytes(webhook.at("later")).length, { timeout: PATIENCE_MS }).toBe(2);
  const before = webhook.at("later");
  await server.kill();
  webhook.otherwise = (_, response) => response.writeHead(204).end();
  const count = webhook.at("later").length;
  server = await Server.start(server.stateDir, env);
  await expect.poll(() => bytes(webhook.at("later").slice(count)).length, { timeout: PATIENCE_MS }).toBe(2);
  expect(bytes(webhook.at("later"))).toEqual(bytes(before));
  await expect.poll(() => alert("later")).toMatchObject({ waiting: 0, last_delivery: { status: 204 } });
});

test("dead webhooks delay neither observes nor what other processors are told", async () => {
  for (const name of ["hangs", "h2", "h3", "h4", "h5", "h6"])
    await set(name, webhook.url("hangs"), { surprise_above: 0 });
  const { message } = await server.okay("PUT /p1/add-model", { sequence: [["a"], ["b"]] });
  await server.okay("POST /p1/observe", { data: { strings: ["a"] } });
  const begun = Date.now();
  for (const symbol of ["b", "x", "a"]) await server.okay("POST /p1/observe", { data: { strings: [symbol] } });
  // An answer that waited for one of them would take at least as long.
  expect(Date.now() - begun).toBeLessThan(DEADLINE_MS);
  // An observe has ended when the other processor has observed.
  const memory: string[][] = (await server.okay("GET /p2/working-memory")).message;
  expect(memory.at(-1)).toEqual([expect.stringContaining(message.name)]);
  expect(memory.length).toBeGreaterThanOrEqual(2);
  await webhook.came("hangs", 1);
  expect((await metricsOf("waiting"))[0]).toBeGreaterThanOrEqual(6);
});

test("answers that break off are failures unless the status came, and the first of two answers counts", async () => {
  const names = ["breaks", "cuts", "twice"];
  for (const name of names) await set(name);
  await learn("a");
  expect(await ended("breaks")).toMatchObject({ outcome: "failed", status: null, failure: "it could not be reached" });
  expect(await ended("cuts")).toMatchObject({ outcome: "delivered", status: 200 });
  expect(await ended("twice")).toMatchObject({ outcome: "delivered", status: 204 });
  await learn("b");
  await webhook.came("twice", 2);
  expect(new Set(webhook.at("twice").map(({ id }) => id)).size).toBe(2);
  expect(webhook.forgeries).toBe(0);
});

test("a webhook says when to come back, and that it wants nothing more", async () => {
  await set("busy");
  await set("gone");
  await set("okay");
  await learn("a");
  await webhook.came("busy", 1);
  expect(await ended("gone")).toMatchObject({
    outcome: "failed",
    status: 410,
    failure: expect.stringContaining("410"),
  });
  await learn("b");
  await webhook.came("okay", 2);
  expect([await alert("gone"), webhook.at("gone").length]).toMatchObject([{ waiting: 0 }, 1]);
  const [first, second] = await webhook.came("busy", 2);
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(5_500);
  // The alert outlives it, and a test asks again.
  await server.okay("POST /p1/alerts/gone/test");
  await webhook.came("gone", 2);
  // What it answered counts only for the address that it was sent to.
  await expect.poll(() => alert("gone")).toMatchObject({ waiting: 0 });
  await set("gone", webhook.url("okay"));
  const model = await learn("c");
  await expect
    .poll(() =>
      webhook
        .at("okay")
        .filter(({ body }) => body.data.model === model)
        .map(({ body }) => body.data.alert)
        .sort(),
    )
    .toEqual(["gone", "okay"]);
  // A delivery is counted when the answer has come back, later than the webhook was called.
  await expect.poll(async () => (await metricsOf("delivered_total"))[0]).toBeGreaterThanOrEqual(4);
  expect(await metricsOf("total", "dropped_total")).toEqual([10, 3]);
});

test("of more than a thousand that wait the oldest are dropped, and counted", async () => {
  await set("fails");
  const identifiers: string[] = [];
  const queueSome = async () => {
    while (identifiers.length < 1_005) {
      const at = identifiers.push("") - 1;
      identifiers[at] = (await server.okay("POST /p1/alerts/fails/test")).message.webhook_id;
    }
  };
  await Promise.all(Array.from({ length: 16 }, queueSome));
  expect(await alert("fails")).toMatchObject({ waiting: 1_000 });
  expect(await metricsOf("total", "dropped_total")).toEqual([1_005, 5]);
  await set("fails", webhook.url("okay"));
  const [first] = await webhook.came("okay", 1);
  expect(identifiers).toContain(first?.id);
  // They were queued sixteen at a time.
  expect(identifiers.indexOf(first?.id ?? "")).toBeLessThan(5 + 16);
});

test("a processor out of service tells nothing, and goes on when it is back; purged, it has forgotten", async () => {
  await set("later");
  webhook.otherwise = (_, response) => response.writeHead(503).end();
  const model = await learn("a");
  await ended("later");
  await server.okay("POST /genome/hotswap", JSON.parse(genomeText(primitive("p2"))));
  webhook.otherwise = (_, response) => response.writeHead(204).end();
  const count = webhook.at("later").length;
  await sleep(6_000);
  // An attempt may have been under way.
  expect(webhook.at("later").length).toBeLessThanOrEqual(count + 1);
  expect(await metricsOf("waiting")).toEqual([0]);
  await server.okay("POST /genome/hotswap", JSON.parse(GENOME));
  await expect.poll(() => alert("later"), { timeout: PATIENCE_MS }).toMatchObject({ waiting: 0 });
  expect(new Set(webhook.at("later").map(({ id, body }) => id + body.data.model)).size).toBe(1);
  expect(webhook.at("later")[0]?.body.data.model).toBe(model);
  await server.okay("POST /genome/hotswap?purge=true", JSON.parse(genomeText(primitive("p2"))));
  await server.okay("POST /genome/hotswap", JSON.parse(GENOME));
  expect((await server.okay("GET /p1/alerts")).message).toEqual({});
});

test("an alert whose host is taken off the list stays, and delivers when it is listed again", async () => {
  await set("okay");
  await server.stop();
  server = await Server.start(server.stateDir, { NOEMA_ALERT_HOSTS: "hooks.example.org" });
  const model = await learn("a");
  expect(await ended("okay")).toMatchObject({
    status: null,
    failure: expect.stringContaining(`the address is refused: its host ${webhook.host} is not listed in`),
  });
  expect(webhook.deliveries).toEqual([]);
  await server.stop();
  server = await Server.start(server.stateDir, env);
  const [came] = await webhook.came("okay", 1);
  expect(came?.body.data.model).toBe(model);
});

test("a restore brings alerts back, drops what waits, and forgets that their webhooks failed", async () => {
  await set("later");
  const backup = (await server.send({ method: "GET", path: "/backup" })).text;
  webhook.otherwise = (_, response) => response.writeHead(429, { "retry-after": "600" }).end();
  const lost = await learn("a");
  expect(await ended("later")).toMatchObject({ status: 429 });
  expect((await server.send({ method: "POST", path: "/restore", body: backup })).status).toBe(200);
  expect(await alert("later")).toMatchObject({ last_delivery: null, waiting: 0 });
  expect(await metricsOf("waiting")).toEqual([0]);
  webhook.otherwise = (_, response) => response.writeHead(204).end();
  const model = await learn("b");
  const came = await webhook.came("later", 2);
  expect(came.map(({ body }) => body.data.model)).toEqual([lost, model]);
});

test("a hotswap that keeps a processor keeps its alerts and what waits", async () => {
  await set("later");
  webhook.otherwise = (_, response) => response.writeHead(503).end();
  await learn("a");
  await ended("later");
  const renamed = genomeText(primitive("p1", { name: "Renamed" }), primitive("p2"));
  await server.okay("POST /genome/hotswap", JSON.parse(renamed));
  expect(await alert("later")).toMatchObject({ waiting: 1 });
  webhook.otherwise = (_, response) => response.writeHead(204).end();
  await expect.poll(() => alert("later"), { timeout: PATIENCE_MS }).toMatchObject({ waiting: 0 });
  expect(new Set(webhook.at("later").map(({ id }) => id)).size).toBe(1);
});
