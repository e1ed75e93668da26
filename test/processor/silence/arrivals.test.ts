/** The gaps between arrivals: what is expected of a memory, against all gaps in a list. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  areArrivals,
  expectedPause,
  lastArrival,
  MAX_BUCKETS,
  NO_ARRIVALS,
  withArrival,
} from "../../../src/processor/silence/arrivals";

/** The arrivals of a memory with these gaps, in milliseconds. */
function withGaps(gaps: readonly number[], start = 1_700_000_000_000) {
  let at = start;
  let arrivals = withArrival(NO_ARRIVALS, at, 0);
  for (const gap of gaps) {
    at += gap;
    arrivals = withArrival(arrivals, at, 0);
  }
  return { arrivals, at };
}

/** The least time that all but one in a thousand of the gaps are not longer than. */
function exactPause(gaps: readonly number[]): number {
  const falling = [...gaps].sort((one, other) => other - one);
  return falling[Math.floor(gaps.length / 1000)] ?? 0;
}

describe("the expected pause", () => {
  test("is unknown below 20 gaps, twice the longest below 1,000, and then one gap in a thousand may be longer", () => {
    const gaps = (count: number) => [...new Array<number>(count - 1).fill(1_000), 60_000];
    expect(expectedPause(withGaps(gaps(19)).arrivals)).toBeUndefined();
    expect(expectedPause(withGaps(gaps(20)).arrivals)).toBe(120_000);
    expect(expectedPause(withGaps(gaps(999)).arrivals)).toBe(120_000);
    const pause = expectedPause(withGaps(gaps(1_000)).arrivals) ?? 0;
    expect(pause).toBeGreaterThanOrEqual(1_000);
    expect(pause).toBeLessThanOrEqual(1_044);
    expect(expectedPause(withGaps([...gaps(999), 60_001]).arrivals)).toBe(60_001);
  });

  test("is never shorter than the exact one, and at most 4.4 % longer, where gaps span three octaves", () => {
    const gap = fc.integer({ min: 1_000, max: 7_900 });
    fc.assert(
      fc.property(fc.array(gap, { minLength: 1_000, maxLength: 3_000 }), (gaps) => {
        const [pause = 0, exact] = [expectedPause(withGaps(gaps).arrivals), exactPause(gaps)];
        expect(pause).toBeGreaterThanOrEqual(exact);
        expect(pause).toBeLessThanOrEqual(exact * 2 ** (1 / 16));
      }),
      { numRuns: 20 },
    );
  });

  test("is never shorter than the exact one, whatever the gaps, in bounded space", () => {
    const gap = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 2 ** 40 }));
    fc.assert(
      fc.property(fc.array(gap, { minLength: 1_000, maxLength: 1_500 }), (gaps) => {
        const { arrivals } = withGaps(gaps);
        expect(expectedPause(arrivals)).toBeGreaterThanOrEqual(exactPause(gaps));
        expect(arrivals.length).toBeLessThanOrEqual(3 + 2 * MAX_BUCKETS);
        expect(areArrivals(arrivals)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});

test("a gap is not counted that the processor slept through, or by which the clock was set back", () => {
  const { arrivals, at } = withGaps([5, 6]);
  const [, ...gaps] = arrivals;
  const slept = withArrival(arrivals, at + 1_000, at + 1);
  expect(slept).toEqual([at + 1_000, ...gaps]);
  const setBack = withArrival(slept, at - 86_400_000, 0);
  expect([lastArrival(setBack), setBack.slice(1)]).toEqual([at - 86_400_000, gaps]);
});

test.each([
  [[5]],
  [[5, 0]],
  [[5, 1, 7]],
  [[5, 1, 7, 3]],
  [[5, 1, 7, 3, 2]],
  [[5, 2, 7, 3, 1, 3, 1]],
  [[5, 2, 7, 4, 1, 3, 1]],
  [[5, 1, 7, 900, 1]],
  [[5.5, 0, 0]],
  [[-5, 0, 0]],
  [[5, 1, Number.NaN, 3, 1]],
])("%j are no arrivals", (numbers) => {
  expect(areArrivals(numbers)).toBe(false);
});
