/**
 * A local copy of a working memory, updated from stream events: new events are added at the end, old ones dropped at
 * the beginning. Reads from the server correct it.
 */

import type { Schemas } from "../../client";

/** An event in working memory. */
export interface HeldEvent {
  /** Unique among all events ever held here. Later events have greater numbers. */
  readonly at: number;
  /** The memory's time after it; 0 if it was there before the stream was opened. */
  readonly time: number;
  readonly symbols: readonly string[];
}

/** The events, oldest first. Lists are immutable: each change makes a new one. */
export class HeldEvents {
  #events: readonly HeldEvent[] = [];
  #last = 0;
  /** Events received since {@link expect}. */
  #heard: HeldEvent[] = [];

  get events(): readonly HeldEvent[] {
    return this.#events;
  }

  /** Adds received events, oldest first. */
  add(events: readonly Omit<HeldEvent, "at">[]): void {
    const added = events.filter(({ symbols }) => symbols.length > 0).map((event) => ({ ...event, at: ++this.#last }));
    this.#heard.push(...added);
    this.#events = [...this.#events, ...added];
  }

  /** Empties it. */
  clear(): void {
    this.#events = [];
  }

  /**
   * Drops the oldest events until those up to a time hold the number of symbols that memory held then.
   *
   * @param time a time of the memory
   * @param symbols the number of symbols that memory held then
   * @returns whether that is possible; otherwise memory must be read
   */
  trim(time: number, symbols: number): boolean {
    const until = this.#events.filter((event) => event.time <= time);
    let left = until.reduce((sum, event) => sum + event.symbols.length, 0);
    let dropped = 0;
    while (left > symbols) left -= until[dropped++]?.symbols.length ?? left;
    if (left !== symbols) return false;
    if (dropped > 0) this.#events = this.#events.slice(dropped);
    return true;
  }

  /** Call before memory is read: events received from now on may or may not be in the answer. */
  expect(): void {
    this.#heard = [];
  }

  /** Replaces the events by the answer, and adds those received meanwhile that it does not hold. */
  replace(answer: Schemas.Sequence): void {
    const heard = this.#heard;
    let known = Math.min(heard.length, answer.length);
    while (known > 0 && !heard.slice(0, known).every((event, at) => isSame(event, answer.at(at - known)))) known--;
    const before = answer.slice(0, answer.length - known);
    const old = this.#events.slice(0, this.#events.length - heard.length);
    const offset = old.length - before.length;
    const held = before.map((symbols, at) => {
      const same = old[at + offset];
      return same !== undefined && isSame(same, symbols) ? same : { at: ++this.#last, time: 0, symbols };
    });
    this.#events = [...held, ...heard];
  }
}

function isSame({ symbols }: HeldEvent, other: readonly string[] | undefined): boolean {
  return other?.length === symbols.length && symbols.every((symbol, at) => symbol === other[at]);
}
