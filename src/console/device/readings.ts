/** The history of a memory as lines over time, followed by the forecast. Plain data; asks no server. */

import type { Schemas } from "../../client";
import type { Bin } from "../parts/rounded-ranges";
import { type Ahead, aheadOf, binsOf, type ExpectedBin } from "./ahead";

type Event = Schemas.HistoryEvent;

/** A value for each event; null where the event has none. */
type Values = readonly (number | null)[];

/** The data of the charts: every list has an entry for each event. */
export interface Readings {
  /** By time, oldest first. */
  readonly events: readonly Event[];
  /** In epoch seconds, rising. */
  readonly times: readonly number[];
  /** The numbers, sorted by name. */
  readonly lines: readonly Line[];
  readonly bits: Values;
  /** The expected events after the readings. */
  readonly ahead: readonly Ahead[];
}

/** A number over time. */
export interface Line {
  readonly name: string;
  readonly values: Values;
  /** The expected bins, for each of the next events. */
  readonly expected: readonly (readonly ExpectedBin[])[];
}

/**
 * The lines of a history, sorted by time, because records may arrive out of order.
 *
 * @param forecast the forecast after the history; `undefined` while unknown
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

/** Space after the last expected event, as a fraction of the time before it. */
const SPACE_AFTER = 0.02;

/** The end of the charts, in epoch seconds: after the last expected event. */
export function endOf({ times, ahead }: Readings): number {
  const last = times.at(-1) ?? 0;
  const end = Math.max(last, ...ahead.map(({ to }) => to));
  return end === last ? last : end + SPACE_AFTER * (end - (times[0] ?? last));
}

/**
 * A history with newer events added.
 *
 * @param known newest first
 * @param newest newest first; if it does not overlap with the known events, or time has restarted, only these are kept
 * @param most maximum number of events to keep
 */
export function merged(known: readonly Event[], newest: readonly Event[], most: number): readonly Event[] {
  const oldest = newest.at(-1)?.interval;
  const last = known[0]?.interval;
  if (oldest === undefined || last === undefined) return newest.slice(0, most);
  const isContinued = oldest <= last + 1 && (newest[0]?.interval ?? 0) >= last;
  if (!isContinued) return newest.slice(0, most);
  return [...newest, ...known.filter(({ interval }) => interval < oldest)].slice(0, most);
}

/** A range of time, in epoch seconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}
