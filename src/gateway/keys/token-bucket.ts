/** Counts the requests of one key against its limit, in this isolate alone. A bucket holds the requests of a minute and fills steadily. */

const MINUTE_MS = 60_000;

/** A bucket, full at first. */
export class TokenBucket {
  readonly #size: number;
  #tokens: number;
  /** When the tokens were counted last, in milliseconds of the clock. */
  #countedMs = 0;

  /** @param perMinute how many requests it holds, and how many come back in a minute; 1 or more */
  constructor(perMinute: number) {
    this.#size = perMinute;
    this.#tokens = perMinute;
  }

  /**
   * Takes a request out of the bucket, if it holds one.
   *
   * @param nowMs the time, in milliseconds of a clock that never goes back
   * @returns 0, or in how many whole seconds there is one
   */
  take(nowMs: number): number {
    const perMs = this.#size / MINUTE_MS;
    this.#tokens = Math.min(this.#size, this.#tokens + Math.max(0, nowMs - this.#countedMs) * perMs);
    this.#countedMs = nowMs;
    if (this.#tokens < 1) return Math.ceil((1 - this.#tokens) / perMs / 1000);
    this.#tokens -= 1;
    return 0;
  }
}
