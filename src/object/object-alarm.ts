/**
 * The single alarm of an object, shared by its scheduled tasks. Each task computes its next time from stored data, so
 * nothing is forgotten when the object is lost. Setting an alarm is billed as a row, so an alarm that rings early
 * enough is left as it is.
 */

import { setAlarm } from "../store/database/database";
import { isFuture } from "../text/clock";

/** Alarms no farther away than this are set without asking which one is set, in milliseconds. */
const NEAR_MS = 10_000;

/**
 * In a new life of the object, the alarm may be this much later than its tasks want, in milliseconds, because they have
 * forgotten the pauses that they kept only in memory.
 */
const FORGOTTEN_PAUSE_MS = 400_000;

/** No alarm is set. */
const NEVER = Number.POSITIVE_INFINITY;

/** A task that shares the alarm. */
export interface ScheduledTask {
  /** Does what is due; the alarm may be early. If it rejects, the runtime repeats the alarm. */
  wake(): Promise<void>;
  /** When to wake it next, epoch milliseconds; `undefined` if there is nothing to do. */
  nextWake(): number | undefined;
  /** A lower-cost estimate of {@link nextWake}: the same or a later time. */
  latestWake?(): number | undefined;
}

/** The alarm of one object. All times are epoch milliseconds. */
export class ObjectAlarm {
  readonly #storage: DurableObjectStorage;
  readonly #tasks: ScheduledTask[] = [];
  /** When it rings; `undefined` if unknown, in a new life of the object. */
  #at: number | undefined;
  /** Asks which alarm is set, in order to set it again; `undefined` when nothing is asking. */
  #asking: Promise<void> | undefined;
  /** Number of callers asking. */
  #asked = 0;
  /** The latest time that this life of the object has seen; `undefined` before its first call. */
  #seenMs: number | undefined;
  readonly #now: () => number;

  /** @param now the time */
  constructor(storage: DurableObjectStorage, now = () => Date.now()) {
    this.#storage = storage;
    this.#now = now;
  }

  /** Adds a task to wake whenever the alarm rings. */
  add(task: ScheduledTask): void {
    this.#tasks.push(task);
  }

  /**
   * Makes sure that it rings at `at` or earlier. A near alarm is set in this turn, and so is stored together with the
   * turn's writes.
   */
  ringBy(at: number): void {
    if (this.#at === undefined && at > this.#now() + NEAR_MS) this.#ask(at);
    else if (this.#at === undefined || at < this.#at) this.ringAt(at);
  }

  /**
   * Settles once the alarm of {@link ringBy} is set, if that had to ask first which one is set, as in a new life of the
   * object. `undefined` if it is set already. An answer that must not be lost with the alarm waits for it.
   */
  get settling(): Promise<void> | undefined {
    return this.#asking;
  }

  #ask(at: number): void {
    this.#asked++;
    this.#asking = this.#lookAndRing(at);
  }

  async #lookAndRing(at: number): Promise<void> {
    try {
      await this.#look();
      this.ringBy(at);
    } catch (error) {
      console.error(`an alarm could not be set: ${error}`);
    }
    if (--this.#asked === 0) this.#asking = undefined;
  }

  /**
   * Call this for every call and message. If the clock was set back, perhaps in an earlier life of the object, the
   * alarm would ring too late by that much, so it is set again to the time of the next task.
   */
  lookAtClock(): void {
    const now = this.#now();
    const seen = this.#seenMs;
    if (seen === undefined || isFuture(seen, now)) {
      this.#seenMs = now;
      const late = seen === undefined ? FORGOTTEN_PAUSE_MS : 0;
      this.#ringInTime(late).catch((error: unknown) => {
        console.error(`could not check whether an alarm is set too late: ${error}`);
      });
    } else if (now > seen) this.#seenMs = now;
  }

  /** Call this when the alarm may have been deleted together with the storage. */
  forget(): void {
    this.#at = undefined;
  }

  /** Sets it to ring at `at`, even if that is later than before. A task that wanted it earlier is woken then. */
  ringAt(at: number): void {
    this.#at = at;
    setAlarm(this.#storage, at);
  }

  /** Makes sure that an alarm is set: if none is, sets it to the result of `when`, if any. */
  async ringSome(when: () => number | undefined): Promise<void> {
    await this.#look();
    if (this.#at !== NEVER) return;
    const at = when();
    if (at !== undefined) this.ringBy(at);
  }

  /** For the object's alarm: wakes all, and sets the next alarm. */
  async ring(): Promise<void> {
    this.#at = NEVER;
    const outcomes = await Promise.allSettled(this.#tasks.map((task) => task.wake()));
    const next = Math.min(...this.#tasks.map((task) => task.nextWake() ?? NEVER));
    if (next !== NEVER) this.ringBy(next);
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  }

  /** @param late maximum delay of the alarm, in milliseconds */
  async #ringInTime(late: number): Promise<void> {
    await this.#look();
    const set = this.#at ?? NEVER;
    // A near alarm needs no question, and most objects have none.
    if (set === NEVER || set <= this.#now() + late) return;
    const wishes = this.#tasks.map((task) => task.latestWake?.() ?? task.nextWake() ?? NEVER);
    const at = Math.min(...wishes);
    if (at + late < set) this.ringBy(at);
  }

  /** Finds out which alarm is set. */
  async #look(): Promise<void> {
    if (this.#at !== undefined) return;
    const set = await this.#storage.getAlarm();
    // It may have been set meanwhile.
    this.#at ??= set ?? NEVER;
  }
}
