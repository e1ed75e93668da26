/**
 * The tables `outbox` and `inbox`: events on their way to other processors, and what came from others that repeat themselves.
 * Numbers of the outbox are never given twice, whatever is taken out of it.
 */

import type { ForwardedEvent } from "../../processor/ports/store";
import { type Database, upsert } from "../database/database";
import { emotivesFromColumn, emotivesToColumn, textsFromColumn, textsToColumn } from "../rows/columns";

/** An event in the outbox. */
export interface OutboxEvent extends ForwardedEvent {
  /** Greater than that of every event before it. */
  number: number;
}

type OutboxColumns = [
  number: number,
  target: string,
  symbols: string,
  emotives: string,
  uniqueId: string,
  path: string,
];

const FORWARD = "INSERT INTO outbox (target, symbols, emotives, unique_id, path) VALUES (?, ?, ?, ?, ?)";
const FIRST_AFTER =
  "SELECT number, target, symbols, emotives, unique_id, path FROM outbox WHERE number > ? ORDER BY number LIMIT 1";
const PUT_TAKEN = upsert("inbox", ["source", "number"]);

/** Reads and writes what travels between processors. The caller holds the transaction of writes that belong together. */
export class DeliveryTables {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Puts an event behind all others. */
  forward({ target, symbols, emotives, uniqueId, path }: ForwardedEvent): void {
    const columns = [textsToColumn(symbols), emotivesToColumn(emotives), uniqueId, textsToColumn(path)] as const;
    this.#database.run(FORWARD, target, ...columns);
  }

  /** The event that follows a number; `undefined` when there is none. */
  firstAfter(number: number): OutboxEvent | undefined {
    const row = this.#database.first<OutboxColumns>(FIRST_AFTER, number);
    if (row === undefined) return undefined;
    const [own, target, symbols, emotives, uniqueId, path] = row;
    return {
      number: own,
      target,
      symbols: textsFromColumn(symbols),
      emotives: emotivesFromColumn(emotives),
      uniqueId,
      path: textsFromColumn(path),
    };
  }

  /** The number of the event behind all others; 0 when there is none. */
  lastNumber(): number {
    return this.#database.first<[number]>("SELECT coalesce(max(number), 0) FROM outbox")?.[0] ?? 0;
  }

  /** Takes the events up to a number out of the outbox. */
  removeUpTo(number: number): void {
    this.#database.run("DELETE FROM outbox WHERE number <= ?", number);
  }

  /** Notes up to which number a sender's deliveries were taken. */
  putTaken(source: string, number: number): void {
    this.#database.run(PUT_TAKEN, source, number);
  }

  /** Up to which number a sender's deliveries were taken; 0 when none was. */
  lastTaken(source: string): number {
    return this.#database.first<[number]>("SELECT number FROM inbox WHERE source = ?", source)?.[0] ?? 0;
  }
}
