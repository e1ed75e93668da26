/**
 * Makes the symbols of encoders that read the time of events, `clock` and `elapsed`, as the processor makes them that
 * has these encoders. Knows no file.
 */

import Big from "big.js";
import { leastOf, ZoneClock } from "../../text/time-zones";
import type { ShownEncoders } from "./ranges";

/** What a symbol says of an event, by its time and that of the event before; `undefined` for no symbol. */
type Reader = (time: number, before: number | undefined) => number | undefined;

function readerOf(encoder: ShownEncoders[string]): Reader | undefined {
  if (encoder.kind === "clock") {
    const { of, step = 1, zone = "UTC" } = encoder;
    const clock = new ZoneClock(zone);
    return (time) => {
      const value = clock.at(time)[of];
      return value - ((value - leastOf(of)) % step);
    };
  }
  if (encoder.kind !== "elapsed") return undefined;
  const edges = encoder.edges ?? [];
  return (time, before) => {
    if (before === undefined) return undefined;
    // In decimal: from 0.1 to 0.3 are 0.2 seconds, which belong to an edge of 0.2.
    const elapsed = new Big(time).minus(before).toNumber();
    return edges.findLast((edge) => edge <= elapsed) ?? Number.NEGATIVE_INFINITY;
  };
}

/** The symbols of time of one memory. */
export class TimeSymbols {
  readonly #readers: readonly (readonly [name: string, read: Reader])[];
  #before: number | undefined;

  /** @param encoders those of the processor, of all kinds */
  constructor(encoders: ShownEncoders) {
    this.#readers = Object.entries(encoders).flatMap(([name, encoder]) => {
      const read = readerOf(encoder);
      return read === undefined ? [] : [[name, read] as const];
    });
  }

  /** The names of the encoders that read the time. */
  get names(): string[] {
    return this.#readers.map(([name]) => name);
  }

  /** Forgets the event before, as a memory does that is cleared. */
  clear(): void {
    this.#before = undefined;
  }

  /**
   * The symbols of the next event, which has another symbol.
   *
   * @param time epoch seconds; without one the event gets none, because the processor would take the time of arrival
   */
  next(time: number | undefined): string[] {
    if (time === undefined) return [];
    const before = this.#before;
    this.#before = time;
    return this.#readers.flatMap(([name, read]) => {
      const value = read(time, before);
      return value === undefined ? [] : [`${name}=${value === Number.NEGATIVE_INFINITY ? "-inf" : value}`];
    });
  }
}
