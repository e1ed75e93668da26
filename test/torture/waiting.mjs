/**
 * Time under attack: how long an attack may take, and how long a client waits for a server. On a machine that others use, too, a wait says little about the server: what counts is the
 * processor time that the server took during it, and a part of the wait.
 */

/** Of a wait in which the server did nothing at all, this share counts: it may have waited for itself. */
const IDLE_SHARE = 0.25;

/** A wait in milliseconds: what the clock says, and what counts. */
export class Wait {
  #server;
  #began = performance.now();
  #usedBefore;

  /** Begins now. */
  constructor(server) {
    this.#server = server;
    this.#usedBefore = server.processorMs();
  }

  /** Ends now. @returns {{ clock: number, counts: number }} */
  end() {
    const clock = performance.now() - this.#began;
    const used = this.#server.processorMs() - this.#usedBefore;
    return { clock, counts: Math.min(clock, Math.max(used, clock * IDLE_SHARE)) };
  }
}

/**
 * When a part must end, so that those after it have as much time.
 *
 * @param {number} deadline of all parts, as performance.now() tells time
 * @param {number} left how many parts there are, this one too
 */
export function deadlineOfPart(deadline, left) {
  const now = performance.now();
  return now + (deadline - now) / left;
}
