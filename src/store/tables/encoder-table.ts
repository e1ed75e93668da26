/** The table `encoders`: the encoders of a processor. */

import type { EncoderRow } from "../../processor/ports/store";
import type { Database } from "../database/database";

type EncoderColumns = [number: number, name: string, definition: string];

/** The statements of one table. @param table its name */
function statementsOf(table: string) {
  return {
    change: `UPDATE ${table} SET definition = ? WHERE name = ?`,
    delete: `DELETE FROM ${table} WHERE name = ?`,
    put: `INSERT INTO ${table} (name, definition) VALUES (?, ?)`,
    restore: `INSERT INTO ${table} (number, name, definition) VALUES (?, ?, ?)`,
    read: `SELECT number, name, definition FROM ${table} ORDER BY number`,
  };
}

/** Reads and writes encoders. */
export class EncoderTable {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof statementsOf>;

  /** @param prefix the beginning of the table's name; empty for the live one */
  constructor(database: Database, prefix = "") {
    this.#database = database;
    this.#statements = statementsOf(`${prefix}encoders`);
  }

  /** Inserts or replaces an encoder, which gets a new number. @param definition a JSON object as text */
  put(name: string, definition: string): void {
    this.delete(name);
    this.#database.run(this.#statements.put, name, definition);
  }

  /** Inserts an encoder with its original number. No other may have its name or number. */
  restore({ number, name, definition }: EncoderRow): void {
    this.#database.run(this.#statements.restore, number, name, definition);
  }

  /** Replaces the definition of an encoder, which keeps its number. */
  change(name: string, definition: string): void {
    this.#database.run(this.#statements.change, definition, name);
  }

  /** Deletes an encoder. Its number is not reused. */
  delete(name: string): void {
    this.#database.run(this.#statements.delete, name);
  }

  /** All encoders, oldest first. */
  read(): EncoderRow[] {
    const rows = this.#database.all<EncoderColumns>(this.#statements.read);
    return rows.map(([number, name, definition]) => ({ number, name, definition }));
  }
}
