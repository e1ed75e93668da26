/** Local time in a time zone, from the runtime's own table of the IANA zones. */

import { MS_PER_SECOND } from "./clock";

/** The parts of a date and a time of day that encoders read. */
export const CLOCK_PARTS = ["month", "day", "weekday", "hour", "minute"] as const;

/** A part: month 1 to 12, day 1 to 31, weekday 1 (Monday) to 7, hour 0 to 23, minute 0 to 59. */
export type ClockPart = (typeof CLOCK_PARTS)[number];

/** The parts that count from 1. */
const FROM_ONE: readonly ClockPart[] = ["month", "day", "weekday"];

/** The least value of a part. */
export function leastOf(part: ClockPart): 0 | 1 {
  return FROM_ONE.includes(part) ? 1 : 0;
}

/** The reading of a clock. */
export type ClockTime = { readonly [Part in ClockPart]: number };

/** Monday first. */
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Names, but not offsets such as +01:00, which some runtimes accept too. */
const NAME = /^[A-Za-z]/;

function formatOf(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    month: "numeric",
    day: "numeric",
    weekday: "short",
    hour: "numeric",
    minute: "numeric",
  });
}

/** Whether there is an IANA zone of this name. */
export function isZone(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    // Intl throws for names that it does not know.
    return false;
  }
}

/** The clock of one zone. */
export class ZoneClock {
  readonly #format: Intl.DateTimeFormat;
  /** The last answer is cached, because the encoders of one zone ask for the same second in turn. */
  #second = Number.NaN;
  #time: ClockTime | undefined;

  /** @param zone for which {@link isZone} is true */
  constructor(zone: string) {
    this.#format = formatOf(zone);
  }

  /** The local time. @param time epoch seconds */
  at(time: number): ClockTime {
    const second = Math.floor(time);
    if (this.#time === undefined || this.#second !== second) {
      this.#time = this.#read(second);
      this.#second = second;
    }
    return this.#time;
  }

  #read(second: number): ClockTime {
    const shown = new Map(this.#format.formatToParts(second * MS_PER_SECOND).map(({ type, value }) => [type, value]));
    const number = (part: "month" | "day" | "hour" | "minute") => Number(shown.get(part));
    const weekday = WEEKDAYS.indexOf(shown.get("weekday") ?? "") + 1;
    return { month: number("month"), day: number("day"), weekday, hour: number("hour"), minute: number("minute") };
  }
}
