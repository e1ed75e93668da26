/**
 * Deletes sessions whose time is up. For every call they are gone already; this frees their place on the disk. Works in batches, because each
 * alarm is billed and may have to build the processor.
 */

import { yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import type { Sleeper } from "./object-alarm";
import type { StoredProcessor } from "./stored-processor";

/** How long after the time of a session is up the alarm comes, in milliseconds: for all whose time is up by then. */
const BATCH_MS = 600_000;

/** How many sessions one transaction deletes. Each has to look at all sessions once, which takes longer than to delete them. */
const MOST_AT_ONCE = 5_000;

/** The sessions of one processor. */
export class SessionSweep implements Sleeper {
  readonly #stored: StoredProcessor;

  constructor(stored: StoredProcessor) {
    this.#stored = stored;
  }

  /** Deletes the sessions whose time is up; others get a turn in between. */
  async wake(): Promise<void> {
    while (this.#stored.isInService) {
      const ended = this.#stored.run(true, (processor) => processor.endSessionsOver(MOST_AT_ONCE));
      if (ended < MOST_AT_ONCE) return;
      await yieldToEventLoop();
    }
  }

  nextWake(): number | undefined {
    if (!this.#stored.isInService) return undefined;
    const end = this.#stored.processor().nextSessionEnd;
    return end === undefined ? undefined : Math.max(end, Date.now()) + BATCH_MS;
  }
}
