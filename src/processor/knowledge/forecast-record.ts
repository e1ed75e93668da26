/**
 * The forecast record outside the mind: as text in backups, as lists in knowledge files, both checked when read; and
 * the merge of two records.
 */

import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import {
  BUCKET_NUMBERS,
  BUCKETS,
  CONFIDENCE_BOUNDS,
  CORRECTION_TERMS,
  type ForecastRecord,
  MAX_HORIZON,
  PART_ENDS,
  RECORD_NUMBERS,
  RULE_PAIRS,
  RULES,
} from "../ports/forecaster";

/**
 * Weights of a record range from minus this to this, far beyond any that data lead to, so that every forecast is
 * finite.
 */
export const MAX_RECORD_WEIGHT = 1_000;

/**
 * Where a part's counts of forecasts by range begin, and where its counts of forecasts whose first symbol came begin.
 */
export const FORECASTS = RULES + BUCKETS * BUCKET_NUMBERS;
export const HITS = FORECASTS + CONFIDENCE_BOUNDS.length + 1;
/** The next event has no ranges: their first place counts the shared ends that were left out of its gradings. */
export const ENDS_LEFT_OUT = FORECASTS;
/** Where the curvature begins. */
export const CURVATURE = HITS + CONFIDENCE_BOUNDS.length + 1;
/** Where the weights of the next event's correction begin, and where their curvature begins. */
export const CORRECTION = CURVATURE + RULE_PAIRS;
export const CORRECTION_CURVATURE = CORRECTION + CORRECTION_TERMS;

const WHOLE = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;
const COUNT = `a number from 0 to ${Number.MAX_SAFE_INTEGER}`;
const NUMBER = `a number from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;
const WEIGHT = `a number from -${MAX_RECORD_WEIGHT} to ${MAX_RECORD_WEIGHT}`;

/** A record as the rpcs carry it. */
export interface CarriedRecord {
  /** One list for each part, nearest horizons first; empty for knowledge that is yet to be graded. */
  horizons: { numbers: number[] }[];
}

/**
 * Lengths of the lists of earlier releases: one list for each horizon, with shares and hits of rules that are gone, all
 * whole numbers; and one list for each part, with weights that followed the gradient alone, or also with a calibration
 * table for the next event.
 */
const FORMER_WHOLE_NUMBERS: readonly number[] = [26, 28, 32];
const FORMER_NUMBERS: readonly number[] = [...FORMER_WHOLE_NUMBERS, 84, 94];

/**
 * Whether knowledge has no record yet: it was learned by an earlier release, or came from a file or backup without a
 * record, and is yet to be graded.
 */
export function isUngraded(record: ForecastRecord): boolean {
  return record.length === 0;
}

/** Whether lists are in the format of an earlier release, or empty. */
function isFormer(lists: readonly unknown[]): boolean {
  const lengths = lists.map((list) => (Array.isArray(list) ? list.length : -1));
  const isEmpty = lengths.length === PART_ENDS.length && lengths.every((length) => length === 0);
  return (
    !isEmpty &&
    lengths.length <= MAX_HORIZON &&
    lengths.every((length) => length === 0 || FORMER_NUMBERS.includes(length))
  );
}

/**
 * A stored record, or none if an earlier release wrote it: that says nothing about today's rules, so the knowledge has
 * to be graded again.
 */
export function withoutFormer(record: ForecastRecord): ForecastRecord {
  return isFormer(record) ? [] : record;
}

/** A list as refusals print it; any other value unchanged. */
function shown(value: unknown): string {
  return Array.isArray(value) ? `a list of ${value.length}` : excerpt(value);
}

/** The places of the diagonal of a symmetric matrix that begins at `start`, stored row by row from the diagonal on. */
function diagonalOf(start: number, size: number): number[] {
  return Array.from({ length: size }, (_, row) => start + row * size - (row * (row - 1)) / 2);
}

/** The places of each rule's and each correction term's curvature with itself, which is never negative. */
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

/** What the number at a place must be, if it is not; else `undefined`. */
function numberRefusal(numbers: readonly unknown[], place: number): string | undefined {
  const number = numbers[place];
  if (isWeight(place)) return isFrom(number, -MAX_RECORD_WEIGHT, MAX_RECORD_WEIGHT) ? undefined : WEIGHT;
  if (place >= CURVATURE && !DIAGONAL.has(place)) {
    return isFrom(number, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) ? undefined : NUMBER;
  }
  if (!isFrom(number, 0, Number.MAX_SAFE_INTEGER)) return COUNT;
  const forecasts = place < HITS || place >= CURVATURE ? number : Number(numbers[place - HITS + FORECASTS]);
  return number <= forecasts ? undefined : `at most ${forecasts}, the forecasts of its range`;
}

/** @throws Fault `invalid` when an entry of an earlier release's record is not a number */
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
 * Checks a record from outside, of this release or an earlier one.
 *
 * @param label names the record in the refusal
 * @returns the record; none for an earlier release's
 * @throws Fault `invalid` naming the wrong list or number
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
 * Reads the text that {@link recordText} wrote.
 *
 * @param label names the record in the refusal
 * @throws Fault `invalid` when the text is not a record
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

/** The places of the numbers of gradings, one for each bucket. */
const GRADINGS = Array.from({ length: BUCKETS }, (_, bucket) => RULES + bucket * BUCKET_NUMBERS);

/** The number of gradings of a part, by weight. */
export function gradingsOf(numbers: readonly number[]): number {
  return GRADINGS.reduce((sum, place) => sum + (numbers[place] ?? 0), 0);
}

/** The record after a shared end is left out of the gradings of the next event. */
export function withEndLeftOut(record: ForecastRecord): ForecastRecord {
  const [next = []] = record;
  const numbers = next.length > 0 ? [...next] : new Array<number>(RECORD_NUMBERS).fill(0);
  numbers[ENDS_LEFT_OUT] = (numbers[ENDS_LEFT_OUT] ?? 0) + 1;
  return record.map((own, part) => (part === 0 ? numbers : own));
}

/** The gradings from which a weight was fitted. */
function gradingsBehind(numbers: readonly number[], place: number): number {
  if (place < RULES || isCorrectionWeight(place)) return gradingsOf(numbers);
  return numbers[place - ((place - RULES) % BUCKET_NUMBERS)] ?? 0;
}

/** The mean of two weights, each weighted by its gradings. */
function meanWeight(one: readonly number[], other: readonly number[], place: number): number {
  const [left, right] = [gradingsBehind(one, place), gradingsBehind(other, place)];
  if (left + right === 0) return 0;
  const mean = ((one[place] ?? 0) * left + (other[place] ?? 0) * right) / (left + right);
  return Math.max(-MAX_RECORD_WEIGHT, Math.min(MAX_RECORD_WEIGHT, mean));
}

/** Merges the parts of two records. @throws Fault `invalid` when a count would exceed the exact whole numbers */
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
 * Merges the records of two parts of knowledge: counts and curvatures add up, weights are means weighted by gradings. A
 * missing record contributes nothing.
 *
 * @param known the record of the existing knowledge; if that is yet to be graded, so is the result
 * @throws Fault `invalid` when a count would exceed the exact whole numbers
 */
export function mergedRecords(known: ForecastRecord, added: ForecastRecord): ForecastRecord {
  if (isUngraded(known) || isUngraded(added)) return known;
  return known.map((numbers, part) => mergedPart(numbers, added[part] ?? [], part));
}

/** A record as the rpcs carry it. */
export function carried(record: ForecastRecord): CarriedRecord {
  return { horizons: record.map((numbers) => ({ numbers: [...numbers] })) };
}

/**
 * The record of a knowledge file; none if it has none, or an earlier release's.
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
