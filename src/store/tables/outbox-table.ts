/**
 * The table `outbox`: events on their way to other processors. Numbers are never reused, even
 * after events have left it.
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
 * The most bytes of texts that may wait for other processors: what two observes may tell. While a target cannot be
 * reached they collect, and each that comes reads and writes beside them.
 */
export const MOST_WAITING_BYTES = 67_108_864;

const SIZE = "length(symbols) + length(emotives) + length(unique_id) + length(path)";

/**
 * How many characters wait in each object of this isolate, where it is known: to count them reads every event that
 * waits. The tables of one object share it.
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

  /** How many bytes more may wait, by about a character a byte; below 0 when more wait than may. */
  get room(): number {
    return MOST_WAITING_BYTES - this.#waitingSize();
  }

  #waitingSize(): number {
    const known = waitingSizes.get(this.#sql);
    if (known !== undefined) return known;
    const size = this.#sizeOf("");
    waitingSizes.set(this.#sql, size);
    return size;
  }

  /** How many characters the events of a condition have. */
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

  /** The first event after a number; `undefined` when there is none. */
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
    const known = waitingSizes.get(this.#sql);
    if (known !== undefined) {
      // All of them, as a rule: then nothing need be counted.
      const left = number >= this.lastNumber() ? 0 : known - this.#sizeOf("WHERE number <= ?", number);
      waitingSizes.set(this.#sql, Math.max(0, left));
    }
    this.#database.run("DELETE FROM outbox WHERE number <= ?", number);
  }
}
