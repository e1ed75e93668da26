/**
 * The one alarm of an object, for all who want to be woken. Each says when it wants to be woken next from what is stored, so nothing is
 * forgotten when the object is lost. To set an alarm is billed as a row: an alarm that rings early enough is left as it is.
 */

import { setAlarm } from "../store/database/database";

/** Rings that are no farther away are set without asking what is set. In milliseconds. */
const NEAR_MS = 10_000;

/** No alarm is set. */
const NEVER = Number.POSITIVE_INFINITY;

/** One of those that share the alarm. */
export interface Sleeper {
  /** Does what is due; the alarm may have come early. When it rejects, the runtime repeats the alarm. */
  wake(): Promise<void>;
  /** When it wants to be woken, epoch milliseconds; `undefined` when nothing is to be done. */
  nextWake(): number | undefined;
}

/** The alarm of one object. All times are epoch milliseconds. */
export class ObjectAlarm {
  readonly #storage: DurableObjectStorage;
  readonly #sleepers: Sleeper[] = [];
  /** When it rings; `undefined` when that is not known, in a new life of the object. */
  #at: number | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Has somebody woken whenever it rings. */
  add(sleeper: Sleeper): void {
    this.#sleepers.push(sleeper);
  }

  /** Makes sure that it rings at `at` or earlier. What is near is set in this turn, and stored together with what the turn writes. */
  ringBy(at: number): void {
    if (this.#at === undefined && at > Date.now() + NEAR_MS) void this.#look().then(() => this.ringBy(at));
    else if (this.#at === undefined || at < this.#at) this.ringAt(at);
  }

  /** Call this when the alarm may have been deleted together with the storage. */
  forget(): void {
    this.#at = undefined;
  }

  /** Sets it to ring at `at`, even if that is later than before. Whoever wanted it earlier is woken then. */
  ringAt(at: number): void {
    this.#at = at;
    setAlarm(this.#storage, at);
  }

  /** Makes sure that it rings some time: when none is set, at the time that `when` says, if any. */
  async ringSome(when: () => number | undefined): Promise<void> {
    await this.#look();
    if (this.#at !== NEVER) return;
    const at = when();
    if (at !== undefined) this.ringBy(at);
  }

  /** For the object's alarm: wakes all, and sets the next alarm. */
  async ring(): Promise<void> {
    this.#at = NEVER;
    const outcomes = await Promise.allSettled(this.#sleepers.map((sleeper) => sleeper.wake()));
    const next = Math.min(...this.#sleepers.map((sleeper) => sleeper.nextWake() ?? NEVER));
    if (next !== NEVER) this.ringBy(next);
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  }

  /** Finds out what is set. */
  async #look(): Promise<void> {
    if (this.#at !== undefined) return;
    const set = await this.#storage.getAlarm();
    // Meanwhile, it may have been set.
    this.#at ??= set ?? NEVER;
  }
}
