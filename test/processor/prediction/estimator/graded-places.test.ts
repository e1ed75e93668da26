/**
 * Which learns are graded, and at which places of a sequence: so few that the median learn does not notice, and nothing
 * twice that windows share.
 */

import { describe, expect, test } from "vitest";
import { modelName } from "../../../../src/processor/knowledge/names";
import {
  type GradedSequence,
  gradedHorizons,
  gradedOneIn,
  gradedPlaces,
  hashOf,
  isEndShared,
  isGraded,
  overlapOf,
  seedOf,
} from "../../../../src/processor/prediction/estimator/graded-places";
import { mostGradingSteps } from "../../../../src/processor/prediction/estimator/gradings";
import { ESTIMATOR } from "../../../../src/processor/prediction/estimator/settings";

const ROLLS = Array.from({ length: 1_000 }, (_, at) => hashOf(at, 7));

/** A sequence of one symbol an event; several are in brackets. */
function sequence(text: string) {
  const events = (text.match(/\[\w+\]|\w/g) ?? []).map((event) => [...event.replace(/[[\]]/g, "")]);
  return {
    symbols: Uint32Array.from(events.flat(), (letter) => letter.charCodeAt(0)),
    lengths: Uint32Array.from(events, ({ length }) => length),
  };
}

describe("a learn", () => {
  test.each([
    [1, 4],
    [1_023, 4],
    [8_192, 4],
    [8_193, 8],
    [100_000, 64],
    [1_000_000, 512],
  ])("with %i models is graded one time in %i", (models, oneIn) => {
    expect(gradedOneIn(models, ESTIMATOR)).toBe(oneIn);
    const seeds = Array.from({ length: 8_192 }, (_, at) => seedOf(modelName([[`${at}`]])));
    const share = seeds.filter((seed, at) => isGraded(seed, models, at, ESTIMATOR)).length / seeds.length;
    expect(share * oneIn).toBeGreaterThan(0.5);
    expect(share * oneIn).toBeLessThan(1.6);
  });

  test("is not graded while nothing is known", () => {
    expect(isGraded(0, 0, 0, ESTIMATOR)).toBe(false);
    expect(isGraded(0, 1, 4, ESTIMATOR)).toBe(true);
  });

  test("begins no further grading after a number of steps, a smaller one while there are few models", () => {
    const most = [1, 10, 133, 134, 1e6].map((models) => mostGradingSteps(models, ESTIMATOR));
    expect(most).toEqual([15_000, 150_000, 1_995_000, 2e6, 2e6]);
  });
});

test("numbers are mixed as MurmurHash3's finalizer mixes them, whatever their size", () => {
  expect(hashOf(0, 0)).toBe(0);
  // fmix32(1) and fmix32(fmix32(1) + 2), as the reference in C gives them.
  expect(hashOf(0, 1)).toBe(0x514e28b7);
  expect(hashOf(2 ** 32 + 5, 2 ** 32 + 3)).toBe(hashOf(5, 3));
  expect(new Set(ROLLS).size).toBe(1_000);
});

test("horizons are the next event and one of each further part, or one of these alone", () => {
  const counts = new Map<number, number>();
  for (const roll of ROLLS) {
    const [next, ...further] = gradedHorizons(roll, 1_023, ESTIMATOR);
    expect(next).toBe(1);
    expect(further.map((horizon) => [1, 3, 6].filter((end) => horizon > end).length)).toEqual([1, 2, 3]);
    for (const horizon of further) counts.set(horizon, (counts.get(horizon) ?? 0) + 1);
    const [first, other, ...rest] = gradedHorizons(roll, 1_024, ESTIMATOR);
    expect([first, rest]).toEqual([1, []]);
    expect(further).toContain(other);
  }
  expect([...counts.keys()].sort((one, other) => one - other)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(Math.min(...counts.values())).toBeGreaterThan(150);
});

describe("the places of a sequence", () => {
  const places = (given: Partial<GradedSequence>) =>
    gradedPlaces(
      {
        events: 12,
        overlap: 0,
        roll: 0,
        models: 100,
        totals: { modelFrequencies: 10, symbolFrequencies: 80 },
        ...given,
      },
      ESTIMATOR,
    );

  test("are the end and one before it, for each horizon; longer ones than the mean count more inside", () => {
    const given = places({ roll: 0x1234_5678 });
    expect(given.map(({ horizon, isEnd }) => [horizon, isEnd])).toEqual(
      given.map((_, at) => [given[at - (at % 2)]?.horizon, at % 2 === 0]),
    );
    expect(given.filter(({ isEnd }) => isEnd).map(({ horizon, place }) => horizon + place)).toEqual([12, 12, 12, 12]);
    expect(given.map(({ correctionWeight }) => correctionWeight)).toEqual([1, 1.5, 4, 1.5, 4, 1.5, 4, 1.5]);
    expect(given.filter(({ isEnd }) => isEnd).map(({ weight }) => weight)).toEqual([1, 4, 4, 4]);
    expect(places({ events: 60 }).at(1)).toMatchObject({ weight: 4, correctionWeight: 4 });
  });

  test("inside of sequences count alike in the pool: each weight is divided among the places it was drawn from", () => {
    // Sequences of 8 events, the mean, have 6 places before the last event.
    for (const events of [3, 4, 8, 12, 20]) {
      const [inside] = places({ events }).filter(({ horizon, isEnd }) => horizon === 1 && !isEnd);
      expect((inside?.weight ?? 0) / (events - 2)).toBeCloseTo(1 / 6, 12);
    }
    // Where few sequences are long enough, none counts more than all its places.
    const short = { events: 5, totals: { modelFrequencies: 10, symbolFrequencies: 21 } };
    expect(places(short).find(({ isEnd }) => !isEnd)?.weight).toBe(3);
  });

  test("have an event before them and as many behind as the horizon, inside of the sequence never the end", () => {
    for (let events = 1; events <= 20; events++) {
      for (const roll of ROLLS.slice(0, 25)) {
        for (const { horizon, place, context, isEnd } of places({ events, roll })) {
          expect(place).toBeGreaterThanOrEqual(1);
          expect(place + horizon).toBeLessThanOrEqual(events);
          expect(place + horizon === events).toBe(isEnd);
          expect(context).toBeGreaterThanOrEqual(3);
          expect(context).toBeLessThanOrEqual(10);
        }
      }
    }
    expect(places({ events: 1 })).toEqual([]);
    expect(places({ events: 2 }).map(({ horizon, place }) => [horizon, place])).toEqual([[1, 1]]);
  });

  test("of a window that rolls are behind what the window before has told, and none of its end twice", () => {
    for (const roll of ROLLS.slice(0, 25)) {
      const byOne = places({ overlap: 11, roll });
      expect(byOne.map(({ horizon, place, isEnd }) => [horizon, place, isEnd])).toEqual([[1, 11, false]]);
      for (const { horizon, place, isEnd } of places({ overlap: 6, roll })) {
        expect(place).toBeGreaterThanOrEqual(6);
        expect(place + horizon).toBeLessThanOrEqual(12);
        expect(isEnd).toBe(false);
      }
    }
  });
});

describe("the overlap of two sequences", () => {
  test.each([
    ["abcdef", "bcdefg", 5],
    ["abcdef", "defghi", 3],
    ["abcdef", "efghij", 0],
    ["abcdef", "abcdef", 0],
    ["aaaaaa", "aaaaaa", 5],
    ["xaaaaa", "aaaaab", 5],
    ["abababx", "abababx", 0],
    ["cababab", "ababab", 4],
    ["cababab", "abababa", 6],
    ["ab", "bcdefg", 0],
    ["ab", "bc", 1],
    ["a", "a", 0],
    ["[ab]c", "cd", 1],
    ["a[bc]d", "[bc]de", 2],
    ["a[bc]d", "[bd]de", 0],
    ["aabaab", "aabaaa", 3],
    ["", "ab", 0],
  ])("%s, %s", (earlier, later, expected) => {
    expect(overlapOf(sequence(earlier), sequence(later))).toBe(expected);
  });

  test("is found in linear time", () => {
    const long = (last: number) => ({
      symbols: new Uint32Array(100_000).fill(1).fill(last, 99_999),
      lengths: new Uint32Array(100_000).fill(1),
    });
    expect(overlapOf(long(1), long(2))).toBe(99_999);
    expect(overlapOf(long(2), long(1))).toBe(0);
  });
});

describe("an end", () => {
  const shared = (text: string, others: string[]) => isEndShared(sequence(text), others.map(sequence), ESTIMATOR);

  test("is shared when a quarter of the others hold all of it at their ends", () => {
    expect(shared("abc", ["xxc", "ccx", "xxx", "xxx"])).toBe(true);
    expect(shared("abc", ["xxc", "ccx", "xxx", "xxx", "xxx"])).toBe(false);
    expect(shared("a[bc]", ["x[abc]", "xb", "xc", "xx"])).toBe(true);
    expect(shared("a[bc]", ["[bc]x", "xb", "xc", "xx"])).toBe(false);
  });
});
