/** The record of forecasts when it comes from outside, and the merge of two. */

import { describe, expect, test } from "vitest";
import {
  CORRECTION,
  CORRECTION_CURVATURE,
  CURVATURE,
  checkRecord,
  FORECASTS,
  HITS,
  isUngraded,
  MAX_RECORD_WEIGHT,
  mergedRecords,
  recordFrom,
  recordOf,
  recordText,
  withoutFormer,
} from "../../../src/processor/knowledge/forecast-record";
import { EMPTY_RECORD, RECORD_NUMBERS } from "../../../src/processor/ports/forecaster";

const MOST = Number.MAX_SAFE_INTEGER;
const WEIGHT = `a number from -${MAX_RECORD_WEIGHT} to ${MAX_RECORD_WEIGHT}`;
const COUNT = `a number from 0 to ${MOST}`;
/** The place of the gradings of the second bucket, and of its second weight. */
const GRADINGS = 9;
const BUCKET_WEIGHT = 11;

/** The numbers of a part: zeros but for these. */
function part(numbers: Record<number, unknown> = {}): number[] {
  return Array.from({ length: RECORD_NUMBERS }, (_, at) => (numbers[at] ?? 0) as number);
}

test("a part has 103 numbers: 4 weights, 12 buckets of a count and 4 weights, 10 ranges and how many were right in each, 10 curvatures, 3 weights of the correction and their 6 curvatures", () => {
  expect([RECORD_NUMBERS, FORECASTS, HITS, CURVATURE]).toEqual([103, 64, 74, 84]);
  expect([CORRECTION, CORRECTION_CURVATURE]).toEqual([94, 97]);
});

describe("a record", () => {
  test.each([
    [EMPTY_RECORD],
    [[part(), [], [], part()]],
    [
      [
        part({ 0: -1000, 3: 1e-300, [GRADINGS]: 0.5, [BUCKET_WEIGHT]: 1000, [FORECASTS + 9]: MOST, [HITS + 9]: MOST }),
        [],
        part({ [FORECASTS]: 3.75, [HITS]: 3.75, [CURVATURE]: 0.5, [CURVATURE + 1]: -0.25 }),
        part({ [CORRECTION]: -1000, [CORRECTION + 2]: 0.5, [CORRECTION_CURVATURE]: 2, [CORRECTION_CURVATURE + 1]: -2 }),
      ],
    ],
  ])("is taken, and comes back to the last bit: %j", (record) => {
    expect(checkRecord(record, "it")).toEqual(record);
    expect(recordOf(recordText(record), "it")).toEqual(record);
    expect(isUngraded(record)).toBe(false);
  });

  test.each<[unknown, string]>([
    [5, "it must be an empty list or one of 4 lists, got 5"],
    [new Array(11).fill([]), "it must be an empty list or one of 4 lists, got a list of 11"],
    [[part(), [], []], "it must be an empty list or one of 4 lists, got a list of 3"],
    [[part(), 5, [], []], "it[1] must be an empty list or one of 103 numbers, got 5"],
    [[[1, 2], [], [], []], "it[0] must be an empty list or one of 103 numbers, got a list of 2"],
    [[part({ 0: 1000.1 }), [], [], []], `it[0][0] must be ${WEIGHT}, got 1000.1`],
    [[[], part({ 3: "1" }), [], []], `it[1][3] must be ${WEIGHT}, got "1"`],
    [[part({ [BUCKET_WEIGHT]: Number.NaN }), [], [], []], `it[0][${BUCKET_WEIGHT}] must be ${WEIGHT}, got NaN`],
    [[part({ [GRADINGS]: -1 }), [], [], []], `it[0][${GRADINGS}] must be ${COUNT}, got -1`],
    [
      [part({ [FORECASTS]: Number.POSITIVE_INFINITY }), [], [], []],
      `it[0][${FORECASTS}] must be ${COUNT}, got Infinity`,
    ],
    [[[], [], part({ [FORECASTS + 2]: 2 ** 53 }), []], `it[2][${FORECASTS + 2}] must be ${COUNT}, got ${2 ** 53}`],
    [[[], part({ [CURVATURE + 4]: -1 }), [], []], `it[1][${CURVATURE + 4}] must be ${COUNT}, got -1`],
    [
      [[], part({ [CURVATURE + 8]: 2 ** 53 }), [], []],
      `it[1][${CURVATURE + 8}] must be a number from -${MOST} to ${MOST}, got ${2 ** 53}`,
    ],
    [[part({ [CORRECTION + 1]: -1001 }), [], [], []], `it[0][${CORRECTION + 1}] must be ${WEIGHT}, got -1001`],
    [
      [part({ [CORRECTION_CURVATURE + 3]: -0.5 }), [], [], []],
      `it[0][${CORRECTION_CURVATURE + 3}] must be ${COUNT}, got -0.5`,
    ],
    [
      [[], [], [], part({ [FORECASTS + 1]: 2, [HITS + 1]: 2.5 })],
      `it[3][${HITS + 1}] must be at most 2, the forecasts of its range, got 2.5`,
    ],
  ])("is refused by name: %j", (record, message) => {
    expect(() => checkRecord(record, "it")).toThrow(expect.objectContaining({ kind: "invalid", message }));
  });

  test("is refused when its text is none", () => {
    expect(() => recordOf("[[", "it")).toThrow(
      expect.objectContaining({ kind: "invalid", message: 'it must be a list as JSON, got "[["' }),
    );
  });

  test("that is missing says that the knowledge is still to be graded", () => {
    expect([recordFrom(undefined), recordFrom({ horizons: [] }), recordOf("", "it"), recordOf("[]", "it")]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect(isUngraded([])).toBe(true);
    expect(recordText([])).toBe("");
  });
});

describe.each([
  ["five rules", 26],
  ["fewer ranges of probability", 28],
  ["six rules", 32],
  ["weights that followed the gradient alone", 84],
  ["a calibration table for the next event", 94],
])("a record of a release with %s", (_, count) => {
  const former = new Array<number>(count).fill(7);

  test("reads as none", () => {
    expect(checkRecord([former, [], former], "it")).toEqual([]);
    expect(checkRecord(new Array(10).fill(former), "it")).toEqual([]);
    expect(withoutFormer([[], former])).toEqual([]);
    expect(withoutFormer([part(), [], [], []])).toEqual([part(), [], [], []]);
    expect(recordFrom({ horizons: [{ numbers: former }] })).toEqual([]);
  });

  test("is checked all the same", () => {
    const [wrong, accepted] = count >= 84 ? ["x", "a number, got"] : [-1, "a whole number"];
    expect(() => checkRecord([[...former.slice(1), wrong]], "it")).toThrow(`it[0][${count - 1}] must be ${accepted}`);
    expect(() => checkRecord([former, part()], "it")).toThrow("it must be an empty list or one of 4 lists");
  });
});

describe("the record of two parts of a knowledge", () => {
  const [one, other] = [
    part({
      0: 1,
      2: -1,
      [GRADINGS]: 30,
      [BUCKET_WEIGHT]: 0.5,
      [FORECASTS]: 8,
      [HITS]: 6,
      [CURVATURE + 1]: -3,
      [CORRECTION]: 3,
      [CORRECTION_CURVATURE]: 1,
    }),
    part({
      0: 2,
      [GRADINGS]: 10,
      [BUCKET_WEIGHT]: 0.1,
      14: 50,
      15: 4,
      [FORECASTS]: 1.5,
      [HITS]: 1,
      [CURVATURE + 1]: 0.5,
      [CORRECTION_CURVATURE]: 4,
    }),
  ];

  test("adds counts and curvatures, and means weights by how often each was graded", () => {
    const [merged = []] = mergedRecords([one, [], [], []], [other, [], [], []]);
    expect(merged[0]).toBe((1 * 30 + 2 * 60) / 90);
    expect(merged[2]).toBe((-1 * 30) / 90);
    expect([merged[GRADINGS], merged[14]]).toEqual([40, 50]);
    expect([merged[BUCKET_WEIGHT], merged[15]]).toEqual([(0.5 * 30 + 0.1 * 10) / 40, 4]);
    expect([merged[FORECASTS], merged[HITS]]).toEqual([9.5, 7]);
    expect([merged[CURVATURE + 1], merged[CORRECTION_CURVATURE]]).toEqual([-2.5, 5]);
    expect(merged[CORRECTION]).toBe((3 * 30) / 90);
    expect(checkRecord([merged, [], [], []], "it")).toEqual([merged, [], [], []]);
  });

  test("is that of one where the other was graded nowhere, and none while what is known is still to be graded", () => {
    expect(mergedRecords([one, [], [], []], [[], other, [], []])).toEqual([one, other, [], []]);
    expect(mergedRecords([one, [], [], []], [])).toEqual([one, [], [], []]);
    expect(mergedRecords([], [one, [], [], []])).toEqual([]);
    expect(mergedRecords(EMPTY_RECORD, EMPTY_RECORD)).toEqual(EMPTY_RECORD);
  });

  test("is refused beyond the exact whole numbers", () => {
    const full = part({ [FORECASTS]: MOST });
    expect(() => mergedRecords([full, [], [], []], [one, [], [], []])).toThrow(
      expect.objectContaining({
        kind: "invalid",
        message: `forecast_record[0][${FORECASTS}]: the sum of both must be ${COUNT}, got ${MOST + 8}`,
      }),
    );
  });
});
