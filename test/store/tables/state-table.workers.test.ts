/** The state and the genes, over SQLite. */

import { describe, expect, test } from "vitest";
import type { State } from "../../../src/processor/ports/store";
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

  test("is replaced as a whole, the last observation too", async () => {
    const state = { ...fullState(), percept: undefined, emotives: [], predict: false, time: 0, target: "" };
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
  const full = fullState();
  const gdf = {
    ...full.percept?.gdf,
    strings: [],
    vectors: [],
    emotives: [],
    metadataJson: "{}",
    uniqueId: "2",
    command: "",
  };
  return {
    ...Object.fromEntries(
      Object.entries(full).map(([name, value]) => {
        if (typeof value === "number") return [name, value - 1];
        return [name, typeof value === "boolean" ? !value : `${value}, and more`];
      }),
    ),
    emotives: [],
    pendingEmotives: [{ name: "fear", value: -0 }],
    percept: { gdf, path: [], symbols: [] },
    totals: { modelFrequencies: 4, memberFrequencies: 5, symbolFrequencies: 6 },
  } as unknown as State;
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
      sql.exec("UPDATE state SET target = 'untouched'");
      store.record({ kind: "state", state: { ...fullState(), time: 3 } });
      return [store.state()?.target, store.state()?.time];
    });
    expect(read).toStrictEqual(["untouched", 3]);
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
