/** A restore is staged beside what a processor holds, and leaves it as it was when it is dropped. */

import { expect, test } from "vitest";
import { RestoreStore } from "../../src/store/restore-store";
import { SqliteStore } from "../../src/store/store";
import { onFreshStore } from "../support/store/in-object";
import {
  fullMemoryState,
  fullState,
  memoryChange,
  model,
  plainMemoryState,
  symbol,
  vector,
} from "../support/store/rows";

/** Everything that a store reads of what this test writes. */
function readOf(store: SqliteStore) {
  return [
    store.state(),
    store.memories.read(""),
    store.memories.read("s"),
    store.keptSources("s"),
    store.blacklist(),
    [...store.knowledge.corpus()],
    [...store.knowledge.vectors()],
  ];
}

test("a restore that is dropped changes nothing that is read", async () => {
  const { before, dropped, staged } = await onFreshStore((store, { sql }) => {
    store.record({ kind: "state", state: fullState() });
    store.record({ kind: "source-kept", session: "s", sender: "client", source: "d", number: 7 });
    for (const session of ["", "s"]) store.record(memoryChange(session, plainMemoryState()));
    store.record({ kind: "blacklist-added", symbols: ["b", "a"] });
    store.record({ kind: "model-put", model: model(3) });
    store.record({ kind: "symbols-added", symbols: [symbol(0)] });
    store.record({ kind: "vector-learned", vector: vector(1) });
    const before = readOf(new SqliteStore(sql));
    const restore = new RestoreStore(sql);
    restore.restore.put({ restoreId: "r", touchedAt: 5, agent: "", settings: "{}" });
    const empty = { memoryStart: 0, memoryEnd: 0, ensembleStart: 0, ensembleEnd: 0, waitingStart: 1, waitingEnd: 1 };
    restore.putMemory("t", { state: { ...fullMemoryState({ sources: [] }), ...empty }, events: [], waiting: [] }, []);
    restore.blacklist.add(["z"]);
    const staged = [
      restore.restore.read(),
      restore.memories.has("t"),
      restore.memories.has("s"),
      restore.memories.sessionCount(),
    ];
    restore.drop();
    return {
      before,
      staged,
      dropped: [readOf(new SqliteStore(sql)), restore.restore.read(), restore.memories.has("t")],
    };
  });
  expect(staged).toStrictEqual([{ restoreId: "r", touchedAt: 5, agent: "", settings: "{}" }, true, false, 1]);
  expect(dropped).toStrictEqual([before, undefined, false]);
});
