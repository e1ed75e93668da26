/** Asking what a sequence would predict: the answer is that of a processor that observed it, and nothing changes. */

import { describe, expect, test } from "vitest";
import { PoolingForecaster } from "../../../src/processor/prediction/estimator/pooling-forecaster";
import { Processor } from "../../../src/processor/processor";
import { DEFAULT_BUDGETS } from "../../../src/text/budgets";
import { OracleNeighbours } from "../../oracle/neighbours";
import { Oracle } from "../../oracle/oracle";
import { MemoryStore } from "../../support/memory-store";
import { openProcessor } from "../../support/open-processor";
import { gdfOf, geneChangesOf } from "../../support/processor/calls";
import { readingsOf } from "../../support/processor/readings";
import { fc } from "../../support/property";

const SYMBOLS = ["a", "b", "c", "d", "\u{1f600}", "\ufb01", "", "__proto__", "VECTOR"];
const VECTORS = [
  [1, 2],
  [3, 4],
  [-1, 0.5],
];

const symbol = fc.constantFrom(...SYMBOLS);
const event = fc.array(symbol, { minLength: 1, maxLength: 4 });
const model = fc.array(event, { minLength: 1, maxLength: 4 });

/** A record of a sequence, which is observed by one processor and asked about at another. */
const record = fc.record({
  strings: fc.array(fc.oneof(symbol, fc.constantFrom("new", "newer")), { minLength: 1, maxLength: 5 }),
  vector: fc.option(fc.constantFrom(...VECTORS)),
});

const world = fc.record({
  models: fc.array(model, { maxLength: 8 }),
  records: fc.array(record, { maxLength: 5 }),
  blacklist: fc.uniqueArray(symbol, { maxLength: 2 }),
  target: fc.oneof(fc.constant(""), fc.constant(""), symbol),
  genes: fc.record({
    SORT: fc.boolean(),
    recall_threshold: fc.constantFrom(0, 0.1, 0.5),
    max_predictions: fc.constantFrom(1, 2, 100),
    prediction_sort_metric: fc.constantFrom("potential", "similarity", "entropy"),
  }),
  predicting: fc.boolean(),
  sleeping: fc.boolean(),
  before: fc.array(event, { maxLength: 3 }),
  top: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
});

/** A processor that knows the models. */
function taught(models: string[][][], genes: Record<string, boolean | number | string>, blacklist: string[]) {
  const store = new MemoryStore();
  const processor = openProcessor(store);
  processor.genes.change(geneChangesOf(genes));
  for (const components of VECTORS) {
    processor.knowledge.addModel({ sequence: { events: [{ symbols: ["a"] }] }, vector: { components } });
  }
  for (const events of models) {
    processor.knowledge.addModel({ sequence: { events: events.map((symbols) => ({ symbols })) } });
  }
  processor.knowledge.addBlacklistedSymbols(blacklist);
  return { processor, store };
}

test("the answer is that of a processor with the same knowledge that observed the sequence", () => {
  fc.assert(
    fc.property(world, fc.infiniteStream(fc.nat()), (given, order) => {
      const { models, genes, blacklist, target, records, top } = given;
      const observer = taught(models, genes, blacklist).processor;
      const { processor: asker, store } = taught(models, genes, blacklist);
      for (const each of [observer, asker]) each.modes.setTargetClass(target);
      for (const strings of given.before) asker.memory.observe(gdfOf({ strings }), []);
      asker.modes.setPredicting(given.predicting);
      if (given.sleeping) asker.modes.setSleeping(true);

      const sequence = { events: [] as { symbols: string[] }[] };
      for (const { strings, vector } of records) {
        observer.memory.observe(gdfOf({ strings, vectors: vector === null ? [] : [vector] }), []);
        const vectors = observer.memory.getCognition().symbols.filter((name) => name.startsWith("VECTOR|"));
        sequence.events.push({ symbols: merged(vectors, strings, genes.SORT, order) });
      }

      const before = readingsOf(asker);
      const { changes } = store;
      const all = observer.memory.getPredictions("").predictions;
      const wanted = top === undefined ? all : all.slice(0, top);
      expect(asker.memory.getPredictions("", { sequence, top }).predictions).toEqual(wanted);
      expect(observer.memory.getPredictions("", { top }).predictions).toEqual(wanted);
      expect([readingsOf(asker), store.changes]).toEqual([before, changes]);
    }),
    { numRuns: 400 },
  );
});

/** The symbols of a record mixed: in any order where they are sorted anyway; else those of vectors anywhere between the strings. */
function merged(vectors: string[], strings: string[], sorted: boolean, order: fc.Stream<number>): string[] {
  const mixed = [...strings];
  if (sorted) mixed.sort(() => ((order.next().value ?? 0) % 2 === 0 ? 1 : -1));
  let from = 0;
  for (const name of vectors) {
    const at = from + ((order.next().value ?? 0) % (mixed.length - from + 1));
    mixed.splice(at, 0, name);
    from = at + 1;
  }
  return mixed;
}

describe("a question", () => {
  function knowing(): Processor {
    return taught(
      [
        [["a"], ["b"]],
        [["a"], ["c"]],
      ],
      {},
      [],
    ).processor;
  }

  test("about an empty sequence, or one that no model matches, has no answer", () => {
    const processor = knowing();
    for (const events of [[], [{ symbols: ["z"] }]]) {
      expect(processor.memory.getPredictions("", { sequence: { events } }).predictions).toEqual([]);
      expect(processor.memory.getPackedPredictions("", { sequence: { events } }).packed.names).toEqual([]);
    }
  });

  test("names the extras that no model knows, the same one twice too, in both forms", () => {
    const sequence = { events: [{ symbols: ["new", "a"] }, { symbols: ["newer", "new"] }] };
    const [first] = knowing().memory.getPredictions("", { sequence }).predictions;
    expect(first?.extras).toEqual(["new", "new", "newer"]);
    const { symbols, extras, extraCounts } = knowing().memory.getPackedPredictions("", { sequence }).packed;
    expect(extras.slice(0, extraCounts[0]).map((at) => symbols[at])).toEqual(["new", "new", "newer"]);
  });

  test("for the best of memory has no answer where memory predicts nothing", () => {
    const processor = knowing();
    expect(processor.memory.getPredictions("", { top: 1 }).predictions).toEqual([]);
    processor.memory.observe(gdfOf({ strings: ["a"] }), []);
    expect(processor.memory.getPredictions("", { top: 1 }).predictions).toHaveLength(1);
    expect(processor.memory.getPredictions("another", { top: 1 }).predictions).toEqual([]);
    processor.memory.learn();
    expect(processor.memory.getPredictions("", { top: 1 }).predictions).toEqual([]);
  });

  test.each([
    [{ top: 0 }, "", "top must be a whole number from 1 to 10000, got 0"],
    [{ top: 10_001 }, "", "top must be a whole number from 1 to 10000, got 10001"],
    [{ top: 1.5 }, "", "top must be a whole number from 1 to 10000, got 1.5"],
    [
      { sequence: { events: [{ symbols: ["a"] }, { symbols: [] }] } },
      "",
      "sequence[1] must hold at least one symbol, got []",
    ],
    [
      { sequence: { events: [{ symbols: ["a", "\ud800"] }] } },
      "",
      'a symbol of sequence[0] must be well-formed Unicode, got "\\ud800" with a lone surrogate',
    ],
    [
      { sequence: { events: [] } },
      "u",
      "unique_id asks about the last observation and sequence about another memory: give one of them",
    ],
  ])("%j is refused", (question, uniqueId, message) => {
    for (const read of ["getPredictions", "getPackedPredictions"] as const) {
      expect(() => knowing().memory[read](uniqueId, question)).toThrow(
        expect.objectContaining({ kind: "invalid", message }),
      );
    }
  });

  test("with more symbols than memory may hold, is refused", () => {
    const matcher = new Oracle();
    const forecaster = new PoolingForecaster(matcher.forecastRules);
    const own = { store: new MemoryStore(), matcher, neighbours: new OracleNeighbours(), forecaster };
    const budgets = { ...DEFAULT_BUDGETS, memorySymbols: 3 };
    const processor = Processor.open({ id: "p", name: "P", ...own, budgets });
    const sequence = { events: [{ symbols: ["a", "b"] }, { symbols: ["c"] }] };
    expect(processor.memory.getPredictions("", { sequence }).predictions).toEqual([]);
    sequence.events.push({ symbols: ["d"] });
    expect(() => processor.memory.getPredictions("", { sequence })).toThrow(
      expect.objectContaining({
        kind: "too-large",
        message: "a sequence may have at most 3 symbols, those of a full working memory (NOEMA_MEMORY_SYMBOLS), got 4",
      }),
    );
  });
});
