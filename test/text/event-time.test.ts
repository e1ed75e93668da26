/** Times in RFC 3339 text. */

import { describe, expect, test } from "vitest";
import { isTime, MAX_TIME, timeOfText } from "../../src/text/event-time";
import { fc } from "../support/property";

describe("text with an offset is a time", () => {
  test.each<[string, number]>([
    ["1970-01-01T00:00:00Z", 0],
    ["1970-01-01t00:00:00z", 0],
    ["1970-01-01T01:00:00+01:00", 0],
    ["1969-12-31T16:00:00-08:00", 0],
    ["1970-01-01T05:45:00+05:45", 0],
    ["2026-11-23T05:30:00-00:00", 1_795_411_800],
    ["2024-02-29T12:00:00Z", 1_709_208_000],
    ["2000-02-29T00:00:00Z", 951_782_400],
    ["9999-12-31T23:59:59Z", MAX_TIME],
    ["1970-01-01T00:00:00.1Z", 0.1],
    ["2026-11-23T05:30:00.123456789012345Z", 1_795_411_800.1234567],
    // The examples of RFC 3339, section 5.8.
    ["1985-04-12T23:20:50.52Z", 482_196_050.52],
    ["1996-12-19T16:39:57-08:00", 851_042_397],
    ["1990-12-31T23:59:60Z", 662_688_000],
    ["1990-12-31T15:59:60-08:00", 662_688_000],
    ["1990-12-31T23:59:60.25Z", 662_688_000.25],
  ])("%s", (text, seconds) => {
    expect(timeOfText(text)).toBe(seconds);
  });

  test("as Date.parse reads what Date writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_TIME * 1000 }), (milliseconds) => {
        expect(timeOfText(new Date(milliseconds).toISOString())).toBe(milliseconds / 1000);
      }),
    );
  });
});

test.each([
  "",
  "now",
  "1795411800",
  "2026-11-23",
  "2026-11-23T05:30:00",
  "2026-11-23 05:30:00Z",
  "2026-11-23T05:30Z",
  "2026-11-23T05:30:00+0100",
  "2026-11-23T05:30:00+01",
  "2026-11-23T05:30:00.Z",
  "2026-11-23T05:30:00,5Z",
  "2026-11-23T24:00:00Z",
  "2026-11-23T05:60:00Z",
  "2026-11-23T05:30:60Z",
  "2026-11-23T23:59:60-01:00",
  "2026-11-23T05:30:61Z",
  "2026-11-23T05:30:00+24:00",
  "2026-11-23T05:30:00+01:60",
  "2026-02-29T00:00:00Z",
  "2026-02-30T00:00:00Z",
  "2026-04-31T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-00-01T00:00:00Z",
  "2026-01-00T00:00:00Z",
  "1900-02-29T00:00:00Z",
  "0070-01-01T00:00:00Z",
  "1969-12-31T23:59:59Z",
  "1970-01-01T00:00:00+00:01",
  "9999-12-31T23:59:59.5Z",
  "9999-12-31T23:59:60Z",
  "+12026-01-01T00:00:00Z",
  " 2026-11-23T05:30:00Z",
  "2026-11-23T05:30:00Z ",
  "2026-11-23T05:30:00[Europe/Berlin]",
  "2026-11-23T05:30:00Z[UTC]",
  "\uff12026-11-23T05:30:00Z",
])("%j is no time", (text) => {
  expect(timeOfText(text)).toBeUndefined();
});

test("numbers from 0 to the end of 9999 are times, and nothing else is", () => {
  expect([0, -0, 0.5, MAX_TIME].map(isTime)).toEqual([true, true, true, true]);
  const others = [-1, -1e-9, MAX_TIME + 0.001, Number.NaN, Number.POSITIVE_INFINITY, "0", null, undefined, [0], true];
  expect(others.map(isTime)).toEqual(others.map(() => false));
});
