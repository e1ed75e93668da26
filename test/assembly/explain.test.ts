/** Compares the kernel's explanations of matches with the oracle's: for every model, whether or not it is a prediction. */

import { expect, test } from "vitest";
import { Oracle } from "../oracle/oracle";
import { Corpus, type Shape } from "../support/kernel/corpus";
import { soleKernel } from "../support/kernel/sole-kernel";
import { Random } from "../support/random";

const SHAPES: Record<string, Shape> = {
  "short memories": { models: 120, symbols: 30, events: 3, eventSymbols: 3, memory: 8, skew: "steep", frequency: 3 },
  "memories of some words": {
    models: 60,
    symbols: 25,
    events: 9,
    eventSymbols: 4,
    memory: 60,
    skew: "flat",
    frequency: 9,
  },
  "long memories": { models: 25, symbols: 40, events: 30, eventSymbols: 5, memory: 150, skew: "steep", frequency: 2 },
};

test.each(Object.entries(SHAPES))("%s: the match, its partners, and what weighs are the oracle's", (_, shape) => {
  const corpus = new Corpus(new Random(72), shape);
  const kernel = soleKernel();
  const oracle = new Oracle();
  corpus.fill(kernel);
  corpus.fill(oracle);
  let [kept, left] = [0, 0];
  for (let count = 0; count < 12; count++) {
    const query = { ...corpus.query(), target: count % 4 === 3 ? 1 : undefined };
    const predictions = kernel.predict(query);
    for (const { id } of corpus.models) {
      const explained = kernel.explain(query, id);
      expect(explained).toEqual(oracle.explain(query, id));
      const prediction = predictions.find((match) => match.id === id);
      if (prediction !== undefined) expect(explained?.match).toEqual(prediction);
      if (explained === undefined) left++;
      else kept++;
    }
    expect(kernel.explain(query, 0.5)).toBeUndefined();
    // The tables are as they were: another query has the same answer as before.
    expect(kernel.predict(query)).toEqual(predictions);
  }
  expect(Math.min(kept, left)).toBeGreaterThan(20);
});
