/** Migration 8: what migration 7 held is read as before, and there is room for a record of forecasts. */

import { expect, test } from "vitest";
import { migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { SqliteStore } from "../../../src/store/store";
import { putEarlierState } from "../../support/store/earlier-state";
import { inFreshObject } from "../../support/store/in-object";
import { fullState } from "../../support/store/rows";

test("a processor of before has an empty record, and keeps what is put", async () => {
  const record = [[], [3, 0, 2 ** 53 - 1]];
  const { before, after } = await inFreshObject(({ sql }) => {
    migrate(sql, PROCESSOR_MIGRATIONS.slice(0, 7));
    putEarlierState(sql, fullState());
    migrate(sql, PROCESSOR_MIGRATIONS);
    const store = new SqliteStore(sql);
    const before = store.state();
    store.record({ kind: "state", state: { ...fullState(), forecastRecord: record } });
    return { before, after: new SqliteStore(sql).state() };
  });
  expect(before).toStrictEqual(fullState());
  expect(after).toStrictEqual({ ...fullState(), forecastRecord: record });
});
