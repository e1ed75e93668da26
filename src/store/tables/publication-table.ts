/**
 * The tables `publications` and `watched`: which messages of MQTT sessions have taken effect, and which events the MQTT
 * endpoint wants. They belong to connections and not to knowledge, so they are not backed up.
 */

import { type Database, upsert } from "../database/database";
import { DiscardedTables } from "./discarded-tables";

const PUT =
  "INSERT INTO publications (session, source, last, closed) VALUES (?, ?, ?, ?) " +
  "ON CONFLICT (session, source) DO UPDATE SET last = excluded.last, closed = excluded.closed";

const PUT_WATCHED = upsert("watched", ["row", "events"]);
const PUT_WATCHED_ANEW = upsert("watched", ["row", "events", "revision"]);

/** The messages of a source that have taken effect in a memory. */
export interface PublishedNumbers {
  /** The number of the last message that took effect; 0 for none. */
  readonly last: number;
  /** No message up to this number takes effect any more. */
  readonly closed: number;
}

/** Reads and writes both tables. The caller holds the transaction. */
export class PublicationTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The messages of a source that have taken effect in a memory. */
  numbers(session: string, source: string): PublishedNumbers {
    const read = "SELECT last, closed FROM publications WHERE session = ? AND source = ?";
    const [last = 0, closed = 0] = this.#database.first<[number, number]>(read, session, source) ?? [];
    return { last, closed };
  }

  put(session: string, source: string, { last, closed }: PublishedNumbers): void {
    this.#database.run(PUT, session, source, last, closed);
  }

  /** Deletes the numbers of a source in all memories. */
  endSource(source: string): void {
    this.#database.run("DELETE FROM publications WHERE source = ?", source);
  }

  /** Deletes the numbers of a session of the processor. */
  end(session: string): void {
    this.#database.run("DELETE FROM publications WHERE session = ?", session);
  }

  /** Deletes the numbers of all sessions of the processor. */
  endAll(): void {
    new DiscardedTables(this.#database).empty("publications", { kept: "session = ''" });
  }

  /** The events that the endpoint wants. */
  watched(): string[] {
    const row = this.#database.first<[string]>("SELECT events FROM watched");
    return row === undefined ? [] : JSON.parse(row[0]);
  }

  /** The revision of {@link watched}; 0 for none. */
  watchedRevision(): number {
    return this.#database.first<[number]>("SELECT revision FROM watched")?.[0] ?? 0;
  }

  /** Sets the events that the endpoint wants. @param revision replaces the stored one, unless it is absent */
  putWatched(events: readonly string[], revision?: number): void {
    const text = JSON.stringify(events);
    if (revision === undefined) this.#database.run(PUT_WATCHED, 0, text);
    else this.#database.run(PUT_WATCHED_ANEW, 0, text, revision);
  }
}
