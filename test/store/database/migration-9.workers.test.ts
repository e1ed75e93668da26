/** Migration 9: what migration 8 held is read as before, and there is room for scores of learns. */

import { expect, test } from "vitest";
import type { State } from "../../../src/processor/ports/store";
import { migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { SqliteStore } from "../../../src/store/store";
import { inFreshObject } from "../../support/store/in-object";
import { fullState } from "../../support/store/rows";

/** Writes a state as release 1.0.0 does, which has no scores of learns. */
function putStateWithoutScores(sql: SqlStorage, state: State): void {
  const { totals } = state;
  const columns =
    "row, predict, autolearn, sleeping, vector_dimensionality, total_model_frequencies, total_member_frequencies, " +
    "total_symbol_frequencies, next_model_id, revision, forecast_record";
  sql.exec(
    `INSERT INTO state (${columns}) VALUES (0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    Number(state.predict),
    Number(state.autolearn),
    Number(state.sleeping),
    state.vectorDimensionality,
    totals.modelFrequencies,
    totals.memberFrequencies,
    totals.symbolFrequencies,
    state.nextModelId,
    state.revision,
    JSON.stringify(state.forecastRecord),
  );
}

test("a processor of before has no scores, and keeps what is put", async () => {
  const learnScores = { count: 130, latest: [15, 0] };
  const { before, after, blocks, cleared } = await inFreshObject(({ sql }) => {
    migrate(sql, PROCESSOR_MIGRATIONS.slice(0, 1));
    putStateWithoutScores(sql, { ...fullState(), forecastRecord: [[], [3]] });
    migrate(sql, PROCESSOR_MIGRATIONS);
    const store = new SqliteStore(sql);
    const before = { state: store.state(), blocks: store.scoreBlocks() };
    store.record({ kind: "state", state: { ...fullState(), learnScores } });
    store.record({ kind: "scores-kept", place: 1, scores: [4, 2 ** 53 - 1] });
    store.record({ kind: "scores-kept", place: 0, scores: [1] });
    store.record({ kind: "scores-kept", place: 1, scores: [5] });
    const again = new SqliteStore(sql);
    const blocks = again.scoreBlocks();
    again.record({ kind: "scores-cleared" });
    return { before, after: again.state(), blocks, cleared: new SqliteStore(sql).scoreBlocks() };
  });
  expect(before).toStrictEqual({ state: { ...fullState(), forecastRecord: [[], [3]], awakeSince: 0 }, blocks: [] });
  expect(after).toStrictEqual({ ...fullState(), learnScores });
  expect(blocks).toStrictEqual([
    { place: 0, scores: [1] },
    { place: 1, scores: [5] },
  ]);
  expect(cleared).toStrictEqual([]);
});
