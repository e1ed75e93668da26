/** Changing what the kernel knows: packing, the budget, adding many models at once. The answers stay the oracle's. */

import { expect, test } from "vitest";
import type { Kernel } from "../../src/kernel/kernel";
import type { MatchableModel, Query } from "../../src/processor/ports/matcher";
import { Oracle } from "../oracle/oracle";
import { Corpus, type Shape } from "../support/kernel/corpus";
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

test("most models removed, the rest packed", () => {
  const { corpus, kernel, oracle } = filled(SHORT, 8);
  const random = new Random(21);
  const held = kernel.bytes;
  while (corpus.models.length > 200) {
    const [model] = corpus.models.splice(random.below(corpus.models.length), 1) as [MatchableModel];
    kernel.remove(model.id);
    oracle.remove(model.id);
    expect(() => kernel.remove(model.id)).toThrow();
  }
  corpus.count(kernel);
  corpus.count(oracle);
  for (let count = 0; count < 20; count++) {
    expectSame(kernel, oracle, corpus.query());
  }
  for (let count = 0; count < 2_000; count++) {
    const model = corpus.draw();
    corpus.models.push(model);
    kernel.add(model);
    oracle.add(model);
  }
  corpus.count(kernel);
  corpus.count(oracle);
  expectSame(kernel, oracle, corpus.query());
  expect(kernel.bytes).toBeLessThanOrEqual(held * 1.25);
});

test("removing makes room again when the budget is used up", () => {
  const corpus = new Corpus(new Random(4), { ...SHORT, models: 1, symbols: 300 });
  const kernel = soleKernel(600_000);
  const added: number[] = [];
  const fill = () => {
    for (;;) {
      const model = corpus.draw();
      kernel.add(model);
      added.push(model.id);
    }
  };
  expect(fill).toThrow("used up");
  const first = added.length;
  for (const id of added.splice(0, first >> 1)) {
    kernel.remove(id);
  }
  expect(fill).toThrow("used up");
  expect(added.length).toBeGreaterThan(first * 0.8);
  expect(kernel.bytes).toBeLessThanOrEqual(kernel.limitBytes);
});

test("adding many models at once is like adding them one by one", () => {
  const { corpus, oracle } = filled({ ...SHORT, symbols: 70_000 }, 12);
  const kernel = soleKernel();
  const numbers = (of: (model: MatchableModel) => Iterable<number>) => corpus.models.flatMap((model) => [...of(model)]);
  kernel.addBatch({
    ids: Float64Array.from(numbers(({ id }) => [id])),
    frequencies: Float64Array.from(numbers(({ frequency }) => [frequency])),
    eventCounts: Uint8Array.from(numbers(({ lengths }) => [lengths.length])),
    lengths: Uint16Array.from(numbers(({ lengths }) => lengths)),
    symbols: Uint32Array.from(numbers(({ symbols }) => symbols)),
  });
  corpus.count(kernel);
  for (let count = 0; count < 20; count++) {
    expectSame(kernel, oracle, corpus.query());
  }
});
