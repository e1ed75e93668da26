/** Compares recorded times with a clock that may have been set back since. */

/** Milliseconds in a second. */
export const MS_PER_SECOND = 1_000;

/** The largest backward step of an ordinary clock correction, in milliseconds. */
export const CORRECTED_MS = 1_000;

/**
 * Whether a time is so far in the future that it must have been recorded before the clock was set back, and so is
 * meaningless.
 *
 * @param noted when something happened, epoch milliseconds
 * @param now epoch milliseconds
 */
export function isFuture(noted: number, now: number): boolean {
  return noted > now + CORRECTED_MS;
}
