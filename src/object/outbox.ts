/**
 * A processor's events for other processors: one queue, delivered in order, one at a time. An event is written together
 * with the observation that caused it, and delivered before that observation is answered. It leaves the queue when its
 * target has it, or when it can never be delivered. When a target cannot be reached, the queue waits and an alarm
 * resumes it. After a crash an event may be sent twice; targets observe it once (docs/decisions/016).
 */

import { yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import { type OutboxEvent, OutboxTable } from "../store/tables/outbox-table";
import { outboxes } from "./counts/counts";
import { LinkCounts } from "./link-counts";
import type { ObjectAlarm, ScheduledTask } from "./object-alarm";
import { SerialQueue } from "./serial-queue";

/**
 * When the alarm checks recorded events in case the object is lost before it delivers them, in milliseconds from now.
 */
const SAFETY_MS = 5_000;

/**
 * The first and the longest pause after a target could not be reached, in milliseconds. Each pause is twice the
 * previous one.
 */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/**
 * Carries one event to its target, with the number of deliveries that it may cause. Resolves with the number it caused,
 * or with `undefined` when it can never be delivered. Rejects when it must be tried again.
 */
export type Relay = (event: OutboxEvent, mostDeliveries: number) => Promise<number | undefined>;

/** Events that one call recorded. */
interface Recorded {
  readonly count: number;
  /** Maximum number of deliveries caused by them, directly and further on; `undefined` for the budget of each event. */
  readonly most: number | undefined;
}

/** Maximum number of an isolate's consecutive deliveries before its other requests get a turn. */
const MAX_CONSECUTIVE_DELIVERIES = 32;

/** Number of this isolate's consecutive deliveries. All its objects share one thread. */
let unbroken = 0;

/** One processor's outbox. */
export class Outbox implements ScheduledTask {
  readonly #table: OutboxTable;
  readonly #alarm: ObjectAlarm;
  readonly #relay: Relay;
  readonly #budget: number;
  readonly #objectId: string;
  readonly #now: () => number;
  readonly #deliveries = new SerialQueue();
  readonly #links = new LinkCounts();
  #recordings = 0;
  #recorded: Recorded = { count: 0, most: undefined };
  #failures = 0;
  #pausedUntil = 0;
  /** The length of the current pause, in milliseconds. */
  #pauseMs = 0;

  /**
   * @param storage of an object whose schema is created before the first event is recorded
   * @param alarm the object's; the outbox adds itself to its tasks
   * @param budget the default maximum number of deliveries that an event may cause
   * @param objectId the object's own; its waiting events are counted by it
   * @param now the time in milliseconds since 1970
   */
  constructor(
    storage: DurableObjectStorage,
    alarm: ObjectAlarm,
    relay: Relay,
    budget: number,
    objectId = "",
    now = () => Date.now(),
  ) {
    this.#now = now;
    this.#objectId = objectId;
    this.#alarm = alarm;
    this.#table = new OutboxTable(storage.sql);
    this.#relay = relay;
    this.#budget = budget;
    alarm.add(this);
  }

  /** A counter that changes whenever events are recorded. */
  get recordings(): number {
    return this.#recordings;
  }

  /** Events that have left it since the object began, by link. */
  get links(): LinkCounts {
    return this.#links;
  }

  /**
   * The number of waiting events, and the processor that the first of them is for; empty when none waits. Reads at most
   * two rows.
   */
  waiting(): { waiting: number; waitsFor: string } {
    const first = this.#table.firstAfter(0);
    // Numbers have no gaps, because events leave from the front.
    return first === undefined
      ? { waiting: 0, waitsFor: "" }
      : { waiting: this.#table.lastNumber() - first.number + 1, waitsFor: first.target };
  }

  /**
   * Call this when events were recorded, in the same turn, so that events and alarm are stored together or not at all.
   *
   * @param most maximum number of deliveries caused by them, directly and further on; `undefined` for a record from
   *   outside
   */
  recorded(count: number, most: number | undefined): void {
    this.#recordings++;
    outboxes.recorded += count;
    this.#recorded = { count, most };
    this.#alarm.ringBy(this.#now() + SAFETY_MS);
  }

  /**
   * Resolves when all events recorded so far are delivered or wait for the alarm, with the number of deliveries caused
   * by the events of the last {@link recorded}. Never rejects.
   */
  deliver(): Promise<number> {
    const last = this.#table.lastNumber();
    const recorded = this.#recorded;
    this.#recorded = { count: 0, most: undefined };
    return this.#deliveries.run(() => this.#deliverUpTo(last, recorded));
  }

  /** Delivers the queue, and sets the next alarm if something is left. */
  async wake(): Promise<void> {
    if (this.#table.lastNumber() === 0) return;
    // Set before the first await: if the object is lost while it delivers, the alarm comes back.
    this.#alarm.ringBy(this.#now() + SAFETY_MS);
    this.#pausedUntil = 0;
    await this.deliver();
  }

  nextWake(): number | undefined {
    return this.#table.lastNumber() === 0 ? undefined : Math.max(this.#pauseEnd(), this.#now() + FIRST_PAUSE_MS);
  }

  async #deliverUpTo(last: number, { count, most }: Recorded): Promise<number> {
    if (this.#now() < this.#pauseEnd()) {
      outboxes.waiting.set(this.#objectId, (outboxes.waiting.get(this.#objectId) ?? 0) + count);
      return 0;
    }
    let delivered = 0;
    let caused = 0;
    try {
      for (let event = this.#next(0, last); event !== undefined; event = this.#next(event.number, last)) {
        const isOwn = event.number > last - count;
        await giveOthersATurn();
        // The budget left once the events themselves are delivered.
        const left = isOwn && most !== undefined ? most - count - caused : this.#budget;
        const further = await this.#relay(event, Math.max(left, 0));
        delivered = event.number;
        outboxes.delivered++;
        this.#links.add(event, further !== undefined);
        if (isOwn) caused += further ?? 0;
      }
      this.#failures = 0;
      outboxes.waiting.delete(this.#objectId);
    } catch {
      // The relay has logged what is worth logging; here the event just stays in the queue.
      this.#pause();
      outboxes.failures++;
      outboxes.waiting.set(this.#objectId, this.#table.countAfter(delivered));
    }
    // One write for all of them. If the object is lost before it, they are sent again, and observed once.
    if (delivered > 0) this.#table.removeUpTo(delivered);
    return caused + Math.max(0, delivered - (last - count));
  }

  #next(after: number, last: number): OutboxEvent | undefined {
    const event = this.#table.firstAfter(after);
    return event !== undefined && event.number <= last ? event : undefined;
  }

  /**
   * When the pause ends, epoch milliseconds. If the clock was set back, the pause restarts, so that it never takes
   * longer than intended.
   */
  #pauseEnd(): number {
    this.#pausedUntil = Math.min(this.#pausedUntil, this.#now() + this.#pauseMs);
    return this.#pausedUntil;
  }

  #pause(): void {
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, MAX_PAUSE_MS);
    this.#failures++;
    this.#pauseMs = pause;
    this.#pausedUntil = this.#now() + pause;
    this.#alarm.ringAt(this.#pausedUntil);
  }
}

/**
 * Deliveries wait only for objects of the same isolate, so without this no other request would be read until all are
 * done.
 */
async function giveOthersATurn(): Promise<void> {
  unbroken++;
  if (unbroken <= MAX_CONSECUTIVE_DELIVERIES) return;
  unbroken = 0;
  await yieldToEventLoop();
}
