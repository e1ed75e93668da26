/** What is stored of MQTT sessions: opened as an earlier version has stored it, and no more read than may be. */

import { expect, test } from "vitest";
import { SharedPayload } from "../../../src/mqtt/session/shared-payload";
import { KeptQueues } from "../../../src/object/mqtt/kept-queues";
import { Database } from "../../../src/store/database/database";
import { migrate } from "../../../src/store/database/migrations";
import { MQTT_MIGRATIONS } from "../../../src/store/database/mqtt-schema";
import { MqttTables } from "../../../src/store/mqtt/mqtt-tables";
import { inFreshObject } from "../../support/store/in-object";

const ABOUT = {
  agent: "a",
  keyRef: "key:1",
  clientId: "c",
  source: "s",
  expiryS: 60,
  subscriptions: [],
  processors: [],
};
const WILL = { topic: "noema/P1/observe", payload: "eA==", qos: 1, delayS: 7 };

const message = (order: number, bytes: number) => ({
  order,
  id: order,
  topic: "t",
  payload: new Uint8Array(bytes),
  qos: 1 as const,
  isRetained: false,
  subscriptionIds: [3],
  isReleased: false,
  shared: null,
});

test("the will of a session of before stands by itself, and the rest stays", async () => {
  const seen = await inFreshObject((storage) => {
    const { sql } = storage;
    migrate(sql, MQTT_MIGRATIONS.slice(0, 1));
    const insert = "INSERT INTO sessions (id, about, inbox) VALUES (?, ?, ?)";
    sql.exec(insert, "with", JSON.stringify({ ...ABOUT, will: WILL, endedAt: 5 }), "[4,[]]");
    sql.exec(insert, "without", JSON.stringify(ABOUT), "[0,[]]");
    const tables = new MqttTables(new Database(sql), storage);
    const will = JSON.parse(tables.will("with") ?? "null");
    const before = { wills: tables.wills(), will, none: tables.will("without") };
    tables.putInbox("with", "[5,[]]");
    tables.removeWill("with");
    const sessions = tables.sessions().map(({ about, ...rest }) => ({ ...rest, about: JSON.parse(about) }));
    return { ...before, sessions, after: tables.wills() };
  });
  expect(seen).toEqual({
    wills: [{ session: "with", delayS: 7, size: JSON.stringify(WILL).length }],
    will: WILL,
    none: undefined,
    sessions: [
      { id: "with", about: { ...ABOUT, endedAt: 5 }, inbox: "[5,[]]" },
      { id: "without", about: ABOUT, inbox: "[0,[]]" },
    ],
    after: [],
  });
});

test("an object of before has no wills that are to be published, and takes some", async () => {
  const seen = await inFreshObject((storage) => {
    migrate(storage.sql, MQTT_MIGRATIONS.slice(0, 2));
    const open = () => new MqttTables(new Database(storage.sql), storage);
    const before = open().dueWills();
    open().addDueWill("s", "{}", JSON.stringify(WILL));
    const after = { rows: open().dueWills(), will: open().dueWill("s"), none: open().dueWill("t") };
    open().removeDueWill("s");
    return { before, after, last: open().dueWills() };
  });
  const text = JSON.stringify(WILL);
  const after = { rows: [{ source: "s", about: "{}", size: text.length }], will: text, none: undefined };
  expect(seen).toEqual({ before: [], after, last: [] });
});

test("an object of before has no sessions that have ended, and takes some", async () => {
  const seen = await inFreshObject((storage) => {
    migrate(storage.sql, MQTT_MIGRATIONS.slice(0, 4));
    const open = () => new MqttTables(new Database(storage.sql), storage);
    const before = open().endedSources();
    open().addEndedSource("s", "{}", 5);
    const after = open().endedSources();
    open().removeEndedSource("s");
    return [before, after, open().endedSources()];
  });
  expect(seen).toEqual([[], [{ source: "s", about: "{}", at: 5 }], []]);
});

test("queues that take more than may be read lose the oldest of the longest, and short ones stay", async () => {
  const seen = await inFreshObject((storage) => {
    const tables = new MqttTables(new Database(storage.sql), storage);
    tables.shortenQueues(0, 0);
    tables.putSession({ id: "any", about: JSON.stringify(ABOUT), inbox: "[0,[]]" });
    for (let order = 1; order <= 20; order++) tables.addMessage("long", message(order, 9_999));
    for (let order = 1; order <= 10; order++) tables.addMessage("other", message(order, 9_999));
    for (let order = 1; order <= 3; order++) tables.addMessage("short", message(order, 99));
    const orders = () => ["long", "other", "short"].map((id) => tables.messages(id).map(({ order }) => order));
    tables.shortenQueues(400_000, 100);
    const all = orders().map(({ length }) => length);
    tables.shortenQueues(100_000, 100);
    return { all, left: orders() };
  });
  // 600 bytes of the short one leave 99,400 for the two others: four messages of 10,100 bytes each.
  expect(seen).toEqual({
    all: [20, 10, 3],
    left: [
      [17, 18, 19, 20],
      [7, 8, 9, 10],
      [1, 2, 3],
    ],
  });
});

test("a database of version 5 opens, and keeps the processors that could not be told", async () => {
  const seen = await inFreshObject((storage) => {
    migrate(storage.sql, MQTT_MIGRATIONS.slice(0, 5));
    const open = () => new MqttTables(new Database(storage.sql), storage);
    open().addEndedSource("s", "{}", 7);
    const before = open().untold();
    open().addUntold("P1");
    open().addUntold("P2");
    open().removeUntold("P1");
    return [before, open().untold(), open().endedSources()];
  });
  expect(seen).toEqual([[], ["P2"], [{ source: "s", about: "{}", at: 7 }]]);
});

test("the queues of before keep what they say, each its own, and take what several say", async () => {
  const seen = await inFreshObject((storage) => {
    const { sql } = storage;
    migrate(sql, MQTT_MIGRATIONS.slice(0, 3));
    const insert =
      "INSERT INTO messages (session, number, packet_id, topic, payload, qos, retained, subscriptions, released) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    sql.exec(insert, "a", 1, 7, "t", new Uint8Array([1, 2]), 1, 0, "[3]", 0);
    sql.exec(insert, "a", 2, 8, "", new Uint8Array(), 2, 1, "[]", 1);
    const tables = new MqttTables(new Database(sql), storage);
    const before = tables.messages("a");
    tables.addPayload(1, new Uint8Array([5]));
    tables.addMessage("a", { ...message(3, 0), shared: 1 });
    const after = { last: tables.messages("a").at(-1), payloads: tables.payloads() };
    return { before, after };
  });
  const rest = { qos: 1, isRetained: false, subscriptionIds: [3], isReleased: false, shared: null };
  expect(seen.before).toEqual([
    { ...rest, order: 1, id: 7, topic: "t", payload: new Uint8Array([1, 2]) },
    {
      ...rest,
      order: 2,
      id: 8,
      topic: "",
      payload: new Uint8Array(),
      qos: 2,
      isRetained: true,
      subscriptionIds: [],
      isReleased: true,
    },
  ]);
  expect(seen.after).toEqual({
    last: { ...message(3, 0), shared: 1 },
    payloads: [{ id: 1, payload: new Uint8Array([5]) }],
  });
});

/** A message as a queue has it. */
const queued = (order: number, payload: SharedPayload) => ({ ...message(order, 0), payload });

test("what several say is stored once, until the last of them is removed, also over lives of the object", async () => {
  const seen = await inFreshObject((storage) => {
    const tables = new MqttTables(new Database(storage.sql), storage);
    for (const id of ["a", "b", "c"]) tables.putSession({ id, about: JSON.stringify(ABOUT), inbox: "[0,[]]" });
    const first = new KeptQueues(tables);
    const text = new SharedPayload(new Uint8Array([1, 2, 3]), true);
    const own = new SharedPayload(new Uint8Array([4]));
    for (const id of ["a", "b", "c"]) first.add(id, queued(1, text));
    first.add("a", queued(2, own));
    const stored = tables.payloads().length;
    first.remove("a", queued(1, text));
    // Of a life that was lost between two rows, or of a message that an earlier version has dropped.
    tables.addPayload(99, new Uint8Array(1000));
    const second = new KeptQueues(tables);
    const read = new Map<string, SharedPayload[]>();
    second.reading(() => {
      for (const id of ["a", "b", "c"])
        read.set(
          id,
          second.messages(id).map(({ payload }) => payload),
        );
    });
    const [b, c] = [read.get("b")?.[0], read.get("c")?.[0]] as [SharedPayload, SharedPayload];
    const again = { a: [...(read.get("a")?.[0]?.bytes ?? [])], b: [...b.bytes], isSame: b === c };
    const ids = () => tables.payloads().map(({ id }) => id);
    const rows = [ids()];
    const more = new SharedPayload(new Uint8Array([9]), true);
    second.add("a", queued(3, more));
    rows.push(ids());
    second.release("b", queued(1, b));
    rows.push(ids());
    second.removeAll("c", [queued(1, c)]);
    rows.push(ids());
    second.remove("a", queued(3, more));
    rows.push(ids());
    return { stored, again, rows, released: tables.messages("b") };
  });
  expect(seen.stored).toBe(1);
  expect(seen.again).toEqual({ a: [4], b: [1, 2, 3], isSame: true });
  expect(seen.rows).toEqual([[1], [1, 100], [1, 100], [100], []]);
  expect(seen.released).toEqual([{ ...message(1, 0), topic: "", isReleased: true }]);
});

test("what several say counts once when queues are read, and goes when none says it any more", async () => {
  const seen = await inFreshObject((storage) => {
    const tables = new MqttTables(new Database(storage.sql), storage);
    tables.putSession({ id: "any", about: JSON.stringify(ABOUT), inbox: "[0,[]]" });
    for (let id = 1; id <= 10; id++) {
      tables.addPayload(id, new Uint8Array(9_999));
      for (const session of ["a", "b", "c"]) tables.addMessage(session, { ...message(id, 0), shared: id });
    }
    const left = (most: number) => {
      tables.shortenQueues(most, 99);
      const orders = ["a", "b", "c"].map((id) => tables.messages(id).map(({ order }) => order));
      return [...orders, tables.payloads().map(({ id }) => id)];
    };
    return [left(102_990), left(60_000)];
  });
  // A message takes 100 bytes of its own, and a third of 9,999: five of each queue fit into 60,000 bytes.
  expect(seen).toEqual([Array(4).fill([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), Array(4).fill([6, 7, 8, 9, 10])]);
});
