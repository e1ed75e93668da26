/**
 * The calls of one object that a stop must wait for. Costs one counter update for each call, and nothing for a call
 * answered at once (docs/decisions/077).
 */

import { streamCounts } from "../counts/counts";

/**
 * A client that makes several calls for one task, such as an export, makes the next one within this time, in
 * milliseconds.
 */
const NEXT_CALL_MS = 200;

/** Interval at which an object checks whether its calls are over, in milliseconds. */
const LOOK_MS = 100;

/** The calls of one object. */
export class LastCalls {
  readonly #now: () => number;
  #count = 0;
  #lastMs = 0;

  /** @param now the time in milliseconds */
  constructor(now = () => Date.now()) {
    this.#now = now;
  }

  /** Notes a call. @returns its reply, unchanged */
  note<Reply>(reply: Reply | Promise<Reply>): Reply | Promise<Reply> {
    if (streamCounts.isStopping) this.#lastMs = this.#now();
    if (!(reply instanceof Promise)) return reply;
    this.#count++;
    const over = () => {
      this.#count--;
    };
    reply.then(over, over);
    return reply;
  }

  /** Runs `end` once no call is running and none has come for a while. */
  whenOver(end: () => void): void {
    const look = () => {
      if (this.#areOver) end();
      else setTimeout(look, LOOK_MS);
    };
    setTimeout(look, LOOK_MS);
  }

  get #areOver(): boolean {
    const now = this.#now();
    // If the clock was set back, the pause restarts.
    this.#lastMs = Math.min(this.#lastMs, now);
    return streamCounts.isStopping && this.#count === 0 && now - this.#lastMs > NEXT_CALL_MS;
  }
}
