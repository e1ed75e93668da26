/**
 * Alerts of silence on a served Noema: told once within 10 s of their time, and again after the next observation; of
 * sessions and the own memory, after a kill, a restore and while the processor sleeps. Takes 25 s: silences and objects
 * that leave memory take their time.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SECRET, TestWebhook } from "../support/alerts/webhook";
import { genomeText, primitive } from "../support/object/genomes";
import { Server } from "../support/server/server";

/** How long after its time a silence is told at the latest, in milliseconds. */
const LATE_MS = 10_000;

let server: Server;
let webhook: TestWebhook;
let env: { NOEMA_ALERT_HOSTS: string };

beforeAll(async () => {
  webhook = await TestWebhook.start();
  webhook.otherwise = (_, response) => response.writeHead(204).end();
  env = { NOEMA_ALERT_HOSTS: webhook.host };
  server = await Server.start(undefined, env);
  await server.okay("POST /genome/hotswap", JSON.parse(genomeText(primitive("p1"), primitive("p2"))));
});

afterAll(async () => {
  await server.discard();
  await webhook.stop();
});

/** Sets an alert of p1 that delivers to the path of its name. */
async function set(name: string, silentFor: number | "expected", id = "p1"): Promise<void> {
  const data = { when: { silent_for: silentFor }, url: webhook.url(name), secret: SECRET };
  await server.okay(`PUT /${id}/alerts/${name}`, { data });
}

async function observe(place = "", id = "p1"): Promise<void> {
  await server.okay(`POST /${id}${place}/observe`, { data: { strings: ["a"] } });
}

/** The sessions of which an alert has told, in order; the own memory is null. */
const told = (name: string) => webhook.at(name).map(({ body }) => body.data.session);

/** Waits until all that has come is counted as delivered, which happens when the answer has come back: a kill before repeats it. */
const untilCounted = (name: string) =>
  expect.poll(async () => (await server.okay(`GET /p1/alerts/${name}`)).message.waiting).toBe(0);

async function devices(id = "p1"): Promise<object[]> {
  const { message } = await server.okay("GET /devices");
  return message
    .filter(({ processor }: { processor: string }) => processor === id)
    .map(({ session, silent }: { session: string | null; silent: boolean }) => [session, silent]);
}

test("a memory that observes no more is told of once, within 10 s, and again after its next observation", async () => {
  await set("quiet", 2);
  const begun = Date.now();
  await observe();
  await observe("/sessions/press%203");
  const observed = Date.now();
  const [first] = await webhook.came("quiet", 2, 2_000 + LATE_MS);
  expect(told("quiet").sort()).toEqual([null, "press 3"].sort());
  const { data, timestamp, type } = first?.body ?? {};
  expect(type).toBe("noema.silent");
  expect(data).toMatchObject({ alert: "quiet", count: 1, id: "p1", interval: 1, silence: { after: 2 } });
  expect(data.silence.last_observed).toBeGreaterThanOrEqual(Math.floor(begun / 1000));
  expect(data.silence.last_observed).toBeLessThanOrEqual(Math.ceil(observed / 1000));
  expect(Date.parse(timestamp) - begun).toBeGreaterThanOrEqual(2_000);
  expect(await devices()).toEqual([
    [null, true],
    ["press 3", true],
  ]);
  // What is no observation begins nothing anew, and neither does the same alert again.
  await server.okay("POST /p1/sessions/press%203/learn");
  await set("quiet", 2);
  await sleep(3_500);
  expect(webhook.at("quiet")).toHaveLength(2);
  // On a busy machine, it may be silent again by the time of the answer.
  const observedAgain = async () => {
    await observe("/sessions/press%203");
    return devices();
  };
  await expect.poll(observedAgain).toEqual([
    [null, true],
    ["press 3", false],
  ]);
  await webhook.came("quiet", 3, 2_000 + LATE_MS);
  expect(told("quiet")[2]).toBe("press 3");
});

test("another condition tells anew of what is silent already, and an alert without a url only marks it", async () => {
  // On a busy machine, the last one of the test before may still be under way.
  await expect
    .poll(() => devices())
    .toEqual([
      [null, true],
      ["press 3", true],
    ]);
  await untilCounted("quiet");
  const before = webhook.at("quiet").length;
  await set("quiet", 1);
  await webhook.came("quiet", before + 2, LATE_MS);
  expect(told("quiet").slice(before).sort()).toEqual([null, "press 3"].sort());
  await server.okay("DELETE /p1/alerts/quiet");
  expect(await devices()).toEqual([
    [null, false],
    ["press 3", false],
  ]);
  await server.okay("PUT /p1/alerts/mute", { data: { when: { silent_for: 1 } } });
  await expect
    .poll(() => devices(), { timeout: LATE_MS })
    .toEqual([
      [null, true],
      ["press 3", true],
    ]);
  await server.okay("DELETE /p1/alerts/mute");
});

test("it is told after a kill right after the observation, without any other call, and not twice", async () => {
  await set("killed", 4);
  await webhook.came("killed", 2, LATE_MS);
  await untilCounted("killed");
  const at = Date.now();
  await observe("/sessions/c");
  await server.kill();
  server = await Server.start(server.stateDir, env);
  const [, , third] = await webhook.came("killed", 3, 4_000 + LATE_MS);
  expect(third?.body.data.session).toBe("c");
  expect(Date.parse(third?.body.timestamp) - at).toBeGreaterThanOrEqual(4_000);
  await untilCounted("killed");
  await server.kill();
  server = await Server.start(server.stateDir, env);
  await sleep(2_000);
  expect(told("killed")).toHaveLength(3);
});

test("asleep nothing is told, and awake again silence counts from the waking", async () => {
  await set("asleep", 2, "p2");
  await observe("", "p2");
  await server.okay("POST /p2/sleeping/start");
  await sleep(3_500);
  expect([told("asleep"), await devices("p2")]).toEqual([[], [[null, false]]]);
  const woken = Date.now();
  await server.okay("POST /p2/sleeping/stop");
  const [delivery] = await webhook.came("asleep", 1, 2_000 + LATE_MS);
  expect(Date.parse(delivery?.body.timestamp) - woken).toBeGreaterThanOrEqual(1_900);
});

test("a restore keeps what was told, and tells the rest", async () => {
  await observe("/sessions/late");
  const backup = await server.send({ method: "GET", path: "/backup" });
  await webhook.came("killed", 4, 4_000 + LATE_MS);
  await untilCounted("killed");
  const before = webhook.at("killed").length;
  const answer = await server.send({ method: "POST", path: "/restore", body: backup.text });
  expect(answer.text).toContain('"okay"');
  // The backup was made before it was told of that one, and after it was told of the others.
  await webhook.came("killed", before + 1, 4_000 + LATE_MS);
  await sleep(1_500);
  expect(told("killed").slice(before)).toEqual(["late"]);
});

test.each([
  [0, "0"],
  [-1, "-1"],
  [31_536_001, "31536001"],
  ["usual", '"usual"'],
  [true, "true"],
  [null, "null"],
])("silent_for of %s is refused by name", async (value, quoted) => {
  const body = { data: { when: { silent_for: value } } };
  const { status, text } = await server.send({ method: "PUT", path: "/p1/alerts/wrong", body: JSON.stringify(body) });
  expect([status, JSON.parse(text).message]).toEqual([
    400,
    `data.when.silent_for must be a number of seconds above 0 and at most 31536000, or "expected", got ${quoted}`,
  ]);
});
