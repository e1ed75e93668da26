/**
 * Tables whose rows are deleted all at once. To delete the rows of a large table, SQLite reads each of its pages, which
 * takes seconds for a gigabyte. So a large table gets another name, and an empty one takes its place; what was set
 * aside is deleted in pieces afterwards. A renamed table is part of the transaction as rows are: after a crash, both
 * the empty table and the remaining work are there.
 */

import type { Database } from "../database/database";

/** The beginnings of the names of tables that were set aside, before a number and their former name. */
const DISCARDED = "discarded_";
/** Of memories in which incidents lasted: they are read until the incidents have ended, and discarded then. */
const ENDED = "ended_";

/**
 * Maximum bytes of a piece, some milliseconds of work; a single row may be larger. A table with less is emptied at
 * once: a rename reads the whole schema, and many tables would be left if the same one is emptied again and again.
 */
const MAX_PIECE_BYTES = 4_194_304;

/** Maximum number of rows of a piece. */
const MAX_PIECE_ROWS = 2_000;

/** Bytes of a row besides its texts and blobs. */
const ROW_BYTES = 64;

/** How to empty a table. */
interface Emptying {
  /** SQL for the rows that stay; none if absent. */
  readonly kept?: string;
  /** Whether incidents may last in the deleted memories. */
  readonly mayLast?: boolean;
}

/** Empties and replaces tables, and deletes what they held. The caller holds the transaction. */
export class DiscardedTables {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether a table holds so much that it is set aside to be emptied: more than a piece. */
  isLarge(table: string): boolean {
    if (this.#database.size <= MAX_PIECE_BYTES) return false;
    const { sizes } = this.#piece(table);
    return sizes.length === MAX_PIECE_ROWS || within(sizes, MAX_PIECE_BYTES) < sizes.length;
  }

  /** Whether rows are left to be deleted. */
  get isAny(): boolean {
    return this.#first(DISCARDED) !== undefined || this.#first(ENDED) !== undefined;
  }

  /** The tables of deleted memories in which incidents may still last. */
  ended(): string[] {
    return this.#named(ENDED);
  }

  /** Deletes the rows of a table, at once or by setting them aside: no read of the table sees them any more. */
  empty(table: string, { kept, mayLast = false }: Emptying = {}): void {
    if (!this.isLarge(table)) {
      this.#database.run(`DELETE FROM ${table}${kept === undefined ? "" : ` WHERE NOT (${kept})`}`);
      return;
    }
    const [text = ""] =
      this.#database.first<[string]>("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", table) ?? [];
    const aside = this.#setAside(table, mayLast ? ENDED : DISCARDED);
    this.#database.run(text);
    if (kept !== undefined) this.#database.run(`INSERT INTO ${table} SELECT * FROM ${aside} WHERE ${kept}`);
  }

  /** Deletes a table and gives its name to another. */
  replace(table: string, by: string): void {
    if (!this.isLarge(table)) this.#database.run(`DROP TABLE ${table}`);
    else this.#setAside(table, DISCARDED);
    this.#database.run(`ALTER TABLE ${by} RENAME TO ${table}`);
  }

  /** Call it when no incident lasts any more in the memories that {@link ended} names. */
  discardEnded(): void {
    for (const table of this.ended()) this.#setAside(table, DISCARDED);
  }

  /** Deletes one piece of the discarded rows, which takes some milliseconds, and the tables that are empty by then. */
  deleteSome(): void {
    for (const table of this.#named(DISCARDED)) {
      if (this.#deleteFrom(table)) return;
      this.#database.run(`DROP TABLE ${table}`);
    }
  }

  /** Deletes some rows of a table. @returns whether it had any */
  #deleteFrom(table: string): boolean {
    const { key, sizes } = this.#piece(table);
    if (sizes.length === 0) return false;
    const some = `SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT ?`;
    this.#database.run(`DELETE FROM ${table} WHERE (${key}) IN (${some})`, within(sizes, MAX_PIECE_BYTES));
    return true;
  }

  /** The sizes of the first rows of a table, as many as a piece may have, and the columns of its key. */
  #piece(table: string): { key: string; sizes: [number][] } {
    const columns = this.#database.all<[string, string, number]>(
      "SELECT name, type, pk FROM pragma_table_info(?) ORDER BY pk",
      table,
    );
    const key = columns.flatMap(([name, , place]) => (place > 0 ? [name] : [])).join(", ");
    const sized = columns.filter(([, type]) => type === "TEXT" || type === "BLOB");
    // SQLite knows the size of a column without reading it.
    const size = [ROW_BYTES, ...sized.map(([name]) => `coalesce(octet_length(${name}), 0)`)].join(" + ");
    const sizes = this.#database.all<[number]>(`SELECT ${size} FROM ${table} ORDER BY ${key} LIMIT ?`, MAX_PIECE_ROWS);
    return { key, sizes };
  }

  /** Renames a table. @returns its new name */
  #setAside(table: string, beginning: string): string {
    const numbers = this.#named(beginning).map((name) => Number.parseInt(name.slice(beginning.length), 10));
    const aside = `${beginning}${Math.max(0, ...numbers) + 1}_${table}`;
    this.#database.run(`ALTER TABLE ${table} RENAME TO ${aside}`);
    return aside;
  }

  #first(beginning: string): string | undefined {
    return this.#named(beginning)[0];
  }

  /** The names of the tables that were set aside under a beginning. */
  #named(beginning: string): string[] {
    const statement = "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB ? ORDER BY name";
    return this.#database.all<[string]>(statement, `${beginning}*`).map(([name]) => name);
  }
}

/** How many of some rows may be read or deleted at a time: one or more, unless there are none. @param most in bytes */
export function within(sizes: readonly (readonly [number])[], most: number): number {
  let bytes = 0;
  const over = sizes.findIndex(([size]) => {
    bytes += size;
    return bytes > most;
  });
  return over < 0 ? sizes.length : Math.max(1, over);
}
