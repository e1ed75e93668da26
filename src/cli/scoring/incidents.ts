/** Chooses the surprise threshold, and joins rows over it to incidents. */

/** Rows over the threshold that are fewer than 10 events apart are one incident, as in the incidents of alerts. */
const EVENTS_APART = 10;

/** Without an option and without times, one row in this many is over the threshold. */
export const ROWS_PER_ALARM = 1_000;

const SECONDS_PER_DAY = 86_400;

/** A scored row. */
export interface Scored {
  readonly bits: number;
  /** Epoch seconds; `undefined` if the row has no time. */
  readonly time: number | undefined;
  /** The row's group: rows of different groups never form one incident. */
  readonly group: string;
}

/** An incident: the indices of rows that belong together. */
export interface Incident {
  readonly first: number;
  readonly last: number;
  /** The rows over the threshold, rising. */
  readonly rows: readonly number[];
  /** The row with the most bits. */
  readonly worst: number;
}

/** A threshold, and where it comes from. */
export interface Threshold {
  readonly bits: number;
  readonly why: "threshold" | "per_day" | "share";
  /** For `per_day`: the rate in rows per day for which the threshold was chosen. */
  readonly perDay?: number;
}

/** The number of days that the times span; `undefined` without two different times. */
export function daysOf(rows: readonly Scored[]): number | undefined {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { time } of rows) {
    if (time === undefined) continue;
    least = Math.min(least, time);
    most = Math.max(most, time);
  }
  return most > least ? (most - least) / SECONDS_PER_DAY : undefined;
}

/** A row with fewer bits was more probable than not: an automatic threshold is never lower. */
const MIN_THRESHOLD = 1;

/** The factor by which ties may exceed the requested number of rows. */
const MAX_TIES_FACTOR = 2;

/**
 * The number of bits that `count` rows reach. If many more rows share that number, such as rows of a constant, the next
 * higher number.
 *
 * @param count 1 or more
 */
function reachedBy(rows: readonly Scored[], count: number): number {
  const bits = rows.map((row) => row.bits).sort((one, other) => other - one);
  const value = bits[Math.min(count, bits.length) - 1] ?? 0;
  const [first, last] = [bits.indexOf(value), bits.lastIndexOf(value)];
  const above = last >= MAX_TIES_FACTOR * count ? bits[first - 1] : undefined;
  return Math.max(MIN_THRESHOLD, above ?? value);
}

/**
 * The threshold that `perDay` rows per day reach: one per day by default, or one row in a thousand if there are no
 * times.
 *
 * @param perDay above 0; `undefined` if no option sets it
 */
export function thresholdFor(rows: readonly Scored[], perDay: number | undefined): Threshold {
  const days = daysOf(rows);
  if (days === undefined) {
    return { bits: reachedBy(rows, Math.max(1, Math.round(rows.length / ROWS_PER_ALARM))), why: "share" };
  }
  const wanted = perDay ?? 1;
  return { bits: reachedBy(rows, Math.max(1, Math.round(wanted * days))), why: "per_day", perDay: wanted };
}

/** The incidents of rows, in order. A row counts if it reaches the threshold and is surprising at all. */
export function incidentsOf(rows: readonly Scored[], threshold: number): Incident[] {
  const incidents: Incident[] = [];
  let open: { first: number; last: number; rows: number[]; worst: number } | undefined;
  for (const [at, { bits, group }] of rows.entries()) {
    if (bits < threshold || bits === 0) continue;
    if (open === undefined || rows[open.first]?.group !== group || at - open.last >= EVENTS_APART) {
      open = { first: at, last: at, rows: [], worst: at };
      incidents.push(open);
    }
    open.last = at;
    open.rows.push(at);
    if (bits > (rows[open.worst]?.bits ?? 0)) open.worst = at;
  }
  return incidents;
}
