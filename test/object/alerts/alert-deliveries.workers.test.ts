/** The queue of alerts: lanes that do not wait for each other, pauses, and when a delivery is given up. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AlertDeliveries } from "../../../src/object/alerts/alert-deliveries";
import { ObjectAlarm } from "../../../src/object/object-alarm";
import type { Alert, LastDelivery } from "../../../src/processor/ports/alert";
import type { QueuedNotice } from "../../../src/store/alerts/alert-queue-table";
import { migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { SqliteStore } from "../../../src/store/store";
import { inFreshObject } from "../../support/store/in-object";

const HOUR_MS = 3_600_000;

/** The lines of the log. */
let logged: string[];

beforeEach(() => {
  vi.useFakeTimers({ now: 1_795_250_628_000 });
  logged = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void logged.push(line));
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Deliveries whose attempts end as a test says. */
function deliveriesOn(
  storage: DurableObjectStorage,
  endOf: (alert: Alert) => Promise<Partial<LastDelivery>> | "never",
) {
  migrate(storage.sql, PROCESSOR_MIGRATIONS);
  const store = new SqliteStore(storage.sql);
  const sent: { alert: string; at: number; notice: QueuedNotice }[] = [];
  const deliveries = new AlertDeliveries({
    storage,
    alarm: new ObjectAlarm(storage),
    objectId: "o",
    speaker: () => "p",
    send: async (alert, notice) => {
      sent.push({ alert: alert.name, at: Date.now(), notice });
      const end = endOf(alert);
      if (end === "never") return new Promise(() => {});
      return { at: Date.now(), status: 204, failure: undefined, ...(await end) };
    },
  });
  const set = (name: string) => {
    const alert = { name, when: { kind: "learned" as const }, url: `https://${name}.example/`, secret: "whsec_x" };
    store.record({ kind: "alert-put", alert, at: Date.now() });
  };
  const tell = (alert: string, session = "") => {
    const told = { kind: "learned" as const, model: "m" };
    const notice = { alert, webhookId: `w${session}`, told, session, interval: 1, happenedAt: Date.now() };
    store.record({ kind: "alert-told", notice });
    deliveries.queued(1, 0);
  };
  /** Lets time pass, with the alarms that come in it. */
  const pass = async (ms: number) => {
    for (const end = Date.now() + ms; Date.now() < end; ) {
      await vi.advanceTimersByTimeAsync(Math.min(5_000, end - Date.now()));
      await deliveries.wake();
    }
  };
  return { deliveries, store, sent, set, tell, pass };
}

const FAILED = { status: 500, failure: "it did not answer with 2xx" };

test("alerts that hang hold up no other, whichever come first", async () => {
  const sent = await inFreshObject(async (storage) => {
    const own = deliveriesOn(storage, ({ name }) => (name.startsWith("hang") ? "never" : Promise.resolve({})));
    for (const name of ["hang1", "hang2", "hang3", "hang4", "okay"]) own.set(name);
    for (const name of ["hang1", "hang2", "hang3", "hang4", "okay"]) own.tell(name);
    await own.pass(5_000);
    own.tell("okay", "s");
    await own.pass(5_000);
    return own.sent.map(({ alert, notice }) => [alert, notice.session]);
  });
  expect(sent.filter(([alert]) => alert === "okay")).toEqual([
    ["okay", ""],
    ["okay", "s"],
  ]);
  expect(sent).toHaveLength(6);
});

test("one alert makes one attempt a second", async () => {
  const times = await inFreshObject(async (storage) => {
    const own = deliveriesOn(storage, () => Promise.resolve({}));
    own.set("a");
    for (let at = 0; at < 4; at++) own.tell("a", `s${at}`);
    await own.pass(10_000);
    return own.sent.map(({ at }) => at - (own.sent[0]?.at ?? 0));
  });
  expect(times).toEqual([0, 1_000, 2_000, 3_000]);
});

test("a delivery is repeated with growing pauses for a day, and then given up", async () => {
  const { sent, alerts, left } = await inFreshObject(async (storage) => {
    const own = deliveriesOn(storage, () => Promise.resolve(FAILED));
    own.set("a");
    own.tell("a");
    await own.pass(25 * HOUR_MS);
    const before = own.sent.length;
    await own.pass(24 * HOUR_MS);
    expect(own.sent).toHaveLength(before);
    return { sent: own.sent, alerts: own.store.alerts(), left: own.deliveries.nextWake() };
  });
  const pauses = sent.slice(1).map(({ at }, number) => at - (sent[number]?.at ?? 0));
  for (const [number, pause] of pauses.slice(0, -1).entries()) {
    const whole = Math.min(2_000 * 2 ** number, 2 * HOUR_MS);
    // Time passes here in steps of 5 s.
    expect(pause).toBeGreaterThanOrEqual(0.75 * whole - 5_000);
    expect(pause).toBeLessThanOrEqual(1.25 * whole + 5_000);
  }
  expect(new Set(sent.map(({ notice }) => notice.webhookId)).size).toBe(1);
  const whole = (sent.at(-1)?.at ?? 0) - (sent[0]?.at ?? 0);
  // The pause of the alert may put the last attempt off.
  expect(whole).toBeGreaterThanOrEqual(24 * HOUR_MS);
  expect(whole).toBeLessThan(24 * HOUR_MS + 400_000);
  expect(alerts).toMatchObject([{ waiting: 0, last: FAILED }]);
  expect(left).toBeUndefined();
  // The first failure and the end, not each attempt.
  expect(logged).toEqual([
    'p: the alert "a" could not deliver and will try again: it did not answer with 2xx (HTTP 500)',
    'p: the alert "a" gives up a delivery: it did not answer with 2xx (HTTP 500)',
  ]);
});

test("a delivery that is refused each time holds up no other of its alert, and a dead webhook is not asked for each", async () => {
  const { poisoned, dead } = await inFreshObject(async (storage) => {
    const own = deliveriesOn(storage, ({ name }) => Promise.resolve(name === "dead" ? FAILED : {}));
    own.set("dead");
    for (let at = 0; at < 100; at++) own.tell("dead", `s${at}`);
    await own.pass(HOUR_MS);
    return { poisoned: own.store.alerts()[0]?.waiting, dead: own.sent.length };
  });
  expect(poisoned).toBe(100);
  expect(dead).toBeLessThan(40);
});

test("an attempt whose end nobody saw is made again by the next life of the object", async () => {
  const [first, second] = await inFreshObject(async (storage) => {
    const lost = deliveriesOn(storage, () => "never");
    lost.set("a");
    lost.tell("a");
    await lost.pass(1_000);
    const next = deliveriesOn(storage, () => Promise.resolve({}));
    expect(next.deliveries.nextWake()).toBeGreaterThan(Date.now());
    await next.pass(20_000);
    return [lost.sent, next.sent];
  });
  expect(first).toHaveLength(1);
  expect(second.map(({ notice }) => notice.webhookId)).toEqual(first.map(({ notice }) => notice.webhookId));
});
