/** The remembered events in order, by position. Working memory decides which of them it still needs. */

import { eventBytes } from "../knowledge/counting";
import type { EventRow } from "../ports/store";

/** Approximate heap bytes of an event, and of each of its symbols without its characters. */
const EVENT_HEAP_BYTES = 200;
const SYMBOL_HEAP_BYTES = 36;

/** Maximum number of forgotten events at the start of the array before it is compacted. */
const MAX_FORGOTTEN = 8;

/** The remembered events; positions only grow. */
export class EventLog {
  #events: EventRow[];
  /** The bytes that each event counts towards its memory's budget. */
  #bytes: number[];
  /** The index of the first remembered event. */
  #head = 0;
  #heapBytes = 0;

  /** @param events the stored events, by position without gaps */
  constructor(events: EventRow[]) {
    this.#events = events;
    this.#bytes = events.map(eventBytes);
    for (const [at, event] of events.entries()) this.#heapBytes += heapBytesOf(event, this.#bytes[at]);
  }

  /** Approximate heap bytes of the remembered events. */
  get heapBytes(): number {
    return this.#heapBytes;
  }

  /** The position of the first remembered event; `undefined` without events. */
  get first(): number | undefined {
    return this.#events[this.#head]?.position;
  }

  /** Adds an event after the last. */
  append(event: EventRow): void {
    const bytes = eventBytes(event);
    this.#events.push(event);
    this.#bytes.push(bytes);
    this.#heapBytes += heapBytesOf(event, bytes);
  }

  /** Forgets the events at positions less than `position`. */
  dropBefore(position: number): void {
    for (let event = this.#events[this.#head]; event !== undefined && event.position < position; ) {
      this.#heapBytes -= heapBytesOf(event, this.#bytes[this.#head]);
      event = this.#events[++this.#head];
    }
    if (this.#head > MAX_FORGOTTEN && this.#head * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#head);
      this.#bytes = this.#bytes.slice(this.#head);
      this.#head = 0;
    }
  }

  /** The event at a position, which must be remembered. */
  at(position: number): EventRow {
    const event = this.#events[position - (this.first ?? position) + this.#head];
    if (event === undefined) throw new Error(`no event is remembered at position ${position}`);
    return event;
  }

  /** The bytes that an event counts towards its memory's budget. @param position of a remembered event */
  bytesAt(position: number): number {
    return this.#bytes[position - (this.first ?? position) + this.#head] ?? 0;
  }

  /** The events from position `start` (inclusive) to `end` (exclusive); all of them must be remembered. */
  range(start: number, end: number): EventRow[] {
    if (start === end) return [];
    const offset = this.#head - (this.first ?? start);
    return this.#events.slice(start + offset, end + offset);
  }
}

/** @param bytes as computed by `eventBytes`, at least as many as its texts have characters */
function heapBytesOf({ symbols }: EventRow, bytes = 0): number {
  return EVENT_HEAP_BYTES + SYMBOL_HEAP_BYTES * symbols.length + bytes;
}
