/** Keeps a server running: starts it again when it ends by itself or hangs, each time after a longer pause. */

import { setTimeout as pause } from "node:timers/promises";
import { Complaint } from "./complaint.mjs";

/** The pause before a server that ended starts again. It doubles each time. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;

/** After answering for this long a server counts as stable, and the pauses start over. */
const STEADY_MS = 60_000;

/** Pauses before another start, and logs why and for how long. */
class Backoff {
  #pauseMs = FIRST_PAUSE_MS;

  reset() {
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  async pause(reason, stop) {
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    console.error(`${reason} The server starts again in ${pauseMs / 1000} s; all that it answered is stored.`);
    await pause(pauseMs, undefined, { signal: stop });
  }
}

/** Starts until a start succeeds. Throws a Complaint when too many in a row fail. */
async function startAgain(start, stop, failedStarts, backoff, end) {
  let reason = end;
  for (let failed = 0; failed < failedStarts; failed++) {
    await backoff.pause(reason, stop);
    try {
      return await start();
    } catch (error) {
      if (stop.aborted || !(error instanceof Complaint)) throw error;
      reason = error.message;
    }
  }
  throw new Complaint(`${reason} That was the last of ${failedStarts} failed starts in a row; the state is safe.`);
}

/**
 * Starts a server, and restarts it whenever it ends by itself, until `stop` aborts. A server that has
 * answered is restarted without limit: otherwise an attacker who can crash it could take it down for good.
 * Gives up if it never answers.
 *
 * @template {{ ended: Promise<string> }} Server `ended` resolves to a sentence that says why it ended
 * @param {(previous?: Server) => Promise<Server>} start starts the server, or starts it again in place of the previous
 *   one; resolves once it answers. An error of the first start is the caller's
 * @param {AbortSignal} stop ends the server
 * @param {number} failedStarts after how many failed starts in a row to give up
 * @returns {Promise<void>} resolves when the server has ended after `stop`; throws a Complaint when it gives up
 */
export async function supervise(start, stop, failedStarts) {
  const backoff = new Backoff();
  let server = await start();
  for (;;) {
    const since = Date.now();
    const end = await server.ended;
    if (stop.aborted) return;
    if (Date.now() - since >= STEADY_MS) backoff.reset();
    const previous = server;
    server = await startAgain(() => start(previous), stop, failedStarts, backoff, end);
  }
}
