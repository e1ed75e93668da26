/**
 * The events of a working memory, as far as one can know them from what is heard: new events are added at the end, old
 * ones go at the beginning. Answers of the server set them right.
 */

import type { Schemas } from "../../client";

/** An event in mind. */
export interface HeldEvent {
  /** Tells it from all others that were ever held here. Later events have greater numbers. */
  readonly at: number;
  /** The memory's time after it; 0 where it was there before anybody listened. */
  readonly time: number;
  readonly symbols: readonly string[];
}

/** The events, oldest first. A list is never changed: each change makes a new one. */
export class HeldEvents {
  #events: readonly HeldEvent[] = [];
  #last = 0;
  /** What was heard since {@link expect}. */
  #heard: HeldEvent[] = [];

  get events(): readonly HeldEvent[] {
    return this.#events;
  }

  /** Adds events that were heard, oldest first. */
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
   * Drops the oldest events, so that those up to a time have as many symbols as memory had then.
   *
   * @param time a time of the memory
   * @param symbols how many symbols memory held then
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

  /** Memory is about to be read: what is heard from now on may be in the answer, or not. */
  expect(): void {
    this.#heard = [];
  }

  /** Takes memory as it was read, and adds what was heard meanwhile and is not in it. */
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
