/**
 * The events that a processor has for other processors: one queue, delivered in order, one at a time. An event is
 * written together with the observation that led to it, and delivered before that observation is answered. It leaves
 * the queue when its target has it, or when it can never be delivered. When a target cannot be reached, the queue
 * waits and an alarm resumes it. After a crash an event may be sent twice; targets observe it once
 * (docs/decisions/016).
 */

import { yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import { type OutboxEvent, OutboxTable } from "../store/tables/outbox-table";
import { outboxes } from "./counts/counts";
import { LinkCounts } from "./link-counts";
import type { ObjectAlarm, ScheduledTask } from "./object-alarm";
import { SerialQueue } from "./serial-queue";

/** When the alarm looks after recorded events, in milliseconds, in case the object is lost before it delivers them. */
const SAFETY_MS = 5_000;

/**
 * The first and the longest pause after a target could not be reached, in milliseconds. Each pause
 * is twice the one before.
 */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Carries one event to its target, and tells it how many deliveries it may cause. Resolves with how many it caused, or
 * with `undefined` when it can never be delivered. Rejects when it must be tried again.
 */
export type Relay = (event: OutboxEvent, mostDeliveries: number) => Promise<number | undefined>;

/** Events that one call recorded. */
interface Recorded {
  readonly count: number;
  /** Maximum number of deliveries for them and all that follows from them; `undefined` for the budget of each event. */
  readonly most: number | undefined;
}

/** Maximum number of deliveries of an isolate before its other requests get a turn. */
const MOST_UNBROKEN = 32;

/** How many deliveries of this isolate have followed each other. All its objects share one thread. */
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
  /** How long the pause under way is, in milliseconds. */
  #pauseMs = 0;

  /**
   * @param storage of an object whose schema is laid down before the first event is recorded
   * @param alarm the object's; the outbox adds itself to its tasks
   * @param budget the default maximum number of deliveries that an event may cause
   * @param objectId the object's own, by which its waiting events are counted
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

  /** How often events were recorded: it differs after a call that recorded some. */
  get recordings(): number {
    return this.#recordings;
  }

  /** What has left it since the object began, by link. */
  get links(): LinkCounts {
    return this.#links;
  }

  /**
   * How many events wait, and which processor the first of them is for: empty when none waits. Reads two rows at most.
   */
  waiting(): { waiting: number; waitsFor: string } {
    const first = this.#table.firstAfter(0);
    // Numbers have no gaps, and events leave from the front.
    return first === undefined
      ? { waiting: 0, waitsFor: "" }
      : { waiting: this.#table.lastNumber() - first.number + 1, waitsFor: first.target };
  }

  /**
   * Call this when events were recorded, in the same turn, so that events and alarm are stored together or not at all.
   *
   * @param most how many deliveries they, and what follows from them, may be; `undefined` for those
   *   of a record from outside
   */
  recorded(count: number, most: number | undefined): void {
    this.#recordings++;
    outboxes.recorded += count;
    this.#recorded = { count, most };
    this.#alarm.ringBy(this.#now() + SAFETY_MS);
  }

  /**
   * Resolves when all events recorded so far are delivered, or wait for the alarm: with the number of deliveries that
   * those of the last {@link recorded} caused. Never rejects.
   */
  deliver(): Promise<number> {
    const last = this.#table.lastNumber();
    const recorded = this.#recorded;
    this.#recorded = { count: 0, most: undefined };
    return this.#deliveries.run(() => this.#deliverUpTo(last, recorded));
  }

  /** Delivers what is in the queue, and sets the next alarm if something is left. */
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
        // What is left of the budget when the events themselves are delivered.
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
      // The relay has logged what is worth logging; here it matters only that the event is not delivered yet.
      this.#pause();
      outboxes.failures++;
      outboxes.waiting.set(this.#objectId, this.#table.countAfter(delivered));
    }
    // One write for all of them. If the object is lost before it, they are sent again and observed once.
    if (delivered > 0) this.#table.removeUpTo(delivered);
    return caused + Math.max(0, delivered - (last - count));
  }

  #next(after: number, last: number): OutboxEvent | undefined {
    const event = this.#table.firstAfter(after);
    return event !== undefined && event.number <= last ? event : undefined;
  }

  /**
   * When the pause ends, epoch milliseconds. If the clock was set back, the pause restarts, so that it is
   * never longer than intended.
   */
  #pauseEnd(): number {
    this.#pausedUntil = Math.min(this.#pausedUntil, this.#now() + this.#pauseMs);
    return this.#pausedUntil;
  }

  #pause(): void {
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#failures++;
    this.#pauseMs = pause;
    this.#pausedUntil = this.#now() + pause;
    this.#alarm.ringAt(this.#pausedUntil);
  }
}

/**
 * Deliveries wait for objects of the same isolate only, so without this no other request would be
 * read until all are made.
 */
async function giveOthersATurn(): Promise<void> {
  unbroken++;
  if (unbroken <= MOST_UNBROKEN) return;
  unbroken = 0;
  await yieldToEventLoop();
}
