/**
 * Notices that the machine's clock was set back. An object of workerd then sees no time pass until the clock is where
 * it was before, and its timers do not ring; while it waits for one, it stays in memory. A new workerd has the right
 * time.
 */

/** How often to look, in milliseconds: objects must not see a wrong clock that is corrected between two looks. */
const LOOK_EVERY_MS = 500;

/** A smaller step back is no reason for a restart: objects wait for as long. */
export const MIN_STEP_MS = 5000;

/**
 * Looks at the clock regularly from now on, and compares it with the monotonic one.
 *
 * @param {(stepMs: number) => void} setBack called with the length of a step back, in milliseconds
 * @returns {() => void} ends the watch
 */
export function watchClock(setBack) {
  let lead = Date.now() - performance.now();
  const looking = setInterval(() => {
    const before = lead;
    lead = Date.now() - performance.now();
    if (before - lead >= MIN_STEP_MS) setBack(before - lead);
  }, LOOK_EVERY_MS);
  return () => clearInterval(looking);
}
