import { expect, test } from "vitest";
import type { State } from "../../../src/processor/ports/store";
import { MemoryStore } from "../../support/memory-store";
import { openProcessor } from "../../support/open-processor";
import { add } from "../../support/processor/model-calls";

/** A store with one model of two symbols. */
function learned(): { store: MemoryStore; state: State } {
  const store = new MemoryStore();
  add(openProcessor(store), { sequence: [["a", "b"]], frequency: 2 });
  const state = store.state();
  if (state === undefined) throw new Error("the processor has no state");
  return { store, state };
}

test("a processor whose rows and counters agree opens", () => {
  expect(openProcessor(learned().store).knowledge.findModels({ symbols: ["a"], patterns: [] }).names).toHaveLength(1);
});

test.each([
  ["a model that is gone", { kind: "model-removed", id: 1 }],
  ["a symbol that is gone", { kind: "symbols-removed", ids: [0] }],
  ["another frequency of a model", { kind: "model-renewed", id: 1, frequency: 3, emotives: [] }],
] as const)("a processor with %s does not open, and says what disagrees", (_, change) => {
  const { store } = learned();
  store.record(structuredClone(change) as Parameters<MemoryStore["record"]>[0]);
  expect(() => openProcessor(store)).toThrow("storage is damaged: its rows count");
});

test("a processor with counters of another moment does not open", () => {
  const { store, state } = learned();
  store.record({ kind: "state", state: { ...state, totals: { ...state.totals, memberFrequencies: 5 } } });
  expect(() => openProcessor(store)).toThrow(
    "its rows count 2 models, 4 symbols and 4 members, its state 2 models, 4 symbols and 5 members",
  );
});
