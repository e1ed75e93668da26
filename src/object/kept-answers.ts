/**
 * The answers that a processor's object keeps by idempotency key, so that a call that is repeated gets the first answer and has no
 * further effect. The caller holds the transaction of the call's effect, and drops this object when that rolls back.
 */

import { Fault } from "../processor/ports/fault";
import type { AnswerKeeper, KeptAnswer } from "../rpc/services/answer-keeper";
import type { Idempotency } from "../rpc/transport/unary";
import type { Database } from "../store/database/database";
import { type AnswerRow, AnswerTable } from "../store/tables/answer-table";
import { isFuture } from "../text/clock";

/** How many answers an object keeps. */
const MOST_KEPT = 1_000;

/** How long an answer is kept, in seconds. */
const KEPT_S = 86_400;

/** The largest reply that is kept, in bytes. */
const MAX_REPLY_BYTES = 1_048_576;

/** About how many bytes of heap a known key takes besides its characters. */
const KEY_HEAP_BYTES = 64;

/** The kept answers of one object. */
export class KeptAnswers implements AnswerKeeper {
  readonly #table: AnswerTable;
  readonly #now: () => number;
  /** The number of the latest answer of each key. Read from the table when it is first needed. */
  #numbers: Map<string, number> | undefined;
  /** The keys by the places of their answers. */
  readonly #keys: string[] = [];
  #last = 0;
  #keyLength = 0;

  /** @param now the time in milliseconds since 1970 */
  constructor(database: Database, now: () => number) {
    this.#table = new AnswerTable(database, MOST_KEPT);
    this.#now = now;
  }

  /** About how many bytes of heap the keys take. */
  get heapBytes(): number {
    return this.#keyLength + KEY_HEAP_BYTES * (this.#numbers?.size ?? 0);
  }

  find({ key, fingerprint }: Idempotency): KeptAnswer | undefined {
    const row = this.#rowOf(key);
    if (row === undefined) return undefined;
    if (isSame(row.fingerprint, fingerprint)) return row;
    throw new Fault(
      "key-reused",
      "the Idempotency-Key came with another request before; a key stands for one request: its method, path, query and body",
    );
  }

  keep({ key, fingerprint }: Idempotency, { reply, isWhole }: KeptAnswer): void {
    const begun = this.#rowOf(key);
    // The beginning of a call in parts has assured that its answer fits.
    if (begun === undefined) this.assertFits(reply.length);
    const number = begun === undefined ? this.#take(key) : begun.number;
    this.#table.put({ number, key, fingerprint, keptAt: this.#seconds(), isWhole, reply });
  }

  assertFits(bytes: number): void {
    if (bytes <= MAX_REPLY_BYTES) return;
    throw new Fault(
      "too-large",
      `with an Idempotency-Key, an answer may take ${MAX_REPLY_BYTES} bytes to keep; this one takes ${bytes}, so nothing was done`,
    );
  }

  /** The answer that is kept under a key. */
  #rowOf(key: string): AnswerRow | undefined {
    const number = this.#known().get(key);
    if (number === undefined) return undefined;
    const row = this.#table.read(number);
    const now = this.#seconds();
    if (row === undefined || row.keptAt <= now - KEPT_S) return undefined;
    // The clock was set back since it was kept: the day begins now.
    if (isFuture(1_000 * row.keptAt, 1_000 * now)) this.#table.put({ ...row, keptAt: now });
    return row;
  }

  /** The number of a new answer, whose place it takes. */
  #take(key: string): number {
    const numbers = this.#known();
    this.#last++;
    this.#forget(this.#last - MOST_KEPT, this.#keys[this.#last % MOST_KEPT]);
    this.#remember(numbers, this.#last, key);
    return this.#last;
  }

  #forget(number: number, key: string | undefined): void {
    if (key === undefined || this.#numbers?.get(key) !== number) return;
    this.#numbers.delete(key);
    this.#keyLength -= key.length;
  }

  #remember(numbers: Map<string, number>, number: number, key: string): void {
    if (!numbers.has(key)) this.#keyLength += key.length;
    numbers.set(key, number);
    this.#keys[number % MOST_KEPT] = key;
    this.#last = number;
  }

  #known(): Map<string, number> {
    if (this.#numbers !== undefined) return this.#numbers;
    const numbers = new Map<string, number>();
    for (const [number, key] of this.#table.keys()) this.#remember(numbers, number, key);
    this.#numbers = numbers;
    return numbers;
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000);
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
