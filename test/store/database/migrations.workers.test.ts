/** How a database gets its schema, and how the next release brings what this one stored to its own. */

import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/processor/ports/fault";
import { type Migration, migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { SqliteStore } from "../../../src/store/store";
import { inFreshObject } from "../../support/store/in-object";
import { event, fullMemoryState, fullState, memoryChange, model, symbol, vector } from "../../support/store/rows";

const FIRST: Migration = { number: 5, statements: "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a (x) VALUES (1);" };
const SECOND: Migration = { number: 6, statements: "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1;" };
const THIRD: Migration = {
  number: 7,
  statements: "ALTER TABLE a ADD COLUMN z TEXT;",
  convert: (sql) => sql.exec("UPDATE a SET z = ?", "converted"),
};

describe("migrations", () => {
  test("are each applied once, in order", async () => {
    const rows = await inFreshObject(({ sql }) => {
      migrate(sql, [FIRST]);
      migrate(sql, [FIRST]);
      migrate(sql, [FIRST, SECOND]);
      migrate(sql, [FIRST, SECOND, THIRD]);
      migrate(sql, [FIRST, SECOND, THIRD]);
      return [sql.exec("SELECT x, y, z FROM a").toArray(), Array.from(sql.exec("SELECT number FROM migrations").raw())];
    });
    expect(rows).toEqual([[{ x: 1, y: 2, z: "converted" }], [[5], [6], [7]]]);
  });

  test("refuse a database of a later release", async () => {
    const opened = inFreshObject(({ sql }) => {
      migrate(sql, [FIRST, SECOND]);
      migrate(sql, [FIRST]);
    });
    await expect(opened).rejects.toThrow(
      "the database has migration 6, this release opens migration 5: deploy a later release",
    );
  });

  test.each([0, 4])("refuse a database of before the first, with migration %d, and change nothing", async (number) => {
    const { refusal, tables, numbers } = await inFreshObject(({ sql }) => {
      sql.exec("CREATE TABLE migrations (number INTEGER PRIMARY KEY) STRICT");
      sql.exec("INSERT INTO migrations (number) VALUES (?)", number);
      sql.exec("CREATE TABLE state_1 (x INTEGER) STRICT");
      let refusal: unknown;
      try {
        migrate(sql, [FIRST, SECOND]);
      } catch (error) {
        refusal = error;
      }
      return {
        refusal,
        tables: Array.from(sql.exec("SELECT name FROM sqlite_master WHERE name IN ('a', 'state_1')").raw()),
        numbers: Array.from(sql.exec("SELECT number FROM migrations").raw()),
      };
    });
    expect(refusal).toEqual(
      new Fault(
        "damaged",
        `the database has migration ${number}, this release opens migrations 5 to 6: ` +
          "builds before 1.0.0 stored it, and no release opens it",
      ),
    );
    expect(tables).toEqual([["state_1"]]);
    expect(numbers).toEqual([[number]]);
  });
});

/** A made-up next version of the processor's schema: a new column, a new table, and values that only code can compute. */
const NEXT: readonly Migration[] = [
  ...PROCESSOR_MIGRATIONS,
  {
    number: (PROCESSOR_MIGRATIONS.at(-1)?.number ?? 0) + 1,
    statements: `
      ALTER TABLE models ADD COLUMN colour TEXT NOT NULL DEFAULT 'red';
      CREATE TABLE lengths (id INTEGER PRIMARY KEY, bytes INTEGER NOT NULL) STRICT;
    `,
    convert(sql) {
      for (const [id, bytes] of Array.from(sql.exec("SELECT id, symbols FROM models").raw<[number, ArrayBuffer]>())) {
        sql.exec("INSERT INTO lengths (id, bytes) VALUES (?, ?)", id, bytes.byteLength);
      }
    },
  },
];

/** Writes something of every kind that a memory and a knowledge base hold. */
function live(store: SqliteStore): void {
  store.record({ kind: "state", state: fullState() });
  const memory = fullMemoryState({ waitingStart: 1, waitingEnd: 1 });
  store.record(memoryChange("", memory, { events: [4, 5, 6, 7, 8].map((position) => event(position)) }));
  store.record({ kind: "blacklist-added", symbols: ["b", "a"] });
  store.record({ kind: "encoder-put", name: "e", definition: "{}" });
  store.record({ kind: "symbols-added", symbols: [symbol(0)] });
  store.record({ kind: "vector-learned", vector: vector(1) });
  for (const id of [1, 2]) store.record({ kind: "model-put", model: model(id) });
}

function readOf(store: SqliteStore) {
  const knowledge = [
    store.knowledge.modelsById([1, 2]),
    [...store.knowledge.corpus()],
    [...store.knowledge.symbols()],
    [...store.knowledge.vectors()],
  ];
  return [store.state(), store.memories.read(""), store.blacklist(), store.encoders(), ...knowledge];
}

describe("what this release stored", () => {
  test("is read as before by the next version, which has converted it", async () => {
    const { before, after, converted } = await inFreshObject(({ sql }) => {
      migrate(sql, PROCESSOR_MIGRATIONS);
      live(new SqliteStore(sql));
      const before = readOf(new SqliteStore(sql));
      migrate(sql, NEXT);
      const converted = sql.exec("SELECT id, colour, bytes FROM models JOIN lengths USING (id) ORDER BY id").toArray();
      return { before, after: readOf(new SqliteStore(sql)), converted };
    });
    expect(after).toStrictEqual(before);
    const bytes = model(1).symbols.byteLength;
    expect(converted).toEqual([1, 2].map((id) => ({ id, colour: "red", bytes })));
  });

  test("is as it was when the migration fails at its end", async () => {
    const { before, after } = await inFreshObject((storage) => {
      const { sql } = storage;
      migrate(sql, PROCESSOR_MIGRATIONS);
      live(new SqliteStore(sql));
      const everything = () => [
        readOf(new SqliteStore(sql)),
        sql.exec("SELECT name, sql FROM sqlite_master ORDER BY name").toArray(),
        sql.exec("SELECT number FROM migrations").toArray(),
      ];
      const before = everything();
      const failing = () =>
        storage.transactionSync(() => {
          migrate(sql, NEXT);
          throw new Error("the disk is full");
        });
      expect(failing).toThrow("the disk is full");
      return { before, after: everything() };
    });
    expect(after).toStrictEqual(before);
  });
});
