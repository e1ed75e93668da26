/**
 * The table `outbox`: events on their way to other processors. Numbers are never reused, even
 * after events have left it.
 */

import type { ForwardedEvent } from "../../processor/ports/store";
import type { Database } from "../database/database";
import { emotivesFromColumn, emotivesToColumn, textsFromColumn, textsToColumn } from "../rows/columns";

/** An event in the outbox. */
export interface OutboxEvent extends ForwardedEvent {
  /** Greater than that of every event before it. */
  number: number;
}

type OutboxColumns = [
  number: number,
  target: string,
  session: string,
  symbols: string,
  emotives: string,
  uniqueId: string,
  path: string,
];

const FORWARD = "INSERT INTO outbox (target, session, symbols, emotives, unique_id, path) VALUES (?, ?, ?, ?, ?, ?)";
const FIRST_AFTER =
  "SELECT number, target, session, symbols, emotives, unique_id, path FROM outbox WHERE number > ? ORDER BY number LIMIT 1";

/** Reads and writes outgoing events. The caller holds the transaction when writes belong together. */
export class OutboxTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds an event at the end. */
  forward({ target, session, symbols, emotives, uniqueId, path }: ForwardedEvent): void {
    const columns = [textsToColumn(symbols), emotivesToColumn(emotives), uniqueId, textsToColumn(path)] as const;
    this.#database.run(FORWARD, target, session, ...columns);
  }

  /** The first event after a number; `undefined` when there is none. */
  firstAfter(number: number): OutboxEvent | undefined {
    const row = this.#database.first<OutboxColumns>(FIRST_AFTER, number);
    if (row === undefined) return undefined;
    const [own, target, session, symbols, emotives, uniqueId, path] = row;
    return {
      number: own,
      target,
      session,
      symbols: textsFromColumn(symbols),
      emotives: emotivesFromColumn(emotives),
      uniqueId,
      path: textsFromColumn(path),
    };
  }

  /** The number of the last event; 0 when there is none. */
  lastNumber(): number {
    return this.#database.first<[number]>("SELECT coalesce(max(number), 0) FROM outbox")?.[0] ?? 0;
  }

  /** How many events come after a number. */
  countAfter(number: number): number {
    return this.#database.first<[number]>("SELECT count(*) FROM outbox WHERE number > ?", number)?.[0] ?? 0;
  }

  /** Removes the events up to a number, including it. */
  removeUpTo(number: number): void {
    this.#database.run("DELETE FROM outbox WHERE number <= ?", number);
  }
}
