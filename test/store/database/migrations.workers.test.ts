/** How a database comes to its shape. */

import { describe, expect, test } from "vitest";
import { isMigrated, type Migration, migrate } from "../../../src/store/database/migrations";
import { readIdentity, writeIdentity } from "../../../src/store/tables/identity";
import { inFreshObject } from "../../support/store/in-object";

const FIRST: Migration = { number: 1, statements: "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a (x) VALUES (1);" };
const SECOND: Migration = { number: 2, statements: "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1;" };

describe("migrations", () => {
  test("are applied once each, in order, whenever they come", async () => {
    const rows = await inFreshObject(({ sql }) => {
      migrate(sql, [FIRST]);
      migrate(sql, [FIRST]);
      migrate(sql, [FIRST, SECOND]);
      migrate(sql, [FIRST, SECOND]);
      return sql.exec("SELECT x, y FROM a").toArray();
    });
    expect(rows).toEqual([{ x: 1, y: 2 }]);
  });

  test("refuse a database of a later release", async () => {
    const opened = inFreshObject(({ sql }) => {
      migrate(sql, [FIRST, SECOND]);
      migrate(sql, [FIRST]);
    });
    await expect(opened).rejects.toThrow("the database has migration 2, this release knows migrations up to 1");
  });
});

describe("the identity", () => {
  test("of an unused object is unknown, and asking writes nothing", async () => {
    const read = await inFreshObject(({ sql }) => [
      readIdentity(sql),
      isMigrated(sql),
      sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
    ]);
    expect(read).toEqual([undefined, false, []]);
  });

  test("is kept and replaced", async () => {
    const first = { id: "p\0", name: "P1", inService: true, agent: "", incarnation: "u", tuned: false, outlets: [] };
    const outlet = { manipulative: "m\0", fields: ["name"], targets: [{ id: "p2", endpoint: "" }] };
    const second = { ...first, name: "P2", inService: false, agent: "a", tuned: true, outlets: [outlet] };
    const read = await inFreshObject(({ sql }) => {
      writeIdentity(sql, first);
      const before = readIdentity(sql);
      writeIdentity(sql, second);
      return [before, readIdentity(sql)];
    });
    expect(read).toStrictEqual([first, second]);
  });
});
