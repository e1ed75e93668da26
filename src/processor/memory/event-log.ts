/** The events that are remembered, in order, by position. Which of them are working memory is not its to say. */

import type { EventRow } from "../ports/store";

/** How many forgotten events may lie before the first one until the array is cut. */
const SLACK = 64;

/** A window of events over ever growing positions. */
export class EventLog {
  #events: EventRow[];
  /** Index of the first remembered event. */
  #head = 0;

  /** @param events the stored events, by position without gaps */
  constructor(events: EventRow[]) {
    this.#events = events;
  }

  /** Position of the first remembered event; `undefined` when there is none. */
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

  /** The event at a remembered position. */
  at(position: number): EventRow {
    const event = this.#events[position - (this.first ?? position) + this.#head];
    if (event === undefined) throw new Error(`no event is remembered at position ${position}`);
    return event;
  }

  /** The events from position `start` (inclusive) to `end` (exclusive), all of them remembered. */
  range(start: number, end: number): EventRow[] {
    if (start === end) return [];
    const offset = this.#head - (this.first ?? start);
    return this.#events.slice(start + offset, end + offset);
  }
}
