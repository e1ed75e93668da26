/** A released migration is never edited: objects that stored data under it must open. Comments inside a table are part of it. */

import { describe, expect, test } from "vitest";
import { AGENT_MIGRATIONS } from "../../../src/store/database/agent-schema";
import { type Migration, migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS, STAGED } from "../../../src/store/database/schema";
import { RestoreStore } from "../../../src/store/restore-store";
import { SqliteStore } from "../../../src/store/store";
import { inFreshObject } from "../../support/store/in-object";

/** SHA-256, in hex, of the tables as SQLite keeps them after these migrations. */
async function digestOf(migrations: readonly Migration[]): Promise<string> {
  const tables = await inFreshObject(({ sql }) => {
    migrate(sql, migrations);
    return [...sql.exec<{ name: string; sql: string }>("SELECT name, sql FROM sqlite_master WHERE type = 'table'")]
      .filter(({ name }) => !/^(_cf|sqlite)_/.test(name))
      .map((table) => table.sql)
      .sort();
  });
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(tables)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// To change a table, add a migration with the next number and its digest here; these digests stay.
const DIGESTS = {
  "a processor's": {
    8: "8e18e99fd8c3bc398d6c3cf3fa168ed6f196070554f32d147653df10578e1d77",
    9: "c3ce880bc59d28b5f5bbb2a62bcf1be77417e68a72e777a33a3ffc1772fcb0a9",
    10: "3c0a464dad6e61d66ed3210b8a9e05517f11c55e110289850a739800d1a8d80a",
    11: "3d43040983480a6ee129522a5265a963194640f2069b96fedf8427c8d5e6c544",
    12: "23e0a2f146c76d357471961f4b2e2b97bcdbe0fefdfe1c0aba92d139c39c9dcd",
    13: "f07f314f16b5e8157482fc000a500fa8c2dcc502d6399e26a677205cff798a6b",
    14: "b7d21bc952684a7c5defff589d68fa2f97dad0c07055ad7cdca8a2b2473f2e42",
    15: "086516691a805f453eb6f370102ef5cd6e406bced31bf132da8ff5bade2b54d2",
    16: "de412e67b0a893359ff47f55f4254e9997aa9b7dd144e96c64090b0b7a2ee031",
  },
  "an agent's": {
    3: "c2378a6f03763f75dbec566f0456102a7a7a5671078a44801864d6214952b00e",
    4: "4e2e850320224055f5b3ceecccf59c0922b3e40e911775e1bd58e610de74505f",
  },
};

describe.each([
  ["a processor's", PROCESSOR_MIGRATIONS, DIGESTS["a processor's"]],
  ["an agent's", AGENT_MIGRATIONS, DIGESTS["an agent's"]],
])("%s schema", (_, migrations, digests) => {
  test.each(Object.entries(digests))("after migration %s is as it was released", async (number, digest) => {
    expect(await digestOf(migrations.filter((migration) => migration.number <= Number(number)))).toBe(digest);
  });

  test("has a digest for each migration, and these follow each other without a gap", () => {
    const [first = 0] = Object.keys(digests).map(Number);
    expect(Object.keys(digests).map(Number)).toEqual(migrations.map(({ number }) => number));
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_each, at) => first + at));
  });
});

/** The columns of all tables, with their types and whether they may be NULL. */
function columnsOf(sql: SqlStorage): Record<string, unknown> {
  const tables = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
  const columns = 'SELECT name, type, "notnull", pk FROM pragma_table_info(?) ORDER BY cid';
  return Object.fromEntries(
    tables
      .toArray()
      .filter(({ name }) => !/^(_cf|sqlite)_/.test(name))
      .map(({ name }) => [name, sql.exec(columns, name).toArray()]),
  );
}

test("staged tables have the columns of the live ones, and are the same after a load and a restore", async () => {
  const { fresh, loaded } = await inFreshObject(({ sql }) => {
    migrate(sql, PROCESSOR_MIGRATIONS);
    const fresh = columnsOf(sql);
    new SqliteStore(sql).record({ kind: "staging-committed" });
    new RestoreStore(sql).takeOver([], 0);
    return { fresh, loaded: columnsOf(sql) };
  });
  const staged = Object.keys(fresh).filter((name) => name.startsWith(STAGED));
  expect(staged).toHaveLength(11);
  for (const name of staged) expect(fresh[name]).toEqual(fresh[name.slice(STAGED.length)]);
  expect(loaded).toEqual(fresh);
});
