/** The table `sources`: the numbers of deliveries that have no place in the state of their memory, of the sources heard last. */

import { KEPT_SOURCES, type Sender, type SourceNumber } from "../../processor/ports/store";
import type { Database } from "../database/database";

/** So many are deleted at once when there are too many: each time one must look at all of them. */
const DELETED_AT_ONCE = 1_000;

/** How many counts are remembered. */
const MOST_COUNTS = 256;

const PUT =
  "INSERT INTO sources (session, sender, source, number, heard) VALUES (?, ?, ?, ?, ?) " +
  "ON CONFLICT (session, sender, source) DO UPDATE SET number = excluded.number, heard = excluded.heard";

const COUNT = "SELECT count(*), coalesce(max(heard), 0) FROM sources WHERE session = ? AND sender = ?";

/** Deletes those not heard for longest. */
const DELETE =
  "DELETE FROM sources WHERE session = ?1 AND sender = ?2 AND heard <= " +
  "(SELECT heard FROM sources WHERE session = ?1 AND sender = ?2 ORDER BY heard LIMIT 1 OFFSET ?3)";

/** The sources of one kind in one memory. */
interface Count {
  /** At least as many as there are rows. */
  rows: number;
  /** The greatest number of `heard`. */
  heard: number;
}

/** Reads and writes the numbers of sources. */
export class SourceTable {
  readonly #database: Database;
  readonly #counts = new Map<string, Count>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Writes the number of a source, which was heard last. */
  put(session: string, { sender, source, number }: SourceNumber): void {
    const count = this.#countOf(session, sender);
    count.heard++;
    count.rows++;
    this.#database.run(PUT, session, sender, source, number, count.heard);
    if (count.rows < KEPT_SOURCES + DELETED_AT_ONCE) return;
    // Numbers that replaced others were counted, too.
    count.rows = this.#database.first<[number, number]>(COUNT, session, sender)?.[0] ?? 0;
    if (count.rows < KEPT_SOURCES + DELETED_AT_ONCE) return;
    this.#database.run(DELETE, session, sender, DELETED_AT_ONCE - 1);
    count.rows -= DELETED_AT_ONCE;
  }

  /** The number of a source; 0 when there is none. */
  read(session: string, sender: Sender, source: string): number {
    const statement = "SELECT number FROM sources WHERE session = ? AND sender = ? AND source = ?";
    return this.#database.first<[number]>(statement, session, sender, source)?.[0] ?? 0;
  }

  /** Deletes all numbers of a session. */
  end(session: string): void {
    this.#counts.clear();
    this.#database.run("DELETE FROM sources WHERE session = ?", session);
  }

  /** Deletes all numbers of all sessions. */
  endAll(): void {
    this.#counts.clear();
    this.#database.run("DELETE FROM sources WHERE session > ''");
  }

  #countOf(session: string, sender: Sender): Count {
    const key = `${sender} ${session}`;
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    if (this.#counts.size >= MOST_COUNTS) this.#counts.clear();
    const [rows = 0, heard = 0] = this.#database.first<[number, number]>(COUNT, session, sender) ?? [];
    const count = { rows, heard };
    this.#counts.set(key, count);
    return count;
  }
}
