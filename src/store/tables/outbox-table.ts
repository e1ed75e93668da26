/**
 * The table `outbox`: events on their way to other processors. Numbers are never reused, even after their events have
 * left.
 */

import type { ForwardedEvent } from "../../processor/ports/store";
import { Database } from "../database/database";
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
  time: number | null,
];

const FORWARD =
  "INSERT INTO outbox (target, session, symbols, emotives, unique_id, path, time) VALUES (?, ?, ?, ?, ?, ?, ?)";
const FIRST_AFTER =
  "SELECT number, target, session, symbols, emotives, unique_id, path, time FROM outbox WHERE number > ? " +
  "ORDER BY number LIMIT 1";

/**
 * Maximum bytes of texts waiting for other processors: as much as two observes may send. Events collect while a target
 * cannot be reached, and every new one is read and written next to them.
 */
export const MAX_WAITING_BYTES = 67_108_864;

const SIZE = "length(symbols) + length(emotives) + length(unique_id) + length(path)";

/**
 * Number of characters waiting in each object of this isolate, if known: counting them reads every waiting event. The
 * tables of one object share it.
 */
const waitingSizes = new WeakMap<SqlStorage, number>();

/** Reads and writes outgoing events. The caller holds the transaction when writes belong together. */
export class OutboxTable {
  readonly #sql: SqlStorage;
  readonly #database: Database;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#database = new Database(sql);
  }

  /** Call it when a transaction in which events were added may have been rolled back. */
  forgetSize(): void {
    waitingSizes.delete(this.#sql);
  }

  /** Number of further bytes that may wait, counting a character as a byte; negative if more wait than may. */
  get room(): number {
    return MAX_WAITING_BYTES - this.#waitingSize();
  }

  #waitingSize(): number {
    const known = waitingSizes.get(this.#sql);
    if (known !== undefined) return known;
    const size = this.#sizeOf("");
    waitingSizes.set(this.#sql, size);
    return size;
  }

  /** Number of characters of the events that meet a condition. */
  #sizeOf(condition: string, ...values: number[]): number {
    return (
      this.#database.first<[number]>(`SELECT coalesce(sum(${SIZE}), 0) FROM outbox ${condition}`, ...values)?.[0] ?? 0
    );
  }

  /** Adds an event at the end. */
  forward({ target, session, symbols, emotives, uniqueId, time, path }: ForwardedEvent): void {
    const columns = [textsToColumn(symbols), emotivesToColumn(emotives), uniqueId, textsToColumn(path)] as const;
    const size = columns.reduce((sum, { length }) => sum + length, this.#waitingSize());
    this.#database.run(FORWARD, target, session, ...columns, time ?? null);
    waitingSizes.set(this.#sql, size);
  }

  /** The first event after a number; `undefined` for none. */
  firstAfter(number: number): OutboxEvent | undefined {
    const row = this.#database.first<OutboxColumns>(FIRST_AFTER, number);
    if (row === undefined) return undefined;
    const [own, target, session, symbols, emotives, uniqueId, path, time] = row;
    return {
      number: own,
      target,
      session,
      symbols: textsFromColumn(symbols),
      emotives: emotivesFromColumn(emotives),
      uniqueId,
      ...(time === null ? {} : { time }),
      path: textsFromColumn(path),
    };
  }

  /** The number of the last event; 0 for none. */
  lastNumber(): number {
    return this.#database.first<[number]>("SELECT coalesce(max(number), 0) FROM outbox")?.[0] ?? 0;
  }

  /** Number of events after a given number. */
  countAfter(number: number): number {
    return this.#database.first<[number]>("SELECT count(*) FROM outbox WHERE number > ?", number)?.[0] ?? 0;
  }

  /** Removes the events up to a number, including it. */
  removeUpTo(number: number): void {
    const known = waitingSizes.get(this.#sql);
    if (known !== undefined) {
      // Usually all events leave: then nothing has to be counted.
      const left = number >= this.lastNumber() ? 0 : known - this.#sizeOf("WHERE number <= ?", number);
      waitingSizes.set(this.#sql, Math.max(0, left));
    }
    this.#database.run("DELETE FROM outbox WHERE number <= ?", number);
  }
}
