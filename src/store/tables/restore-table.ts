/** The table `restore`: the progress of a restore. The restored data is staged in other tables. */

import { type Database, upsert } from "../database/database";

/** The restore in progress. */
export interface RestoreRow {
  /** Identifies the restore, and the load that stages its knowledge. */
  restoreId: string;
  /** When something was last staged, epoch milliseconds. */
  touchedAt: number;
  /** The agent that decides about it once it is sealed; empty before. */
  agent: string;
  /** The processor's record as JSON; empty until it is staged. */
  settings: string;
}

const PUT = upsert("restore", ["row", "restore_id", "touched_at", "agent", "settings"]);

/** Reads and writes the progress. The caller holds the transaction. */
export class RestoreTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The restore in progress; `undefined` for none. */
  read(): RestoreRow | undefined {
    const row = this.#database.first<[string, number, string, string]>(
      "SELECT restore_id, touched_at, agent, settings FROM restore",
    );
    if (row === undefined) return undefined;
    const [restoreId, touchedAt, agent, settings] = row;
    return { restoreId, touchedAt, agent, settings };
  }

  /** Replaces the row. */
  put({ restoreId, touchedAt, agent, settings }: RestoreRow): void {
    this.#database.run(PUT, 0, restoreId, touchedAt, agent, settings);
  }

  drop(): void {
    this.#database.run("DELETE FROM restore");
  }
}
