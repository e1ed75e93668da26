/**
 * The table `answers`: the answers that an object keeps by idempotency key, in a fixed number of places. Its rows are
 * overwritten and never deleted, so that keeping an answer writes one row.
 */

import { type Database, upsert } from "../database/database";

/** The place of an answer, and its key. */
export interface AnswerPlace {
  /** The place, from 0. */
  slot: number;
  /** The number of the answer within the object: 1, 2, 3, … */
  number: number;
  /** The idempotency key of its call. */
  key: string;
  /** The identifier of the issued key that its call came with; empty for a configured one. */
  keyId: string;
  /** When it was stored, in whole seconds since 1970. */
  keptAt: number;
}

/** A kept answer. */
export interface AnswerRow extends AnswerPlace {
  /** Identifies its request. */
  fingerprint: Uint8Array;
  /** Whether the call is complete. False until all of its parts are done. */
  isWhole: boolean;
  /** The bytes of the reply message, so far. */
  reply: Uint8Array;
}

type PlaceColumns = [slot: number, number: number, key: string, keptAt: number];

type AnswerColumns = [...PlaceColumns, fingerprint: ArrayBuffer, whole: number, reply: ArrayBuffer];

const PLACE = ["slot", "number", "key", "kept_at"];
const COLUMNS = [...PLACE, "fingerprint", "whole", "reply"];
const PUT = upsert("answers", COLUMNS);
const READ = `SELECT ${COLUMNS.join(", ")} FROM answers WHERE slot = ?`;
const PLACES = `SELECT ${PLACE.join(", ")} FROM answers ORDER BY number`;

/** Reads and writes kept answers. The caller holds the transaction. */
export class AnswerTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The places of all kept answers, oldest first. */
  places(): AnswerPlace[] {
    return this.#database.all<PlaceColumns>(PLACES).map(placeOf);
  }

  /** The answer in a place; `undefined` for none. */
  read(slot: number): AnswerRow | undefined {
    const row = this.#database.first<AnswerColumns>(READ, slot);
    if (row === undefined) return undefined;
    const [, number, key, keptAt, fingerprint, whole, reply] = row;
    return {
      ...placeOf([slot, number, key, keptAt]),
      fingerprint: new Uint8Array(fingerprint),
      isWhole: whole === 1,
      reply: new Uint8Array(reply),
    };
  }

  /** Writes an answer, replacing the one in its slot. */
  put({ slot, number, key, keyId, fingerprint, keptAt, isWhole, reply }: AnswerRow): void {
    // The key's identifier shares a column with the key, which has no blank, so that answers kept by earlier releases
    // need no migration.
    const column = keyId === "" ? key : `${key} ${keyId}`;
    this.#database.run(PUT, slot, number, column, keptAt, fingerprint, Number(isWhole), reply);
  }
}

function placeOf([slot, number, column, keptAt]: PlaceColumns): AnswerPlace {
  const [key = "", keyId = ""] = column.split(" ");
  return { slot, number, key, keyId, keptAt };
}
