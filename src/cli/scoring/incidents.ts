/** Chooses the threshold of surprise, and joins the rows that pass it to incidents. */

/** Rows that pass fewer than 10 events apart are one incident, as in the incidents of alerts. */
export const APART = 10;

/** Without an option and without times, one row in this number passes. */
export const ROWS_PER_ALARM = 1_000;

const SECONDS_PER_DAY = 86_400;

/** A scored row. */
export interface Scored {
  readonly bits: number;
  /** Epoch seconds; `undefined` where the row has none. */
  readonly time: number | undefined;
  /** What the row belongs to: rows of different groups are no incident together. */
  readonly group: string;
}

/** An incident: rows that belong together, by their places among all. */
export interface Incident {
  readonly first: number;
  readonly last: number;
  /** The rows that pass, rising. */
  readonly rows: readonly number[];
  /** The row with the most bits. */
  readonly worst: number;
}

/** A threshold, and what it follows from. */
export interface Threshold {
  readonly bits: number;
  readonly why: "threshold" | "per_day" | "share";
  /** Of `per_day`: how many rows a day it was chosen for. */
  readonly perDay?: number;
}

/** How many days the times span; `undefined` without two different times. */
export function daysOf(rows: readonly Scored[]): number | undefined {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { time } of rows) {
    if (time === undefined) continue;
    least = Math.min(least, time);
    most = Math.max(most, time);
  }
  return most > least ? (most - least) / SECONDS_PER_DAY : undefined;
}

/** A row with fewer bits came more likely than not: no threshold that chooses itself is below. */
const LEAST_CHOSEN = 1;

/** How many times the number of rows that were wanted may pass, because their bits are the same. */
const MOST_TIES = 2;

/**
 * The bits that `count` rows reach. Where many more have the same bits, such as rows of a constant, those that have more.
 *
 * @param count 1 or more
 */
function reachedBy(rows: readonly Scored[], count: number): number {
  const bits = rows.map((row) => row.bits).sort((one, other) => other - one);
  const value = bits[Math.min(count, bits.length) - 1] ?? 0;
  const [first, last] = [bits.indexOf(value), bits.lastIndexOf(value)];
  const above = last >= MOST_TIES * count ? bits[first - 1] : undefined;
  return Math.max(LEAST_CHOSEN, above ?? value);
}

/**
 * The threshold that `perDay` rows a day pass: one a day by default, and one row in a thousand where there are no
 * times either.
 *
 * @param perDay above 0; `undefined` where nothing is said
 */
export function thresholdFor(rows: readonly Scored[], perDay: number | undefined): Threshold {
  const days = daysOf(rows);
  if (days === undefined) {
    return { bits: reachedBy(rows, Math.max(1, Math.round(rows.length / ROWS_PER_ALARM))), why: "share" };
  }
  const wanted = perDay ?? 1;
  return { bits: reachedBy(rows, Math.max(1, Math.round(wanted * days))), why: "per_day", perDay: wanted };
}

/** The incidents of rows in their order. A row passes from the threshold on, if it is surprising at all. */
export function incidentsOf(rows: readonly Scored[], threshold: number): Incident[] {
  const incidents: Incident[] = [];
  let open: { first: number; last: number; rows: number[]; worst: number } | undefined;
  for (const [at, { bits, group }] of rows.entries()) {
    if (bits < threshold || bits === 0) continue;
    if (open === undefined || rows[open.first]?.group !== group || at - open.last >= APART) {
      open = { first: at, last: at, rows: [], worst: at };
      incidents.push(open);
    }
    open.last = at;
    open.rows.push(at);
    if (bits > (rows[open.worst]?.bits ?? 0)) open.worst = at;
  }
  return incidents;
}
