/** What clocks of zones show: through both changes of daylight saving, and where zones are no whole hours apart. */

import { describe, expect, test } from "vitest";
import { timeOfText } from "../../src/text/event-time";
import { CLOCK_PARTS, isZone, ZoneClock } from "../../src/text/time-zones";
import { fc } from "../support/property";

/** Month, day, weekday, hour and minute of a moment. */
function shown(zone: string, moment: string): number[] {
  const time = new ZoneClock(zone).at(timeOfText(moment) ?? Number.NaN);
  return CLOCK_PARTS.map((part) => time[part]);
}

describe.each<[string, readonly (readonly [string, number[]])[]]>([
  [
    "UTC",
    [
      ["1970-01-01T00:00:00Z", [1, 1, 4, 0, 0]],
      ["2026-11-23T05:30:59.999Z", [11, 23, 1, 5, 30]],
      ["2026-11-22T23:59:59.9999995Z", [11, 22, 7, 23, 59]],
      ["2024-02-29T12:00:00Z", [2, 29, 4, 12, 0]],
      ["9999-12-31T23:59:59Z", [12, 31, 5, 23, 59]],
    ],
  ],
  [
    // Forward on 2026-03-29 at 01:00 UTC, back on 2026-10-25 at 01:00 UTC.
    "Europe/Berlin",
    [
      ["2026-03-29T00:59:59Z", [3, 29, 7, 1, 59]],
      ["2026-03-29T01:00:00Z", [3, 29, 7, 3, 0]],
      ["2026-10-25T00:30:00Z", [10, 25, 7, 2, 30]],
      ["2026-10-25T01:30:00Z", [10, 25, 7, 2, 30]],
      ["2026-10-25T02:00:00Z", [10, 25, 7, 3, 0]],
    ],
  ],
  [
    // In the south, where summer is at the turn of the year; half an hour of daylight saving.
    "Australia/Lord_Howe",
    [
      ["2026-04-04T14:59:00Z", [4, 5, 7, 1, 59]],
      ["2026-04-04T15:00:00Z", [4, 5, 7, 1, 30]],
      ["2026-10-03T15:29:00Z", [10, 4, 7, 1, 59]],
      ["2026-10-03T15:30:00Z", [10, 4, 7, 2, 30]],
    ],
  ],
  ["Asia/Kolkata", [["2026-11-22T18:30:00Z", [11, 23, 1, 0, 0]]]],
  ["Asia/Kathmandu", [["2026-11-22T18:15:00Z", [11, 23, 1, 0, 0]]]],
  ["Pacific/Kiritimati", [["9999-12-31T23:59:59Z", [1, 1, 6, 13, 59]]]],
  ["America/Los_Angeles", [["1970-01-01T00:00:00Z", [12, 31, 3, 16, 0]]]],
  // Its clocks stood 44 minutes and 30 seconds behind UTC until 1972.
  [
    "Africa/Monrovia",
    [
      ["1971-06-01T00:44:29Z", [5, 31, 1, 23, 59]],
      ["1971-06-01T00:44:30Z", [6, 1, 2, 0, 0]],
    ],
  ],
])("%s", (zone, moments) => {
  test.each(moments)("at %s", (moment, expected) => {
    expect(shown(zone, moment)).toEqual(expected);
  });
});

test("the clock of UTC shows what Date does", () => {
  const clock = new ZoneClock("UTC");
  fc.assert(
    fc.property(fc.double({ min: 0, max: 253_402_300_799, noNaN: true }), (time) => {
      const date = new Date(Math.floor(time) * 1000);
      expect(clock.at(time)).toEqual({
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
        weekday: ((date.getUTCDay() + 6) % 7) + 1,
        hour: date.getUTCHours(),
        minute: date.getUTCMinutes(),
      });
    }),
  );
});

test("zones are those of the IANA, and no offsets", () => {
  expect(["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5"].filter(isZone)).toHaveLength(4);
  const none = ["", "Mars/X", "+01:00", "-05", "Z", "Europe/Berlin ", "Europe", "\u0130stanbul", "x".repeat(1e6)];
  expect(none.filter(isZone)).toEqual([]);
});
