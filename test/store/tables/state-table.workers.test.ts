/** The state and the genes, over SQLite. */

import { describe, expect, test } from "vitest";
import type { State } from "../../../src/processor/ports/store";
import { billed } from "../../../src/store/database/database";
import { SqliteStore } from "../../../src/store/store";
import { onFreshStore } from "../../support/store/in-object";
import { fullState } from "../../support/store/rows";

describe("state", () => {
  test("there is none before the first is recorded", async () => {
    expect(await onFreshStore((store) => store.state())).toBeUndefined();
  });

  test("comes back bit for bit", async () => {
    const state = fullState();
    const read = await onFreshStore((store) => {
      store.record({ kind: "state", state });
      return store.state();
    });
    expect(read).toStrictEqual(state);
  });

  test("is replaced as a whole", async () => {
    const state = { ...otherState(), predict: false };
    const read = await onFreshStore((store) => {
      store.record({ kind: "state", state: fullState() });
      store.record({ kind: "state", state });
      return store.state();
    });
    expect(read).toStrictEqual(state);
  });
});

/** A state that differs from {@link fullState} in every member. */
function otherState(): State {
  return {
    predict: false,
    autolearn: true,
    sleeping: false,
    awakeSince: 0,
    vectorDimensionality: -1,
    totals: { modelFrequencies: 4, memberFrequencies: 5, symbolFrequencies: 6 },
    nextModelId: 2 ** 53 - 1,
    revision: 1,
    forecastRecord: [[], [1, 0, 2 ** 53 - 1]],
    learnScores: { count: 1, latest: [7] },
  };
}

describe("a change of the state", () => {
  test.each(Object.keys(fullState()) as (keyof State)[])("in %s alone is written, and changed back", async (member) => {
    const [full, other] = [fullState(), { ...fullState(), [member]: otherState()[member] }];
    const read = await onFreshStore((store, { sql }) => {
      return [full, full, other, full].map((state) => {
        store.record({ kind: "state", state });
        return new SqliteStore(sql).state();
      });
    });
    expect(read).toStrictEqual([full, full, other, full]);
  });

  test("writes no column that has not changed", async () => {
    const read = await onFreshStore((store, { sql }) => {
      store.record({ kind: "state", state: fullState() });
      sql.exec("UPDATE state SET next_model_id = 99");
      store.record({ kind: "state", state: { ...fullState(), revision: 3 } });
      return [store.state()?.nextModelId, store.state()?.revision];
    });
    expect(read).toStrictEqual([99, 3]);
  });

  test("writes no row when nothing has changed, not even the first after a start", async () => {
    const rows = await onFreshStore((store, { sql }) => {
      store.record({ kind: "state", state: fullState() });
      const again = new SqliteStore(sql);
      const state = again.state() ?? otherState();
      const before = billed.rows;
      again.record({ kind: "state", state });
      return billed.rows - before;
    });
    expect(rows).toBe(0);
  });
});

describe("genes", () => {
  test("are replaced all together", async () => {
    const read = await onFreshStore((store) => {
      const fresh = store.genes();
      store.record({ kind: "genes", genes: { SORT: false, persistence: 7 } });
      store.record({
        kind: "genes",
        genes: { recall_threshold: 0.1, prediction_threshold: -0, wm_resolution: "event" },
      });
      return [fresh, store.genes()];
    });
    expect(read).toStrictEqual([{}, { prediction_threshold: -0, recall_threshold: 0.1, wm_resolution: "event" }]);
  });
});
