/** A load: staged, committed, dropped, over SQLite. */

import { describe, expect, test } from "vitest";
import type { Staging } from "../../../src/processor/ports/store";
import type { SqliteStore } from "../../../src/store/store";
import { modelCount, onFreshStore, vectorCount } from "../../support/store/in-object";
import { model, nameOf, symbol, vector } from "../../support/store/rows";

function staging(change: Partial<Staging> = {}): Staging {
  return {
    loadId: "load \0 1",
    totals: { modelFrequencies: 1, memberFrequencies: 2, symbolFrequencies: 3 },
    models: 4,
    vectors: 5,
    dimensionality: -1,
    ...change,
  };
}

/** A knowledge base of one model, symbol and vector. */
function learnOne(store: SqliteStore): void {
  store.record({ kind: "model-put", model: model(9) });
  store.record({ kind: "symbols-added", symbols: [symbol(9)] });
  store.record({ kind: "vector-learned", vector: vector(9) });
}

function stageTwo(store: SqliteStore): void {
  store.record({ kind: "staging-begun", staging: staging() });
  store.record({
    kind: "staging-grown",
    staging: staging({ models: 1 }),
    symbols: [symbol(0)],
    models: [model(1)],
    vectors: [vector(1)],
    isOrdered: false,
  });
  store.record({
    kind: "staging-grown",
    staging: staging({ models: 2, dimensionality: 3 }),
    symbols: [symbol(1)],
    models: [model(2)],
    isOrdered: false,
    vectors: [vector(2)],
  });
}

function knowledgeOf(store: SqliteStore) {
  return {
    models: store.knowledge.modelsAfter("", 100),
    symbols: Array.from(store.knowledge.symbols()),
    vectors: Array.from(store.knowledge.vectors()),
    counts: [modelCount(store), vectorCount(store)],
  };
}

const LEARNED = { models: [model(9)], symbols: [symbol(9)], vectors: [vector(9)], counts: [1, 1] };
const LOADED = {
  models: [model(2), model(1)],
  symbols: [symbol(0), symbol(1)],
  vectors: [vector(1), vector(2)],
  counts: [2, 2],
};

describe("a load", () => {
  test("is seen only by reads of staged rows", async () => {
    const read = await onFreshStore((store) => {
      learnOne(store);
      const none = store.staging();
      stageTwo(store);
      const names = [nameOf(999), nameOf(998), nameOf(991), nameOf(499)];
      return {
        none,
        staging: store.staging(),
        symbols: Array.from(store.staged.symbols()),
        models: store.staged.present("models", names),
        vectors: store.staged.present("vectors", names),
        knowledge: knowledgeOf(store),
      };
    });
    expect(read).toStrictEqual({
      none: undefined,
      staging: staging({ models: 2, dimensionality: 3 }),
      symbols: LOADED.symbols,
      models: [nameOf(999), nameOf(998)],
      vectors: [nameOf(499)],
      knowledge: LEARNED,
    });
  });

  test("replaces all knowledge when committed, and leaves nothing staged", async () => {
    const read = await onFreshStore((store) => {
      learnOne(store);
      const before = knowledgeOf(store);
      stageTwo(store);
      store.record({ kind: "staging-committed" });
      return {
        before,
        after: knowledgeOf(store),
        staging: store.staging(),
        staged: Array.from(store.staged.symbols()),
      };
    });
    expect(read).toStrictEqual({ before: LEARNED, after: LOADED, staging: undefined, staged: [] });
  });

  test("can follow another, and learning continues after it", async () => {
    const read = await onFreshStore((store) => {
      stageTwo(store);
      store.record({ kind: "staging-committed" });
      learnOne(store);
      const grown = modelCount(store);
      stageTwo(store);
      store.record({ kind: "staging-committed" });
      return { grown, again: knowledgeOf(store) };
    });
    expect(read).toStrictEqual({ grown: 3, again: LOADED });
  });

  test("is gone when dropped, or when another begins", async () => {
    const read = await onFreshStore((store) => {
      learnOne(store);
      stageTwo(store);
      store.record({ kind: "staging-dropped" });
      const dropped = [
        store.staging(),
        Array.from(store.staged.symbols()),
        store.staged.present("models", [nameOf(999)]),
      ];
      stageTwo(store);
      store.record({ kind: "staging-begun", staging: staging({ loadId: "another", models: 0 }) });
      const begun = [
        store.staging()?.loadId,
        Array.from(store.staged.symbols()),
        store.staged.present("vectors", [nameOf(499)]),
      ];
      return { dropped, begun, knowledge: knowledgeOf(store) };
    });
    expect(read).toStrictEqual({ dropped: [undefined, [], []], begun: ["another", [], []], knowledge: LEARNED });
  });

  test("is not committed when the transaction is rolled back", async () => {
    const read = await onFreshStore((store, storage) => {
      learnOne(store);
      stageTwo(store);
      const committing = () =>
        storage.transactionSync(() => {
          store.record({ kind: "staging-committed" });
          throw new Error("the verb failed");
        });
      expect(committing).toThrow("the verb failed");
      return { knowledge: knowledgeOf(store).models, symbols: Array.from(store.staged.symbols()) };
    });
    expect(read).toStrictEqual({ knowledge: LEARNED.models, symbols: LOADED.symbols });
  });
});
