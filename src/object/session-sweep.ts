/**
 * Deletes expired sessions. Calls already treat them as gone; this frees their disk space. Works in batches, because
 * each alarm is billed. Builds the processor only when there is something to delete, because the alarm rings far more
 * often for other tasks.
 */

import { yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import type { ScheduledTask } from "./object-alarm";
import type { StoredProcessor } from "./stored-processor";

/** How long after a session's expiry the alarm comes, in milliseconds, to cover all that have expired by then. */
const BATCH_MS = 600_000;

/**
 * Maximum number of sessions deleted in one transaction; fewer where they are large. Each transaction scans all
 * sessions once, which takes longer than the deletions of small ones.
 */
const MAX_AT_ONCE = 5_000;

/** The processor whose sessions expire. */
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

  /** Deletes the expired sessions; others get turns in between. */
  async wake(): Promise<void> {
    if (!this.#isDue()) return;
    for (;;) {
      const ended = await this.#stored.run(true, (processor) => processor.endSessionsOver(MAX_AT_ONCE));
      if (ended === 0 || !this.#isDue()) return;
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
