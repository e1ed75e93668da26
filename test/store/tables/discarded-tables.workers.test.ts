/** Much is deleted at once by setting it aside: no read sees it any more, and pieces delete it afterwards. */

import { describe, expect, test } from "vitest";
import type { Staging } from "../../../src/processor/ports/store";
import { RestoreStore } from "../../../src/store/restore-store";
import { SqliteStore } from "../../../src/store/store";
import { modelCount, onFreshStore, vectorCount } from "../../support/store/in-object";
import { Life } from "../../support/store/memory-life";
import { fullState, model, symbol, vector } from "../../support/store/rows";

/** Bytes of an event that takes a row of its own; four of them are more than is deleted at once. */
const LARGE = 1_500_000;

/** Bytes that a piece deletes at most: 4 MiB, or one row of up to 2 MB, and pages that fall away with them. */
const MAX_PIECE = 4_700_000;

function tablesOf({ sql }: DurableObjectStorage): string[] {
  return [
    ...sql.exec<{ text: string }>("SELECT name || ' ' || sql AS text FROM sqlite_master WHERE name NOT LIKE 'sqlite%'"),
  ].map(({ text }) => text.replaceAll('"', ""));
}

/** Fills the processor's own memory and some sessions. @returns the life of the own memory */
function fill(store: SqliteStore, sessions: number): Life {
  const own = new Life("");
  store.record({ kind: "source-kept", session: "", sender: "client", source: "own", number: 3 });
  store.record(own.observe(["own"], Float64Array.of(1)));
  fillSessions(store, sessions);
  return own;
}

function fillSessions(store: SqliteStore, sessions: number): void {
  for (let at = 0; at < sessions; at++) {
    store.record({ kind: "source-kept", session: `s${at}`, sender: "client", source: "c", number: at });
    store.record(new Life(`s${at}`).observe([String.fromCharCode(97 + at).repeat(LARGE)]));
  }
}

/** Deletes all that was set aside. @returns the most bytes that a piece deleted, and the number of pieces */
function deleteAll(store: SqliteStore, { sql }: DurableObjectStorage): { most: number; pieces: number } {
  let [most, pieces] = [0, 0];
  while (store.hasDiscarded) {
    const before = sql.databaseSize;
    if (store.discarded.ended().length > 0) store.discarded.discardEnded();
    else store.record({ kind: "discarded-deleted" });
    most = Math.max(most, before - sql.databaseSize);
    pieces++;
  }
  return { most, pieces };
}

describe("all sessions of much", () => {
  test("are gone at once, and a session of an old name begins anew; pieces delete the rest", async () => {
    await onFreshStore((store, storage) => {
      const tables = tablesOf(storage);
      const own = fill(store, 6);
      const full = storage.sql.databaseSize;
      store.record({ kind: "sessions-ended" });
      for (const seen of [store, new SqliteStore(storage.sql)]) {
        expect(seen.memories.names("", 10)).toEqual([]);
        expect([seen.memories.sessionCount(), seen.memories.read("s1"), seen.keptSources("s1")]).toEqual([
          0,
          undefined,
          [],
        ]);
        expect(seen.memories.read("")).toStrictEqual(own.stored);
        expect(seen.keptSource("", "client", "own")).toBe(3);
        expect(seen.hasDiscarded).toBe(true);
      }
      const again = new Life("s1");
      store.record(again.observe(["again"]));
      store.record(own.observe(["on"]));
      expect(storage.sql.databaseSize).toBeGreaterThan(full);
      const { most, pieces } = deleteAll(store, storage);
      expect(most).toBeLessThan(MAX_PIECE);
      expect(pieces).toBeGreaterThan(2);
      expect(storage.sql.databaseSize).toBeLessThan(full / 10);
      const left = new SqliteStore(storage.sql);
      expect([left.memories.read("s1"), left.memories.read("")]).toStrictEqual([again.stored, own.stored]);
      expect(left.memories.names("", 10)).toEqual(["s1"]);
      expect(tablesOf(storage).sort()).toEqual(tables.sort());
    });
  });

  test("that are set aside once more before the first are deleted go, too", async () => {
    await onFreshStore((store, storage) => {
      for (let time = 0; time < 3; time++) {
        fillSessions(store, 4);
        store.record({ kind: "sessions-ended" });
      }
      expect(store.discarded.ended()).toHaveLength(3);
      deleteAll(store, storage);
      expect([storage.sql.databaseSize < LARGE, store.memories.names("", 9)]).toEqual([true, []]);
    });
  });

  test("are all there where the transaction is rolled back", async () => {
    await onFreshStore((store, storage) => {
      fill(store, 4);
      const before = new SqliteStore(storage.sql).memories.read("s2");
      expect(() =>
        storage.transactionSync(() => {
          store.record({ kind: "sessions-ended" });
          throw new Error("rolled back");
        }),
      ).toThrow("rolled back");
      const back = new SqliteStore(storage.sql);
      expect([back.memories.names("", 9), back.hasDiscarded]).toEqual([["s0", "s1", "s2", "s3"], false]);
      expect(back.memories.read("s2")).toStrictEqual(before);
    });
  });

  test("are deleted at once where little is stored", async () => {
    const left = await onFreshStore((store) => {
      fill(store, 1);
      store.record({ kind: "sessions-ended" });
      return [store.hasDiscarded, store.memories.names("", 9)];
    });
    expect(left).toEqual([false, []]);
  });
});

/** Stores knowledge with metadata of megabytes. */
function learn(store: SqliteStore): void {
  store.record({ kind: "state", state: fullState() });
  store.record({ kind: "symbols-added", symbols: [symbol(0)] });
  store.record({ kind: "vector-learned", vector: vector(1) });
  for (let id = 1; id <= 4; id++)
    store.record({ kind: "model-put", model: model(id, { metadata: ["m".repeat(LARGE), "{}", "{}"] }) });
}

const STAGING: Staging = {
  loadId: "load",
  totals: { modelFrequencies: 4, memberFrequencies: 4, symbolFrequencies: 4 },
  models: 4,
  vectors: 0,
  dimensionality: -1,
};

describe("knowledge of much", () => {
  test("that is cleared is gone at once, and what is learned afterwards stays", async () => {
    await onFreshStore((store, storage) => {
      const tables = tablesOf(storage);
      learn(store);
      store.record({ kind: "knowledge-cleared" });
      const seen = new SqliteStore(storage.sql);
      expect([modelCount(seen), vectorCount(seen), [...seen.knowledge.symbols()]]).toEqual([0, 0, []]);
      store.record({ kind: "model-put", model: model(5) });
      deleteAll(store, storage);
      expect([modelCount(store), storage.sql.databaseSize < LARGE]).toEqual([1, true]);
      expect(tablesOf(storage).sort()).toEqual(tables.sort());
    });
  });

  test("that a load replaces, or that is staged and dropped, goes in pieces", async () => {
    await onFreshStore((store, storage) => {
      learn(store);
      store.record({ kind: "staging-begun", staging: STAGING });
      const models = [1, 2, 3, 4].map((id) => model(id, { metadata: ["n".repeat(LARGE), "{}", "{}"] }));
      const grown = { staging: STAGING, symbols: [symbol(7)], vectors: [], isOrdered: false };
      store.record({ kind: "staging-grown", ...grown, models });
      store.record({ kind: "staging-committed" });
      expect(store.knowledge.modelById(1)?.metadata[0]?.[0]).toBe("n");
      expect([modelCount(store), vectorCount(store), store.hasDiscarded]).toEqual([4, 0, true]);
      store.record({ kind: "staging-begun", staging: STAGING });
      store.record({ kind: "staging-grown", ...grown, models });
      new RestoreStore(storage.sql).drop();
      store.record({ kind: "staging-dropped" });
      expect([store.staging(), store.staged.lastModelId()]).toEqual([undefined, 0]);
      expect(deleteAll(store, storage).most).toBeLessThan(MAX_PIECE);
      expect([modelCount(store), [...store.knowledge.symbols()]]).toEqual([4, [symbol(7)]]);
      expect(storage.sql.databaseSize).toBeLessThan(5 * LARGE);
    });
  });
});
