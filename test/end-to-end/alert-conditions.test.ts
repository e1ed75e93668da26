/** Alerts of surprises and forecasts from the observation to the webhook, over HTTP and over streams, in every memory. */

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Delivery, SECRET, TestWebhook } from "../support/alerts/webhook";
import { PROCESSOR } from "../support/server/processor-calls";
import { Server } from "../support/server/server";
import { ServedStream } from "../support/server/stream";

let server: Server;
let webhook: TestWebhook;

beforeAll(async () => {
  webhook = await TestWebhook.start();
  server = await Server.start(undefined, { NOEMA_ALERT_HOSTS: webhook.host });
});

afterAll(async () => {
  await server.discard();
  await webhook.stop();
});

async function alerts(): Promise<Record<string, { waiting: number }>> {
  return (await server.okay(`GET ${PROCESSOR}/alerts`)).message;
}

/** How many deliveries have not ended. */
async function waiting(): Promise<number> {
  return Object.values(await alerts()).reduce((sum, alert) => sum + alert.waiting, 0);
}

/** A line that mostly runs, and now and then fails. */
beforeEach(async () => {
  await server.okay(`POST ${PROCESSOR}/clear-all-memory`);
  // What is on its way to the webhook would be taken for a delivery of the next test.
  await expect.poll(waiting).toBe(0);
  for (const name of Object.keys(await alerts())) await server.okay(`DELETE ${PROCESSOR}/alerts/${name}`);
  webhook.deliveries.length = 0;
  const learned: [string[], number][] = [
    [["idle", "run", "pack"], 5],
    [["idle", "hot", "failed"], 3],
  ];
  for (const [events, frequency] of learned) {
    const sequence = events.map((symbol) => [symbol]);
    await server.okay(`PUT ${PROCESSOR}/add-model`, { sequence, frequency });
  }
});

/** Where records are observed: the processor's own memory and a session, by calls and by frames. */
const MEMORIES: readonly (readonly [place: string, session: string | null])[] = [
  ["", null],
  ["/sessions/press%203", "press 3"],
];

/** How a record is observed. It answers with the message of that record. */
type Observe = (symbols: readonly string[]) => Promise<{ surprise: { bits: number } | null }>;

const ENTRANCES: Record<string, (place: string) => Promise<{ observe: Observe; end: () => void }>> = {
  calls: async (place) => ({
    observe: async (strings) =>
      (await server.okay(`POST ${PROCESSOR}${place}/observe?explain=true`, { data: { strings } })).message,
    end: () => undefined,
  }),
  frames: async (place) => {
    const stream = await ServedStream.open(server.address, `${PROCESSOR}${place}/stream`);
    await stream.next();
    let n = 0;
    return {
      observe: async (strings) => {
        const { message } = await stream.ask({ n: ++n, observe: { strings }, explain: true });
        return message.observed[0];
      },
      end: () => stream.socket.close(),
    };
  },
};

const CASES = Object.keys(ENTRANCES).flatMap((entrance) =>
  MEMORIES.map(([place, session]) => ({ entrance, place, session })),
);

async function set(name: string, when: object): Promise<void> {
  await server.okay(`PUT ${PROCESSOR}/alerts/${name}`, { data: { when, url: webhook.url("okay"), secret: SECRET } });
}

/** The deliveries of one alert. */
const of = (name: string) => webhook.deliveries.filter(({ body }) => body.data.alert === name);

async function came(name: string, count: number): Promise<Delivery[]> {
  await expect.poll(() => of(name).length, { timeout: 30_000, interval: 20 }).toBeGreaterThanOrEqual(count);
  return of(name);
}

test.each(CASES)("a surprise is told as explain tells it, by $entrance in $session", async ({
  entrance,
  place,
  session,
}) => {
  const { observe, end } = await (ENTRANCES[entrance] as (typeof ENTRANCES)["calls"])(place);
  await set("low", { surprise_above: 4 });
  await set("high", { surprise_above: 1_000 });
  await observe(["idle"]);
  const usual = await observe(["run"]);
  expect(usual.surprise?.bits).toBeLessThan(4);
  const { surprise } = await observe(["failed", "smoke"]);
  expect(surprise?.bits).toBeGreaterThan(4);
  const [delivery] = await came("low", 1);
  expect(delivery?.body).toMatchObject({
    type: "noema.surprise",
    data: { alert: "low", count: 1, id: PROCESSOR.slice(1), interval: 3, session, surprise },
  });
  end();
  // The incident that begins with it is told, too.
  const [, incident] = await came("low", 2);
  expect(incident?.body).toMatchObject({
    type: "noema.incident",
    data: { alert: "low", count: 1, interval: 3, session, incident: { events: 1, bits: surprise?.bits } },
  });
  expect(of("low")).toHaveLength(2);
  expect(of("high")).toEqual([]);
});

test.each(CASES)("a forecast is told once when it rises, and again after it fell, by $entrance in $session", async ({
  entrance,
  place,
  session,
}) => {
  const { observe, end } = await (ENTRANCES[entrance] as (typeof ENTRANCES)["calls"])(place);
  const chance = async (horizon: number) => {
    const { message } = await server.okay(`POST ${PROCESSOR}${place}/forecast`, { data: { horizon, top: 100 } });
    return message.within.find(({ symbol }: { symbol: string }) => symbol === "failed");
  };
  await set("near", { forecast: { symbol: "failed", above: 0.4 } });
  await set("far", { forecast: { symbol: "failed", above: 0.2, horizon: 2 } });
  await set("never", { forecast: { symbol: "failed", above: 1, horizon: 10 } });
  await observe(["idle"]);
  const { models, probability, support } = await chance(2);
  expect(probability).toBeGreaterThan(0.2);
  const [far] = await came("far", 1);
  expect(far?.body).toMatchObject({
    type: "noema.forecast",
    data: { alert: "far", session, interval: 1, forecast: { horizon: 2, models, probability, support } },
  });
  await observe(["hot"]);
  const near = (await chance(1)).probability;
  expect(near).toBeGreaterThan(0.4);
  const [risen] = await came("near", 1);
  expect(risen?.body.data).toMatchObject({ count: 1, interval: 2, forecast: { horizon: 1, probability: near } });
  // It stays above: nothing more.
  await observe(["hot"]);
  expect((await chance(1)).probability).toBeGreaterThan(0.4);
  await observe(["pack"]);
  for (let more = 0; ((await chance(1))?.probability ?? 0) > 0.4; more++) {
    expect(more).toBeLessThan(20);
    await observe(["pack"]);
  }
  await observe(["idle"]);
  await observe(["hot"]);
  expect((await chance(1)).probability).toBeGreaterThan(0.4);
  const again = await came("near", 2);
  end();
  expect(again.map(({ body }) => body.data.count)).toEqual([1, 1]);
  expect(new Set(again.map(({ id }) => id)).size).toBe(2);
  expect(of("never")).toEqual([]);
});

test("a burst of surprises in one frame is told with its number, and each memory for itself", async () => {
  await set("any", { surprise_above: 3 });
  const begun = Date.now();
  const records = Array.from({ length: 40 }, (_, at) => ({ strings: [`strange ${at}`] }));
  const send = async (place: string) => {
    const stream = await ServedStream.open(server.address, `${PROCESSOR}${place}/stream`);
    await stream.next();
    const { message } = await stream.ask({ n: 1, observe: [{ strings: ["idle"] }, ...records], explain: true });
    stream.socket.close();
    const bits: number[] = message.observed.map(
      ({ surprise }: { surprise: { bits: number } | null }) => surprise?.bits,
    );
    return bits.filter((each) => each > 3).length;
  };
  const wanted = [await send(""), await send("/sessions/a")];
  expect(Math.min(...wanted)).toBeGreaterThan(1);
  const counted = (session: string | null) =>
    of("any")
      .filter(({ body }) => body.data.session === session && body.type === "noema.surprise")
      .reduce((sum, { body }) => sum + body.data.count, 0);
  await expect.poll(() => [counted(null), counted("a")], { timeout: 30_000 }).toEqual(wanted);
  // Two of surprises and one of an incident for each memory at most.
  expect(of("any").length).toBeLessThanOrEqual(6);
  // Held against the beginning: a busy machine may bring one so late that the next seems to follow it at once.
  for (const [at, { at: time }] of of("any").entries()) expect(time - begun).toBeGreaterThanOrEqual(at * 900);
});

test("what a frame learns is told, and a key that may not manage sees no alert", async () => {
  await set("learned", { learned: true });
  const stream = await ServedStream.open(server.address, `${PROCESSOR}/stream`);
  await stream.next();
  const { message } = await stream.ask({ n: 1, observe: [{ strings: ["p"] }, { strings: ["q"] }], learn: true });
  stream.socket.close();
  const [delivery] = await came("learned", 1);
  expect(delivery?.body).toMatchObject({ type: "noema.learned", data: { model: message.learned, session: null } });
  const { message: made } = await server.okay("POST /keys", {
    data: { name: "k", roles: ["read", "observe", "learn"] },
  });
  const refused = await server.call(`GET ${PROCESSOR}/alerts`, undefined, { key: made.key });
  expect([refused.status, refused.json.message]).toEqual([403, expect.stringContaining("manage")]);
});
