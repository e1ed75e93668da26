/**
 * Deletes sessions whose time is up. For every call they are gone already; this frees their place on the disk. Works in
 * batches, because each alarm is billed. Builds the processor only when there is something to delete: the alarm has
 * others who want to be woken far more often.
 */

import { yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import type { ScheduledTask } from "./object-alarm";
import type { StoredProcessor } from "./stored-processor";

/** How long after the time of a session is up the alarm comes, in milliseconds: for all whose time is up by then. */
const BATCH_MS = 600_000;

/**
 * How many sessions one transaction deletes. Each has to look at all sessions once, which takes
 * longer than to delete them.
 */
const MOST_AT_ONCE = 5_000;

/** The processor whose sessions end. */
type SweptProcessor = Pick<StoredProcessor, "isInService" | "nextSessionEnd" | "run" | "sessionTtlMs">;

/** The sessions of one processor. */
export class SessionSweep implements ScheduledTask {
  readonly #stored: SweptProcessor;
  readonly #now: () => number;

  /** @param now the time in milliseconds since 1970 */
  constructor(stored: SweptProcessor, now = () => Date.now()) {
    this.#stored = stored;
    this.#now = now;
  }

  /** Deletes the sessions whose time is up; others get a turn in between. */
  async wake(): Promise<void> {
    while (this.#isDue()) {
      const ended = await this.#stored.run(true, (processor) => processor.endSessionsOver(MOST_AT_ONCE));
      if (ended < MOST_AT_ONCE) return;
      await yieldToEventLoop();
    }
  }

  nextWake(): number | undefined {
    if (!this.#stored.isInService) return undefined;
    const end = this.#stored.nextSessionEnd;
    return end === undefined ? undefined : Math.max(end, this.#now()) + BATCH_MS;
  }

  latestWake(): number | undefined {
    const ttlMs = this.#stored.isInService ? this.#stored.sessionTtlMs : 0;
    return ttlMs === 0 ? undefined : this.#now() + ttlMs + BATCH_MS;
  }

  #isDue(): boolean {
    return this.#stored.isInService && (this.#stored.nextSessionEnd ?? Number.POSITIVE_INFINITY) <= this.#now();
  }
}
