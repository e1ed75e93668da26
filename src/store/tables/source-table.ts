/**
 * The table `sources`: the numbers of deliveries that do not fit into the state of their memory, for the
 * most recently used sources.
 */

import { KEPT_SOURCES, type Sender, type SourceNumber } from "../../processor/ports/store";
import type { Database } from "../database/database";
import { DiscardedTables } from "./discarded-tables";

/** Number of sources deleted at once when there are too many, because each deletion scans them all. */
const DELETED_AT_ONCE = 1_000;

/** Maximum number of cached counts. */
const MAX_COUNTS = 256;

/** The statements of one table. @param table its name */
function statementsOf(table: string) {
  return {
    put:
      `INSERT INTO ${table} (session, sender, source, number, heard) VALUES (?, ?, ?, ?, ?) ` +
      "ON CONFLICT (session, sender, source) DO UPDATE SET number = excluded.number, heard = excluded.heard",
    count: `SELECT count(*), coalesce(max(heard), 0) FROM ${table} WHERE session = ? AND sender = ?`,
    /** Deletes the least recently used sources. */
    forget:
      `DELETE FROM ${table} WHERE session = ?1 AND sender = ?2 AND heard <= ` +
      `(SELECT heard FROM ${table} WHERE session = ?1 AND sender = ?2 ORDER BY heard LIMIT 1 OFFSET ?3)`,
    read: `SELECT number FROM ${table} WHERE session = ? AND sender = ? AND source = ?`,
    list: `SELECT sender, source, number FROM ${table} WHERE session = ? ORDER BY heard, sender, source`,
    end: `DELETE FROM ${table} WHERE session = ?`,
  };
}

/** The counters of the sources of one kind in one memory. */
interface Count {
  /** Upper bound of the number of rows. */
  rows: number;
  /** The greatest number of `heard`. */
  heard: number;
}

/** Reads and writes the numbers of sources. */
export class SourceTable {
  readonly #database: Database;
  readonly #table: string;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #counts = new Map<string, Count>();

  /** @param prefix the beginning of the table's name; empty for the live one */
  constructor(database: Database, prefix = "") {
    this.#database = database;
    this.#table = `${prefix}sources`;
    this.#statements = statementsOf(this.#table);
  }

  /** The numbers of all sources of a memory, least recently used first. */
  list(session: string): SourceNumber[] {
    const rows = this.#database.all<[Sender, string, number]>(this.#statements.list, session);
    return rows.map(([sender, source, number]) => ({ sender, source, number }));
  }

  /** Writes the number of the most recently used source. */
  put(session: string, { sender, source, number }: SourceNumber): void {
    const count = this.#countOf(session, sender);
    count.heard++;
    count.rows++;
    this.#database.run(this.#statements.put, session, sender, source, number, count.heard);
    if (count.rows < KEPT_SOURCES + DELETED_AT_ONCE) return;
    // Replaced numbers were counted again, so count the rows.
    count.rows = this.#database.first<[number, number]>(this.#statements.count, session, sender)?.[0] ?? 0;
    if (count.rows < KEPT_SOURCES + DELETED_AT_ONCE) return;
    this.#database.run(this.#statements.forget, session, sender, DELETED_AT_ONCE - 1);
    count.rows -= DELETED_AT_ONCE;
  }

  /** The number of a source; 0 for none. */
  read(session: string, sender: Sender, source: string): number {
    return this.#database.first<[number]>(this.#statements.read, session, sender, source)?.[0] ?? 0;
  }

  /** Deletes all numbers of a session. */
  end(session: string): void {
    this.#counts.clear();
    this.#database.run(this.#statements.end, session);
  }

  /** Deletes all numbers of all sessions. */
  endAll(): void {
    this.#counts.clear();
    new DiscardedTables(this.#database).empty(this.#table, { kept: "session = ''" });
  }

  #countOf(session: string, sender: Sender): Count {
    const key = `${sender} ${session}`;
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    if (this.#counts.size >= MAX_COUNTS) this.#counts.clear();
    const [rows = 0, heard = 0] = this.#database.first<[number, number]>(this.#statements.count, session, sender) ?? [];
    const count = { rows, heard };
    this.#counts.set(key, count);
    return count;
  }
}
