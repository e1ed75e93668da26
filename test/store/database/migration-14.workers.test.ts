/** Migration 14: memories of a database of the version before begin their gaps with their last second, and silences are kept. */

import { expect, test } from "vitest";
import { migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { RestoreStore } from "../../../src/store/restore-store";
import { SqliteStore } from "../../../src/store/store";
import { inFreshObject } from "../../support/store/in-object";
import { memoryChange, plainMemoryState } from "../../support/store/rows";

const SILENCE = { arrival: 1_700_000_000_000, since: undefined, told: [3] };

test("what was stored before is read as before, and what is told of silence is kept until the memory observes", async () => {
  const { arrivals, awake, lasting, staged, afterwards } = await inFreshObject(({ sql }) => {
    migrate(
      sql,
      PROCESSOR_MIGRATIONS.filter(({ number }) => number < 14),
    );
    sql.exec(
      "INSERT INTO state (row, predict, autolearn, sleeping, vector_dimensionality, total_model_frequencies, " +
        "total_member_frequencies, total_symbol_frequencies, next_model_id, revision) VALUES (0, 1, 0, 0, -1, 0, 0, 0, 1, 1)",
    );
    // An earlier release wrote no member of arrivals.
    const before = new SqliteStore(sql);
    before.record(memoryChange("", plainMemoryState({ lastObserved: undefined })));
    for (const session of ["a", "b"]) {
      before.record(memoryChange(session, plainMemoryState({ lastObserved: 1_700_000_000, changedAt: 7 })));
    }
    migrate(sql, PROCESSOR_MIGRATIONS);
    const store = new SqliteStore(sql);
    const arrivals = [
      store.memories.arrivals(undefined, 2),
      store.memories.arrivals("a", 9),
      store.memories.read("b")?.state.arrivals,
    ];
    const awake = store.state()?.awakeSince;
    const silences = ["a", "b"].map((session) => ({ session, silence: SILENCE }));
    store.record({ kind: "silences-told", silences, notices: [] });
    const lasting = [
      store.silences.lasting(undefined, 1),
      store.silences.lasting("a", 9),
      store.silences.range(undefined, "a"),
    ];
    new RestoreStore(sql).putMemory("c", { state: plainMemoryState(), events: [], waiting: [] }, [], SILENCE);
    const staged = sql.exec("SELECT session, arrival, since, told FROM staged_silences").toArray();
    store.record(memoryChange("a", plainMemoryState({ arrivals: [1_700_000_000_001, 1, 1, 0, 1] })));
    store.record({ kind: "session-ended", session: "b" });
    return {
      arrivals,
      awake,
      lasting,
      staged,
      afterwards: [store.silences.lasting(undefined, 9), store.silences.read("b")],
    };
  });
  const [a, b] = ["a", "b"].map((session) => ({ session, arrivals: [1_700_000_000_000, 0, 0], changedAt: 7 }));
  expect(arrivals).toStrictEqual([[{ session: "", arrivals: [], changedAt: 0 }, a], [b], b?.arrivals]);
  expect(awake).toBe(0);
  expect(lasting).toStrictEqual([
    { silences: [{ session: "a", silence: SILENCE }], last: "a" },
    { silences: [{ session: "b", silence: SILENCE }], last: "b" },
    new Map([["a", SILENCE]]),
  ]);
  expect(staged).toEqual([{ session: "c", arrival: 1_700_000_000_000, since: null, told: "[3]" }]);
  expect(afterwards).toStrictEqual([{ silences: [], last: "a" }, undefined]);
});
