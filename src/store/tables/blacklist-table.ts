/** The table `blacklist`: the symbols that observations drop. */

import type { Database } from "../database/database";

/** Reads and writes the blacklist. */
export class BlacklistTable {
  readonly #database: Database;
  readonly #table: string;

  /** @param prefix the beginning of the table's name; empty for the live one */
  constructor(database: Database, prefix = "") {
    this.#database = database;
    this.#table = `${prefix}blacklist`;
  }

  /** Appends symbols. A symbol already on the list keeps its place. */
  add(symbols: readonly string[]): void {
    const statement = `INSERT INTO ${this.#table} (symbol) VALUES (?) ON CONFLICT (symbol) DO NOTHING`;
    for (const symbol of symbols) this.#database.run(statement, symbol);
  }

  has(symbol: string): boolean {
    return this.#database.all(`SELECT 1 FROM ${this.#table} WHERE symbol = ?`, symbol).length > 0;
  }

  /** The number of symbols, and of their characters together. */
  size(): { symbols: number; characters: number } {
    const statement = `SELECT count(*), coalesce(sum(length(symbol)), 0) FROM ${this.#table}`;
    const [symbols = 0, characters = 0] = this.#database.first<[number, number]>(statement) ?? [];
    return { symbols, characters };
  }

  remove(symbols: readonly string[]): void {
    for (const symbol of symbols) this.#database.run(`DELETE FROM ${this.#table} WHERE symbol = ?`, symbol);
  }

  /** In the order of adding. */
  read(): string[] {
    return this.#database
      .all<[string]>(`SELECT symbol FROM ${this.#table} ORDER BY position`)
      .map(([symbol]) => symbol);
  }
}
