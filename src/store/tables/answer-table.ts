/**
 * The table `answers`: the answers that an object keeps by idempotency key, in a ring. Its rows are overwritten and never deleted, so
 * that keeping an answer writes one row.
 */

import { type Database, upsert } from "../database/database";

/** A kept answer. */
export interface AnswerRow {
  /** Which answer of the object it is: 1, 2, 3, … */
  number: number;
  /** The idempotency key of its call. */
  key: string;
  /** Tells its request from every other request. */
  fingerprint: Uint8Array;
  /** When it was kept, in whole seconds since 1970. */
  keptAt: number;
  /** Whether the call is done. False while it has done some of its parts. */
  isWhole: boolean;
  /** The bytes of the reply message, so far. */
  reply: Uint8Array;
}

type AnswerColumns = [
  number: number,
  key: string,
  fingerprint: ArrayBuffer,
  keptAt: number,
  whole: number,
  reply: ArrayBuffer,
];

const COLUMNS = ["number", "key", "fingerprint", "kept_at", "whole", "reply"];
const PUT = upsert("answers", ["slot", ...COLUMNS]);
const READ = `SELECT ${COLUMNS.join(", ")} FROM answers WHERE slot = ?`;

/** Reads and writes kept answers. The caller holds the transaction. */
export class AnswerTable {
  readonly #database: Database;
  readonly #size: number;

  /** @param size how many answers the ring holds: the answer with number n stands in the place n modulo size */
  constructor(database: Database, size: number) {
    this.#database = database;
    this.#size = size;
  }

  /** The numbers and keys of all kept answers, oldest first. */
  keys(): [number: number, key: string][] {
    return this.#database.all<[number, string]>("SELECT number, key FROM answers ORDER BY number");
  }

  /** The answer with a number; `undefined` when another one has taken its place, or there was none. */
  read(number: number): AnswerRow | undefined {
    const row = this.#database.first<AnswerColumns>(READ, number % this.#size);
    if (row === undefined || row[0] !== number) return undefined;
    const [, key, fingerprint, keptAt, whole, reply] = row;
    return {
      number,
      key,
      fingerprint: new Uint8Array(fingerprint),
      keptAt,
      isWhole: whole === 1,
      reply: new Uint8Array(reply),
    };
  }

  /** Writes an answer, over the one that has its place. */
  put({ number, key, fingerprint, keptAt, isWhole, reply }: AnswerRow): void {
    this.#database.run(PUT, number % this.#size, number, key, fingerprint, keptAt, Number(isWhole), reply);
  }
}
