/** The record of forecasts outside of the mind: as text in backups, as lists in files of knowledge, both checked on the way back; and the sum of two. */

import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import { type ForecastRecord, MOST_HORIZON, RECORD_NUMBERS } from "../ports/forecaster";

const COUNT = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`;

/** A record as the rpcs carry it. */
export interface CarriedRecord {
  /** One for each horizon, the nearest first. */
  horizons: { numbers: number[] }[];
}

/** How many numbers a horizon had while there were five rules, and while there were fewer ranges of probability. */
const FORMER_NUMBERS: readonly number[] = [26, 28];

/** Whether any horizon of a record counts what a former release did. */
function hasFormer(record: ForecastRecord): boolean {
  return record.some(({ length }) => FORMER_NUMBERS.includes(length));
}

/** A record that may be of a former release: its horizons count something else, and begin anew. */
export function withoutFormer(record: ForecastRecord): ForecastRecord {
  return hasFormer(record) ? record.map((numbers) => (FORMER_NUMBERS.includes(numbers.length) ? [] : numbers)) : record;
}

/** A list as a refusal names it; anything else as it is. */
function shown(value: unknown): string {
  return Array.isArray(value) ? `a list of ${value.length}` : excerpt(value);
}

/**
 * Checks a record that came from outside, today's or a former one.
 *
 * @param label what the refusal calls it
 * @throws Fault `invalid` that names the list or the number that is wrong
 */
export function checkRecord(record: unknown, label: string): ForecastRecord {
  if (!Array.isArray(record) || record.length > MOST_HORIZON) {
    throw new Fault("invalid", `${label} must be a list of at most ${MOST_HORIZON} lists, got ${shown(record)}`);
  }
  record.forEach((numbers: unknown, at) => {
    if (!Array.isArray(numbers) || ![0, ...FORMER_NUMBERS, RECORD_NUMBERS].includes(numbers.length)) {
      const accepted = `an empty list or one of ${RECORD_NUMBERS} numbers`;
      throw new Fault("invalid", `${label}[${at}] must be ${accepted}, got ${shown(numbers)}`);
    }
    numbers.forEach((number: unknown, place) => {
      if (Number.isSafeInteger(number) && Number(number) >= 0) return;
      throw new Fault("invalid", `${label}[${at}][${place}] must be ${COUNT}, got ${excerpt(number)}`);
    });
  });
  return withoutFormer(record);
}

/** A record as text; empty for an empty one. */
export function recordText(record: ForecastRecord): string {
  return record.length === 0 ? "" : JSON.stringify(record);
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

/** The record of two parts of a knowledge. @throws Fault `invalid` when a sum would leave the exact whole numbers */
export function sumOfRecords(one: ForecastRecord, other: ForecastRecord): ForecastRecord {
  return Array.from({ length: Math.max(one.length, other.length) }, (_, at) => {
    const [left = [], right = []] = [one[at], other[at]];
    return Array.from({ length: Math.max(left.length, right.length) }, (_, place) => {
      const sum = (left[place] ?? 0) + (right[place] ?? 0);
      if (Number.isSafeInteger(sum)) return sum;
      throw new Fault("invalid", `forecast_record[${at}][${place}]: the sum of both must be ${COUNT}, got ${sum}`);
    });
  });
}

/** A record to be carried. */
export function carried(record: ForecastRecord): CarriedRecord {
  return { horizons: record.map((numbers) => ({ numbers: [...numbers] })) };
}

/** The record of a file of knowledge. @throws Fault `invalid` as {@link checkRecord} */
export function recordFrom({ horizons }: CarriedRecord): ForecastRecord {
  return checkRecord(
    horizons.map(({ numbers }) => numbers),
    "forecast_record",
  );
}

/**
 * The record that a load takes over; `undefined` for none, and for that of a former release, which says nothing of today's rules.
 *
 * @throws Fault `invalid` as {@link checkRecord}
 */
export function recordToLoad(record: CarriedRecord | undefined): ForecastRecord | undefined {
  const told = record && recordFrom(record);
  return record && hasFormer(record.horizons.map(({ numbers }) => numbers)) ? undefined : told;
}
