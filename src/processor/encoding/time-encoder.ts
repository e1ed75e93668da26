/** An encoder of the time of events: makes a symbol of the clock's time, or of the time since the event before. */

import Big from "big.js";
import { leastOf, ZoneClock } from "../../text/time-zones";
import type { EncoderRow } from "../ports/store";
import { edgeBins } from "./bins";
import type { StoredDefinition } from "./collecting";
import { definitionOf, definitionText } from "./definition-text";
import { type Definition, isTimeDefinition, type TimeDefinition } from "./kinds";
import { symbolOf } from "./symbol";

/** Approximate heap bytes of an encoder without its text: most is the runtime's table of a zone. */
const OWN_HEAP_BYTES = 16_384;

/** When an event happened, epoch seconds. */
export interface EventTime {
  readonly time: number;
  /** When the memory's event before it happened; `undefined` where there is none, or its time was not kept. */
  readonly before: number | undefined;
}

/** Where a definition finds what its symbol names, or `undefined` for no symbol. */
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
    // In decimal: the difference of 0.3 and 0.1 is 0.2, and belongs to an edge of 0.2.
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
  /** It collects nothing. */
  readonly isCollecting = false;
  readonly collected: readonly number[] = [];
  readonly #definition: TimeDefinition;
  readonly #read: (event: EventTime) => number | undefined;

  /** @throws Fault `invalid` when the text is no definition; Error when it is one of an encoder of numbers */
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

  /** What is stored of it. */
  storedWith(): StoredDefinition {
    return { definition: this.#definition, collected: [] };
  }

  /** Whether a wanted definition is this one. */
  isAs(wanted: Definition): boolean {
    return definitionText(wanted) === this.text;
  }

  /** About how many bytes of heap it takes. */
  get heapBytes(): number {
    return OWN_HEAP_BYTES + this.text.length;
  }

  /** The symbol of an event; `undefined` for the elapsed time of a memory's first event. */
  encode(event: EventTime): string | undefined {
    const value = this.#read(event);
    return value === undefined ? undefined : symbolOf(this.name, value);
  }
}
