/**
 * The newest events of a memory, as far as they are known: what a surprise came after. Never guesses: after a learning
 * it waits until it is told.
 */

import type { StreamEvent } from "../../client";

/** So many events before an observation say how unexpected it was: a forecast takes no more into account. */
const MOST_BEFORE = 10;

/** The newest events, oldest first. */
export class RecentEvents {
  #events: (readonly string[])[] | undefined;
  #observed: readonly string[] = [];

  /** The newest observation, and before it at most ten events that it came after; empty while they are not known. */
  get events(): readonly (readonly string[])[] {
    return this.#events ?? [];
  }

  /** Memory was read. @param events all of it, oldest first */
  replace(events: readonly (readonly string[])[]): void {
    this.#events = events.slice(-MOST_BEFORE);
  }

  /** Takes in what was heard. Events come in the order in which the server sends them. */
  hear(event: StreamEvent): void {
    // How much of memory stays depends on why it was learned.
    if (event.event === "learned") this.#events = undefined;
    if (event.event === "observed") this.#observe(event.symbols);
    // Nothing was in mind before: somebody cleared it, of which nobody is told, or a learning left nothing.
    if (event.event === "surprise" && event.surprise === null) this.#begin();
  }

  #observe(symbols: readonly string[]): void {
    this.#observed = symbols;
    if (symbols.length > 0) this.#events = this.#events && [...this.#events, symbols].slice(-MOST_BEFORE - 1);
  }

  #begin(): void {
    if (this.#observed.length > 0) this.#events = [this.#observed];
  }
}
