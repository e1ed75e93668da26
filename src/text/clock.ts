/** Times that were noted earlier, compared with a clock that somebody may have set back since. */

/** By how much a clock goes back when it is corrected, in milliseconds. */
export const CORRECTED_MS = 1_000;

/**
 * Whether a time lies so far in the future that it was noted before the clock was set back. It
 * says nothing of now then.
 *
 * @param noted when something happened, epoch milliseconds
 * @param now epoch milliseconds
 */
export function isFuture(noted: number, now: number): boolean {
  return noted > now + CORRECTED_MS;
}
