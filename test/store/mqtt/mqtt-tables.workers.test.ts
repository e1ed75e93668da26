/** What is stored of MQTT sessions: opened as an earlier version has stored it, and no more read than may be. */

import { expect, test } from "vitest";
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
