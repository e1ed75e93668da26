/** How a database gets its schema. */

import { describe, expect, test } from "vitest";
import { type Migration, migrate } from "../../../src/store/database/migrations";
import { inFreshObject } from "../../support/store/in-object";

const FIRST: Migration = { number: 1, statements: "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a (x) VALUES (1);" };
const SECOND: Migration = { number: 2, statements: "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1;" };

describe("migrations", () => {
  test("are each applied once, in order", async () => {
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
