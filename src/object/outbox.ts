/**
 * The events that a processor has for other processors: one queue, delivered in order, one at a time. An event is written together with
 * the observation that led to it, and delivered before that observation is answered. It leaves the queue when its target has it, or when
 * it can never be delivered. When a target cannot be reached, the queue waits and an alarm resumes it. After a crash an event may be sent
 * twice; targets observe it once.
 */

import { Database } from "../store/database/database";
import { DeliveryTables, type OutboxEvent } from "../store/tables/delivery-tables";
import { SerialQueue } from "./serial-queue";

/** When the alarm looks after recorded events, in milliseconds, in case the object is lost before it delivers them. */
const SAFETY_MS = 5_000;

/** An alarm nearer than this, in milliseconds, may ring before the events that it is for are recorded. */
const NEAREST_MS = 1_000;

/** The first and the longest pause after a target could not be reached, in milliseconds. Each pause is twice the one before. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Carries one event to its target. Rejects when that must be tried again. */
export type Relay = (event: OutboxEvent) => Promise<void>;

/** One processor's outbox. */
export class Outbox {
  readonly #storage: DurableObjectStorage;
  readonly #tables: DeliveryTables;
  readonly #relay: Relay;
  readonly #deliveries = new SerialQueue();
  #recordings = 0;
  #alarmAt = 0;
  #failures = 0;
  #pausedUntil = 0;

  /** @param storage of an object whose schema is laid down before the first event is recorded */
  constructor(storage: DurableObjectStorage, relay: Relay) {
    this.#storage = storage;
    this.#tables = new DeliveryTables(new Database(storage.sql));
    this.#relay = relay;
  }

  /** How often events were recorded: it differs after a call that recorded some. */
  get recordings(): number {
    return this.#recordings;
  }

  /** Call this when events were recorded, in the same turn, so that events and alarm are stored together or not at all. */
  recorded(): void {
    this.#recordings++;
    const now = Date.now();
    if (this.#alarmAt < now + NEAREST_MS) this.#setAlarm(now + SAFETY_MS);
  }

  /** Resolves when all events recorded so far are delivered, or wait for the alarm. Never rejects. */
  deliver(): Promise<void> {
    const last = this.#tables.lastNumber();
    return this.#deliveries.run(() => this.#deliverUpTo(last));
  }

  /** For the alarm: delivers what is in the queue, and sets the next alarm if something is left. */
  async wake(): Promise<void> {
    this.#alarmAt = 0;
    if (this.#tables.lastNumber() === 0) return;
    // Set before the first await: if the object is lost while it delivers, the alarm comes back.
    this.#setAlarm(Date.now() + SAFETY_MS);
    this.#pausedUntil = 0;
    await this.deliver();
  }

  async #deliverUpTo(last: number): Promise<void> {
    if (Date.now() < this.#pausedUntil) return;
    let delivered = 0;
    try {
      for (let event = this.#next(0, last); event !== undefined; event = this.#next(event.number, last)) {
        await this.#relay(event);
        delivered = event.number;
      }
      this.#failures = 0;
    } catch {
      // The relay has logged what is worth logging; here it matters only that the event is not delivered yet.
      this.#pause();
    }
    // One write for all of them. If the object is lost before it, they are sent again and observed once.
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
    this.#setAlarm(this.#pausedUntil);
  }

  #setAlarm(at: number): void {
    this.#alarmAt = at;
    // Not awaited: it is stored together with what this turn writes, and the answer waits for both.
    void this.#storage.setAlarm(at);
  }
}
