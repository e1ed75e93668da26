/** Migration 4: what migration 3 held is read as before, and a restore can be staged beside it. */

import { expect, test } from "vitest";
import { migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { RestoreStore } from "../../../src/store/restore-store";
import { SqliteStore } from "../../../src/store/store";
import { putEarlierModel } from "../../support/store/earlier-model";
import { putEarlierState } from "../../support/store/earlier-state";
import { inFreshObject } from "../../support/store/in-object";
import {
  fullMemoryState,
  fullState,
  memoryChange,
  model,
  plainMemoryState,
  symbol,
  vector,
} from "../../support/store/rows";

/** Everything that a store reads of what this test writes. */
function readOf(store: SqliteStore, state = store.state()) {
  return [
    state,
    store.memory(""),
    store.memory("s"),
    store.keptSources("s"),
    store.blacklist(),
    [...store.corpus()],
    [...store.vectors()],
  ];
}

test("what was stored before is read as before, and survives a restore that is dropped", async () => {
  const { before, after, dropped, staged } = await inFreshObject((storage) => {
    const { sql } = storage;
    migrate(sql, PROCESSOR_MIGRATIONS.slice(0, 3));
    const old = new SqliteStore(sql);
    putEarlierState(sql, fullState());
    old.record({ kind: "source-kept", session: "s", sender: "client", source: "d", number: 7 });
    for (const session of ["", "s"]) old.record(memoryChange(session, plainMemoryState()));
    old.record({ kind: "blacklist-added", symbols: ["b", "a"] });
    putEarlierModel(sql, model(3));
    old.record({ kind: "symbols-added", symbols: [symbol(0)] });
    old.record({ kind: "vector-learned", vector: vector(1) });
    const before = readOf(old, fullState());
    migrate(sql, PROCESSOR_MIGRATIONS);
    const after = readOf(new SqliteStore(sql));
    const restore = new RestoreStore(sql);
    restore.putRestore({ restoreId: "r", touchedAt: 5, agent: "", settings: "{}" });
    const state = fullMemoryState({ sources: [] });
    restore.putMemory(
      "t",
      {
        state: {
          ...state,
          memoryStart: 0,
          memoryEnd: 0,
          ensembleStart: 0,
          ensembleEnd: 0,
          waitingStart: 1,
          waitingEnd: 1,
        },
        events: [],
        waiting: [],
      },
      [],
    );
    restore.addToBlacklist(["z"]);
    const staged = [restore.restore(), restore.hasMemory("t"), restore.hasMemory("s"), restore.sessionCount()];
    restore.drop();
    return {
      before,
      after,
      staged,
      dropped: [readOf(new SqliteStore(sql)), restore.restore(), restore.hasMemory("t")],
    };
  });
  expect(after).toStrictEqual(before);
  expect(staged).toStrictEqual([{ restoreId: "r", touchedAt: 5, agent: "", settings: "{}" }, true, false, 1]);
  expect(dropped).toStrictEqual([before, undefined, false]);
});
