/** Recent processor time of a key or a flow. Older time counts less. */

/** Half-life of used time, in milliseconds. */
const HALF_LIFE_MS = 1_000;

/** The processor time of one key or one flow. */
export class Usage {
  #ms = 0;
  #atMs = 0;

  /** Adds used time. @param nowMs the clock, in milliseconds */
  add(ms: number, nowMs: number): void {
    this.#ms = this.at(nowMs) + ms;
    this.#atMs = nowMs;
  }

  /** The time that counts now. @param nowMs the clock, in milliseconds */
  at(nowMs: number): number {
    // If the clock was set back, treat the time as just used.
    return this.#ms * 0.5 ** (Math.max(0, nowMs - this.#atMs) / HALF_LIFE_MS);
  }
}
