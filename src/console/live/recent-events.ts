/**
 * The newest events of a memory, to show what preceded a surprise. Never guesses: after a learn it
 * waits for the next read.
 */

import type { StreamEvent } from "../../client";

/** Number of events before an observation that determine its surprise: a forecast reads no more. */
const MAX_BEFORE = 10;

/** The newest events, oldest first. */
export class RecentEvents {
  #events: (readonly string[])[] | undefined;
  #observed: readonly string[] = [];

  /** The newest observation and up to ten events before it; empty while unknown. */
  get events(): readonly (readonly string[])[] {
    return this.#events ?? [];
  }

  /** Replaces them after memory was read. @param events all of memory, oldest first */
  replace(events: readonly (readonly string[])[]): void {
    this.#events = events.slice(-MAX_BEFORE);
  }

  /** Applies a stream event. Events must come in the order in which the server sends them. */
  hear(event: StreamEvent): void {
    // What stays in memory depends on why it learned.
    if (event.event === "learned") this.#events = undefined;
    if (event.event === "observed") this.#observe(event.symbols);
    // Memory was empty before: it was cleared, for which there is no event, or a learn left nothing.
    if (event.event === "surprise" && event.surprise === null) this.#begin();
  }

  #observe(symbols: readonly string[]): void {
    this.#observed = symbols;
    if (symbols.length > 0) this.#events = this.#events && [...this.#events, symbols].slice(-MAX_BEFORE - 1);
  }

  #begin(): void {
    if (this.#observed.length > 0) this.#events = [this.#observed];
  }
}
