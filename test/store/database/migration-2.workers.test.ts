/** Migration 2: rows that migration 1 held are read back as memories, bit for bit. */

import { describe, expect, test } from "vitest";
import type { EventRow, VectorRow } from "../../../src/processor/ports/store";
import { assertRowFits } from "../../../src/store/database/database";
import { migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import {
  elementsToColumn,
  emotivesToColumn,
  hashNameToColumn,
  textsToColumn,
  vectorsToColumn,
} from "../../../src/store/rows/columns";
import { SqliteStore } from "../../../src/store/store";
import { inFreshObject } from "../../support/store/in-object";
import {
  event,
  fullMemoryState,
  fullState,
  HARD_NUMBERS,
  HARD_TEXTS,
  memoryChange,
  nameOf,
  plainMemoryState,
  vector,
} from "../../support/store/rows";

const FIRST = PROCESSOR_MIGRATIONS.slice(0, 1);

/** What a memory was before it had sessions. */
const OLD = fullMemoryState({ sources: [], risen: [], bins: [], lastObserved: undefined, changedAt: 0 });
// Records had no numbers then.
if (OLD.percept !== undefined) OLD.percept.gdf.numbers = [];

/** Writes the row of `state` as the first release did. */
function putState(sql: SqlStorage, memory = OLD): void {
  const { totals, ...shared } = fullState();
  const { percept } = memory;
  const columns: Record<string, SqlStorageValue | Uint8Array> = {
    row: 0,
    time: memory.time,
    observe_calls: memory.observeCalls,
    predict: Number(shared.predict),
    autolearn: Number(shared.autolearn),
    sleeping: Number(shared.sleeping),
    target: memory.target,
    last_learned: memory.lastLearned,
    vector_dimensionality: shared.vectorDimensionality,
    emotives: emotivesToColumn(memory.emotives),
    pending_emotives: emotivesToColumn(memory.pendingEmotives),
    memory_start: memory.memoryStart,
    memory_end: memory.memoryEnd,
    ensemble_start: memory.ensembleStart,
    ensemble_end: memory.ensembleEnd,
    total_model_frequencies: totals.modelFrequencies,
    total_member_frequencies: totals.memberFrequencies,
    total_symbol_frequencies: totals.symbolFrequencies,
    next_model_id: shared.nextModelId,
    revision: shared.revision,
    percept_strings: percept === undefined ? null : textsToColumn(percept.gdf.strings),
    percept_vectors: percept === undefined ? null : vectorsToColumn(percept.gdf.vectors),
    percept_emotives: percept === undefined ? null : emotivesToColumn(percept.gdf.emotives),
    percept_metadata: percept?.gdf.metadataJson ?? null,
    percept_unique_id: percept?.gdf.uniqueId ?? null,
    percept_command: percept?.gdf.command ?? null,
    percept_path: percept === undefined ? null : textsToColumn(percept.path),
    percept_symbols: percept === undefined ? null : textsToColumn(percept.symbols),
  };
  const names = Object.keys(columns);
  const statement = `INSERT INTO state (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
  sql.exec(statement, ...(Object.values(columns) as SqlStorageValue[]));
}

function putEvent(sql: SqlStorage, { position, symbols, metadata }: EventRow): void {
  sql.exec(
    "INSERT INTO events (position, symbols, metadata) VALUES (?, ?, ?)",
    position,
    textsToColumn(symbols),
    metadata,
  );
}

function putWaiting(sql: SqlStorage, { id, name, components }: VectorRow): void {
  const columns = [hashNameToColumn(name), elementsToColumn(components)];
  sql.exec("INSERT INTO waiting_vectors (id, name, components) VALUES (?, ?, ?)", id, ...columns);
}

/** Writes the largest row that a table takes. @param write writes a row with a text of about so many characters */
function fillRow(sql: SqlStorage, table: string, write: (size: number) => void): void {
  let [fits, most] = [2_000_000, 2_300_000];
  while (most - fits > 1) {
    const size = Math.floor((fits + most) / 2);
    try {
      write(size);
      // Some runtimes take larger rows than the platform.
      assertRowFits(Object.values(sql.exec<Record<string, SqlStorageValue>>(`SELECT * FROM ${table}`).one()));
      fits = size;
    } catch {
      most = size;
    }
    sql.exec(`DELETE FROM ${table}`);
  }
  write(fits);
}

function symbolsIn(events: readonly EventRow[]): number {
  return events.reduce((sum, { symbols }) => sum + symbols.length, 0);
}

/** Lays migration 1 down, has rows written, and reads them with migration 2. */
function migrated<Read>(
  write: (sql: SqlStorage) => void,
  read: (store: SqliteStore, sql: SqlStorage) => Read,
): Promise<Read> {
  return inFreshObject(({ sql }) => {
    migrate(sql, FIRST);
    write(sql);
    migrate(sql, PROCESSOR_MIGRATIONS);
    return read(new SqliteStore(sql), sql);
  });
}

/** All tables but SQLite's and the platform's own, and their indexes. */
function schemaOf(sql: SqlStorage): string[] {
  return sql
    .exec<{ sql: string }>(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite*'",
    )
    .toArray()
    .map((table) => table.sql)
    .sort();
}

describe("migration 2", () => {
  test("keeps the state, the events and the waiting vectors", async () => {
    const metadata = ["{}", '{ "10": -0,\n "a\\u001e": 1.0 }'];
    const events = HARD_TEXTS.slice(-8).map((text, at) =>
      event(1 + at, { symbols: [text, "b"], metadata: metadata[at % 2] ?? "{}" }),
    );
    const waiting = [
      vector(3, { components: Float64Array.from(HARD_NUMBERS) }),
      vector(4, { components: Float64Array.from(HARD_NUMBERS) }),
    ];
    const read = await migrated(
      (sql) => {
        putState(sql);
        for (const each of events) putEvent(sql, each);
        for (const each of waiting) putWaiting(sql, each);
      },
      (store) => [store.state(), store.memory("")],
    );
    // Working memory is at positions 4 to 9, with two symbols in each.
    const state = { ...OLD, symbols: 2 * 5, waitingStart: 3, waitingEnd: 5 };
    const needed = events.filter(({ position }) => position >= 4);
    expect(read).toStrictEqual([fullState(), { state, events: needed, waiting }]);
  });

  test("keeps what is empty", async () => {
    const state = plainMemoryState({
      percept: { ...(OLD.percept ?? { path: [], gdf: fullMemoryState().percept?.gdf as never }), symbols: [] },
    });
    const read = await migrated(
      (sql) => putState(sql, plainMemoryState()),
      (store) => [store.memory("")?.state, store.memory("")?.events, store.memory("")?.waiting],
    );
    expect(read).toStrictEqual([plainMemoryState({ waitingStart: 1, waitingEnd: 1 }), [], []]);
    const withPercept = await migrated(
      (sql) => putState(sql, state),
      (store) => store.memory("")?.state.percept,
    );
    expect(withPercept).toStrictEqual(state.percept);
  });

  test("of an object that has only an identity leaves no memory", async () => {
    const read = await migrated(
      () => undefined,
      (store) => [store.state(), store.memory("")],
    );
    expect(read).toEqual([undefined, undefined]);
  });

  test("keeps 10,000 events and waiting vectors, which then share rows and are dropped as others are", async () => {
    const most = 10_000;
    const events = Array.from({ length: most }, (_, position) =>
      event(position, { symbols: [`s${position}`, "x".repeat(position % 50)] }),
    );
    const waiting = Array.from({ length: most }, (_, at) =>
      vector(at + 1, { name: nameOf(at), components: Float64Array.of(at, -0) }),
    );
    const old = { ...plainMemoryState(), memoryEnd: most, target: "t" };
    const read = await migrated(
      (sql) => {
        putState(sql, old);
        for (const each of events) putEvent(sql, each);
        for (const each of waiting) putWaiting(sql, each);
      },
      (store, sql) => {
        const memory = store.memory("");
        const state = { ...old, symbols: 2 * most, waitingStart: 1, waitingEnd: most + 1, memoryEnd: most + 1 };
        const added = event(most);
        store.record(memoryChange("", state, { events: [added] }));
        expect(new SqliteStore(sql).memory("")).toStrictEqual({ state, events: [...events, added], waiting });
        const cleared = {
          ...state,
          memoryStart: most + 1,
          waitingStart: most + 1,
          ensembleStart: most + 1,
          ensembleEnd: most + 1,
        };
        store.record(memoryChange("", cleared, { clean: true }));
        const rows = sql.exec<{ n: number }>("SELECT count(*) AS n FROM memories").one().n;
        return { memory, rows, after: new SqliteStore(sql).memory("")?.events };
      },
    );
    expect(read.memory).toStrictEqual({
      state: { ...old, symbols: 2 * most, waitingStart: 1, waitingEnd: most + 1 },
      events,
      waiting,
    });
    expect(read).toMatchObject({ rows: 1, after: [] });
  });

  test("keeps events and observations that nearly fill a row", async () => {
    const large = "x".repeat(1_900_000);
    const events = [0, 1, 2].map((position) => event(position, { symbols: [position === 1 ? large : "small"] }));
    const strings = [large.slice(0, 1_000_000), large.slice(0, 900_000)];
    const gdf = { strings, vectors: [], emotives: [], metadataJson: "{}", uniqueId: "1", command: "", numbers: [] };
    const state = plainMemoryState({ memoryEnd: 3, percept: { gdf, path: [], symbols: [] } });
    const read = await migrated(
      (sql) => {
        putState(sql, state);
        for (const each of events) putEvent(sql, each);
      },
      (store) => store.memory(""),
    );
    expect(read).toStrictEqual({
      state: { ...state, symbols: 3, waitingStart: 1, waitingEnd: 1 },
      events,
      waiting: [],
    });
  });

  test("gives up the last observation, and keeps the rest, when only the old row had room for it", async () => {
    const state = { ...plainMemoryState(), memoryEnd: 2, observeCalls: 2 };
    const events = [event(0), event(1)];
    const gdf = { strings: ["a"], vectors: [], emotives: [], uniqueId: "1", command: "", numbers: [] };
    const read = await migrated(
      (sql) => {
        fillRow(sql, "state", (size) =>
          putState(sql, {
            ...state,
            percept: { gdf: { ...gdf, metadataJson: "x".repeat(size) }, path: [], symbols: ["b"] },
          }),
        );
        for (const each of events) putEvent(sql, each);
      },
      (store) => [store.state(), store.memory("")],
    );
    expect(read).toStrictEqual([
      fullState(),
      { state: { ...state, symbols: symbolsIn(events), waitingStart: 1, waitingEnd: 1 }, events, waiting: [] },
    ]);
  });

  test("gives up working memory when only the old row had room for an event, and takes events from then on", async () => {
    const added = event(3);
    const read = await migrated(
      (sql) => {
        putState(
          sql,
          plainMemoryState({ memoryEnd: 3, observeCalls: 3, pendingEmotives: [{ name: "joy", value: 1 }] }),
        );
        fillRow(sql, "events", (size) => putEvent(sql, event(1, { symbols: ["x".repeat(size)] })));
        for (const position of [0, 2]) putEvent(sql, event(position));
        putWaiting(sql, vector(1));
      },
      (store, sql) => {
        const memory = store.memory("");
        const state = plainMemoryState({ memoryStart: 3, memoryEnd: 4, ensembleStart: 3, ensembleEnd: 3 });
        store.record(memoryChange("", { ...state, symbols: symbolsIn([added]) }, { events: [added] }));
        return { memory, shared: store.state(), events: new SqliteStore(sql).memory("")?.events };
      },
    );
    const state = plainMemoryState({ memoryStart: 3, memoryEnd: 3, ensembleStart: 3, ensembleEnd: 3 });
    expect(read).toStrictEqual({
      memory: { state: { ...state, waitingStart: 1, waitingEnd: 1 }, events: [], waiting: [] },
      shared: fullState(),
      events: [added],
    });
  });

  test("keeps the numbers of sources, for clients and processors alike", async () => {
    const read = await migrated(
      (sql) => {
        for (const number of [1, 2, 2 ** 53 - 1])
          sql.exec("INSERT INTO inbox (source, number) VALUES (?, ?)", `s\0${number}`, number);
      },
      (store) =>
        [1, 2, 2 ** 53 - 1].flatMap((number) =>
          ["client", "processor"].map((sender) => store.keptSource("", sender as "client", `s\0${number}`)),
        ),
    );
    expect(read).toEqual([1, 1, 2, 2, 2 ** 53 - 1, 2 ** 53 - 1]);
  });

  test("keeps events for other processors, which belong to no session", async () => {
    const rows = await migrated(
      (sql) =>
        sql.exec("INSERT INTO outbox (target, symbols, emotives, unique_id, path) VALUES ('p', '[]', '[]', '1', '[]')"),
      (_, sql) => sql.exec("SELECT number, target, session FROM outbox").toArray(),
    );
    expect(rows).toEqual([{ number: 1, target: "p", session: "" }]);
  });

  test("keeps the names of symbols", async () => {
    const read = await migrated(
      (sql) => sql.exec("INSERT INTO symbols (id, name, frequency, member_frequency) VALUES (0, ?, 5, 4)", "a\0"),
      (store) => Array.from(store.symbols()),
    );
    expect(read).toStrictEqual([{ id: 0, name: "a\0" }]);
  });

  test("ends in the schema of a new object, also after a load has exchanged tables", async () => {
    const fresh = await inFreshObject(({ sql }) => {
      migrate(sql, PROCESSOR_MIGRATIONS);
      return schemaOf(sql);
    });
    const loaded = await migrated(
      (sql) => putState(sql),
      (store, sql) => {
        const before = schemaOf(sql);
        store.record({ kind: "staging-committed" });
        return [before, schemaOf(sql)];
      },
    );
    expect(fresh.length).toBeGreaterThan(10);
    expect(loaded[0]).toEqual(fresh);
    const plain = (schema: string[] = []) => schema.map((text) => text.replaceAll('"', "")).sort();
    expect(plain(loaded[1])).toEqual(plain(fresh));
  });

  test("happens whole or not at all", async () => {
    const left = await inFreshObject((storage) => {
      migrate(storage.sql, FIRST);
      putState(storage.sql);
      putEvent(storage.sql, event(5));
      const before = schemaOf(storage.sql);
      const fail = () =>
        storage.transactionSync(() => {
          migrate(storage.sql, PROCESSOR_MIGRATIONS);
          throw new Error("the disk is full");
        });
      expect(fail).toThrow("the disk is full");
      return {
        before,
        after: schemaOf(storage.sql),
        events: storage.sql.exec("SELECT position FROM events").toArray(),
      };
    });
    expect(left.after).toEqual(left.before);
    expect(left.events).toEqual([{ position: 5 }]);
  });
});
