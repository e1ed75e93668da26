/**
 * The events that a processor has for others: one queue, delivered in order, one after the other. They are written with the
 * observation that led to them, delivered before it is answered, and taken out of the queue when they were taken or can never be.
 * When a target cannot be reached, the queue waits, and an alarm goes on with it; a sender that crashes repeats what it may have
 * delivered, and targets take it once.
 */

import { Database } from "../store/database/database";
import { DeliveryTables, type OutboxEvent } from "../store/tables/delivery-tables";
import { Turns } from "./serial-queue";

/** When the alarm looks after events that were recorded, in milliseconds, should the object be lost before it delivers them. */
const SAFETY_MS = 5_000;

/** An alarm that is nearer than this, in milliseconds, may ring before what it is to look after is recorded. */
const NEAREST_MS = 1_000;

/** The first and the longest pause after a target could not be reached, in milliseconds. Each is twice the one before. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Carries one event to its target; rejects when that has to be tried again. */
export type Post = (event: OutboxEvent) => Promise<void>;

/** One processor's queue. */
export class Outbox {
  readonly #storage: DurableObjectStorage;
  readonly #tables: DeliveryTables;
  readonly #post: Post;
  readonly #turns = new Turns();
  #recordings = 0;
  #alarmAt = 0;
  #failures = 0;
  #pausedUntil = 0;

  /** @param storage of an object whose schema is laid down before the first event is recorded */
  constructor(storage: DurableObjectStorage, post: Post) {
    this.#storage = storage;
    this.#tables = new DeliveryTables(new Database(storage.sql));
    this.#post = post;
  }

  /** How often events were recorded. Tells a call that recorded some from one that did not. */
  get recordings(): number {
    return this.#recordings;
  }

  /** To be called when events were recorded, in the same turn, so that they and the alarm both last or neither does. */
  recorded(): void {
    this.#recordings++;
    const now = Date.now();
    if (this.#alarmAt < now + NEAREST_MS) this.#ring(now + SAFETY_MS);
  }

  /** Resolves when all events recorded until now were delivered, or have to wait for the alarm. Never rejects. */
  deliver(): Promise<void> {
    const last = this.#tables.lastNumber();
    return this.#turns.take(() => this.#deliverUpTo(last));
  }

  /** Goes on with the queue, and comes back when something is left in it; for the alarm. */
  async wake(): Promise<void> {
    this.#alarmAt = 0;
    if (this.#tables.lastNumber() === 0) return;
    // Set before anything is awaited: an alarm that is lost while it works comes back.
    this.#ring(Date.now() + SAFETY_MS);
    this.#pausedUntil = 0;
    await this.deliver();
  }

  async #deliverUpTo(last: number): Promise<void> {
    if (Date.now() < this.#pausedUntil) return;
    let delivered = 0;
    try {
      for (let event = this.#next(0, last); event !== undefined; event = this.#next(event.number, last)) {
        await this.#post(event);
        delivered = event.number;
      }
      this.#failures = 0;
    } catch {
      // Whoever posts has logged what is worth it; here only counts that the event is still to be delivered.
      this.#pause();
    }
    // One write for all of them. Lost before it: they are delivered again, and taken once.
    if (delivered > 0) this.#tables.removeUpTo(delivered);
  }

  #next(after: number, last: number): OutboxEvent | undefined {
    const event = this.#tables.firstAfter(after);
    return event !== undefined && event.number <= last ? event : undefined;
  }

  #pause(): void {
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#failures++;
    this.#pausedUntil = Date.now() + pause;
    this.#ring(this.#pausedUntil);
  }

  #ring(at: number): void {
    this.#alarmAt = at;
    // Not awaited: it lasts together with what is written in this turn, and the answer waits for both.
    void this.#storage.setAlarm(at);
  }
}
