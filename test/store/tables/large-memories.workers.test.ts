/** Memories of megabytes, over SQLite: how much of them is read, and how much their rows may take. */

import { describe, expect, test } from "vitest";
import { billed } from "../../../src/store/database/database";
import { SqliteStore } from "../../../src/store/store";
import { onFreshStore } from "../../support/store/in-object";
import { Life } from "../../support/store/memory-life";
import { memoryChange } from "../../support/store/rows";

/** Counts the rows that `work` writes. */
function rowsOf(work: () => void): number {
  const before = billed.rows;
  work();
  return billed.rows - before;
}

function storedRows({ sql }: DurableObjectStorage, session: string): number {
  return sql.exec<{ n: number }>("SELECT count(*) AS n FROM memories WHERE session = ?", session).one().n;
}

describe("a memory of more than is read", () => {
  const LARGE = 1_900_000;

  /** Whether two values are the same. What differs would be megabytes. */
  function isEqual(one: unknown, other: unknown): boolean {
    try {
      expect(one).toStrictEqual(other);
      return true;
    } catch {
      return false;
    }
  }

  /** A memory of this many large events, of which this many are needed. */
  function fill(store: SqliteStore, session: string, events: number, needed: number): Life {
    const life = new Life(session);
    for (let at = 0; at < events; at++) {
      const symbol = String.fromCharCode(97 + at).repeat(LARGE);
      store.record(life.observe([symbol], Float64Array.of(at)));
      if (at >= needed) store.record(life.dropOldest(1));
    }
    return life;
  }

  test("gives its state and how large it is, keeps it when the state changes, and goes as a whole", async () => {
    const seen = await onFreshStore((store, storage) => {
      const life = fill(store, "s", 19, 19);
      const full = storedRows(storage, "s");
      const again = new SqliteStore(storage.sql);
      const unread = again.memories.read("s");
      expect(unread).toStrictEqual({
        state: life.stored.state,
        events: [],
        waiting: [],
        unreadBytes: expect.any(Number),
      });
      const change = { ...life.stored.state, target: "t", time: 99 };
      const written = rowsOf(() => again.record(memoryChange("s", change)));
      again.record({ kind: "source-kept", session: "s", sender: "client", source: "c", number: 7 });
      again.record(memoryChange("s", change));
      const changed = new SqliteStore(storage.sql);
      expect(changed.memories.read("s")).toStrictEqual({ ...unread, state: change });
      expect([changed.keptSource("s", "client", "c"), changed.memories.time("s"), changed.memories.time("")]).toEqual([
        7, 99, 0,
      ]);
      const sum = storage.sql.exec<{ n: number }>("SELECT sum(octet_length(events)) AS n FROM memories").one().n;
      changed.record(life.clear());
      const cleared = new SqliteStore(storage.sql).memories.read("s");
      expect(isEqual(cleared, life.stored)).toBe(true);
      return { written, full, sum, bytes: unread?.unreadBytes ?? 0, rows: storedRows(storage, "s") };
    });
    expect(seen).toMatchObject({ written: 1, full: 19, rows: 1 });
    expect(seen.sum).toBeGreaterThan(19 * LARGE);
    expect(seen.bytes).toBeGreaterThan(seen.sum);
  });

  test("is read when what it needs is less, and ends with its session", async () => {
    await onFreshStore((store, storage) => {
      // The vectors of the events that it has dropped wait on.
      const life = fill(store, "s", 22, 3);
      expect(isEqual(new SqliteStore(storage.sql).memories.read("s"), life.stored)).toBe(true);
      store.record(life.clear(false));
      for (let at = 0; at < 5; at++) store.record(life.observe([`${at}`]));
      expect(isEqual(new SqliteStore(storage.sql).memories.read("s"), life.stored)).toBe(true);
      fill(store, "t", 19, 19);
      store.record({ kind: "session-ended", session: "t" });
      expect([store.memories.read("t"), storedRows(storage, "t")]).toEqual([undefined, 0]);
    });
  });
});

test("what a memory needs no more takes no more than 32 MiB: events beside vectors that wait, states, and free rows", async () => {
  const held = await onFreshStore((store, { sql }) => {
    const most: number[] = [];
    const sum =
      "sum(coalesce(octet_length(events), 0) + octet_length(state) + coalesce(octet_length(percept_metadata), 0)) AS n";
    const bytesNow = () => sql.exec<{ n: number }>(`SELECT ${sum} FROM memories`).one().n;
    const isKept = (one: Life) => JSON.stringify(new SqliteStore(sql).memories.read("")) === JSON.stringify(one.stored);
    const life = new Life();
    const kept: boolean[] = [];
    for (let at = 0; at < 60; at++) {
      store.record(life.observe([`${at} `.repeat(200_000)], Float64Array.of(at)));
      if (at >= 3) store.record(life.dropOldest(1));
      most.push(bytesNow());
    }
    kept.push(isKept(life));
    for (let at = 0; at < 20; at++) store.record(life.observe([`${at} `.repeat(300_000)]));
    store.record(life.clear(false));
    // The states of rows that are full, with a large record that became no event.
    for (let at = 0; at < 120; at++) {
      const change = life.observe(["x".repeat(3_000)]);
      store.record({ ...change, state: { ...change.state, target: "t".repeat(400_000) } });
      most.push(bytesNow());
    }
    kept.push(JSON.stringify(new SqliteStore(sql).memories.read("")?.events) === JSON.stringify(life.stored.events));
    store.record(life.clear(false));
    return { most: Math.max(...most), kept, after: bytesNow() };
  });
  expect(held.kept).toEqual([true, true]);
  expect(held.most).toBeGreaterThan(30_000_000);
  expect(held.most).toBeLessThan(36_000_000);
  expect(held.after).toBeLessThan(36_000_000);
});

test("the size of what is stored becomes less when sessions end", async () => {
  const sizes = await onFreshStore((store) => {
    const sizes = [store.storedBytes()];
    for (const session of ["a", "b"]) store.record(new Life(session).observe(["x".repeat(1_000_000)]));
    sizes.push(store.storedBytes());
    store.record({ kind: "session-ended", session: "a" });
    sizes.push(store.storedBytes());
    store.record({ kind: "sessions-ended" });
    return [...sizes, store.storedBytes()];
  });
  expect(sizes[1]).toBeGreaterThan(2_000_000);
  const [empty = 0] = sizes;
  expect((sizes[2] ?? 0) - empty).toBeLessThan(1_010_000);
  expect((sizes[3] ?? 0) - empty).toBeLessThan(5_000);
});
