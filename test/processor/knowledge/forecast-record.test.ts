/** The record of forecasts when it comes from outside, and the sum of two. */

import { describe, expect, test } from "vitest";
import {
  checkRecord,
  recordOf,
  recordText,
  sumOfRecords,
  withoutFormer,
} from "../../../src/processor/knowledge/forecast-record";
import { RECORD_NUMBERS } from "../../../src/processor/ports/forecaster";

const MOST = Number.MAX_SAFE_INTEGER;
const full = (value: unknown) => new Array(RECORD_NUMBERS).fill(value);
const accepted = `a whole number from 0 to ${MOST}`;

describe("a record", () => {
  test.each([[[]], [[full(0)]], [[[], full(MOST), []]], [new Array(10).fill([])]])("is taken: %j", (record) => {
    expect(checkRecord(record, "it")).toEqual(record);
    expect(recordOf(recordText(record), "it")).toEqual(record);
  });

  test.each<[unknown, string]>([
    [5, "it must be a list of at most 10 lists, got 5"],
    [new Array(11).fill([]), "it must be a list of at most 10 lists, got a list of 11"],
    [[full(0), 5], `it[1] must be an empty list or one of ${RECORD_NUMBERS} numbers, got 5`],
    [[[1, 2]], `it[0] must be an empty list or one of ${RECORD_NUMBERS} numbers, got a list of 2`],
    [[full(-1)], `it[0][0] must be ${accepted}, got -1`],
    [[[], full(0.5)], `it[1][0] must be ${accepted}, got 0.5`],
    [[full(2 ** 53)], `it[0][0] must be ${accepted}, got ${2 ** 53}`],
    [[full("1")], `it[0][0] must be ${accepted}, got "1"`],
  ])("is refused by name: %j", (record, message) => {
    expect(() => checkRecord(record, "it")).toThrow(expect.objectContaining({ kind: "invalid", message }));
  });

  test("is refused when its text is none", () => {
    expect(() => recordOf("[[", "it")).toThrow(
      expect.objectContaining({ kind: "invalid", message: 'it must be a list as JSON, got "[["' }),
    );
  });
});

describe.each([
  ["five rules", 26],
  ["fewer ranges of probability", 28],
])("a record of a release with %s", (_, count) => {
  const former = new Array(count).fill(7);

  test("is taken, and its horizons begin anew", () => {
    expect(checkRecord([former, [], full(1)], "it")).toEqual([[], [], full(1)]);
    expect(withoutFormer([former])).toEqual([[]]);
    expect(withoutFormer([full(1)])).toEqual([full(1)]);
  });

  test("is checked like another", () => {
    expect(() => checkRecord([[...former.slice(1), -1]], "it")).toThrow(`it[0][${count - 1}] must be`);
  });
});

describe("the sum of two records", () => {
  test("adds number by number, whichever knows of more horizons", () => {
    const [one, other] = [[full(1)], [full(2), [], full(3)]];
    expect(sumOfRecords(one, other)).toEqual([full(3), [], full(3)]);
    expect(sumOfRecords(other, one)).toEqual([full(3), [], full(3)]);
    expect(sumOfRecords([], one)).toEqual(one);
    expect(sumOfRecords([[]], [])).toEqual([[]]);
  });

  test("is refused beyond the exact whole numbers", () => {
    expect(() => sumOfRecords([full(MOST)], [full(1)])).toThrow(
      expect.objectContaining({
        kind: "invalid",
        message: `forecast_record[0][0]: the sum of both must be ${accepted}, got ${2 ** 53}`,
      }),
    );
  });
});
