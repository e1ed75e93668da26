/**
 * The record of forecasts outside of the mind: as text in backups, as lists in files of knowledge, both checked on the
 * way back; and the merge of two.
 */

import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import {
  BUCKET_NUMBERS,
  BUCKETS,
  CONFIDENCE_BOUNDS,
  CORRECTION_TERMS,
  type ForecastRecord,
  MOST_HORIZON,
  PART_ENDS,
  RECORD_NUMBERS,
  RULE_PAIRS,
  RULES,
} from "../ports/forecaster";

/**
 * The weights of a record are from minus this to this, far beyond what any data lead to: so a forecast is always
 * finite.
 */
export const MOST_RECORD_WEIGHT = 1_000;

/** Where the forecasts of the ranges begin in the numbers of a part, and where those in which the first symbol came. */
export const FORECASTS = RULES + BUCKETS * BUCKET_NUMBERS;
export const RIGHT = FORECASTS + CONFIDENCE_BOUNDS.length + 1;
/** Where the curvature begins. */
export const CURVATURE = RIGHT + CONFIDENCE_BOUNDS.length + 1;
/** Where the weights of the correction of the next event begin, and where its curvature does. */
export const CORRECTION = CURVATURE + RULE_PAIRS;
export const CORRECTION_CURVATURE = CORRECTION + CORRECTION_TERMS;

const WHOLE = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;
const COUNT = `a number from 0 to ${Number.MAX_SAFE_INTEGER}`;
const NUMBER = `a number from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;
const WEIGHT = `a number from -${MOST_RECORD_WEIGHT} to ${MOST_RECORD_WEIGHT}`;

/** A record as the rpcs carry it. */
export interface CarriedRecord {
  /** One for each part, that of the nearest horizons first; none for a knowledge that is still to be graded. */
  horizons: { numbers: number[] }[];
}

/**
 * How many numbers a list of a former record had: one for each horizon, with shares and hits of rules that are gone,
 * all whole; and one for each part, with weights that followed the gradient alone, or with a calibration table for the
 * next event, too.
 */
const FORMER_WHOLE_NUMBERS: readonly number[] = [26, 28, 32];
const FORMER_NUMBERS: readonly number[] = [...FORMER_WHOLE_NUMBERS, 84, 94];

/**
 * Whether a knowledge has no record: it was taught by a former release, or came from a file or a backup without one,
 * and is still to be graded.
 */
export function isUngraded(record: ForecastRecord): boolean {
  return record.length === 0;
}

/** Whether lists are those of a former release, or none. */
function isFormer(lists: readonly unknown[]): boolean {
  const lengths = lists.map((list) => (Array.isArray(list) ? list.length : -1));
  const isEmpty = lengths.length === PART_ENDS.length && lengths.every((length) => length === 0);
  return (
    !isEmpty &&
    lengths.length <= MOST_HORIZON &&
    lengths.every((length) => length === 0 || FORMER_NUMBERS.includes(length))
  );
}

/**
 * A stored record that may be of a former release, which says nothing of today's rules: then the knowledge is to be
 * graded.
 */
export function withoutFormer(record: ForecastRecord): ForecastRecord {
  return isFormer(record) ? [] : record;
}

/** A list as a refusal names it; anything else as it is. */
function shown(value: unknown): string {
  return Array.isArray(value) ? `a list of ${value.length}` : excerpt(value);
}

/** Where the diagonal of a matrix stands that begins at a place, row by row from the diagonal on. */
function diagonalOf(start: number, size: number): number[] {
  return Array.from({ length: size }, (_, row) => start + row * size - (row * (row - 1)) / 2);
}

/** Where the curvature of each rule, and of each term of the correction, with itself stands: never negative. */
const DIAGONAL: ReadonlySet<number> = new Set([
  ...diagonalOf(CURVATURE, RULES),
  ...diagonalOf(CORRECTION_CURVATURE, CORRECTION_TERMS),
]);

function isCorrectionWeight(place: number): boolean {
  return place >= CORRECTION && place < CORRECTION_CURVATURE;
}

/** Whether a place of a part holds a weight, and not a count. */
function isWeight(place: number): boolean {
  const isOfRule = place < RULES || (place < FORECASTS && (place - RULES) % BUCKET_NUMBERS > 0);
  return isOfRule || isCorrectionWeight(place);
}

function isFrom(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && value >= least && value <= most;
}

/** What a number of a part must be, where it is not that. */
function numberRefusal(numbers: readonly unknown[], place: number): string | undefined {
  const number = numbers[place];
  if (isWeight(place)) return isFrom(number, -MOST_RECORD_WEIGHT, MOST_RECORD_WEIGHT) ? undefined : WEIGHT;
  if (place >= CURVATURE && !DIAGONAL.has(place)) {
    return isFrom(number, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) ? undefined : NUMBER;
  }
  if (!isFrom(number, 0, Number.MAX_SAFE_INTEGER)) return COUNT;
  const forecasts = place < RIGHT || place >= CURVATURE ? number : Number(numbers[place - RIGHT + FORECASTS]);
  return number <= forecasts ? undefined : `at most ${forecasts}, the forecasts of its range`;
}

/** @throws Fault `invalid` when a number of a former record is none */
function checkFormer(lists: readonly (readonly unknown[])[], label: string): void {
  lists.forEach((numbers, at) => {
    numbers.forEach((number, place) => {
      const isWhole = FORMER_WHOLE_NUMBERS.includes(numbers.length);
      if (isWhole ? Number.isSafeInteger(number) && Number(number) >= 0 : Number.isFinite(number)) return;
      const accepted = isWhole ? WHOLE : "a number";
      throw new Fault("invalid", `${label}[${at}][${place}] must be ${accepted}, got ${excerpt(number)}`);
    });
  });
}

/**
 * Checks a record that came from outside, today's or a former one.
 *
 * @param label what the refusal calls it
 * @returns the record; none for a former one
 * @throws Fault `invalid` that names the list or the number that is wrong
 */
export function checkRecord(record: unknown, label: string): ForecastRecord {
  if (Array.isArray(record) && isFormer(record)) {
    checkFormer(record, label);
    return [];
  }
  if (!Array.isArray(record) || record.length !== PART_ENDS.length) {
    throw new Fault(
      "invalid",
      `${label} must be an empty list or one of ${PART_ENDS.length} lists, got ${shown(record)}`,
    );
  }
  record.forEach((numbers: unknown, at) => {
    if (!Array.isArray(numbers) || ![0, RECORD_NUMBERS].includes(numbers.length)) {
      const accepted = `an empty list or one of ${RECORD_NUMBERS} numbers`;
      throw new Fault("invalid", `${label}[${at}] must be ${accepted}, got ${shown(numbers)}`);
    }
    numbers.forEach((number: unknown, place) => {
      const refusal = numberRefusal(numbers, place);
      if (refusal === undefined) return;
      throw new Fault("invalid", `${label}[${at}][${place}] must be ${refusal}, got ${excerpt(number)}`);
    });
  });
  return record;
}

/** A record as text; empty for none. */
export function recordText(record: ForecastRecord): string {
  return isUngraded(record) ? "" : JSON.stringify(record);
}

/**
 * The record of a text that {@link recordText} wrote.
 *
 * @param label what the refusal calls it
 * @throws Fault `invalid` when it is none
 */
export function recordOf(text: string, label: string): ForecastRecord {
  if (text === "") return [];
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    throw new Fault("invalid", `${label} must be a list as JSON, got ${excerpt(text)}`);
  }
  return checkRecord(record, label);
}

/** Where the counts of gradings stand, one for each bucket. */
const GRADINGS = Array.from({ length: BUCKETS }, (_, bucket) => RULES + bucket * BUCKET_NUMBERS);

/** How many gradings a part has seen, by their weight. */
export function gradingsOf(numbers: readonly number[]): number {
  return GRADINGS.reduce((sum, place) => sum + (numbers[place] ?? 0), 0);
}

/** The gradings that a weight has followed from. */
function gradingsBehind(numbers: readonly number[], place: number): number {
  if (place < RULES || isCorrectionWeight(place)) return gradingsOf(numbers);
  return numbers[place - ((place - RULES) % BUCKET_NUMBERS)] ?? 0;
}

/** The mean of two weights, each as often as it was graded. */
function meanWeight(one: readonly number[], other: readonly number[], place: number): number {
  const [left, right] = [gradingsBehind(one, place), gradingsBehind(other, place)];
  if (left + right === 0) return 0;
  const mean = ((one[place] ?? 0) * left + (other[place] ?? 0) * right) / (left + right);
  return Math.max(-MOST_RECORD_WEIGHT, Math.min(MOST_RECORD_WEIGHT, mean));
}

/** The part of two parts of a knowledge. @throws Fault `invalid` when a count would leave the exact whole numbers */
function mergedPart(one: readonly number[], other: readonly number[], part: number): readonly number[] {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one;
  return one.map((number, place) => {
    if (isWeight(place)) return meanWeight(one, other, place);
    const sum = number + (other[place] ?? 0);
    if (Math.abs(sum) <= Number.MAX_SAFE_INTEGER) return sum;
    const accepted = place < CURVATURE ? COUNT : NUMBER;
    throw new Fault("invalid", `forecast_record[${part}][${place}]: the sum of both must be ${accepted}, got ${sum}`);
  });
}

/**
 * The record of two parts of a knowledge: counts and curvatures add up, and weights are the means of both, each as
 * often as it was graded. One that is missing says nothing.
 *
 * @param known the record of what is there; while that is still to be graded, so is all
 * @throws Fault `invalid` when a count would leave the exact whole numbers
 */
export function mergedRecords(known: ForecastRecord, added: ForecastRecord): ForecastRecord {
  if (isUngraded(known) || isUngraded(added)) return known;
  return known.map((numbers, part) => mergedPart(numbers, added[part] ?? [], part));
}

/** A record to be carried. */
export function carried(record: ForecastRecord): CarriedRecord {
  return { horizons: record.map((numbers) => ({ numbers: [...numbers] })) };
}

/**
 * The record of a file of knowledge; none where it has none, or that of a former release.
 *
 * @throws Fault `invalid` as {@link checkRecord}
 */
export function recordFrom(record: CarriedRecord | undefined): ForecastRecord {
  if (record === undefined) return [];
  return checkRecord(
    record.horizons.map(({ numbers }) => numbers),
    "forecast_record",
  );
}
