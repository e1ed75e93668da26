/** Reports what is unclear in a file: which rows were skipped, and how its times are interpreted. */

import type { Columns, Values } from "./columns";
import type { Survey } from "./groups";

/** The gap beyond which a time is probably wrong: a year, in seconds. */
const ODD_GAP = 366 * 86_400;

/** Lines about unreadable rows and about times without a zone; empty if there is nothing to report. */
export function plainRemarks({ bad, lacksZone, rows, reasons }: Remarked): string[] {
  const zone = lacksZone ? ["Times without a zone count as UTC."] : [];
  if (bad === 0) return zone;
  const left = bad - reasons.length;
  return [
    `${bad} of ${bad + rows} rows cannot be read and are left out:`,
    ...reasons.map((reason) => `  ${reason}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
    ...zone,
  ];
}

type Remarked = Pick<Survey, "bad" | "lacksZone" | "reasons" | "rows">;

/**
 * Lines about rows without times, and about the first time that is far from the previous one of its group.
 *
 * @param column of the times
 * @param groups the rows of each group, in order
 */
export function timeRemarks(column: string, groups: readonly (readonly Timed[])[]): string[] {
  const missing = groups.flatMap((rows) => rows.filter(({ seconds }) => seconds === undefined));
  const [first] = missing;
  const have = missing.length === 1 ? "1 row has" : `${missing.length} rows have`;
  const where = `in ${column}, the first in line ${first?.line}`;
  const odd = groups.flatMap(oddIn)[0];
  return [
    ...(first === undefined ? [] : [`${have} no time from 1970 to 9999 ${where}.`]),
    ...(odd === undefined ? [] : [`The time in line ${odd} is more than a year from that of the previous row.`]),
  ];
}

/** Over fewer days, the times of day may be chance; and so they may if not nearly all of them come each day. */
const MIN_DAYS = 2;
const NEARLY_ALL = 0.9;

/**
 * A line about sequences of a fixed number of rows that end at the same times of every day: no sequence holds what
 * comes next there.
 */
export function endRemarks(
  { every }: Pick<Columns, "every">,
  { ends: { minutes, days }, groups }: Pick<Survey, "ends" | "groups">,
): string[] {
  const [first] = minutes;
  if (every === undefined || every < 2 || first === undefined) return [];
  if (days < MIN_DAYS || groups < NEARLY_ALL * minutes.size * days) return [];
  const clock = [Math.floor(first / 60), first % 60].map((part) => String(part).padStart(2, "0")).join(":");
  const times = minutes.size === 1 ? `at ${clock} UTC` : `at the same ${minutes.size} times of day`;
  return [
    `The sequences of ${every} rows all end ${times}: what follows there is never learned, and will seem unusual ` +
      `every day. Other numbers of rows, such as ${every + 1}, end at different times.`,
  ];
}

type Timed = Pick<Values, "line" | "seconds">;

/** The lines whose times are far from the previous time. */
function oddIn(rows: readonly Timed[]): number[] {
  let last: number | undefined;
  return rows.flatMap(({ line, seconds }) => {
    if (seconds === undefined) return [];
    const isOdd = last !== undefined && Math.abs(seconds - last) > ODD_GAP;
    last = seconds;
    return isOdd ? [line] : [];
  });
}
