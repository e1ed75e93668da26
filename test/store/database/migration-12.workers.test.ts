/** Migration 12: models that were stored before keep no times of their events; later ones do, through a load too. */

import { expect, test } from "vitest";
import { migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { SqliteStore } from "../../../src/store/store";
import { inFreshObject } from "../../support/store/in-object";
import { model } from "../../support/store/rows";

/** The columns of the tables of models, live and staged. */
function columnsOf(sql: SqlStorage): unknown[] {
  const columns = "SELECT name, type FROM pragma_table_info(?) WHERE name = 'times'";
  return ["models", "staged_models"].map((table) => sql.exec(columns, table).toArray());
}

const COLUMN = [{ name: "times", type: "BLOB" }];

test("models of before have no times, and those that are learned from then on keep theirs", async () => {
  const { before, after, columns } = await inFreshObject(({ sql }) => {
    migrate(
      sql,
      PROCESSOR_MIGRATIONS.filter(({ number }) => number < 12),
    );
    sql.exec(
      "INSERT INTO models (id, name, frequency, symbols, lengths) VALUES (1, x'0000000000000000000000000000000000000001', 3, x'00000000', x'01000000')",
    );
    migrate(sql, PROCESSOR_MIGRATIONS);
    const store = new SqliteStore(sql);
    const before = store.knowledge.modelById(1);
    const renewed = { id: 1, frequency: 4, emotives: [], learnedAt: 7, times: Float64Array.of(5, 253_402_300_799_000) };
    store.record({ kind: "model-renewed", ...renewed });
    store.record({ kind: "model-put", model: model(2, { times: Float64Array.of(0, 1500) }) });
    store.record({ kind: "model-put", model: model(3) });
    const again = new SqliteStore(sql);
    const after = again.knowledge.modelsById([1, 2, 3]).map(({ times }) => times);
    const columns = columnsOf(sql);
    // A load leaves new staged tables behind, which must be as the migrated ones.
    store.record({ kind: "staging-committed" });
    return { before, after, columns: [...columns, ...columnsOf(sql)] };
  });
  expect(before).toMatchObject({ id: 1, frequency: 3 });
  expect(before).not.toHaveProperty("times");
  expect(after).toEqual([Float64Array.of(5, 253_402_300_799_000), Float64Array.of(0, 1500), undefined]);
  expect(columns).toEqual([COLUMN, COLUMN, COLUMN, COLUMN]);
});
