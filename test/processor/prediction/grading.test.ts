/** Which models are compared with what would have been forecast, and at which horizons: so few that the median learn does not notice. */

import { describe, expect, test } from "vitest";
import { modelName } from "../../../src/processor/knowledge/names";
import { gradedAgain, gradedHorizons, isGraded } from "../../../src/processor/prediction/grading";

/** The seeds of models. */
const SEEDS = Array.from({ length: 16_384 }, (_, at) => Number.parseInt(modelName([[`${at}`]]).slice(0, 8), 16));

/** The share of models that are compared. */
function share(models: number): number {
  return SEEDS.filter((seed) => isGraded(seed, models)).length / SEEDS.length;
}

/** How many comparisons a learn makes on average. */
function comparisons(models: number): number {
  const graded = SEEDS.filter((seed) => isGraded(seed, models));
  const again = (seed: number) => gradedAgain(seed, models, models + 1).length * 9;
  return graded.reduce((sum, seed) => sum + gradedHorizons(seed, models).length + again(seed), 0) / SEEDS.length;
}

describe("a learn", () => {
  test.each([
    [1, 1],
    [15, 1],
    [16, 0.25],
    [1023, 0.25],
    [1024, 0.25],
    [8191, 0.25],
    [8192, 1 / 8],
    [100_000, 1 / 128],
    [1_000_000, 1 / 1024],
  ])("with %i models is graded with a chance of %d", (models, expected) => {
    expect(share(models) / expected).toBeGreaterThan(0.5);
    expect(share(models) / expected).toBeLessThan(1.6);
  });

  test.each([
    [15, 2],
    [1023, 7],
    [8191, 1.2],
    [8192, 0.3],
  ])("with %i models makes about %d comparisons", (models, expected) => {
    expect(comparisons(models)).toBeGreaterThan(0.7 * expected);
    expect(comparisons(models)).toBeLessThan(1.4 * expected);
  });
});

test("horizons are the next event and one more, or all of them once", () => {
  for (const seed of SEEDS.slice(0, 200)) {
    for (const models of [1, 15, 8192, 1e6]) {
      const [first, other, ...rest] = gradedHorizons(seed, models);
      expect([first, rest]).toEqual([1, []]);
      expect(other).toBeGreaterThanOrEqual(2);
      expect(other).toBeLessThanOrEqual(10);
    }
    for (const models of [16, 1023]) {
      expect(gradedHorizons(seed, models).toSorted((one, two) => one - two)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }
  }
});

test("what is graded once more is among the newest ids, as many as there are models", () => {
  for (const seed of SEEDS.slice(0, 200)) {
    for (const models of [1, 15, 1024]) expect(gradedAgain(seed, models, 5000)).toEqual([]);
    for (const id of gradedAgain(seed, 100, 5000)) {
      expect(id).toBeGreaterThanOrEqual(4900);
      expect(id).toBeLessThan(5000);
    }
  }
});
