/**
 * Makes the symbols of the encoders that read the time of events, `clock` and `elapsed`, as a processor with these
 * encoders would. Knows no file.
 */

import Big from "big.js";
import { leastOf, ZoneClock } from "../../text/time-zones";
import type { ShownEncoders } from "./ranges";

/** The index of an event's symbol, from its time and that of the previous event; `undefined` for no symbol. */
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
    // Computed in decimal: from 0.1 to 0.3 is 0.2 seconds, which belongs to an edge of 0.2.
    const elapsed = new Big(time).minus(before).toNumber();
    return edges.findLast((edge) => edge <= elapsed) ?? Number.NEGATIVE_INFINITY;
  };
}

/** The time symbols of one memory. */
export class TimeSymbols {
  readonly #readers: readonly (readonly [name: string, read: Reader])[];
  #before: number | undefined;

  /** @param encoders all of the processor's encoders */
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

  /** Forgets the previous event, as a memory does when it is cleared. */
  clear(): void {
    this.#before = undefined;
  }

  /**
   * The time symbols of the next event, which must have at least one other symbol.
   *
   * @param time epoch seconds; an event without a time gets no symbols, because the processor would use its time of
   *   arrival
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
