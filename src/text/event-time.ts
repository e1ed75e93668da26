/**
 * When an event happened: epoch seconds, or RFC 3339 text, which this file reads. The gateway takes both; processors
 * take seconds.
 */

import { MS_PER_SECOND } from "./clock";

/** The greatest time, epoch seconds: 9999-12-31T23:59:59Z. */
export const MAX_TIME = 253_402_300_799;

/** What a time must be, for messages. */
export const ACCEPTED_TIME = `epoch seconds, a number from 0 to ${MAX_TIME}`;

const EXAMPLE = '"2026-11-23T05:30:00Z"';

/** What a time must be if text is accepted too. */
export const ACCEPTED_TIME_OR_TEXT = `${ACCEPTED_TIME}, or RFC 3339 text with an offset, such as ${EXAMPLE}`;

/** Whether a value is a time. @param value of any kind */
export function isTime(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= MAX_TIME;
}

/**
 * The grammar of RFC 3339, section 5.6: a full date, a full time, an offset. Every part except the fraction has a fixed
 * length.
 */
const GRAMMAR = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/**
 * The time in RFC 3339 text, exact to the nearest double. A leap second, 23:59:60 in UTC, is the first second of the
 * next day, as computers count.
 *
 * @returns epoch seconds; `undefined` if the text is not a time from 0 to {@link MAX_TIME}, such as February 30
 */
export function timeOfText(text: string): number | undefined {
  const parts = GRAMMAR.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [fraction = "0", sign = "+"] = [parts[7], parts[8]];
  const [offsetHours, offsetMinutes] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  // Date.UTC interprets a day that the month does not have as one of the next month, and the years 0 to 99 as 1900 to
  // 1999.
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const offset = (sign === "-" ? -1 : 1) * (offsetHours * HOUR + offsetMinutes * MINUTE);
  const seconds = date.getTime() / MS_PER_SECOND + hour * HOUR + minute * MINUTE + second - offset;
  if (second === 60 && seconds % (24 * HOUR) !== 0) return undefined;
  if (seconds < 0) return undefined;
  // As text, because the sum of two doubles might not be the nearest double.
  const time = Number(`${seconds}.${fraction}`);
  return isTime(time) ? time : undefined;
}
