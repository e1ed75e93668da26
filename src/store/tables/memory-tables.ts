/** The tables `events`, `waiting_vectors` and `blacklist`: what was observed and is not learned yet, and what is never observed. */

import type { EventRow, VectorRow } from "../../processor/ports/store";
import { type Database, upsert } from "../database/database";
import { elementsToColumn, hashNameToColumn, textsFromColumn, textsToColumn } from "../rows/columns";
import { type VectorColumns, vectorOf } from "../rows/knowledge-rows";

/** A row of `events`. */
type EventColumns = [position: number, symbols: string, metadata: string];

const PUT_EVENT = upsert("events", ["position", "symbols", "metadata"]);
const PUT_WAITING = upsert("waiting_vectors", ["id", "name", "components"]);

/** Reads and writes events, waiting vectors and the blacklist. */
export class MemoryTables {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  appendEvent({ position, symbols, metadata }: EventRow): void {
    this.#database.run(PUT_EVENT, position, textsToColumn(symbols), metadata);
  }

  /** Removes the events at positions less than `before`. */
  dropEvents(before: number): void {
    this.#database.run("DELETE FROM events WHERE position < ?", before);
  }

  /** All events, by position. */
  events(): EventRow[] {
    const rows = this.#database.all<EventColumns>("SELECT position, symbols, metadata FROM events ORDER BY position");
    return rows.map(([position, symbols, metadata]) => ({ position, symbols: textsFromColumn(symbols), metadata }));
  }

  addWaiting({ id, name, components }: VectorRow): void {
    this.#database.run(PUT_WAITING, id, hashNameToColumn(name), elementsToColumn(components));
  }

  dropWaiting(): void {
    this.#database.run("DELETE FROM waiting_vectors");
  }

  /** All waiting vectors, oldest first. */
  waiting(): VectorRow[] {
    return this.#database
      .all<VectorColumns>("SELECT id, name, components FROM waiting_vectors ORDER BY id")
      .map(vectorOf);
  }

  /** Adds symbols at the end. A symbol that is on the list already keeps its place. */
  addBlacklisted(symbols: readonly string[]): void {
    const statement = "INSERT INTO blacklist (symbol) VALUES (?) ON CONFLICT (symbol) DO NOTHING";
    for (const symbol of symbols) this.#database.run(statement, symbol);
  }

  removeBlacklisted(symbols: readonly string[]): void {
    for (const symbol of symbols) this.#database.run("DELETE FROM blacklist WHERE symbol = ?", symbol);
  }

  /** In the order of adding. */
  blacklist(): string[] {
    return this.#database.all<[string]>("SELECT symbol FROM blacklist ORDER BY position").map(([symbol]) => symbol);
  }
}
