/** The row of what memories share as releases from migration 2 to migration 7 wrote it. */

import type { State } from "../../../src/processor/ports/store";

/** Writes a state that has no record of forecasts. */
export function putEarlierState(sql: SqlStorage, state: State): void {
  const { totals } = state;
  sql.exec(
    `INSERT INTO state (row, predict, autolearn, sleeping, vector_dimensionality, total_model_frequencies, total_member_frequencies,
     total_symbol_frequencies, next_model_id, revision) VALUES (0, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    Number(state.predict),
    Number(state.autolearn),
    Number(state.sleeping),
    state.vectorDimensionality,
    totals.modelFrequencies,
    totals.memberFrequencies,
    totals.symbolFrequencies,
    state.nextModelId,
    state.revision,
  );
}
