/** The queue of alerts: lanes that do not wait for each other, pauses, and when a delivery is given up. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Outcome, retryAfter } from "../../../src/object/alerts/alert-delivery";
import type { Alert, Told } from "../../../src/processor/ports/alert";
import { AlertQueueTable } from "../../../src/store/alerts/alert-queue-table";
import { deliveriesOn } from "../../support/alerts/told-deliveries";
import { inFreshObject } from "../../support/store/in-object";

const HOUR_MS = 3_600_000;

/** The lines of the log that the deliveries here write; an object that another file has left may have something to say, too. */
let logged: string[];

beforeEach(() => {
  vi.useFakeTimers({ now: 1_795_250_628_000 });
  logged = [];
  vi.spyOn(console, "error").mockImplementation((line: unknown) => {
    if (String(line).startsWith("p: ")) logged.push(String(line));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const FAILED = { status: 500, failure: "it did not answer with 2xx" };

const HANGS = { status: undefined, failure: "it did not answer within 10 s" };

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

test("one host that hangs holds up no other, however many alerts it has, also after a restart", async () => {
  const dead = Array.from({ length: 12 }, (_, number) => `dead${number}`);
  const endOf = ({ name }: Alert) =>
    name === "okay" ? Promise.resolve({}) : new Promise<Partial<Outcome>>((end) => setTimeout(end, 10_000, HANGS));
  const times = await inFreshObject(async (storage) => {
    const own = deliveriesOn(storage, endOf);
    for (const name of dead) own.set(name, `https://dead.example/${name}`);
    own.set("okay");
    const begun = Date.now();
    for (const name of [...dead, "okay"]) own.tell(name);
    await own.pass(60_000);
    own.service.isIn = false;
    const restarted = deliveriesOn(storage, endOf);
    for (const name of [...dead, "okay"]) restarted.tell(name, "s");
    const again = Date.now();
    await restarted.pass(5_000);
    const first = ({ sent }: typeof own) => sent.find(({ alert }) => alert === "okay")?.at ?? Number.NaN;
    const others = restarted.sent.filter(({ alert }) => alert !== "okay");
    return { delays: [first(own) - begun, first(restarted) - again], others: others.length, all: own.sent.length };
  });
  expect(times.delays[0]).toBeLessThan(1_000);
  expect(times.delays[1]).toBeLessThan(1_000);
  expect(times.others).toBeLessThanOrEqual(2);
  expect(times.all).toBeGreaterThanOrEqual(dead.length);
});

test("an alert that moves to another host during an attempt no longer waits for the first one", async () => {
  const sent = await inFreshObject(async (storage) => {
    const own = deliveriesOn(storage, ({ name }) =>
      name === "moved" ? new Promise((end) => setTimeout(end, 500, {})) : "never",
    );
    for (const name of ["moved", "hang1", "hang2", "hang3"]) own.set(name, `https://dead.example/${name}`);
    own.tell("moved");
    await own.pass(10);
    own.set("moved", "https://fine.example/");
    own.tell("moved", "s");
    for (const name of ["hang1", "hang2", "hang3"]) own.tell(name);
    await own.pass(5_000);
    return own.sent.map(({ url }) => url);
  });
  expect(sent.filter((url) => url.startsWith("https://dead.example/"))).toHaveLength(4);
  expect(sent.at(-1)).toBe("https://fine.example/");
});

test("alerts that wait for room among those that fail do not ask for it all the time", async () => {
  const looks = vi.spyOn(AlertQueueTable.prototype, "lanes");
  const attempts = new Map<string, number>();
  const counts = await inFreshObject(async (storage) => {
    // Each fails once, and then hangs.
    const own = deliveriesOn(storage, ({ name }) => {
      attempts.set(name, (attempts.get(name) ?? 0) + 1);
      return attempts.get(name) === 1 ? Promise.resolve(FAILED) : "never";
    });
    for (const name of ["a", "b", "c", "d"]) own.set(name);
    for (const name of ["a", "b", "c", "d"]) own.tell(name);
    await own.pass(5_000);
    looks.mockClear();
    await own.pass(8_000);
    return [looks.mock.calls.length, [...attempts.values()].filter((count) => count === 2).length] as const;
  });
  expect(counts[0]).toBeLessThan(100);
  expect(counts[1]).toBe(2);
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

/** The memories of which deliveries tell, the longest that one waited in milliseconds, and the most characters. */
function toldOf(sent: ReturnType<typeof deliveriesOn>["sent"]): { sessions: string[]; late: number; listed: number } {
  const sessions = sent.flatMap(({ notice: { session, told } }) => {
    const others = told.kind === "silent" ? (told.others ?? []) : [];
    return [session, ...others.map((other) => other.session ?? "")];
  });
  const late = Math.max(...sent.map(({ at, notice }) => at - notice.queuedAt));
  const listed = Math.max(...sent.map(({ notice }) => JSON.stringify(notice.told).length));
  return { sessions, late, listed };
}

const SILENT: Told = { kind: "silent", silence: { after: 60, last_observed: 1_795_250_568 } };

/** An alert of silence. */
function silence(format: Alert["format"]): Partial<Alert> {
  return { when: { kind: "silent", after: 60 }, format };
}

const slowly = (ms: number) => () => new Promise<Partial<Outcome>>((end) => setTimeout(end, ms, {}));

test.each([
  100, 1_000,
])("10,000 devices that go silent at once are told of within 10 s by a webhook that takes %i ms, none twice, and no delivery is dropped", async (ms) => {
  const { sent, left, dropped } = await inFreshObject(async (storage) => {
    const own = deliveriesOn(storage, slowly(ms));
    own.set("quiet", undefined, silence("standard"));
    own.set("other");
    own.tell("other");
    for (let device = 0; device < 10_000; device += 50) {
      const sessions = Array.from({ length: 50 }, (_, at) => `device-${device + at}`);
      storage.transactionSync(() => own.record("quiet", sessions, SILENT));
      own.deliveries.queued(50, 0);
      await vi.advanceTimersByTimeAsync(20);
    }
    await own.pass(10_000);
    return { sent: own.sent, left: own.store.alerts(), dropped: own.store.dropped };
  });
  const quiet = sent.filter(({ alert }) => alert === "quiet");
  const { sessions, late, listed } = toldOf(quiet);
  expect([sessions.length, new Set(sessions).size, dropped]).toEqual([10_000, 10_000, 0]);
  expect(late).toBeLessThan(10_000);
  expect(listed).toBeLessThan(70_000);
  expect(left.map(({ waiting }) => waiting)).toEqual([0, 0]);
  expect(sent.find(({ alert }) => alert === "other")?.at).toBe(1_795_250_628_000);
  // As long as it is not late, a delivery is about one device.
  if (ms === 100) expect(quiet.length).toBeGreaterThan(100);
});

test("a few devices have a delivery each, three under way at a time, also after the webhook was away", async () => {
  const away = { is: true };
  const { sent, most } = await inFreshObject(async (storage) => {
    let [now, most] = [0, 0];
    const own = deliveriesOn(storage, async () => {
      most = Math.max(most, ++now);
      await new Promise((end) => setTimeout(end, 100));
      now--;
      return away.is ? FAILED : {};
    });
    own.set("quiet", undefined, silence("standard"));
    for (let device = 0; device < 50; device++) own.tell("quiet", `device-${device}`, SILENT);
    await own.pass(15_000);
    away.is = false;
    await own.pass(60_000);
    return { sent: own.sent.slice(-50), most };
  });
  expect(most).toBe(3);
  expect(new Set(toldOf(sent).sessions).size).toBe(50);
});

test("people get one message about all devices that go silent at once, which names some", async () => {
  const sent = await inFreshObject(async (storage) => {
    const own = deliveriesOn(storage, slowly(10));
    own.set("quiet", undefined, silence("ntfy"));
    for (let device = 0; device < 500; device++) own.tell("quiet", `device-${device}`, SILENT);
    await own.pass(5_000);
    return own.sent;
  });
  expect(sent).toHaveLength(1);
  const { told } = (sent[0] as (typeof sent)[number]).notice;
  expect(told).toMatchObject({ kind: "silent", more: 494 });
  expect(toldOf(sent).sessions).toEqual(Array.from({ length: 6 }, (_, device) => `device-${device}`));
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

test("an attempt whose end was not seen is made again by the next life of the object", async () => {
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

/** Attempts that end when a test says so. */
class HeldAttempts {
  readonly #ends: ((outcome: Partial<Outcome>) => void)[] = [];

  next(): Promise<Partial<Outcome>> {
    return new Promise((resolve) => {
      this.#ends.push(resolve);
    });
  }

  /** Ends the oldest. */
  end(outcome: Partial<Outcome>): void {
    this.#ends.shift()?.(outcome);
  }
}

/** Runs `work` on deliveries that end as it says. */
function onDeliveries<Result>(
  endOf: (alert: Alert) => Promise<Partial<Outcome>> | "never",
  work: (own: ReturnType<typeof deliveriesOn>, storage: DurableObjectStorage) => Promise<Result>,
): Promise<Result> {
  return inFreshObject(async (storage) => work(deliveriesOn(storage, endOf), storage)) as Promise<Result>;
}

describe("a webhook that is busy", () => {
  test.each([
    [null, undefined],
    ["", undefined],
    ["soon", undefined],
    ["-1", undefined],
    ["1.5", undefined],
    ["0", 0],
    ["120", 120_000],
    ["99999999999999999999999", 2 * HOUR_MS],
    ["Sun, 22 Nov 2026 08:45:00 GMT", 60_000],
    ["Sun, 22 Nov 2026 08:43:00 GMT", 0],
    ["Sun, 22 Nov 2099 08:43:00 GMT", 2 * HOUR_MS],
  ])("says when to come back: Retry-After %j", (header, ms) => {
    expect(retryAfter(header, Date.parse("2026-11-22T08:44:00Z"))).toBe(ms);
  });

  test("gets nothing earlier than it says, and what waits comes then", async () => {
    const busy = { ...FAILED, status: 429, retryAfterMs: 60_000 };
    const answers = [busy];
    const { sent, left } = await onDeliveries(
      () => Promise.resolve(answers.shift() ?? {}),
      async (own) => {
        own.set("a");
        own.tell("a");
        own.tell("a", "s");
        await own.pass(120_000);
        return { sent: own.sent, left: own.store.alerts()[0]?.waiting };
      },
    );
    const begun = sent[0]?.at ?? 0;
    expect(sent).toHaveLength(3);
    expect((sent[1]?.at ?? 0) - begun).toBeGreaterThanOrEqual(60_000);
    expect((sent[2]?.at ?? 0) - begun).toBeLessThan(70_000);
    expect(left).toBe(0);
  });

  test("is not asked to wait beyond the day in which a delivery is given up", async () => {
    const busy = { ...FAILED, status: 503, retryAfterMs: 2 * HOUR_MS };
    const { sent, left } = await onDeliveries(
      () => Promise.resolve(busy),
      async (own) => {
        own.set("a");
        own.tell("a");
        await own.pass(26 * HOUR_MS);
        return { sent: own.sent, left: own.store.alerts()[0]?.waiting };
      },
    );
    expect(left).toBe(0);
    expect(sent.length).toBeGreaterThanOrEqual(12);
    expect((sent.at(-1)?.at ?? 0) - (sent[0]?.at ?? 0)).toBeLessThanOrEqual(24 * HOUR_MS + 5_000);
  });
});

describe("a webhook that is gone", () => {
  const gone = { status: 410, failure: "it answered 410 Gone" };

  test("gets nothing more, and what waited for it is dropped, with a line in the log", async () => {
    const { sent, waiting, next } = await onDeliveries(
      ({ name }) => Promise.resolve(name === "a" ? gone : {}),
      async (own) => {
        own.set("a");
        own.set("b");
        for (const session of ["", "s", "t"]) own.tell("a", session);
        await own.pass(5_000);
        for (const session of ["", "u"]) own.tell("a", session);
        own.tell("b");
        await own.pass(24 * HOUR_MS);
        const waiting = own.store.alerts().map((alert) => [alert.name, alert.waiting, alert.last?.status]);
        return { sent: own.sent.map(({ alert }) => alert), waiting, next: own.deliveries.nextWake() };
      },
    );
    expect(sent).toEqual(["a", "b"]);
    expect(waiting).toEqual([
      ["a", 0, 410],
      ["b", 0, 204],
    ]);
    expect(next).toBeUndefined();
    expect(logged).toEqual(['p: the alert "a" gives up a delivery: it answered 410 Gone (HTTP 410)']);
  });

  test.each(["set", "tested"])("is told again when it is %s, as soon as it takes a delivery", async (how) => {
    const answers: Partial<Outcome>[] = [gone];
    const sent = await onDeliveries(
      () => Promise.resolve(answers.shift() ?? {}),
      async (own) => {
        own.set("a");
        own.tell("a");
        await own.pass(5_000);
        if (how === "set") own.set("a");
        else own.tell("a", "", { kind: "test" });
        await own.pass(5_000);
        own.tell("a");
        await own.pass(5_000);
        return own.sent.map(({ notice }) => notice.told.kind);
      },
    );
    expect(sent).toEqual(how === "set" ? ["learned", "learned"] : ["learned", "test", "learned"]);
  });
});

test("an alert that is put right while an attempt hangs is tried as soon as that has ended, which says nothing of the new address", async () => {
  const held = new HeldAttempts();
  const { sent, last } = await onDeliveries(
    ({ url }) => (url.includes("wrong") ? held.next() : Promise.resolve({})),
    async (own) => {
      own.set("a", "https://wrong.example/");
      own.tell("a");
      await own.pass(5_000);
      own.set("a", "https://right.example/");
      await own.pass(1_000);
      held.end({ status: 410, failure: "gone" });
      const before = own.store.alerts()[0]?.last;
      await own.pass(1_000);
      return { sent: own.sent, last: [before, own.store.alerts()[0]?.last?.status] };
    },
  );
  expect(sent.map(({ url, notice }) => [url, notice.webhookId])).toEqual([
    ["https://wrong.example/", "w"],
    ["https://right.example/", "w"],
  ]);
  expect(last).toEqual([undefined, 204]);
});

test("a processor out of service delivers nothing, and goes on when it is back", async () => {
  const { sent, asleep } = await onDeliveries(
    () => Promise.resolve({}),
    async (own) => {
      own.set("a");
      own.service.isIn = false;
      own.tell("a");
      await own.pass(60_000);
      const asleep = [own.sent.length, own.deliveries.nextWake()];
      own.service.isIn = true;
      own.deliveries.resume();
      await vi.advanceTimersByTimeAsync(10);
      return { sent: own.sent.length, asleep };
    },
  );
  expect(asleep).toEqual([0, undefined]);
  expect(sent).toBe(1);
});

test("an attempt that ends after the queue has begun anew removes nothing of it", async () => {
  const held = new HeldAttempts();
  const waiting = await onDeliveries(
    () => held.next(),
    async (own, storage) => {
      own.set("a");
      own.tell("a");
      await own.pass(1_000);
      // As a purge does: numbers begin again.
      for (const table of ["alert_queue", "sqlite_sequence"]) storage.sql.exec(`DELETE FROM ${table}`);
      own.set("a");
      own.tell("a", "other");
      held.end({});
      await vi.advanceTimersByTimeAsync(10);
      return own.store.alerts()[0]?.waiting;
    },
  );
  expect(waiting).toBe(1);
});
