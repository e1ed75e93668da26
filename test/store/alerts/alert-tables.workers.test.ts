/** Alerts and what they have to tell, over SQLite. */

import { expect, test } from "vitest";
import type { Alert, EventNotice, SilenceNotice, ToldEvent } from "../../../src/processor/ports/alert";
import { AlertQueueTable, type QueuedNotice } from "../../../src/store/alerts/alert-queue-table";
import { AlertTable } from "../../../src/store/alerts/alert-table";
import { MAX_JOINED_CHARACTERS } from "../../../src/store/alerts/joined-silences";
import { Database } from "../../../src/store/database/database";
import { RestoreStore } from "../../../src/store/restore-store";
import { Random } from "../../support/random";
import { onFreshStore } from "../../support/store/in-object";

const LEARNED: ToldEvent = { kind: "learned", model: "m" };

function notice(change: Partial<EventNotice> = {}): EventNotice {
  return { alert: "a", webhookId: "w", told: LEARNED, session: "", interval: 1, happenedAt: 100, ...change };
}

function silence(session: string, lastObserved = 1): SilenceNotice {
  const told = { kind: "silent" as const, silence: { after: 60, last_observed: lastObserved } };
  return { ...notice({ session, webhookId: session }), told };
}

/** The memories of which a notice reports, each with the second of its last observation. */
function reported({ session, told }: QueuedNotice): [session: string, lastObserved: number][] {
  if (told.kind !== "silent") return [];
  const others = (told.others ?? []).map((one) => [one.session ?? "", one.last_observed] as [string, number]);
  return [[session, told.silence.last_observed], ...others];
}

/** Takes the first notice, with what is joined to it. */
function takeFirst(queue: AlertQueueTable): QueuedNotice | undefined {
  const first = queue.firstDue("a", 1_000);
  if (first === undefined) return undefined;
  const joined = queue.joined(first, { characters: MAX_JOINED_CHARACTERS, listed: Number.POSITIVE_INFINITY });
  queue.remove(joined);
  return joined;
}

function alert(change: Partial<Alert> = {}): Alert {
  return {
    name: "a",
    when: { kind: "learned" },
    url: "https://a.example/",
    format: "standard",
    secret: "whsec_x",
    ...change,
  };
}

/** Runs `work` on the tables of an empty store. */
function onTables<Outcome>(work: (alerts: AlertTable, queue: AlertQueueTable) => Outcome): Promise<Outcome> {
  return onFreshStore((_, { sql }) => {
    const database = new Database(sql);
    return work(new AlertTable(database), new AlertQueueTable(database));
  });
}

test("an alert keeps its number as long as its condition stays, and no number comes back", async () => {
  const numbers = await onTables((alerts) => {
    const put = (change: Partial<Alert> = {}) => {
      alerts.put(alert(change));
      return alerts.read(change.name ?? "a")?.number;
    };
    const first = [put(), put({ url: "https://b.example/" }), put({ when: { kind: "surprise", above: 1 } })];
    alerts.remove("a");
    return [...first, put({ when: { kind: "surprise", above: 1 } }), put({ name: "b" })];
  });
  expect(numbers).toEqual([1, 1, 2, 3, 4]);
});

test("alerts are sorted by the bytes of their names, and know their last attempt and what waits", async () => {
  const [all, put] = await onTables((alerts, queue) => {
    for (const name of ["\u{1F600}", "\uFFFD", "b", "a"]) alerts.put(alert({ name }));
    queue.add(notice({ alert: "b" }));
    alerts.noteAttempt("b", { at: 5, status: 500, failure: "it failed" });
    alerts.noteAttempt("a", { at: 6, status: 204, failure: undefined });
    alerts.noteAttempt("nobody", { at: 7, status: undefined, failure: "it failed" });
    const all = alerts.all();
    alerts.put(alert({ name: "b", secret: "whsec_y" }));
    return [all, alerts.read("b")];
  });
  expect(all.map(({ name }) => name)).toEqual(["a", "b", "\uFFFD", "\u{1F600}"]);
  expect(all.map(({ last, waiting }) => [last, waiting])).toEqual([
    [{ at: 6, status: 204, failure: undefined }, 0],
    [{ at: 5, status: 500, failure: "it failed" }, 1],
    [undefined, 0],
    [undefined, 0],
  ]);
  expect(put).toMatchObject({ secret: "whsec_y", last: undefined, waiting: 1 });
});

test("what waits for its first attempt stands for what comes in the same memory, and nothing else does", async () => {
  const rows = await onTables((_, queue) => {
    queue.add(notice({ webhookId: "1" }));
    queue.add(notice({ webhookId: "2", interval: 2, happenedAt: 200, told: { kind: "learned", model: "n" } }));
    queue.add(notice({ webhookId: "3", session: "s" }));
    queue.add(notice({ webhookId: "4", alert: "b" }));
    queue.add(notice({ webhookId: "5", told: { kind: "test" } }));
    queue.add(notice({ webhookId: "6", told: { kind: "test" } }));
    const first = queue.firstDue("a", 1_000);
    queue.begin(first?.number ?? 0, 2_000);
    queue.add(notice({ webhookId: "7" }));
    const rest: unknown[] = [];
    for (let next = queue.firstDue("a", 1_000); next !== undefined; next = queue.firstDue("a", 1_000)) {
      rest.push([next.webhookId, next.count]);
      queue.remove(next);
    }
    return { first, rest, again: queue.firstDue("a", 2_000)?.attempts, lanes: queue.lanes(), count: queue.count() };
  });
  expect(rows.first).toEqual({
    number: 1,
    alert: "a",
    webhookId: "1",
    told: { kind: "learned", model: "n" },
    session: "",
    interval: 2,
    happenedAt: 200,
    count: 2,
    attempts: 0,
    queuedAt: 100,
  });
  expect(rows.rest).toEqual([
    ["3", 1],
    ["5", 1],
    ["6", 1],
    ["7", 1],
  ]);
  expect(rows.again).toBe(1);
  expect([rows.lanes, rows.count]).toEqual([
    [
      { alert: "a", dueAt: 2_000 },
      { alert: "b", dueAt: 100 },
    ],
    2,
  ]);
});

test("a thousand wait, and then the oldest are dropped and counted", async () => {
  const [count, dropped, oldest] = await onTables((_, queue) => {
    for (let at = 0; at < 1_003; at++) queue.add(notice({ webhookId: String(at), session: `s${at}` }));
    return [queue.count(), queue.dropped, queue.firstDue("a", 1_000)?.webhookId];
  });
  expect([count, dropped, oldest]).toEqual([1_000, 3, "3"]);
});

test("memories that fall silent together are joined in few notices of at most 65,536 characters, each once", async () => {
  const { count, told, sizes } = await onTables((_, queue) => {
    const sessions = Array.from({ length: 3_000 }, (_, at) => `device-${at}`);
    for (let at = 0; at < 3_000; at += 1_000) {
      queue.addSilences(sessions.slice(at, at + 1_000).map((session) => silence(session)));
    }
    const count = queue.count();
    const taken: QueuedNotice[] = [];
    for (let next = queue.firstDue("a", 1_000); next !== undefined; next = queue.firstDue("a", 1_000)) {
      taken.push(next);
      queue.remove(next);
    }
    return { count, told: taken.flatMap(reported), sizes: taken.map(({ told }) => JSON.stringify(told).length) };
  });
  expect(count).toBeLessThanOrEqual(5);
  expect(told.map(([session]) => session)).toEqual(Array.from({ length: 3_000 }, (_, at) => `device-${at}`));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_JOINED_CHARACTERS);
});

test("a notice that others have joined still reports them when its own memory is silent again", async () => {
  const told = await onTables((_, queue) => {
    const sessions = Array.from({ length: 1_000 }, (_, at) => `s${at}`);
    queue.addSilences(sessions.map((session) => silence(session)));
    queue.addSilences(sessions.map((session) => silence(session, 2)).filter((_, at) => at % 7 === 0));
    const all: [string, number][] = [];
    for (let next = takeFirst(queue); next !== undefined; next = takeFirst(queue)) all.push(...reported(next));
    return new Map(all.sort(([, one], [, other]) => one - other));
  });
  expect(told.size).toBe(1_000);
  for (const [session, lastObserved] of told) expect(lastObserved).toBe(Number(session.slice(1)) % 7 === 0 ? 2 : 1);
});

test.each([
  1, 2, 3,
])("whatever falls silent, again and again, in small and large parts: the latest silence of each memory is reported (seed %i)", async (seed) => {
  const wrong = await onTables((_, queue) => {
    const random = new Random(seed);
    let newest = "s0";
    const due = new Map<string, number>();
    const take = () => {
      const next = takeFirst(queue);
      if (next === undefined) return false;
      for (const [session, at] of reported(next)) if (due.get(session) === at) due.delete(session);
      return true;
    };
    for (let at = 1; at <= 10; at++) {
      const most = random.below(3) === 0 ? 1_000 : 200;
      const from = random.below(1_500);
      const part = Array.from({ length: 1 + random.below(most) }, (_, place) => `s${(from + place) % 1_500}`);
      // Others may have joined the last one of the part before: it is silent again while it waits.
      const sessions = [...new Set([newest, ...part])];
      newest = sessions.at(-1) ?? "";
      queue.addSilences(sessions.map((session) => silence(session, at)));
      for (const session of sessions) due.set(session, at);
      for (let taken = random.below(3); taken > 0; taken--) take();
    }
    while (take());
    return { left: [...due], dropped: queue.dropped };
  });
  expect(wrong).toEqual({ left: [], dropped: 0 });
});

test("a restore replaces alerts with their numbers, and drops what waits", async () => {
  const { alerts, waiting, next } = await onFreshStore((store, { sql }) => {
    store.record({ kind: "alert-put", alert: alert(), at: 1 });
    store.record({ kind: "alert-told", notice: notice() });
    new RestoreStore(sql).takeOver([{ ...alert({ name: "b" }), number: 7, threshold: [3] }], 0);
    const restored = store.alerts();
    store.record({ kind: "alert-put", alert: alert(), at: 1 });
    const queue = new AlertQueueTable(new Database(sql));
    return { alerts: restored, waiting: queue.count(), next: store.alerts()[0]?.number };
  });
  expect(alerts).toMatchObject([{ name: "b", number: 7, secret: "whsec_x", threshold: [3] }]);
  expect([waiting, next]).toEqual([0, 8]);
});
