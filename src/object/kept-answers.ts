/**
 * The answers that a processor's object keeps by idempotency key, so that a repeated call gets the first answer and has
 * no further effect. The caller holds the transaction of the call's effect, and drops this object if that rolls back.
 */

import { Fault } from "../processor/ports/fault";
import type { AnswerKeeper, KeptAnswer } from "../rpc/services/answer-keeper";
import type { Idempotency } from "../rpc/transport/unary";
import type { Database } from "../store/database/database";
import { type AnswerPlace, type AnswerRow, AnswerTable } from "../store/tables/answer-table";
import { isFuture } from "../text/clock";

/** Maximum number of answers of an object, over all keys. */
const MAX_KEPT = 1_000;

/** Lifetime of an answer, in seconds. */
const KEPT_S = 86_400;

/** Maximum size of a kept reply, in bytes. */
const MAX_REPLY_BYTES = 1_048_576;

/** Approximate heap bytes of an answer's entry, without the characters of its key. */
const KNOWN_HEAP_BYTES = 256;

/** The kept answers of one object. */
export class KeptAnswers implements AnswerKeeper {
  readonly #table: AnswerTable;
  readonly #now: () => number;
  /** The index of kept answers. Read from the table when first needed. */
  #known: KnownAnswers | undefined;

  /** @param now the time in milliseconds since 1970 */
  constructor(database: Database, now: () => number) {
    this.#table = new AnswerTable(database);
    this.#now = now;
  }

  /** Approximate heap bytes. */
  get heapBytes(): number {
    return this.#known?.heapBytes ?? 0;
  }

  find({ key, fingerprint }: Idempotency): KeptAnswer | undefined {
    const row = this.#rowOf(key);
    if (row === undefined) return undefined;
    if (isSame(row.fingerprint, fingerprint)) return row;
    throw new Fault(
      "key-reused",
      "the Idempotency-Key came with another request before; a key stands for one request: its method, " +
        "path, query and body",
    );
  }

  keep({ key, fingerprint, keyId = "" }: Idempotency, { reply, isWhole }: KeptAnswer): void {
    const begun = this.#rowOf(key);
    // The first piece of a call in parts has already checked that its answer fits.
    if (begun === undefined) this.assertFits(reply.length);
    const keptAt = this.#seconds();
    const place = begun ?? this.#places().take(key, keyId, keptAt, keptAt - KEPT_S);
    this.#table.put({ ...place, key, fingerprint, keptAt, isWhole, reply });
  }

  assertFits(bytes: number): void {
    if (bytes <= MAX_REPLY_BYTES) return;
    throw new Fault(
      "too-large",
      `with an Idempotency-Key, an answer may take ${MAX_REPLY_BYTES} bytes to keep; this one takes ${bytes}, ` +
        "so nothing was done",
    );
  }

  /** The answer kept under a key. */
  #rowOf(key: string): AnswerRow | undefined {
    const place = this.#places().latest(key);
    if (place === undefined) return undefined;
    const row = this.#table.read(place.slot);
    const now = this.#seconds();
    if (row === undefined || row.number !== place.number || row.keptAt <= now - KEPT_S) return undefined;
    // The clock was set back since it was kept: its day starts over.
    if (isFuture(1_000 * row.keptAt, 1_000 * now)) this.#table.put({ ...row, keptAt: now });
    return row;
  }

  #places(): KnownAnswers {
    this.#known ??= new KnownAnswers(this.#table.places());
    return this.#known;
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000);
  }
}

/**
 * The index of kept answers, by issued key. When it is full, a new answer replaces one older than a day, or else the
 * oldest of the key with the most answers: a key loses none to another key that has more.
 */
class KnownAnswers {
  /** By number, oldest first. */
  readonly #places = new Map<number, AnswerPlace>();
  /** The places of each issued key, oldest first. */
  readonly #ofKeys = new Map<string, Map<number, AnswerPlace>>();
  /** The latest answer for each idempotency key. */
  readonly #latest = new Map<string, AnswerPlace>();
  readonly #slots = new Set<number>();
  #last = 0;
  #keyLength = 0;

  /** @param places oldest first */
  constructor(places: readonly AnswerPlace[]) {
    for (const place of places) this.#add(place);
  }

  get heapBytes(): number {
    return this.#keyLength + KNOWN_HEAP_BYTES * this.#places.size;
  }

  latest(key: string): AnswerPlace | undefined {
    return this.#latest.get(key);
  }

  /** A place for a new answer. @param expired answers kept then or earlier have expired */
  take(key: string, keyId: string, keptAt: number, expired: number): AnswerPlace {
    const left = this.#places.size < MAX_KEPT ? undefined : this.#leaving(keyId, expired);
    if (left !== undefined) this.#drop(left);
    const number = this.#last + 1;
    const place = { slot: left?.slot ?? this.#freeSlot(number), number, key, keyId, keptAt };
    this.#add(place);
    return place;
  }

  /** A free place. Until answers are replaced, the first one tried is free. */
  #freeSlot(number: number): number {
    let slot = number % MAX_KEPT;
    while (this.#slots.has(slot)) slot = (slot + 1) % MAX_KEPT;
    return slot;
  }

  /** The answer to replace by a new one of an issued key. */
  #leaving(keyId: string, expired: number): AnswerPlace | undefined {
    const [oldest] = this.#places.values();
    if (oldest !== undefined && oldest.keptAt <= expired) return oldest;
    let most = this.#ofKeys.get(keyId);
    for (const places of this.#ofKeys.values()) if (places.size > (most?.size ?? 0)) most = places;
    const [first] = most?.values() ?? [];
    return first;
  }

  #add(place: AnswerPlace): void {
    const { slot, number, key, keyId } = place;
    this.#last = number;
    this.#slots.add(slot);
    this.#places.set(number, place);
    this.#latest.set(key, place);
    this.#keyLength += key.length;
    const own = this.#ofKeys.get(keyId);
    if (own === undefined) this.#ofKeys.set(keyId, new Map([[number, place]]));
    else own.set(number, place);
  }

  #drop(place: AnswerPlace): void {
    const { slot, number, key, keyId } = place;
    this.#slots.delete(slot);
    this.#places.delete(number);
    this.#keyLength -= key.length;
    if (this.#latest.get(key) === place) this.#latest.delete(key);
    const own = this.#ofKeys.get(keyId);
    own?.delete(number);
    if (own?.size === 0) this.#ofKeys.delete(keyId);
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
