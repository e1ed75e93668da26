/**
 * Counts the requests of one key against its limit, in this isolate alone. A bucket holds the requests of a
 * minute and fills steadily.
 */

/**
 * The cost of a request in drops: a bucket of one request a minute gains one drop a millisecond, so all counts are
 * whole numbers.
 */
const REQUEST_DROPS = 60_000;

/** A bucket, full at first. */
export class TokenBucket {
  readonly #perMinute: number;
  #drops: number;
  /** When the drops were last counted, in milliseconds of the clock. */
  #countedMs = 0;

  /** @param perMinute the requests that it holds, and that it regains in a minute; a whole number, 1 or more */
  constructor(perMinute: number) {
    this.#perMinute = perMinute;
    this.#drops = perMinute * REQUEST_DROPS;
  }

  /**
   * Takes a request out of the bucket, if it holds one.
   *
   * @param nowMs the time, in whole milliseconds of a clock that never goes back
   * @returns 0, or the whole seconds until there is one
   */
  take(nowMs: number): number {
    const gained = Math.max(0, nowMs - this.#countedMs) * this.#perMinute;
    this.#drops = Math.min(this.#perMinute * REQUEST_DROPS, this.#drops + gained);
    this.#countedMs = nowMs;
    if (this.#drops < REQUEST_DROPS) return Math.ceil((REQUEST_DROPS - this.#drops) / this.#perMinute / 1000);
    this.#drops -= REQUEST_DROPS;
    return 0;
  }
}
