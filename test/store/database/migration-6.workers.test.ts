/** Migration 6: models that were stored before are read as before, and nobody knows when they were learned last until they are learned again. */

import { expect, test } from "vitest";
import { migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { SqliteStore } from "../../../src/store/store";
import { putEarlierModel } from "../../support/store/earlier-model";
import { inFreshObject } from "../../support/store/in-object";
import { model, nameOf } from "../../support/store/rows";

const EMOTIVES = [{ name: "joy", values: [-0, 1 / 3] }];
const NEVER_NOTED = { learnedAt: undefined };
const TOTALS = { modelFrequencies: 0, memberFrequencies: 0, symbolFrequencies: 0 };
const STAGING = { loadId: "a", totals: TOTALS, models: 1, vectors: 0, dimensionality: -1 };

/** The columns of the tables of models, live and staged. */
function columnsOf(sql: SqlStorage): unknown[] {
  const columns = 'SELECT name, type, "notnull" FROM pragma_table_info(?) ORDER BY cid';
  return ["models", "staged_models"].map((table) => sql.exec(columns, table).toArray());
}

test("models of an earlier release are read as they were, and note from then on when they are learned", async () => {
  const { before, after, renewed, committed, columns } = await inFreshObject(({ sql }) => {
    migrate(sql, PROCESSOR_MIGRATIONS.slice(0, 5));
    for (const id of [1, 2]) putEarlierModel(sql, model(id, { emotives: EMOTIVES }));
    putEarlierModel(sql, model(7), "staged_");
    migrate(sql, PROCESSOR_MIGRATIONS);
    const store = new SqliteStore(sql);
    const before = store.modelsById([1, 2]);
    store.record({ kind: "model-renewed", id: 2, frequency: 9, emotives: [], learnedAt: 1_800_000_000 });
    store.record({ kind: "model-put", model: model(3) });
    const after = new SqliteStore(sql).modelsById([1, 2, 3]);
    const columns = [columnsOf(sql)];
    store.record({ kind: "staging-committed" });
    const renewed = store.modelByName(nameOf(1000 - 7));
    // A load leaves new staged tables behind, which must be as the migrated ones.
    columns.push(columnsOf(sql));
    store.record({ kind: "staging-begun", staging: STAGING });
    const grown = { symbols: [], models: [model(4)], vectors: [], isOrdered: false };
    store.record({ kind: "staging-grown", staging: STAGING, ...grown });
    store.record({ kind: "staging-committed" });
    return { before, after, renewed, committed: store.modelById(4), columns };
  });
  const first = model(1, { emotives: EMOTIVES, ...NEVER_NOTED });
  expect(before).toStrictEqual([first, model(2, { emotives: EMOTIVES, ...NEVER_NOTED })]);
  expect(after).toStrictEqual([first, model(2, { frequency: 9, learnedAt: 1_800_000_000 }), model(3)]);
  expect(renewed).toStrictEqual(model(7, NEVER_NOTED));
  expect(committed).toStrictEqual(model(4));
  expect(columns[1]).toStrictEqual(columns[0]);
});
