/** A query that takes more steps than it may ends early, at a place that knowledge and query alone decide, and leaves the kernel as it was. */

import { describe, expect, test } from "vitest";
import type { Kernel } from "../../src/kernel/kernel";
import type { Query } from "../../src/processor/ports/matcher";
import { Oracle } from "../oracle/oracle";
import { Corpus, type Shape } from "../support/kernel/corpus";
import { soleKernel } from "../support/kernel/sole-kernel";
import { Random } from "../support/random";

const SHAPES: Record<string, Shape> = {
  long: { models: 40, symbols: 8, events: 8, eventSymbols: 20, memory: 150, skew: "steep", frequency: 2 },
  short: { models: 200, symbols: 20, events: 6, eventSymbols: 12, memory: 60, skew: "flat", frequency: 2 },
  lanes: { models: 1500, symbols: 30, events: 3, eventSymbols: 4, memory: 10, skew: "steep", frequency: 2 },
};

/** One model of `length` equal symbols, and the query that is the same. */
function equalSymbols(length: number, steps: number): { kernel: Kernel; query: Query } {
  const kernel = soleKernel();
  kernel.add({ id: 1, frequency: 1, symbols: new Uint32Array(length), lengths: Uint32Array.of(length) });
  kernel.setSymbolFrequency(0, length);
  const totals = { modelFrequencies: 1, memberFrequencies: 1, symbolFrequencies: length };
  const query: Query = {
    symbols: new Uint32Array(length),
    target: undefined,
    recallThreshold: 0.1,
    maxPredictions: 1,
    sortMetric: "potential",
    thresholdMetric: "potential",
    threshold: 0,
    thresholdAtLeast: true,
    totals,
    knownSymbols: 1,
    steps,
  };
  return { kernel, query };
}

test("48,000 equal symbols against as many end with the budget, and take about as many steps as that", () => {
  const { kernel, query } = equalSymbols(48_000, 20_000_000);
  kernel.predict(query);
  expect(kernel.steps).toBeGreaterThan(20_000_000);
  expect(kernel.steps).toBeLessThan(20_500_000);
  kernel.matchesAny(query);
  expect(kernel.steps).toBeGreaterThan(20_000_000);
});

test("each pair of equal symbols is a step", () => {
  const { kernel, query } = equalSymbols(1000, 1e9);
  expect(kernel.matchesAny(query)).toBe(true);
  expect(kernel.steps).toBeGreaterThan(1_000_000);
  expect(kernel.steps).toBeLessThan(1_020_000);
});

describe.each(Object.entries(SHAPES))("%s queries", (_, shape) => {
  test("end anywhere, and the next answer is right", () => {
    const random = new Random(11);
    const corpus = new Corpus(random, shape);
    const kernel = soleKernel();
    const oracle = new Oracle();
    corpus.fill(kernel);
    corpus.fill(oracle);
    for (let round = 0; round < 12; round++) {
      const query = corpus.query();
      const expected = oracle.predict(query);
      expect(kernel.predict(query)).toEqual(expected);
      const needed = kernel.steps;
      expect(kernel.predict({ ...query, steps: needed })).toEqual(expected);
      for (let count = 0; count < 10; count++) {
        const steps = random.below(needed);
        kernel.predict({ ...query, steps });
        expect(kernel.steps).toBeGreaterThan(steps);
        const once = kernel.steps;
        kernel.predict({ ...query, steps });
        expect(kernel.steps).toBe(once);
        kernel.matchesAny({ ...query, steps: random.below(1000) });
      }
      expect(kernel.predict(query)).toEqual(expected);
      expect(kernel.steps).toBe(needed);
    }
  });
});
