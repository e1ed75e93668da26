/** Migration 11: alerts keep what they had, and there is room for incidents, live and staged. */

import { expect, test } from "vitest";
import { migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { RestoreStore } from "../../../src/store/restore-store";
import { SqliteStore } from "../../../src/store/store";
import { inFreshObject } from "../../support/store/in-object";
import { fullMemoryState, incidentRow, memoryChange, plainMemoryState } from "../../support/store/rows";

test("what was stored before is read as before, and incidents can be kept", async () => {
  const { alerts, before, memory, incidents, staged } = await inFreshObject(({ sql }) => {
    migrate(
      sql,
      PROCESSOR_MIGRATIONS.filter(({ number }) => number < 11),
    );
    sql.exec(
      "INSERT INTO alerts (name, condition, url, secret) VALUES ('a', '{\"kind\":\"learned\"}', 'https://a', 's')",
    );
    // An earlier release wrote none of the members that came with incidents.
    const old = plainMemoryState({ time: 3 });
    new SqliteStore(sql).record(memoryChange("s", old));
    const [stored] = sql.exec<{ state: string }>("SELECT state FROM memories").toArray();
    migrate(sql, PROCESSOR_MIGRATIONS);
    const store = new SqliteStore(sql);
    const before = [stored?.state, store.memories.read("s")?.state, store.incidents.last(), store.newestThresholds()];
    store.record(
      memoryChange("", fullMemoryState({ memoryStart: 9, ensembleStart: 9, ensembleEnd: 9, waitingStart: 17 })),
    );
    store.record({ kind: "incident-put", incident: incidentRow() });
    const restore = new RestoreStore(sql);
    restore.incidents.put(incidentRow({ id: 7 }));
    const again = new SqliteStore(sql);
    const staged = [restore.incidents.last(), again.incidents.last()];
    return {
      alerts: again.alerts(),
      before,
      memory: again.memories.read("")?.state,
      incidents: again.incidents.read(3),
      staged,
    };
  });
  expect(alerts).toStrictEqual([
    {
      number: 1,
      name: "a",
      when: { kind: "learned" },
      url: "https://a",
      secret: "s",
      format: "standard",
      last: undefined,
      waiting: 0,
      threshold: undefined,
    },
  ]);
  expect(before).toStrictEqual([
    expect.not.stringMatching(/running|thresholds|history/),
    plainMemoryState({ time: 3 }),
    0,
    [],
  ]);
  const { running, thresholds, history } = fullMemoryState();
  expect(memory).toMatchObject({ running, thresholds, history });
  expect(incidents).toStrictEqual(incidentRow());
  expect(staged).toStrictEqual([7, 3]);
});
