/** Memories, over SQLite: what comes back, and how many rows a record writes. */

import { describe, expect, test } from "vitest";
import type { MemoryState } from "../../../src/processor/ports/store";
import { billed } from "../../../src/store/database/database";
import { SqliteStore } from "../../../src/store/store";
import { Random } from "../../support/random";
import { onFreshStore } from "../../support/store/in-object";
import { Life } from "../../support/store/memory-life";
import { event, fullMemoryState, memoryChange, plainMemoryState, vector } from "../../support/store/rows";

const DAY_MS = 86_400_000;

/** Counts the rows that `work` writes. */
function rowsOf(work: () => void): number {
  const before = billed.rows;
  work();
  return billed.rows - before;
}

function storedRows({ sql }: DurableObjectStorage, session = ""): number {
  return sql.exec<{ n: number }>("SELECT count(*) AS n FROM memories WHERE session = ?", session).one().n;
}

describe("a memory", () => {
  test("comes back, with its state, the events that are needed and the waiting vectors", async () => {
    const events = [3, 4, 5, 6, 7, 8].map((position) => event(position));
    const waiting = [14, 15, 16].map((id) => vector(id));
    const read = await onFreshStore((store, { sql }) => {
      const none = store.memories.read("");
      store.record(memoryChange("", fullMemoryState(), { events, waiting }));
      return [none, store.memories.read(""), new SqliteStore(sql).memories.read("")];
    });
    const stored = { state: fullMemoryState(), events: events.slice(1), waiting: waiting.slice(1) };
    expect(read).toStrictEqual([undefined, stored, stored]);
  });

  test("tells when memories observed, of as many at a time as take 4 MiB", async () => {
    const pages = await onFreshStore((store, { sql }) => {
      for (const name of ["", "a", "b", "c", "d"]) store.record(memoryChange(name, plainMemoryState()));
      const grow = "UPDATE memories SET state = json_set(state, '$.zzz', hex(zeroblob(?))) WHERE session = ?";
      for (const name of ["a", "b"]) sql.exec(grow, 900_000, name);
      sql.exec(grow, 2_500_000, "c");
      const read: string[][] = [];
      for (let after: string | undefined; ; ) {
        const page = store.memories.arrivals(after, 100).map(({ session }) => session);
        read.push(page);
        after = page.at(-1);
        if (after === undefined) return read;
      }
    });
    expect(pages).toEqual([["", "a", "b"], ["c"], ["d"], []]);
  });

  test("tells what all memories have collected, by their newest rows", async () => {
    const collected = [
      { encoder: 4, values: [20.5, 0, -5e-324] },
      { encoder: 7, values: [1e300] },
    ];
    const put = (store: SqliteStore, session: string, change: Partial<MemoryState>) =>
      store.record(memoryChange(session, plainMemoryState(change)));
    const read = await onFreshStore((store, { sql }) => {
      put(store, "", { collected });
      put(store, "ended", { collected });
      put(store, "done", { collected });
      for (let at = 1; at <= 40; at++) put(store, "a", { time: at, collected: [{ encoder: 4, values: [at] }] });
      put(store, "done", { time: 1, target: '"collected":[' });
      store.record({ kind: "session-ended", session: "ended" });
      return new SqliteStore(sql).memories.collectedNumbers();
    });
    expect(read).toEqual([
      { session: "", collected },
      { session: "a", collected: [{ encoder: 4, values: [40] }] },
    ]);
  });

  test("keeps the events of its ensemble, which are older than working memory", async () => {
    const events = [0, 1, 2].map((position) => event(position));
    const state = plainMemoryState({ memoryStart: 3, memoryEnd: 3, ensembleStart: 1, ensembleEnd: 3 });
    const read = await onFreshStore((store) => {
      store.record(memoryChange("", state, { events }));
      return store.memories.read("")?.events;
    });
    expect(read).toStrictEqual(events.slice(1));
  });

  test("writes one row for each observation, also with vectors waiting and with a limit on its length", async () => {
    const counts = await onFreshStore((store, storage) => {
      const [plain, vectors, limited] = [new Life(), new Life("vectors"), new Life("limited")];
      const written = new Set<number>();
      for (let at = 0; at < 1_000; at++) {
        written.add(rowsOf(() => store.record(plain.observe([`symbol ${at}`, "x".repeat(at % 90)]))));
        written.add(rowsOf(() => store.record(vectors.observe(["v"], new Float64Array(at % 400).fill(at)))));
        written.add(rowsOf(() => store.record(limited.observe([`symbol ${at}`]))));
        if (at > 8) written.add(rowsOf(() => store.record(limited.dropOldest(1))));
      }
      expect(new SqliteStore(storage.sql).memories.read("")).toStrictEqual(plain.stored);
      expect(new SqliteStore(storage.sql).memories.read("vectors")).toStrictEqual(vectors.stored);
      expect(new SqliteStore(storage.sql).memories.read("limited")).toStrictEqual(limited.stored);
      return { written: [...written], limited: storedRows(storage, "limited"), plain: storedRows(storage) };
    });
    expect(counts).toMatchObject({ written: [1], limited: 1 });
    // Events share rows: reading them at a start, and deleting them, is a matter of few rows.
    expect(counts.plain).toBeLessThan(100);
  });

  test("leaves nothing in the store that was cleared", async () => {
    const left = await onFreshStore((store, storage) => {
      const life = new Life();
      for (let at = 0; at < 300; at++) store.record(life.observe([`secret ${at}`], Float64Array.of(at)));
      const many = storedRows(storage);
      store.record(life.clear());
      const texts = storage.sql.exec<{ events: string | null }>("SELECT events FROM memories").toArray();
      return { many, rows: storedRows(storage), texts };
    });
    expect(left.many).toBeGreaterThan(5);
    expect(left).toMatchObject({ rows: 1, texts: [{ events: null }] });
  });

  test("uses the rows again that a learn has freed", async () => {
    const rows = await onFreshStore((store, storage) => {
      const life = new Life();
      const counts: number[] = [];
      const written = new Set<number>();
      for (let round = 0; round < 5; round++) {
        for (let at = 0; at < 500; at++) written.add(rowsOf(() => store.record(life.observe([`symbol ${at}`]))));
        written.add(rowsOf(() => store.record(life.clear(false))));
        counts.push(storedRows(storage));
      }
      return { counts, written: [...written] };
    });
    expect(new Set(rows.counts).size).toBe(1);
    expect(rows.written).toEqual([1]);
  });

  test("does not keep thousands of free rows", async () => {
    const rows = await onFreshStore((store, storage) => {
      const life = new Life();
      const components = new Float64Array(300);
      for (let at = 0; at < 1_000; at++) store.record(life.observe(["v"], components));
      store.record(life.clear(false));
      return storedRows(storage);
    });
    expect(rows).toBeLessThan(200);
  });

  test("takes a record that is larger than a row, as several rows", async () => {
    const events = [0, 1, 2, 3, 4].map((position) => event(position, { symbols: ["\u{1F600}".repeat(200_000)] }));
    const waiting = [0, 1, 2].map((id) => vector(id, { components: new Float64Array(100_000).fill(id) }));
    const state = plainMemoryState({ memoryEnd: 5, waitingEnd: 3, target: "t".repeat(1_500_000) });
    const read = await onFreshStore((store, { sql }) => {
      store.record(memoryChange("", plainMemoryState({ memoryEnd: 1 }), { events: events.slice(0, 1) }));
      store.record(memoryChange("", state, { events: events.slice(1), waiting }));
      const large = new SqliteStore(sql).memories.read("");
      store.record(memoryChange("", { ...state, time: 1 }));
      return [large, new SqliteStore(sql).memories.read("")];
    });
    expect(read).toStrictEqual([
      { state, events, waiting },
      { state: { ...state, time: 1 }, events, waiting },
    ]);
  });

  test.each([1, 2, 3, 4])("comes back after a life of any kind, seed %d", async (seed) => {
    await onFreshStore((store, { sql }) => {
      const random = new Random(seed);
      const lives = new Map(["", "a", "b"].map((session) => [session, new Life(session)]));
      for (let step = 1; step <= 1_500; step++) {
        const [session, life] = random.pick([...lives]);
        store.record(life.liveOn(random));
        // The log is read again from the rows, as after the memory was not used for long.
        if (random.below(100) === 0) store.memories.read(session);
        if (step % 60 === 0) expectStored(new SqliteStore(sql), lives);
      }
    });
  });
});

function expectStored(store: SqliteStore, lives: ReadonlyMap<string, Life>): void {
  for (const [session, { stored }] of lives) expect(store.memories.read(session)).toStrictEqual(stored);
}

describe("sessions", () => {
  const NAMES = ["a", "\u{1F600}", "\uFFEE", "A", "a b", "10", "2", "\u00E9"];

  function record(store: SqliteStore, session: string, change: Partial<MemoryState>): void {
    store.record(memoryChange(session, plainMemoryState(change)));
  }

  test("are listed by name, in the order of bytes, page by page", async () => {
    const pages = await onFreshStore((store) => {
      record(store, "", { time: 7 });
      for (const name of NAMES) record(store, name, { time: name.length });
      const first = store.memories.list("", 3).map(({ name }) => name);
      const second = store.memories.list(first.at(-1) ?? "", 100).map(({ name }) => name);
      const observed = store.memories.observed("", 100).map(({ name }) => name);
      return { first, second, observed, count: store.memories.sessionCount() };
    });
    const bytes = (text: string) =>
      Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const sorted = NAMES.toSorted((a, b) => (bytes(a) < bytes(b) ? -1 : 1));
    expect(pages).toEqual({
      first: sorted.slice(0, 3),
      second: sorted.slice(3),
      observed: sorted,
      count: NAMES.length,
    });
  });

  test("are listed without reading what is not listed, whatever their names and texts are", async () => {
    const tricky = ',"sources":["last_observed":7,';
    const state = fullMemoryState();
    const lists = await onFreshStore((store, { sql }) => {
      const named = { ...state, target: tricky, emotives: [{ name: tricky, value: 1 }] };
      store.record(memoryChange("plain", state));
      store.record(memoryChange("tricky", named));
      const before = store.memories.list("", 10);
      // The end of a state, which holds the last observation, is cut off.
      sql.exec("UPDATE memories SET state = substr(state, 1, length(state) - 9)");
      return [before, store.memories.list("", 10), store.memories.observed("", 10)];
    });
    expect(lists[1]).toStrictEqual(lists[0]);
    expect(lists[2]).toStrictEqual(
      lists[0]?.map(({ name, changedAt, lastObserved }) => ({ name, changedAt, lastObserved })),
    );
    expect(lists[0]).toMatchObject([
      { name: "plain", time: state.time, symbols: state.symbols, lastObserved: state.lastObserved },
      { name: "tricky", time: state.time, symbols: state.symbols, lastObserved: state.lastObserved },
    ]);
  });

  test("are listed as many at a time as have states of 16 MiB; their names are read without them", async () => {
    const read = await onFreshStore((store, { sql }) => {
      for (const name of ["", "a", "b", "c", "d", "e"]) record(store, name, {});
      const grow = "UPDATE memories SET state = json_set(state, '$.zzz', hex(zeroblob(?))) WHERE session = ?";
      for (const name of ["", "a", "b", "c"]) sql.exec(grow, 4_000_000, name);
      const pagesOf = (list: (after: string, limit: number) => readonly { name: string }[]) => {
        const pages: string[][] = [];
        for (let after = ""; pages.at(-1)?.length !== 0; after = pages.at(-1)?.at(-1) ?? "")
          pages.push(list(after, 100).map(({ name }) => name));
        return pages;
      };
      const listed = pagesOf((after, limit) => store.memories.list(after, limit));
      const observed = pagesOf((after, limit) => store.memories.observed(after, limit));
      sql.exec("UPDATE memories SET state = 'none'");
      return { listed, observed, some: store.memories.names("a", 3), all: store.memories.names("", 100) };
    });
    const all = ["a", "b", "c", "d", "e"];
    const pages = [["a", "b"], ["c", "d", "e"], []];
    expect(read).toEqual({ listed: pages, observed: pages, some: ["b", "c", "d"], all });
  });

  test("are listed with what their newest row says", async () => {
    const listed = await onFreshStore((store) => {
      const long = "x".repeat(3_000);
      for (let at = 0; at < 6; at++) {
        const state = plainMemoryState({
          time: at,
          memoryStart: 1,
          memoryEnd: at + 1,
          symbols: at,
          changedAt: at,
          lastObserved: at || undefined,
        });
        store.record(memoryChange("s", state, { events: [event(at, { symbols: [long] })] }));
      }
      record(store, "t", { changedAt: 3 });
      return { sessions: store.memories.list("", 10), observed: store.memories.observed("", 10) };
    });
    expect(listed.observed).toStrictEqual([
      { name: "s", changedAt: 5, lastObserved: 5 },
      { name: "t", changedAt: 3, lastObserved: undefined },
    ]);
    expect(listed.sessions).toStrictEqual([
      { name: "s", events: 5, symbols: 5, time: 5, changedAt: 5, lastObserved: 5 },
      { name: "t", events: 0, symbols: 0, time: 0, changedAt: 3, lastObserved: undefined },
    ]);
  });

  test("are found when they are unchanged for long, and by their newest row", async () => {
    const found = await onFreshStore((store) => {
      const none = [store.memories.oldestChange(), store.memories.unchangedSince(10 * DAY_MS, 10)];
      record(store, "", { changedAt: 1 });
      record(store, "old", { changedAt: 3 * DAY_MS });
      record(store, "older", { changedAt: 2 * DAY_MS });
      record(store, "new", { changedAt: 1 * DAY_MS });
      record(store, "new", { changedAt: 5 * DAY_MS });
      return {
        none,
        oldest: store.memories.oldestChange(),
        unchanged: store.memories.unchangedSince(3 * DAY_MS, 10),
        one: store.memories.unchangedSince(9 * DAY_MS, 1),
        before: store.memories.unchangedSince(2 * DAY_MS - 1, 10),
      };
    });
    expect(found).toEqual({
      none: [undefined, []],
      oldest: 2 * DAY_MS,
      unchanged: ["older", "old"],
      one: ["older"],
      before: [],
    });
  });

  test("are redated when they have changed in the future; the own memory is not", async () => {
    const found = await onFreshStore((store) => {
      const none = store.memories.newestChange();
      record(store, "", { changedAt: 9 });
      for (const [session, changedAt] of [
        ["a", 3],
        ["b", 7],
        ["b", 8],
      ] as const)
        record(store, session, { changedAt });
      const before = store.memories.newestChange();
      store.record({ kind: "sessions-redated", at: 5 });
      const listed = store.memories.list("", 10).map(({ name, changedAt }) => [name, changedAt]);
      return [
        none,
        before,
        store.memories.newestChange(),
        listed,
        store.memories.read("")?.state.changedAt,
        store.memories.read("b")?.state.changedAt,
      ];
    });
    expect(found).toEqual([
      undefined,
      8,
      5,
      [
        ["a", 3],
        ["b", 5],
      ],
      9,
      5,
    ]);
  });

  test("are counted, and end one by one or all together; the own memory stays", async () => {
    const counts = await onFreshStore((store) => {
      const seen: number[] = [store.memories.sessionCount()];
      const see = () => seen.push(store.memories.sessionCount());
      record(store, "", { time: 1 });
      for (const name of NAMES) record(store, name, { time: 1 });
      see();
      record(store, "a", { time: 2 });
      see();
      for (const session of ["a", "a", "never"]) store.record({ kind: "session-ended", session });
      see();
      const ended = store.memories.read("a");
      record(store, "a", { time: 9 });
      see();
      store.record({ kind: "sessions-ended" });
      see();
      return { seen, ended, list: store.memories.list("", 10), own: store.memories.read("")?.state.time };
    });
    expect(counts).toEqual({ seen: [0, 8, 8, 7, 8, 0], ended: undefined, list: [], own: 1 });
  });

  test("are as many as one likes: those not used for long leave the store's memory, and come back", async () => {
    const outcome = await onFreshStore((store) => {
      const most = 3_000;
      const lives = Array.from({ length: most }, (_, at) => new Life(`session ${at}`));
      for (let round = 0; round < 3; round++) {
        for (const life of lives) store.record(life.observe([`round ${round} ${"x".repeat(300)}`]));
      }
      const wrong = lives.filter((life, at) => {
        const stored = store.memories.read(`session ${at}`);
        return JSON.stringify(stored) !== JSON.stringify(life.stored);
      });
      return { wrong: wrong.length, count: store.memories.sessionCount(), heapBytes: store.heapBytes };
    });
    expect(outcome).toMatchObject({ wrong: 0, count: 3_000 });
    expect(outcome.heapBytes).toBeLessThan(1.1 * 1024 * 1024);
  });
});
