/** The history of a device as lines: by time, each number in its own, and what is new joined to what is known. */

import { expect, test } from "vitest";
import { merged, readingsOf } from "../../src/console/device/readings";

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
      { name: "heat", values: [null, 10, 20] },
      { name: "load", values: [3, null, 2] },
    ],
    bits: [null, null, 2],
  });
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
