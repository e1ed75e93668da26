/** Incidents as they are stored: in a ring, by filters, with ids that are never used again. */

import { describe, expect, test } from "vitest";
import { type IncidentRow, MAX_INCIDENTS } from "../../../src/processor/ports/incident";
import { billed } from "../../../src/store/database/database";
import { RestoreStore } from "../../../src/store/restore-store";
import { SqliteStore } from "../../../src/store/store";
import { onFreshStore } from "../../support/store/in-object";
import { incidentRow, memoryChange, plainMemoryState } from "../../support/store/rows";

function put(store: SqliteStore, ...rows: Partial<IncidentRow>[]): void {
  for (const row of rows) store.record({ kind: "incident-put", incident: incidentRow(row) });
}

describe("incidents", () => {
  test("come newest first, by memory and verdict, a page at a time", async () => {
    const lists = await onFreshStore((store) => {
      put(
        store,
        { id: 1 },
        { id: 2, session: "s", verdict: undefined },
        { id: 3, session: "s" },
        { id: 4, session: "" },
      );
      const ids = (filter: Parameters<SqliteStore["incidents"]["list"]>[0], limit = 10) =>
        store.incidents.list(filter, limit).map(({ id }) => id);
      return [
        ids({}),
        ids({}, 2),
        ids({ before: 3 }),
        ids({ session: "s" }),
        ids({ session: "" }),
        ids({ verdict: "open" }),
        ids({ verdict: "fault", session: "s" }),
        ids({ verdict: "normal" }),
        store.incidents.idsAfter(1, 2),
      ];
    });
    expect(lists).toEqual([[4, 3, 2, 1], [4, 3], [2, 1], [3, 2, 1], [4], [2], [3, 1], [], [2, 3]]);
  });

  test("each write one row, and a new one takes the place of the oldest", async () => {
    const { rows, ids, gone, place } = await onFreshStore((store) => {
      const before = billed.rows;
      put(store, { id: 1 }, { id: 2 }, { id: 2, note: "b" }, { id: MAX_INCIDENTS + 1 });
      const place = store.incidents.inPlaceOf(2 * MAX_INCIDENTS + 2)?.id;
      return { rows: billed.rows - before, ids: store.incidents.idsAfter(0, 10), gone: store.incidents.read(1), place };
    });
    expect({ rows, ids, gone, place }).toEqual({ rows: 4, ids: [2, MAX_INCIDENTS + 1], gone: undefined, place: 2 });
  });

  test("are counted by memory, with the newest of each", async () => {
    const counted = await onFreshStore((store) => {
      put(store, { id: 1, session: "s", bits: 9, to: 5 }, { id: 2, session: "s", bits: 7, to: 6, verdict: undefined });
      put(store, { id: 3, session: "" });
      return store.incidents.byMemory();
    });
    expect(counted.sort((a, b) => a.open - b.open)).toEqual([
      { session: "", open: 0, bits: incidentRow().bits, time: incidentRow().to },
      { session: "s", open: 1, bits: 7, time: 6 },
    ]);
  });

  test("that last stand in their memories", async () => {
    const [running, lasting, none] = await onFreshStore((store) => {
      put(store, { id: 1, session: "s", isRunning: true }, { id: 2, isRunning: false });
      const one = {
        id: 1,
        alert: 2,
        last: 3,
        events: 4,
        to: 5,
        bits: 6,
        causes: [],
        expected: [],
        first: [],
        worst: [],
        units: 0,
      };
      store.record(memoryChange("s", plainMemoryState({ running: [one] })));
      return [store.incidents.running(), store.memories.running("s"), store.memories.running("t")] as const;
    });
    expect(running).toEqual([{ id: 1, session: "s" }]);
    expect(lasting).toMatchObject([{ id: 1, last: 3 }]);
    expect(none).toEqual([]);
  });

  test("replaced by a restore, none of their ids is used again", async () => {
    const found = await onFreshStore((store, { sql }) => {
      put(store, { id: 12 });
      const restore = new RestoreStore(sql);
      restore.incidents.put(incidentRow({ id: 5 }));
      restore.takeOver([], 8);
      const restored = new SqliteStore(sql);
      const first = [
        restored.incidents.last(),
        restored.incidents.idsAfter(0, 10),
        restored.incidents.list({}, 10).length,
      ];
      put(restored, { id: 13 });
      const other = new RestoreStore(sql);
      other.incidents.put(incidentRow({ id: 20 }));
      other.takeOver([], 30);
      return [...first, new SqliteStore(sql).incidents.last(), new SqliteStore(sql).incidents.byMemory().length];
    });
    expect(found).toEqual([12, [5], 1, 30, 1]);
  });
});
