/** The history of a memory as lines over time. Plain data; asks no server. */

import type { Schemas } from "../../client";

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
  readonly lines: readonly { readonly name: string; readonly values: Values }[];
  readonly bits: Values;
}

/** The lines of a history. Records may arrive out of order: a line goes by their times. */
export function readingsOf(history: readonly Event[]): Readings {
  const events = [...history].sort((one, other) => one.time - other.time || one.interval - other.interval);
  const names = [...new Set(events.flatMap(({ numbers }) => Object.keys(numbers)))].sort();
  return {
    events,
    times: events.map(({ time }) => time),
    lines: names.map((name) => ({ name, values: events.map(({ numbers }) => numbers[name] ?? null) })),
    bits: events.map(({ bits }) => bits),
  };
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
