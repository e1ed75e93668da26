/**
 * An encoder of the time of events: makes a symbol from the time of the clock, or from the time since the previous
 * event.
 */

import Big from "big.js";
import { leastOf, ZoneClock } from "../../text/time-zones";
import type { EncoderRow } from "../ports/store";
import { edgeBins } from "./bins";
import type { StoredDefinition } from "./collecting";
import { definitionOf, definitionText } from "./definition-text";
import { type Definition, isTimeDefinition, type TimeDefinition } from "./kinds";
import { symbolOf } from "./symbol";

/** Approximate heap bytes of an encoder without its text, mostly the runtime's time zone table. */
const OWN_HEAP_BYTES = 16_384;

/** When an event happened, epoch seconds. */
export interface EventTime {
  readonly time: number;
  /** When the memory's previous event happened; `undefined` without one, or if its time was not kept. */
  readonly before: number | undefined;
}

/** Reads from an event the number that its symbol names; `undefined` for no symbol. */
function readerOf(definition: TimeDefinition): (event: EventTime) => number | undefined {
  if (definition.kind === "clock") {
    const { of, step, zone } = definition;
    const clock = new ZoneClock(zone);
    const least = leastOf(of);
    return ({ time }) => {
      const value = clock.at(time)[of];
      return value - ((value - least) % step);
    };
  }
  const bins = edgeBins(definition.edges);
  return ({ time, before }) => {
    if (before === undefined) return undefined;
    // In decimal: 0.3 - 0.1 is exactly 0.2 there, so it falls into the bin that begins at 0.2.
    return bins(new Big(time).minus(before).toNumber()).from;
  };
}

/** An encoder of time as it is stored, ready to encode. */
export class TimeEncoder {
  readonly name: string;
  /** Unique within the processor, and never reused. */
  readonly number: number;
  /** The definition as canonical JSON text. */
  readonly text: string;
  /** An encoder of time has no edges to find. */
  readonly isCollecting = false;
  readonly collected: readonly number[] = [];
  readonly #definition: TimeDefinition;
  readonly #read: (event: EventTime) => number | undefined;

  /** @throws Fault `invalid` when the text is not a definition; Error when it defines an encoder of numbers */
  constructor({ name, number, definition: text }: EncoderRow) {
    const definition = definitionOf(text);
    if (!isTimeDefinition(definition)) throw new Error(`the encoder ${name} reads numbers, not the time`);
    this.name = name;
    this.number = number;
    this.text = text;
    this.#definition = definition;
    this.#read = readerOf(definition);
  }

  get kind(): TimeDefinition["kind"] {
    return this.#definition.kind;
  }

  /** Its stored form. */
  storedWith(): StoredDefinition {
    return { definition: this.#definition, collected: [] };
  }

  /** Whether a wanted definition equals its own. */
  isAs(wanted: Definition): boolean {
    return definitionText(wanted) === this.text;
  }

  /** Approximate heap bytes. */
  get heapBytes(): number {
    return OWN_HEAP_BYTES + this.text.length;
  }

  /** The symbol of an event; `undefined` for the elapsed time of a memory's first event. */
  encode(event: EventTime): string | undefined {
    const value = this.#read(event);
    return value === undefined ? undefined : symbolOf(this.name, value);
  }
}
