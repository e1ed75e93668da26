/**
 * Deletes the tables that a large change has set aside, such as the sessions of a cleared processor: in pieces, between
 * the turns of calls. The alarm that begins it is stored together with the change, so an object that is lost meanwhile
 * goes on.
 */

import { yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import type { ObjectAlarm, ScheduledTask } from "./object-alarm";
import type { StoredProcessor } from "./stored-processor";
import { ownCaller, type Take } from "./turns/turns";

const CALLER = ownCaller("deletions");

/** How long an alarm deletes, in milliseconds: other tasks of the alarm wait for its end. */
const MAX_MS = 2_000;

/** The pause after a failure, such as a full disk, in milliseconds. */
const PAUSE_MS = 60_000;

/** The processor whose rows are deleted. */
type Emptied = Pick<StoredProcessor, "deleteSome" | "hasDiscarded" | "hasLateEndings">;

/** The deletions of one object. */
export class Deletions implements ScheduledTask {
  readonly #stored: Emptied;
  readonly #alarm: Pick<ObjectAlarm, "ringBy">;
  readonly #take: Take;
  readonly #now: () => number;
  /** The time of the next try, epoch milliseconds; `undefined` if the last one has not failed. */
  #retryAt: number | undefined;

  /** @param now the time, epoch milliseconds */
  constructor(stored: Emptied, alarm: Pick<ObjectAlarm, "ringBy">, take: Take, now = () => Date.now()) {
    this.#stored = stored;
    this.#alarm = alarm;
    this.#take = take;
    this.#now = now;
  }

  /** Call it when rows are left to be deleted. After a failure, they still wait for the next try. */
  isDue(): void {
    if (this.#retryAt === undefined) this.#alarm.ringBy(this.#now());
  }

  /** Deletes for a while; others get turns in between. Never rejects: the runtime gives up an alarm that often does. */
  async wake(): Promise<void> {
    const begunAt = this.#now();
    if (this.#retryAt !== undefined && begunAt < this.#retryAt) return;
    try {
      await this.#deleteWhile(() => this.#stored.hasDiscarded && this.#now() < begunAt + MAX_MS);
      this.#retryAt = undefined;
    } catch (error) {
      this.#retryAt = this.#now() + PAUSE_MS;
      const pause = `${PAUSE_MS / 1000} s`;
      console.error(`rows that were cleared or replaced could not be deleted; trying again in ${pause}: ${error}`);
    }
  }

  nextWake(): number | undefined {
    return this.#retryAt ?? (this.#stored.hasDiscarded ? this.#now() : undefined);
  }

  /** Deletes until the incidents of all deleted sessions have ended. */
  endIncidents(): Promise<void> {
    return this.#deleteWhile(() => this.#stored.hasLateEndings);
  }

  async #deleteWhile(isWanted: () => boolean): Promise<void> {
    while (isWanted()) {
      await this.#take(CALLER, () => this.#stored.deleteSome());
      await yieldToEventLoop();
    }
  }
}
