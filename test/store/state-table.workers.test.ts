/** The state and the genes, over SQLite. */

import { describe, expect, test } from "vitest";
import { onFreshStore } from "./in-object";
import { fullState } from "./rows";

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
