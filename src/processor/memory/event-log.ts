/** The remembered events in order, by position. Working memory decides which of them it still needs. */

import type { EventRow } from "../ports/store";

/** The most forgotten events at the start of the array before it is cut. */
const SLACK = 64;

/** The remembered events; positions only grow. */
export class EventLog {
  #events: EventRow[];
  /** The index of the first remembered event. */
  #head = 0;

  /** @param events the stored events, by position without gaps */
  constructor(events: EventRow[]) {
    this.#events = events;
  }

  /** The position of the first remembered event; `undefined` when there is none. */
  get first(): number | undefined {
    return this.#events[this.#head]?.position;
  }

  /** Adds an event after the last. */
  append(event: EventRow): void {
    this.#events.push(event);
  }

  /** Forgets the events at positions less than `position`. */
  dropBefore(position: number): void {
    while ((this.first ?? position) < position) this.#head++;
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
