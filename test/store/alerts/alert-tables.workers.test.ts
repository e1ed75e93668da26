/** Alerts and what they have to tell, over SQLite. */

import { expect, test } from "vitest";
import type { Alert, Notice, Told } from "../../../src/processor/ports/alert";
import { AlertQueueTable } from "../../../src/store/alerts/alert-queue-table";
import { AlertTable } from "../../../src/store/alerts/alert-table";
import { Database } from "../../../src/store/database/database";
import { RestoreStore } from "../../../src/store/restore-store";
import { onFreshStore } from "../../support/store/in-object";

const LEARNED: Told = { kind: "learned", model: "m" };

function notice(change: Partial<Notice> = {}): Notice {
  return { alert: "a", webhookId: "w", told: LEARNED, session: "", interval: 1, happenedAt: 100, ...change };
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
