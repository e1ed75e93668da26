/** Events, waiting vectors and the blacklist, over SQLite. */

import { describe, expect, test } from "vitest";
import { onFreshStore, vectorCount } from "../../support/store/in-object";
import { HARD_NUMBERS, HARD_TEXTS, vector } from "../../support/store/rows";

describe("events", () => {
  test("are kept by position until dropped", async () => {
    const event = (position: number) => ({ position, symbols: HARD_TEXTS.slice(0, 8), metadata: `{"at":${position}}` });
    const read = await onFreshStore((store) => {
      for (const position of [3, 1, 2]) store.record({ kind: "event-appended", event: event(position) });
      const all = store.events();
      store.record({ kind: "events-dropped", before: 3 });
      return [all, store.events()];
    });
    expect(read).toStrictEqual([[event(1), event(2), event(3)], [event(3)]]);
  });
});

describe("waiting vectors", () => {
  test("wait in order and are dropped together", async () => {
    const read = await onFreshStore((store) => {
      store.record({ kind: "vector-waiting", vector: vector(2) });
      store.record({ kind: "vector-waiting", vector: vector(1, { components: Float64Array.from(HARD_NUMBERS) }) });
      const waiting = store.waitingVectors();
      store.record({ kind: "waiting-dropped" });
      return [waiting, store.waitingVectors(), vectorCount(store)];
    });
    expect(read).toStrictEqual([[vector(1, { components: Float64Array.from(HARD_NUMBERS) }), vector(2)], [], 0]);
  });
});

describe("the blacklist", () => {
  test("keeps the order of adding", async () => {
    const read = await onFreshStore((store) => {
      store.record({ kind: "blacklist-added", symbols: ["c", "a\0b", "a"] });
      store.record({ kind: "blacklist-added", symbols: ["b", "c"] });
      store.record({ kind: "blacklist-removed", symbols: ["a\0b", "unknown"] });
      store.record({ kind: "blacklist-added", symbols: ["a\0b"] });
      return store.blacklist();
    });
    expect(read).toStrictEqual(["c", "a", "b", "a\0b"]);
  });
});
