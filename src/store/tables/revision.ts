/** The revision of a list that an agent keeps, such as its keys: a table of one row. */

import { AGENT_MIGRATIONS } from "../database/agent-schema";
import { type Database, upsert } from "../database/database";
import { isMigrated, migrate } from "../database/migrations";

/** Reads and advances a revision. The caller holds the transaction of every call. */
export class Revision {
  readonly #sql: SqlStorage;
  readonly #database: Database;
  readonly #read: string;
  readonly #put: string;
  #isMigrated = false;

  /** @param table the table of the revision */
  constructor(sql: SqlStorage, database: Database, table: string) {
    this.#sql = sql;
    this.#database = database;
    this.#read = `SELECT revision FROM ${table}`;
    this.#put = upsert(table, ["row", "revision"]);
  }

  /** Grows with every change; 0 if there never was one. Writes nothing before the first change. */
  read(): number {
    if (!this.#isMigrated && !isMigrated(this.#sql)) return 0;
    this.migrate();
    return this.#database.first<[number]>(this.#read)?.[0] ?? 0;
  }

  /**
   * Notes a change. The revision is taken from the clock: after the database is restored from a copy, a counter would
   * repeat values that stood for other lists.
   */
  grow(): void {
    this.#database.run(this.#put, 0, Math.max(Date.now(), this.read() + 1));
  }

  /** Creates the agent's tables, or brings them to the schema of this release. Call it before the first change. */
  migrate(): void {
    if (this.#isMigrated) return;
    migrate(this.#sql, AGENT_MIGRATIONS);
    this.#isMigrated = true;
  }
}
