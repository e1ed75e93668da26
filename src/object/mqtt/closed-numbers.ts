/**
 * The numbers up to which the messages of MQTT sessions have taken effect in a processor's memories. The most recently
 * used ones are held in memory, because a query for each message takes as long as its effect.
 */

import type { PublicationTable } from "../../store/tables/publication-table";

/** Maximum number of sessions and memories for which a number is held. */
const MAX_HELD = 1_000;

/** The numbers of one processor. */
export class ClosedNumbers {
  readonly #table: Pick<PublicationTable, "numbers" | "put">;
  readonly #held = new Map<string, number>();

  constructor(table: Pick<PublicationTable, "numbers" | "put">) {
    this.#table = table;
  }

  /**
   * The number up to which no message of a source takes effect any more. Where the memory was deleted, it may be the
   * previous one: numbers of a source only rise.
   */
  of(session: string, source: string): number {
    return this.#held.get(keyOf(session, source)) ?? this.#table.numbers(session, source).closed;
  }

  /** Writes the number of a message that took effect. The caller's turn is not over before the write is certain. */
  put(session: string, source: string, number: number): void {
    this.forget(session, source);
    this.#table.put(session, source, { last: number, closed: number });
    if (this.#held.size >= MAX_HELD) this.#held.clear();
    this.#held.set(keyOf(session, source), number);
  }

  /** Notes that the table is written elsewhere. */
  forget(session: string, source: string): void {
    this.#held.delete(keyOf(session, source));
  }
}

/** A source is a UUID. */
function keyOf(session: string, source: string): string {
  return source + session;
}
