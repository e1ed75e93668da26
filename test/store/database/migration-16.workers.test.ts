/** Migration 16: what an endpoint of the version before wanted to hear of is wanted still, and any numbered call is newer. */

import { expect, test } from "vitest";
import { Database } from "../../../src/store/database/database";
import { migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { PublicationTable } from "../../../src/store/tables/publication-table";
import { inFreshObject } from "../../support/store/in-object";

test("what was wanted before is wanted still, without a revision", async () => {
  const seen = await inFreshObject(({ sql }) => {
    migrate(
      sql,
      PROCESSOR_MIGRATIONS.filter(({ number }) => number < 16),
    );
    sql.exec("INSERT INTO watched (row, events) VALUES (0, '[\"learned\"]')");
    migrate(sql, PROCESSOR_MIGRATIONS);
    const table = new PublicationTable(new Database(sql));
    const look = () => [...table.watched(), table.watchedRevision()];
    const all = [look()];
    table.putWatched(["observed"], 1_764_000_000_000);
    all.push(look());
    table.putWatched(["incident"]);
    return [...all, look()];
  });
  expect(seen).toEqual([
    ["learned", 0],
    ["observed", 1_764_000_000_000],
    ["incident", 1_764_000_000_000],
  ]);
});
