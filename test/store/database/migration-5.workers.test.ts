/** Migration 5: what migration 4 held is read as before, and alerts can be kept beside it. */

import { expect, test } from "vitest";
import { migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { SqliteStore } from "../../../src/store/store";
import { putEarlierModel } from "../../support/store/earlier-model";
import { putEarlierState } from "../../support/store/earlier-state";
import { inFreshObject } from "../../support/store/in-object";
import { event, fullMemoryState, fullState, memoryChange, model, plainMemoryState } from "../../support/store/rows";

/** What a store reads of what this test writes before the migration. */
function readOf(store: SqliteStore, state = store.state()) {
  return [state, store.memory(""), store.memory("s"), store.blacklist(), [...store.corpus()]];
}

test("what was stored before is read as before, and alerts can be set", async () => {
  const { before, after, alerts, risen } = await inFreshObject(({ sql }) => {
    migrate(sql, PROCESSOR_MIGRATIONS.slice(0, 4));
    const old = new SqliteStore(sql);
    putEarlierState(sql, fullState());
    // A release without alerts wrote no member for them.
    const own = fullMemoryState({ risen: [], waitingStart: 1, waitingEnd: 1 });
    old.record(memoryChange("", own, { events: [4, 5, 6, 7, 8].map((position) => event(position)) }));
    old.record(memoryChange("s", plainMemoryState({ time: 3 })));
    old.record({ kind: "blacklist-added", symbols: ["b", "a"] });
    putEarlierModel(sql, model(3));
    const [stored] = sql.exec<{ state: string }>("SELECT state FROM memories WHERE session = 's'").toArray();
    const before = [...readOf(old, fullState()), stored?.state.includes("risen")];
    migrate(sql, PROCESSOR_MIGRATIONS);
    const store = new SqliteStore(sql);
    const after = [...readOf(store), false];
    const alert = { name: "a", when: { kind: "learned" as const }, url: "https://a.example/", secret: "whsec_x" };
    store.record({ kind: "alert-put", alert, at: 1 });
    store.record(memoryChange("s", plainMemoryState({ time: 4, risen: [1] })));
    return { before, after, alerts: store.alerts(), risen: new SqliteStore(sql).memory("s")?.state.risen };
  });
  expect(after).toStrictEqual(before);
  expect(alerts).toStrictEqual([
    {
      name: "a",
      when: { kind: "learned" },
      url: "https://a.example/",
      secret: "whsec_x",
      number: 1,
      last: undefined,
      waiting: 0,
    },
  ]);
  expect(risen).toStrictEqual([1]);
});
