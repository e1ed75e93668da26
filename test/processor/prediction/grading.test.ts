/** Which models are compared with what would have been forecast, and at which horizons: so few that the median learn does not notice. */

import { describe, expect, test } from "vitest";
import { modelName } from "../../../src/processor/knowledge/names";
import {
  gradedAgain,
  gradedHorizons,
  gradedPlaces,
  gradeForecasts,
  isGraded,
  mostGradingSteps,
} from "../../../src/processor/prediction/grading";

/** The seeds of models. */
const SEEDS = Array.from({ length: 16_384 }, (_, at) => Number.parseInt(modelName([[`${at}`]]).slice(0, 8), 16));

/** The share of models that are compared. */
function share(models: number): number {
  return SEEDS.filter((seed, at) => isGraded(seed, models, at)).length / SEEDS.length;
}

/** How many comparisons a learn makes on average. */
function comparisons(models: number): number {
  const graded = SEEDS.filter((seed, at) => isGraded(seed, models, at));
  const again = (seed: number) => gradedAgain(seed, models, models + 1).length * 9;
  return graded.reduce((sum, seed) => sum + gradedHorizons(seed, models).length + again(seed), 0) / SEEDS.length;
}

describe("a learn", () => {
  test.each([
    [1, 1 / 3],
    [15, 1 / 3],
    [16, 0.25],
    [1023, 0.25],
    [1024, 1 / 16],
    [8192, 1 / 16],
    [100_000, 1 / 256],
    [1_000_000, 1 / 2048],
  ])("with %i models is graded with a chance of %d", (models, expected) => {
    expect(share(models) / expected).toBeGreaterThan(0.5);
    expect(share(models) / expected).toBeLessThan(1.6);
  });

  test.each([
    [15, 10 / 3],
    [1023, 7],
    [8191, 0.25],
    [8192, 0.125],
  ])("with %i models makes about %d comparisons", (models, expected) => {
    expect(comparisons(models)).toBeGreaterThan(0.7 * expected);
    expect(comparisons(models)).toBeLessThan(1.4 * expected);
  });
});

test("horizons are the next event and one more, or all of them once", () => {
  for (const seed of SEEDS.slice(0, 200)) {
    for (const models of [8192, 1e6]) {
      const [first, other, ...rest] = gradedHorizons(seed, models);
      expect([first, rest]).toEqual([1, []]);
      expect(other).toBeGreaterThanOrEqual(2);
      expect(other).toBeLessThanOrEqual(10);
    }
    for (const models of [1, 15, 16, 1023]) {
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

describe("the places of a model", () => {
  test("are spread in a long one, the first of them too", () => {
    expect(gradedPlaces(160, 1, 31)).toEqual([159, 80, 40, 120, 20, 60, 100, 140, 10, 30, 50, 70, 90, 110, 130, 150]);
    expect(gradedPlaces(12, 1, 4)).toEqual([11, 6, 3, 9]);
    expect(gradedPlaces(5, 1, 4)).toEqual([4]);
    expect(gradedPlaces(160, 1, 32)).toEqual([159]);
  });

  test("are every event while there are hardly any models", () => {
    expect(gradedPlaces(9, 1, 3)).toEqual([8, 4, 2, 6, 1, 3, 5, 7]);
    expect(gradedPlaces(17, 1, 1).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 16 }, (_, at) => at + 1),
    );
    expect(gradedPlaces(160, 1, 3)).toEqual(gradedPlaces(160, 1, 31));
    expect(gradedPlaces(2, 1, 1)).toEqual([1]);
  });

  test("leave room for what came, as far ahead as the forecast looks", () => {
    expect(gradedPlaces(14, 3, 4)).toEqual(gradedPlaces(12, 1, 4));
    expect(gradedPlaces(160, 10, 32)).toEqual([150]);
    expect(gradedPlaces(11, 10, 1)).toEqual([1]);
    expect(gradedPlaces(10, 10, 1)).toEqual([]);
    expect(gradedPlaces(1, 1, 1)).toEqual([]);
  });

  test("are different ones, each with an event before it and as many behind it as the horizon", () => {
    for (const models of [1, 3, 4, 31, 32]) {
      for (let events = 1; events <= 60; events++) {
        for (let horizon = 1; horizon <= 10; horizon++) {
          const places = gradedPlaces(events, horizon, models);
          expect(new Set(places).size).toBe(places.length);
          expect(places.every((place) => place >= 1 && place + horizon <= events)).toBe(true);
        }
      }
    }
  });
});

describe("the forecasts of a model are graded", () => {
  /** The horizon and the place of each. @param wrong the horizons at which a rule is wrong @param unknown those at which none is right */
  function graded(
    events: number,
    horizons: number[],
    models: number,
    { wrong = [], unknown = [] }: { wrong?: number[]; unknown?: number[] } = {},
  ): number[][] {
    const all: number[][] = [];
    gradeForecasts(events, horizons, models, ({ horizon, place }) => {
      all.push([horizon, place]);
      return { someRight: !unknown.includes(horizon), someWrong: wrong.includes(horizon) };
    });
    return all;
  }

  test("at all places for the next event, then at the ends for all other horizons, then at the next place of each", () => {
    const ends = [
      [4, 6],
      [2, 8],
    ];
    expect(graded(10, [1, 4, 2], 4)).toEqual([[1, 9], [1, 6], [1, 3], ...ends, [4, 3], [2, 6], [2, 3]]);
    expect(graded(10, [4, 2], 32)).toEqual(ends);
    expect(graded(10, [1, 4, 2], 32)).toEqual([[1, 9], ...ends]);
    expect(graded(8, [1, 9, 2], 32)).toEqual([
      [1, 7],
      [2, 6],
    ]);
    expect(graded(1, [1, 2], 1)).toEqual([]);
  });

  test("beyond the next event elsewhere only where a rule was right at the end, and none wrong or there are hardly any models", () => {
    const [four, three] = [graded(20, [1, 4, 2], 4), graded(20, [1, 4, 2], 3)];
    const without4 = (all: number[][]) => all.filter(([horizon, place]) => horizon !== 4 || place === 16);
    expect(graded(20, [1, 4, 2], 4, { wrong: [1, 4] })).toEqual(without4(four));
    expect(graded(20, [1, 4, 2], 3, { wrong: [1, 4] })).toEqual(three);
    expect(graded(20, [1, 4, 2], 4, { unknown: [1, 4] })).toEqual(without4(four));
    expect(graded(20, [1, 4, 2], 3, { unknown: [1, 4], wrong: [1, 4] })).toEqual(without4(three));
  });
});

test("the steps of a learn have a bound, which is lower while there are few models", () => {
  expect([1, 10, 66, 67, 1e6].map(mostGradingSteps)).toEqual([15_000, 150_000, 990_000, 1_005_000, 2e6]);
});
