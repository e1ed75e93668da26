/**
 * What the alerts of a served processor do to webhooks that fail in every way, and what those do to it. Takes 40 s: a webhook may take 10 s
 * to answer, and the second attempt comes seconds after the first.
 */

import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SECRET, TestWebhook } from "../support/alerts/webhook";
import { PROCESSOR } from "../support/server/processor-calls";
import { makeStateDir, Server } from "../support/server/server";

/** How long a webhook may take to answer. */
const DEADLINE_MS = 10_000;

let server: Server;
let webhook: TestWebhook;
let others: TestWebhook[];

beforeEach(async () => {
  others = [];
  webhook = await TestWebhook.start();
  server = await start(makeStateDir());
});

afterEach(async () => {
  await server.discard();
  for (const one of [webhook, ...others]) await one.stop();
});

function start(stateDir: string): Promise<Server> {
  return Server.start(stateDir, {
    NOEMA_ALERT_HOSTS: `${webhook.host} ${hostname()}:${webhook.port} hooks.example.org`,
  });
}

async function set(name: string, url = webhook.url(name), when: object = { learned: true }): Promise<void> {
  const { message } = await server.okay(`PUT ${PROCESSOR}/alerts/${name}`, { data: { when, url, secret: SECRET } });
  expect(message).toEqual({});
}

async function learn(symbol = "a", place = ""): Promise<string> {
  await server.okay(`POST ${PROCESSOR}${place}/observe`, { data: { strings: [symbol, "z"] } });
  return String((await server.okay(`POST ${PROCESSOR}${place}/learn`)).message);
}

async function alert(name: string) {
  return (await server.okay(`GET ${PROCESSOR}/alerts/${name}`)).message;
}

/** Waits until an attempt of an alert has ended. */
async function attempted(name: string): Promise<{ failure: string | null; outcome: string; status: number | null }> {
  for (;;) {
    const { last_delivery: last } = await alert(name);
    if (last !== null) return last;
    await sleep(50);
  }
}

/** Waits until a delivery to a behaviour has come twice, with the same identifier and the same bytes. */
async function repeated(name: string): Promise<void> {
  for (let count = 2; ; count++) {
    const came = await webhook.came(name, count);
    const ids = new Set(came.map(({ id }) => id));
    if (ids.size === came.length) continue;
    expect(new Set(came.map(({ id, body }) => id + JSON.stringify(body))).size).toBe(ids.size);
    return;
  }
}

/** The value of a metric. */
async function metric(name: string): Promise<number> {
  const { text } = await server.send({ method: "GET", path: "/metrics" });
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
}

test("webhooks that fail, hang, redirect, reset, answer late or without an end delay neither answers nor each other", async () => {
  const bad = ["fails", "hangs", "redirects", "resets", "late"];
  for (const name of [...bad, "okay", "endless"]) await set(name);
  const begun = Date.now();
  const model = await learn();
  // An answer that waited for one that hangs would take at least as long.
  expect(Date.now() - begun).toBeLessThan(DEADLINE_MS);
  const [first] = await webhook.came("okay", 1);
  expect(first?.body).toEqual({
    data: { alert: "okay", count: 1, id: PROCESSOR.slice(1), interval: 1, model, session: null },
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    type: "noema.learned",
  });
  const tried = await webhook.came("fails", 3);
  expect(new Set(tried.map(({ id }) => id)).size).toBe(1);
  expect(new Set(tried.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  // What is learned while others hang arrives where it can.
  await learn("b");
  const [, second] = await webhook.came("okay", 2);
  expect(second?.id).not.toBe(first?.id);
  for (const name of ["hangs", "late", "resets", "redirects"]) {
    await repeated(name);
  }
  expect(webhook.at("redirected")).toEqual([]);
  expect(await attempted("fails")).toMatchObject({ outcome: "failed", status: 500 });
  expect(await attempted("redirects")).toMatchObject({ status: 307, failure: expect.stringContaining("redirect") });
  expect(await attempted("hangs")).toMatchObject({ status: null, failure: "it did not answer within 10 s" });
  expect(await attempted("late")).toMatchObject({ status: null, failure: "it did not answer within 10 s" });
  expect(await attempted("resets")).toMatchObject({ status: null, failure: "it could not be reached" });
  expect(await attempted("endless")).toMatchObject({ outcome: "delivered", status: 200 });
  expect(await alert("okay")).toMatchObject({ waiting: 0, last_delivery: { failure: null, status: 204 } });
  expect(webhook.forgeries).toBe(0);
  expect(await metric("noema_alerts_total")).toBe(14);
  // An attempt is counted when it has ended, later than its webhook was called.
  await expect.poll(() => metric("noema_alerts_delivered_total")).toBeGreaterThanOrEqual(4);
  await expect.poll(() => metric("noema_alerts_failures_total")).toBeGreaterThanOrEqual(10);
  // The log names alerts, and no address, which may hold a token.
  await expect.poll(() => server.output).toContain('the alert "hangs" could not deliver');
  expect(server.output).not.toContain(webhook.url("hangs"));
});

test("a burst is at most one delivery a second, and the next one says for how many it stands", async () => {
  await set("okay");
  const models: string[] = [];
  const begun = Date.now();
  for (let at = 0; at < 20; at++) models.push(await learn(`s${at}`));
  let told = 0;
  for (let at = 1; told < 20; at++) {
    const came = await webhook.came("okay", at);
    told += came[at - 1]?.body.data.count;
  }
  const came = webhook.at("okay");
  expect(told).toBe(20);
  expect(came.at(-1)?.body.data.model).toBe(models.at(-1));
  // Held against the beginning: a busy machine may bring one so late that the next seems to follow it at once.
  for (const [at, { at: time }] of came.entries()) expect(time - begun).toBeGreaterThanOrEqual(at * 900);
});

test("each memory has deliveries of its own", async () => {
  await set("okay");
  for (const session of ["b", "a", "a", "ü"]) await learn(session, `/sessions/${encodeURIComponent(session)}`);
  // On a busy machine the first delivery of "a" may begin before the session learns again.
  const told = () => {
    const counts: Record<string, number> = {};
    for (const { body } of webhook.at("okay")) {
      const { count, session } = body.data;
      counts[session] = (counts[session] ?? 0) + count;
    }
    return counts;
  };
  await expect.poll(told).toEqual({ a: 2, b: 1, ü: 1 });
});

test("a name that leads to a private address is refused when it is called, and no listed host is reached by http", async () => {
  // The machine's own name: it is listed, and leads to an address of this machine.
  const other = await TestWebhook.start(webhook.port, "0.0.0.0").catch(() => undefined);
  if (other !== undefined) others.push(other);
  await set("named", `https://${hostname()}:${webhook.port}/okay`);
  const put = (url: string) =>
    server.call(`PUT ${PROCESSOR}/alerts/x`, { data: { when: { learned: true }, url, secret: SECRET } });
  for (const url of [`http://${hostname()}:${webhook.port}/`, "http://hooks.example.org/", "https://10.0.0.1/", "x"]) {
    const { status, json } = await put(url);
    expect([status, json.message]).toEqual([400, expect.stringMatching(/^the url of the alert is refused: /)]);
  }
  await learn();
  expect(await attempted("named")).toMatchObject({
    outcome: "failed",
    status: null,
    failure: "it could not be reached",
  });
  expect([...webhook.deliveries, ...(other?.deliveries ?? [])]).toEqual([]);
});

test("what was answered is told after a kill, and a test arrives", async () => {
  const dead = await TestWebhook.start();
  const { port } = dead;
  await dead.stop();
  const { stateDir } = server;
  await server.stop();
  const hosts = { NOEMA_ALERT_HOSTS: `127.0.0.1:${port}` };
  server = await Server.start(stateDir, hosts);
  await set("dead", `http://127.0.0.1:${port}/okay`);
  const model = await learn();
  const { message } = await server.okay(`POST ${PROCESSOR}/alerts/dead/test`);
  await server.kill();
  server = await Server.start(stateDir, hosts);
  const alive = await TestWebhook.start(port);
  others.push(alive);
  const came = await alive.came("okay", 2, 90_000);
  const byType = new Map(came.map((delivery) => [delivery.body.type, delivery]));
  expect(byType.get("noema.learned")?.body.data.model).toBe(model);
  expect(byType.get("noema.test")?.id).toBe(message.webhook_id);
  expect(Object.keys(byType.get("noema.test")?.body.data)).toEqual(["alert", "count", "id", "interval", "session"]);
});

test("a secret is answered once and never again, and stays in backups alone", async () => {
  const data = { when: { learned: true }, url: webhook.url("fails") };
  const { message } = await server.okay(`PUT ${PROCESSOR}/alerts/made`, { data });
  const { secret } = message;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await learn();
  await attempted("made");
  const readings = ["alerts", "alerts/made", "status", "all-genes", "get_kb"].map((path) => `GET ${PROCESSOR}/${path}`);
  for (const reading of [...readings, "GET /metrics", "GET /processors", "GET /connect"]) {
    expect((await server.call(reading)).text).not.toContain(secret);
  }
  expect((await server.call(`DELETE ${PROCESSOR}/alerts/made`)).text).not.toContain(secret);
  const { text } = await server
    .okay(`PUT ${PROCESSOR}/alerts/made`, { data: { ...data, secret } })
    .then(JSON.stringify)
    .then((text) => ({ text }));
  expect(text).not.toContain(secret);
  const backup = (await server.send({ method: "GET", path: "/backup" })).text;
  expect(backup).toContain(secret);
  await server.okay(`DELETE ${PROCESSOR}/alerts/made`);
  const restored = await server.send({ method: "POST", path: "/restore", body: backup });
  expect(restored.status).toBe(200);
  expect(await alert("made")).toMatchObject({ url: data.url, waiting: 0, when: data.when });
  expect((await server.send({ method: "GET", path: "/backup" })).text).toContain(secret);
  const wrong = `${secret}${secret}`;
  const refused = await server.call(`PUT ${PROCESSOR}/alerts/made`, { data: { ...data, secret: wrong } });
  expect([refused.status, refused.json.message]).toEqual([
    400,
    "data.secret must be whsec_ and the base64 of 24 to 64 bytes",
  ]);
  expect(server.output).not.toContain(secret.slice(6));
});

test("an alert that is put right delivers what waits; one that is deleted does not", async () => {
  await set("a", webhook.url("fails"));
  await set("b", webhook.url("fails"));
  await learn();
  await attempted("a");
  await attempted("b");
  await server.okay(`DELETE ${PROCESSOR}/alerts/b`);
  const failed = webhook.at("fails").length;
  await set("a", webhook.url("okay"));
  const [came] = await webhook.came("okay", 1);
  expect(webhook.at("fails").map(({ id }) => id)).toContain(came?.id);
  await sleep(3_000);
  expect(webhook.at("fails").length).toBeLessThanOrEqual(failed + 1);
  const { status, json } = await server.call(`GET ${PROCESSOR}/alerts/b`);
  expect([status, json.message]).toEqual([404, 'there is no alert named "b"']);
});
