/** The kernel against the oracle where a shortcut could go wrong: ties at the cut, several segments, and more models than are held. */

import { describe, expect, test } from "vitest";
import wasm from "../../build/kernel.wasm";
import type { Kernel } from "../../src/kernel/kernel";
import { METRICS, type Query } from "../../src/processor/ports/matcher";
import { metricOf, Oracle } from "../oracle/oracle";
import { Corpus, type Shape } from "../support/kernel/corpus";
import { DebugKernel } from "../support/kernel/debug-kernel";
import { soleKernel } from "../support/kernel/sole-kernel";
import { Random } from "../support/random";

const SHORT: Shape = { models: 2_500, symbols: 30, events: 3, eventSymbols: 3, memory: 8, skew: "steep", frequency: 2 };

function filled(shape: Shape, seed: number): { corpus: Corpus; kernel: Kernel; oracle: Oracle } {
  const corpus = new Corpus(new Random(seed), shape);
  const kernel = soleKernel();
  const oracle = new Oracle();
  corpus.fill(kernel);
  corpus.fill(oracle);
  return { corpus, kernel, oracle };
}

function expectSame(kernel: Kernel, oracle: Oracle, query: Query): void {
  const expected = oracle.predict(query);
  expect(kernel.predict(query), JSON.stringify(query)).toEqual(expected);
  expect(kernel.matchesAny(query)).toBe(expected.length > 0);
}

describe("several segments", () => {
  const { corpus, kernel, oracle } = filled(SHORT, 3);

  test.each(METRICS)("every cut by %s", (sortMetric) => {
    const query = { ...corpus.query(), sortMetric, recallThreshold: 0.1, threshold: 0, thresholdAtLeast: true };
    for (const maxPredictions of [1, 7, 100, 10_000]) {
      for (const target of [undefined, 0, 29]) {
        expectSame(kernel, oracle, { ...query, maxPredictions, target });
      }
    }
  });

  test.each(METRICS)("every threshold on %s", (thresholdMetric) => {
    const query: Query = { ...corpus.query(), thresholdMetric, recallThreshold: 0.3, maxPredictions: 20 };
    const values = oracle
      .predict({ ...query, threshold: -1e9, thresholdAtLeast: true, maxPredictions: 10_000 })
      .map((match) => metricOf(match, thresholdMetric));
    for (const threshold of [values[0], values[values.length >> 1], values.at(-1)]) {
      for (const thresholdAtLeast of [true, false]) {
        expectSame(kernel, oracle, { ...query, threshold: threshold ?? 0, thresholdAtLeast });
      }
    }
  });

  test("recall thresholds 0 and 1", () => {
    for (let count = 0; count < 5; count++) {
      const query = corpus.query();
      expectSame(kernel, oracle, { ...query, recallThreshold: 0 });
      const [learned] = corpus.models;
      expectSame(kernel, oracle, { ...query, recallThreshold: 1, symbols: learned?.symbols ?? query.symbols });
    }
  });
});

test("a thousand equal models rank newest first", () => {
  const kernel = soleKernel();
  const oracle = new Oracle();
  for (const matcher of [kernel, oracle]) {
    for (let id = 1; id <= 3_000; id++) {
      matcher.add({ id, frequency: 1, symbols: Uint32Array.of(id % 3, 5, 6, 7), lengths: Uint32Array.of(1, 1, 2) });
    }
    for (let symbol = 0; symbol < 8; symbol++) {
      matcher.setSymbolFrequency(symbol, 1_000);
    }
  }
  const corpus = new Corpus(new Random(1), { ...SHORT, models: 5 });
  for (const memory of [[5], [0, 1], [0, 5, 9, 7], [1, 2, 6, 7, 7]]) {
    const query = { ...corpus.query(), symbols: Uint32Array.from(memory), target: undefined, threshold: 0 };
    for (const maxPredictions of [1, 100, 999, 1_001]) {
      expectSame(kernel, oracle, { ...query, maxPredictions, recallThreshold: 0.1, thresholdAtLeast: true });
    }
  }
});

test("a model that repeats the only symbol it shares with memory outranks newer ones that hold it once", () => {
  const kernel = soleKernel();
  const oracle = new Oracle();
  const [rare, shared] = [0, 1];
  const models = [[shared, shared], ...[2, 3, 4, 5].map((other) => [shared, other]), [rare, 6]];
  for (const matcher of [kernel, oracle]) {
    models.forEach((symbols, at) => {
      matcher.add({ id: at + 1, frequency: 1, symbols: Uint32Array.from(symbols), lengths: Uint32Array.of(2) });
    });
    for (let symbol = 0; symbol < 7; symbol++) {
      matcher.setSymbolFrequency(symbol, symbol === shared ? 6 : 1);
    }
  }
  const corpus = new Corpus(new Random(1), { ...SHORT, models: 5 });
  const query: Query = {
    ...corpus.query(),
    ...{ symbols: Uint32Array.of(rare, shared), target: undefined, recallThreshold: 0.1, maxPredictions: 2 },
    ...{ sortMetric: "potential", thresholdMetric: "potential", threshold: 0, thresholdAtLeast: true, knownSymbols: 7 },
    totals: { modelFrequencies: 6, memberFrequencies: 11, symbolFrequencies: 12 },
  };
  expect(kernel.predict(query)[0]?.id).toBe(1);
  expectSame(kernel, oracle, query);
});

test("ids, symbols, frequencies and lengths of any size", () => {
  const kernel = soleKernel();
  const oracle = new Oracle();
  const random = new Random(31);
  for (const matcher of [kernel, oracle]) {
    for (let at = 0; at < 1_100; at++) {
      const symbols = Uint32Array.from({ length: at === 700 ? 70_000 : 4 }, (_, place) => (at * place) % 300);
      const lengths = at === 700 ? Uint32Array.of(69_000, 1_000) : Uint32Array.of(1, 3);
      matcher.add({ id: at * 2 ** 42 + 1, frequency: 1 + at ** 4, symbols, lengths });
    }
    matcher.setFrequency(2 ** 42 + 1, 2 ** 50);
    for (let symbol = 0; symbol < 300; symbol++) {
      matcher.setSymbolFrequency(symbol, symbol + 1);
    }
  }
  const corpus = new Corpus(random, { ...SHORT, models: 20 });
  for (let count = 0; count < 8; count++) {
    expectSame(kernel, oracle, { ...corpus.query(), maxPredictions: 10, target: undefined });
  }
});

test("a memory longer than an overlap can count", () => {
  const { corpus, kernel, oracle } = filled({ ...SHORT, models: 12, events: 2 }, 14);
  const memory = Uint32Array.from({ length: 70_000 }, (_, at) => (at % 7 === 0 ? at % 30 : 1));
  for (const recallThreshold of [0, 0.1]) {
    expectSame(kernel, oracle, { ...corpus.query(), symbols: memory, recallThreshold, target: undefined });
  }
});

test.each([
  ["survivors", { survivors: 2, deferred: 1_000 }],
  ["deferred models", { survivors: 1_000, deferred: 3 }],
])("more %s than are held: all candidates are looked at a second time", (_, limits) => {
  const corpus = new Corpus(new Random(6), { ...SHORT, models: 400 });
  const kernel = new DebugKernel();
  const oracle = new Oracle();
  kernel.exports.limitSurvivors(limits.survivors);
  kernel.exports.limitDeferred(limits.deferred);
  corpus.fill(kernel);
  corpus.fill(oracle);
  for (let count = 0; count < 60; count++) {
    const query = { ...corpus.query(), maxPredictions: 1 + (count % 3) };
    expect(kernel.predict(query), JSON.stringify(query)).toEqual(oracle.predict(query));
  }
  expect(kernel.answers("SECOND_PASS")).toBeGreaterThan(0);
});

test("the release build has no export that only tests call", () => {
  const released = WebAssembly.Module.exports(wasm).map(({ name }) => name);
  const hooks = Object.keys(new DebugKernel().exports).filter((name) => !released.includes(name));
  expect(hooks.sort()).toEqual([
    ...["DECIDED_BY_LANE_SINGLES", "DECIDED_BY_LONGEST_BLOCK", "DEFERRED_SHARED", "DEFERRED_SINGLES"],
    ...["MATCHED_BATCH_PAIRS", "MATCHED_BATCH_SINGLES", "MATCHED_LANES_THEN_SHORT", "MATCHED_LANE_SINGLES"],
    ...["MATCHED_LONG", "MATCHED_SHORT", "SECOND_PASS", "answersOf", "limitDeferred", "limitSurvivors"],
  ]);
});
