/** How much processor time a key or a flow has used lately. Older time counts less. */

/** After this long, used time counts half, in milliseconds. */
const HALF_LIFE_MS = 1_000;

/** The processor time of one key or one flow. */
export class Usage {
  #ms = 0;
  #atMs = 0;

  /** Adds used time. @param nowMs the time of the clock, in milliseconds */
  add(ms: number, nowMs: number): void {
    this.#ms = this.at(nowMs) + ms;
    this.#atMs = nowMs;
  }

  /** What counts at a time of the clock, in milliseconds. */
  at(nowMs: number): number {
    // When the clock was set back, it was used just now.
    return this.#ms * 0.5 ** (Math.max(0, nowMs - this.#atMs) / HALF_LIFE_MS);
  }
}
