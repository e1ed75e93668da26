/** A released migration is never edited: objects that stored data under it must open. Comments inside a table are part of it. */

import { expect, test } from "vitest";
import { type Migration, migrate } from "../../../src/store/database/migrations";
import { AGENT_MIGRATIONS, PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
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

// To change a table, add a migration with the next number; these digests stay.
test.each([
  [
    "a processor's",
    PROCESSOR_MIGRATIONS.slice(0, 1),
    "c396a95c4e4b78524b0378be82e02b6d9b39a6092cb47f0415b35ce9116d143c",
  ],
  ["an agent's", AGENT_MIGRATIONS.slice(0, 1), "a38d4078caf636fd69c02236d17bddf0888f568613420b2b0ad8d30524f294ba"],
])("migration 1 of %s schema is as it was released", async (_, migrations, digest) => {
  expect(await digestOf(migrations)).toBe(digest);
});
