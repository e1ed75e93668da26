/**
 * Makes the runtime read everything that has arrived, so that no client waits unread. While there is anything to do,
 * workerd serves the connections whose next request or message is already there, and does not look at the others: a few
 * busy clients would make all others wait. Decision 034 tells how this was found.
 */

/**
 * Minimum time between two looks, in milliseconds. During a look, requests wait until everything that has arrived is
 * read.
 */
const LOOK_EVERY_MS = 250;

/** The pauses of a look, in milliseconds; the last one is repeated. The runtime reads during a pause. */
const PAUSES_MS = [1, 2, 4, 8] as const;

/** Number of connections that workerd reads at a time. If fewer requests come during a pause, it has read them all. */
const READ_AT_ONCE = 16;

/**
 * This many such pauses in a row make sure: the first may end before the requests that were read in it have come to us.
 */
const QUIET_PAUSES = 2;

/** After this long without a request, in milliseconds, the server was idle and has read whatever had arrived. */
const IDLE_MS = 1000;

/** Maximum number of pauses in a look, because there may always be another request. */
const MAX_PAUSES = 24;

/** What arrives at one isolate. Holds plain numbers only: a request must not wait for the I/O of another. */
export class Arrivals {
  #looks = 0;
  /** When the last look ended, in milliseconds of the clock. */
  #lookedMs = 0;
  /** Number of requests that have waited for looks. */
  #waited = 0;
  /** Number of requests since the last look or the last idle time. */
  #come = 0;
  /** When the last request came, in milliseconds of the clock. */
  #lastMs = 0;
  /** Number of requests, without the messages of streams. */
  requests = 0;

  /**
   * Lets a request through: usually at once, without a promise, and now and then after a look. A device that calls only
   * occasionally never waits: as many requests as the runtime reads at a time cannot hide another.
   *
   * @returns the number of the look that it waited for, 1 or more; 0 if it was let through at once
   */
  next(): number | Promise<number> {
    this.requests += 1;
    return this.come() ? this.look() : 0;
  }

  /** Counts an arrival. @returns whether to {@link look} next */
  come(): boolean {
    const ms = Date.now();
    if (ms - this.#lastMs > IDLE_MS) this.#come = 0;
    this.#lastMs = ms;
    this.#come += 1;
    // After the clock was set back, the last look may lie in the future.
    return this.#come > READ_AT_ONCE && Math.abs(ms - this.#lookedMs) >= LOOK_EVERY_MS;
  }

  /**
   * Waits until everything is read. The first caller that notices it ends the look for all. @returns the look's number
   */
  async look(): Promise<number> {
    const looks = this.#looks;
    this.#waited += 1;
    let quiet = 0;
    for (let pauses = 0; ; pauses++) {
      const before = this.#waited;
      await pause(PAUSES_MS[Math.min(pauses, PAUSES_MS.length - 1)]);
      if (this.#looks !== looks) return this.#looks;
      quiet = this.#waited - before < READ_AT_ONCE ? quiet + 1 : 0;
      if (quiet === QUIET_PAUSES || pauses === MAX_PAUSES) break;
    }
    this.#looks += 1;
    this.#lookedMs = Date.now();
    this.#come = 0;
    return this.#looks;
  }
}

function pause(ms: number | undefined): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * The arrivals of this isolate. The gateway and the objects look together, because the runtime reads nothing while any
 * of them keeps working.
 */
export const arrivals = new Arrivals();
