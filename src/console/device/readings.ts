/** The history of a memory as lines over time, with what is expected behind. Plain data; asks no server. */

import type { Schemas } from "../../client";
import type { Bin } from "../parts/rounded-ranges";
import { type Ahead, aheadOf, binsOf, type ExpectedBin } from "./ahead";

type Event = Schemas.HistoryEvent;

/** A value for each event; null where the event has none. */
type Values = readonly (number | null)[];

/** What the charts draw: all lists have an entry for each event. */
export interface Readings {
  /** By time, oldest first. */
  readonly events: readonly Event[];
  /** In seconds since 1970, rising. */
  readonly times: readonly number[];
  /** The numbers by name, in the order of their names. */
  readonly lines: readonly Line[];
  readonly bits: Values;
  /** What comes after them. */
  readonly ahead: readonly Ahead[];
}

/** A number over time. */
export interface Line {
  readonly name: string;
  readonly values: Values;
  /** Where it is expected, for each of the next events. */
  readonly expected: readonly (readonly ExpectedBin[])[];
}

/**
 * The lines of a history. Records may arrive out of order: a line goes by their times.
 *
 * @param forecast what was expected after it; `undefined` while unknown
 * @param binOf the bin of a symbol
 */
export function readingsOf(
  history: readonly Event[],
  forecast?: Schemas.Forecast,
  binOf: (symbol: string) => Bin | undefined = () => undefined,
): Readings {
  const events = [...history].sort((one, other) => one.time - other.time || one.interval - other.interval);
  const names = [...new Set(events.flatMap(({ numbers }) => Object.keys(numbers)))].sort();
  const ahead = aheadOf(forecast, events.at(-1)?.time);
  return {
    events,
    times: events.map(({ time }) => time),
    lines: names.map((name) => ({
      name,
      values: events.map(({ numbers }) => numbers[name] ?? null),
      expected: ahead.map((one) => binsOf(one, name, binOf)),
    })),
    bits: events.map(({ bits }) => bits),
    ahead,
  };
}

/** Room behind the last of what is expected, as a share of the time before it. */
const ROOM = 0.02;

/** When the charts end, in seconds since 1970: behind the last of what is expected. */
export function endOf({ times, ahead }: Readings): number {
  const last = times.at(-1) ?? 0;
  const end = Math.max(last, ...ahead.map(({ to }) => to));
  return end === last ? last : end + ROOM * (end - (times[0] ?? last));
}

/**
 * A history with newer events added.
 *
 * @param known newest first
 * @param newest newest first; where it does not reach back to what is known, or time began anew, only it is kept
 * @param most how many to keep
 */
export function merged(known: readonly Event[], newest: readonly Event[], most: number): readonly Event[] {
  const oldest = newest.at(-1)?.interval;
  const last = known[0]?.interval;
  if (oldest === undefined || last === undefined) return newest.slice(0, most);
  const isContinued = oldest <= last + 1 && (newest[0]?.interval ?? 0) >= last;
  if (!isContinued) return newest.slice(0, most);
  return [...newest, ...known.filter(({ interval }) => interval < oldest)].slice(0, most);
}

/** A range of time, in seconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}
