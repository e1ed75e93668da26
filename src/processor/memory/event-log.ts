/** The remembered events in order, by position. Working memory decides which of them it still needs. */

import type { EventRow } from "../ports/store";

/** About how many bytes of heap an event takes, and each of its symbols and characters. */
const EVENT_HEAP_BYTES = 200;
const SYMBOL_HEAP_BYTES = 36;

/** The most forgotten events at the start of the array before it is cut. */
const SLACK = 8;

/** The remembered events; positions only grow. */
export class EventLog {
  #events: EventRow[];
  /** The index of the first remembered event. */
  #head = 0;
  #heapBytes = 0;

  /** @param events the stored events, by position without gaps */
  constructor(events: EventRow[]) {
    this.#events = events;
    for (const event of events) this.#heapBytes += heapBytesOf(event);
  }

  /** About how many bytes of heap the remembered events take. */
  get heapBytes(): number {
    return this.#heapBytes;
  }

  /** The position of the first remembered event; `undefined` when there is none. */
  get first(): number | undefined {
    return this.#events[this.#head]?.position;
  }

  /** Adds an event after the last. */
  append(event: EventRow): void {
    this.#events.push(event);
    this.#heapBytes += heapBytesOf(event);
  }

  /** Forgets the events at positions less than `position`. */
  dropBefore(position: number): void {
    for (let event = this.#events[this.#head]; event !== undefined && event.position < position; ) {
      this.#heapBytes -= heapBytesOf(event);
      event = this.#events[++this.#head];
    }
    if (this.#head > SLACK && this.#head * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#head);
      this.#head = 0;
    }
  }

  /** The event at a position, which must be remembered. */
  at(position: number): EventRow {
    const event = this.#events[position - (this.first ?? position) + this.#head];
    if (event === undefined) throw new Error(`no event is remembered at position ${position}`);
    return event;
  }

  /** The events from position `start` (inclusive) to `end` (exclusive); all of them must be remembered. */
  range(start: number, end: number): EventRow[] {
    if (start === end) return [];
    const offset = this.#head - (this.first ?? start);
    return this.#events.slice(start + offset, end + offset);
  }
}

function heapBytesOf({ symbols, metadata }: EventRow): number {
  let bytes = EVENT_HEAP_BYTES + metadata.length;
  for (const symbol of symbols) bytes += SYMBOL_HEAP_BYTES + symbol.length;
  return bytes;
}
