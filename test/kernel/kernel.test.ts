/** The kernel gives the oracle's answers to the last bit, whatever it was taught, told to remove and asked. */

import { describe, expect, test } from "vitest";
import type { Kernel } from "../../src/kernel/kernel";
import type { Matcher, Query } from "../../src/processor/ports/matcher";
import { Oracle } from "../oracle/oracle";
import { seedsHere } from "../support/engine";
import { Corpus, type Shape } from "../support/kernel/corpus";
import { LocalParts, LocalSplit } from "../support/kernel/local-parts";
import { soleKernel } from "../support/kernel/sole-kernel";
import { Random } from "../support/random";

const SHAPES: Record<string, Shape> = {
  "small alphabet": { models: 60, symbols: 6, events: 4, eventSymbols: 4, memory: 12, skew: "flat", frequency: 1 },
  "steep alphabet": { models: 80, symbols: 60, events: 5, eventSymbols: 8, memory: 10, skew: "steep", frequency: 9 },
  "one symbol everywhere": {
    models: 50,
    symbols: 8,
    events: 4,
    eventSymbols: 6,
    memory: 20,
    skew: "one",
    frequency: 3,
  },
  "single symbol": { models: 20, symbols: 1, events: 3, eventSymbols: 3, memory: 6, skew: "flat", frequency: 2 },
  "long memory": { models: 30, symbols: 40, events: 8, eventSymbols: 20, memory: 150, skew: "steep", frequency: 2 },
  "around 64 symbols": { models: 30, symbols: 20, events: 8, eventSymbols: 12, memory: 70, skew: "flat", frequency: 1 },
  "sixteen at a time": {
    models: 300,
    symbols: 200,
    events: 5,
    eventSymbols: 15,
    memory: 16,
    skew: "steep",
    frequency: 3,
  },
  "sixteen at a time, two bytes a symbol": {
    models: 300,
    symbols: 900,
    events: 4,
    eventSymbols: 12,
    memory: 16,
    skew: "steep",
    frequency: 70_000,
  },
  "short and long models": {
    models: 300,
    symbols: 90,
    events: 20,
    eventSymbols: 14,
    memory: 12,
    skew: "steep",
    frequency: 2,
  },
  "wide alphabet": {
    models: 60,
    symbols: 70_000,
    events: 3,
    eventSymbols: 4,
    memory: 12,
    skew: "steep",
    frequency: 1000,
  },
};

function expectSame(kernel: Kernel, oracle: Oracle, query: Query): void {
  const expected = oracle.predict(query);
  expect(kernel.predict(query), JSON.stringify(query)).toEqual(expected);
  expect(kernel.matchesAny(query)).toBe(expected.length > 0);
  const thresholds = Float64Array.from(new Set([0, 0.1, query.recallThreshold, 0.5, 2 / 3, 1])).sort();
  expect(kernel.countMatching(query, thresholds)).toEqual(oracle.countMatching(query, thresholds));
}

describe.each(Object.entries(SHAPES))("%s", (_, shape) => {
  test("same answers as the oracle", () => {
    for (const seed of seedsHere(1, 2, 3, 4, 5, 6)) {
      const corpus = new Corpus(new Random(seed), shape);
      const kernel = soleKernel();
      const oracle = new Oracle();
      corpus.fill(kernel);
      corpus.fill(oracle);
      for (let question = 0; question < 30; question++) {
        expectSame(kernel, oracle, corpus.query());
      }
    }
  });

  test("same answers after removing, relearning and adding", () => {
    const random = new Random(77);
    const corpus = new Corpus(random, shape);
    const kernel = soleKernel();
    const oracle = new Oracle();
    corpus.fill(kernel);
    corpus.fill(oracle);
    for (let round = 0; round < 40; round++) {
      change(corpus, random, [kernel, oracle]);
      expectSame(kernel, oracle, corpus.query());
    }
  });
});

/** Makes one random change, the same in all matchers. */
function change(corpus: Corpus, random: Random, matchers: (Kernel | LocalSplit | Oracle)[]): void {
  const kind = random.below(3);
  const at = random.below(corpus.models.length);
  const model = corpus.models[at];
  if (kind === 0 && model && corpus.models.length > 1) {
    corpus.models.splice(at, 1);
    for (const matcher of matchers) matcher.remove(model.id);
  } else if (kind === 1 && model) {
    model.frequency += 1 + random.below(300);
    for (const matcher of matchers) matcher.setFrequency(model.id, model.frequency);
  } else {
    const fresh = corpus.draw();
    corpus.models.push(fresh);
    for (const matcher of matchers) matcher.add(fresh);
  }
  for (const matcher of matchers) corpus.count(matcher);
}

/** What the numbers of some models come from, and of one that is not there. */
function explanations(matcher: Pick<Matcher, "explain">, query: Query, ids: readonly number[]): unknown {
  return [...ids, 1_000_000].map((id) => matcher.explain(query, id));
}

/** A kernel and split ones that hold the same. */
function teachAll(corpus: Corpus): { whole: Kernel; splits: LocalSplit[] } {
  const whole = soleKernel();
  const splits = [2, 7, 16].map((count) => new LocalSplit(new LocalParts(count)));
  for (const matcher of [whole, ...splits]) corpus.fill(matcher);
  return { whole, splits };
}

describe.each(Object.entries(SHAPES))("split, %s", (_, shape) => {
  test("the same answers as one kernel", () => {
    const random = new Random(100);
    // Each part has room for all symbols.
    const corpus = new Corpus(random, { ...shape, symbols: Math.min(shape.symbols, 2_000) });
    const { whole, splits } = teachAll(corpus);
    for (let round = 0; round < 12; round++) {
      if (round === 6) for (let made = 0; made < 3; made++) change(corpus, random, [whole, ...splits]);
      const query = corpus.query();
      const thresholds = Float64Array.of(0, 0.1, 0.5, 2 / 3);
      const ids = corpus.models.slice(0, 3).map(({ id }) => id);
      const predicted = whole.predict(query);
      for (const split of splits) {
        expect(split.predict(query), JSON.stringify(query)).toEqual(predicted);
        expect(split.matchesAny(query)).toBe(predicted.length > 0);
        expect(split.matchesAny(query, undefined, true)).toBeUndefined();
        expect(split.countMatching(query, thresholds)).toEqual(whole.countMatching(query, thresholds));
        expect(explanations(split, query, ids)).toEqual(explanations(whole, query, ids));
        expect(split.symbolCount).toBe(whole.symbolCount);
      }
    }
  });
});

test("and so are predictions that fill several blocks of records", () => {
  const corpus = new Corpus(new Random(101), { ...(SHAPES["long memory"] as Shape), models: 900, eventSymbols: 90 });
  const whole = soleKernel();
  const split = new LocalSplit(new LocalParts(2));
  for (const matcher of [whole, split]) corpus.fill(matcher);
  const all = { target: undefined, recallThreshold: 0, maxPredictions: 10_000, threshold: 0, thresholdAtLeast: true };
  const symbols = Uint32Array.from({ length: 150 }, (_, at) => at % 40);
  const query: Query = { ...corpus.query(), ...all, symbols, thresholdMetric: "similarity" };
  const predicted = whole.predict(query);
  const bytes = predicted.reduce((sum, { symbols, extras }) => sum + 4 * (symbols.length + extras.length), 0);
  expect(bytes).toBeGreaterThan(3 * 262_144);
  expect(split.predict(query)).toEqual(predicted);
});

const SMALL = SHAPES["steep alphabet"] as Shape;

test("nothing is left after clear", () => {
  const corpus = new Corpus(new Random(5), SMALL);
  const kernel = soleKernel();
  corpus.fill(kernel);
  const query: Query = {
    ...corpus.query(),
    target: undefined,
    recallThreshold: 0,
    symbols: Uint32Array.of(0, 1, 2, 3),
  };
  expect(kernel.predict(query).length).toBeGreaterThan(0);
  kernel.clear();
  expect(kernel.predict(query)).toEqual([]);
  expect(kernel.matchesAny(query)).toBe(false);
});

test("removing what is not there is a defect", () => {
  const kernel = soleKernel();
  expect(() => kernel.remove(7)).toThrow("no model has the id 7");
  expect(() => kernel.setFrequency(7, 2)).toThrow("no model has the id 7");
});

test("adding beyond the budget is refused and changes nothing", () => {
  const random = new Random(9);
  const corpus = new Corpus(random, { ...SMALL, models: 10 });
  const kernel = soleKernel(2 ** 18);
  const oracle = new Oracle();
  corpus.fill(kernel);
  corpus.fill(oracle);
  const refused = () => {
    for (let count = 0; count < 100_000; count++) {
      const model = corpus.draw();
      kernel.add(model);
      corpus.models.push(model);
      oracle.add(model);
    }
  };
  expect(refused).toThrow(/used up: \d+ of 262144 bytes are held/);
  expect(kernel.bytes).toBeLessThanOrEqual(kernel.limitBytes);
  corpus.count(kernel);
  corpus.count(oracle);
  for (let question = 0; question < 3; question++) {
    expectSame(kernel, oracle, corpus.query());
  }
});
