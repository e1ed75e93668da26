/** The times that a model keeps of its latest learnings: how many, in which order, and what is refused. */

import { describe, expect, test } from "vitest";
import {
  checkRuns,
  MAX_RUNS,
  MAX_TIMES,
  mergedTimes,
  mostRuns,
  runOf,
  runsOf,
  timesWithout,
} from "../../../src/processor/knowledge/model-times";
import { fc } from "../../support/property";

const times = (...runs: number[][]) => Float64Array.from(runs.flat());

describe("runs", () => {
  test("are as many as a model has room for, and those that began last", () => {
    expect([1, 2, 4, 5, MAX_TIMES, MAX_TIMES + 1].map(mostRuns)).toEqual([0, MAX_RUNS, MAX_RUNS, 409, 1, 0]);
    const events = MAX_TIMES / 2;
    const run = (start: number) => Array.from({ length: events }, (_, at) => start + at);
    let kept: Float64Array | undefined;
    for (const start of [5, 1, 9, 3]) kept = mergedTimes(kept, times(run(start)), events);
    expect(kept).toEqual(times(run(5), run(9)));
  });

  test("merge to the same in any order and grouping", () => {
    const events = MAX_TIMES / 3 + 1;
    const most = mostRuns(Math.floor(events));
    const length = Math.floor(events);
    const run = fc.integer({ min: 0, max: 5 }).map((start) => new Float64Array(length).fill(start));
    fc.assert(
      fc.property(fc.array(run, { maxLength: 5 }), fc.array(run, { maxLength: 5 }), (some, others) => {
        const all = (runs: readonly Float64Array[]) =>
          runs.reduce<Float64Array | undefined>((sum, one) => mergedTimes(sum, one, length), undefined);
        const whole = all([...some, ...others]);
        expect(mergedTimes(all(others), all(some), length)).toEqual(whole);
        expect((whole?.length ?? 0) / length).toBe(Math.min(most, some.length + others.length));
      }),
      { numRuns: 30 },
    );
  });

  test("are of whole milliseconds, and there is none where a time is not known", () => {
    expect(runOf([{ time: 0.0004 }, { time: 1.5 }, { time: 1.2346 }])).toEqual(times([0, 1500, 1235]));
    expect(runOf([{ time: 1 }, {}])).toBeUndefined();
    expect(runOf([{ time: 1 }])).toBeUndefined();
    expect(runsOf(times([0, 1500], [7, 8]), 2)).toEqual([{ times: [0, 1.5] }, { times: [0.007, 0.008] }]);
    expect(runsOf(undefined, 2)).toEqual([]);
  });

  test("lose the times of events that go", () => {
    const kept = timesWithout(times([1, 2, 3], [0, 9, 5]), 3, (at) => at !== 1);
    expect(kept).toEqual(times([0, 5], [1, 3]));
    expect(timesWithout(times([1, 2]), 2, (at) => at === 0)).toBeUndefined();
  });
});

describe("runs from outside", () => {
  test("come back, in order", () => {
    expect(checkRuns([{ times: [5, 6.001] }, { times: [0, 253_402_300_799] }], 2, "m")).toEqual(
      times([0, 253_402_300_799_000], [5000, 6001]),
    );
    expect(checkRuns([], 2, "m")).toBeUndefined();
  });

  test.each([
    [[{ times: [1] }], "m: times[0] must hold one time per event, 2, got 1"],
    [[{ times: [1, 2] }, { times: [1, -1] }], "m: times[1][1] must be epoch seconds from 0 to 253402300799, got -1"],
    [[{ times: [1, Number.NaN] }], "m: times[0][1] must be epoch seconds"],
    [
      Array.from({ length: MAX_RUNS + 1 }, () => ({ times: [1, 2] })),
      "m: times may hold 512 lists for 2 events, got 513",
    ],
  ])("%j are refused", (runs, message) => {
    expect(() => checkRuns(runs, 2, "m")).toThrow(message);
  });
});
