/** Migration 7: what migration 6 held is read as before, and there is room for encoders, live and staged. */

import { expect, test } from "vitest";
import { migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { RestoreStore } from "../../../src/store/restore-store";
import { SqliteStore } from "../../../src/store/store";
import { putEarlierState } from "../../support/store/earlier-state";
import { inFreshObject } from "../../support/store/in-object";
import { fullState, memoryChange, model, plainMemoryState } from "../../support/store/rows";

const STEP = '{"kind":"step","size":1}';

function readOf(store: SqliteStore, state = store.state()) {
  return [state, store.memory(""), store.memory("s"), store.blacklist(), [...store.corpus()]];
}

/** Lays down a database of migration 6, with something in it, and migrates it. */
function migratedFrom6(sql: SqlStorage): { before: unknown; after: unknown; store: SqliteStore } {
  migrate(sql, PROCESSOR_MIGRATIONS.slice(0, 6));
  const old = new SqliteStore(sql);
  putEarlierState(sql, fullState());
  for (const session of ["", "s"]) old.record(memoryChange(session, plainMemoryState()));
  old.record({ kind: "blacklist-added", symbols: ["b", "a"] });
  old.record({ kind: "model-put", model: model(3) });
  const before = readOf(old, fullState());
  migrate(sql, PROCESSOR_MIGRATIONS);
  const store = new SqliteStore(sql);
  return { before, after: readOf(store), store };
}

test("what was stored before is read as before, and there are no encoders", async () => {
  const { before, after, encoders } = await inFreshObject(({ sql }) => {
    const { store, ...read } = migratedFrom6(sql);
    return { ...read, encoders: store.encoders() };
  });
  expect(after).toStrictEqual(before);
  expect(encoders).toStrictEqual([]);
});

test("no number is given twice, not to an encoder that is put again, and not after a restore", async () => {
  const read = await inFreshObject(({ sql }) => {
    const { store } = migratedFrom6(sql);
    const put = (name: string) => store.record({ kind: "encoder-put", name, definition: STEP });
    const numbers = () => Object.fromEntries(store.encoders().map(({ name, number }) => [name, number]));
    for (const name of ["a", "b", "a"]) put(name);
    store.record({ kind: "encoder-deleted", name: "a" });
    put("a");
    const first = numbers();
    const restore = new RestoreStore(sql);
    restore.putEncoder({ name: "c", number: 9, definition: STEP });
    restore.drop();
    const dropped = restore.encoders();
    restore.putEncoder({ name: "c", number: 9, definition: STEP });
    const staged = [restore.encoders(), numbers()];
    restore.takeOver([]);
    const taken = numbers();
    put("a");
    return { first, dropped, staged, taken, last: numbers(), left: restore.encoders() };
  });
  expect(read).toStrictEqual({
    first: { b: 2, a: 4 },
    dropped: [],
    staged: [[{ name: "c", number: 9, definition: STEP }], { b: 2, a: 4 }],
    taken: { c: 9 },
    last: { c: 9, a: 10 },
    left: [],
  });
});
