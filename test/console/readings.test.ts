/** The history of a device as lines: by time, each number in its own, and what is new joined to what is known. */

import { expect, test } from "vitest";
import { endOf, merged, readingsOf } from "../../src/console/device/readings";

const event = (interval: number, numbers: { [name: string]: number }, time = 100 + interval) => ({
  interval,
  time,
  bits: interval % 2 === 0 ? interval : null,
  symbols: [`s${interval}`],
  numbers,
});

test("has a value or null of each number for each event, by their times", () => {
  const newestFirst = [event(3, { load: 3 }, 50), event(2, { heat: 20, load: 2 }), event(1, { heat: 10 })];
  expect(readingsOf(newestFirst)).toEqual({
    events: [newestFirst[0], newestFirst[2], newestFirst[1]],
    times: [50, 101, 102],
    lines: [
      { name: "heat", values: [null, 10, 20], expected: [] },
      { name: "load", values: [3, null, 2], expected: [] },
    ],
    bits: [null, null, 2],
    ahead: [],
  });
});

test("what is expected lies behind the last reading, in rising order, where its time is known", () => {
  const symbols = (...all: (readonly [string, number])[]) =>
    all.map(([symbol, probability]) => ({ symbol, probability, support: 1, models: [] }));
  const forecast = {
    context: 1,
    models: 1,
    within: [],
    steps: [
      {
        none: 0,
        when: { p10: 50, p50: 60, p90: 90 },
        symbols: symbols(["heat=20", 0.9], ["on", 0.8], ["heat=-inf", 0.1]),
      },
      // Two events at one time have two places, and what hardly comes is not drawn.
      { none: 0, when: { p10: 60, p50: 60, p90: 60 }, symbols: symbols(["heat=20", 0.02]) },
      { none: 0, when: null, symbols: symbols(["heat=20", 1]) },
      { none: 0, when: { p10: 1, p50: 2, p90: 3 }, symbols: symbols(["heat=20", 1]) },
    ],
  };
  const binOf = (symbol: string) => {
    const [name = "", edge = ""] = symbol.split("=");
    if (edge === "") return undefined;
    return edge === "-inf"
      ? { name, from: Number.NEGATIVE_INFINITY, to: 20 }
      : { name, from: Number(edge), to: Number(edge) + 10 };
  };
  const readings = readingsOf([event(1, { heat: 10, load: 1 })], forecast, binOf);
  expect(readings.ahead.map(({ time, from, to }) => [time, from, to])).toEqual([
    [161, 151, 191],
    [161.001, 161, 161.001],
  ]);
  expect(readings.lines.map(({ expected }) => expected)).toEqual([
    [
      [
        { name: "heat", from: 20, to: 30, symbol: "heat=20", probability: 0.9 },
        { name: "heat", from: Number.NEGATIVE_INFINITY, to: 20, symbol: "heat=-inf", probability: 0.1 },
      ],
      [],
    ],
    [[], []],
  ]);
  expect(endOf(readings)).toBeGreaterThan(191);
  expect(endOf(readingsOf([event(1, {})]))).toBe(101);
});

test("joins newer events to known ones, and begins anew after a gap or when time began anew", () => {
  const [one, two, three, four, five] = [1, 2, 3, 4, 5].map((interval) => event(interval, {})) as [
    ReturnType<typeof event>,
    ...ReturnType<typeof event>[],
  ];
  expect(merged([two, one] as never, [three, two] as never, 10)).toEqual([three, two, one]);
  expect(merged([two, one] as never, [three] as never, 2)).toEqual([three, two]);
  expect(merged([two, one] as never, [five, four] as never, 10)).toEqual([five, four]);
  expect(merged([five, four] as never, [one] as never, 10)).toEqual([one]);
  expect(merged([two, one] as never, [], 10)).toEqual([]);
});
