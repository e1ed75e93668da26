/** Lets other requests run in the middle of long work. */

/**
 * Waits until the runtime has looked for input. Work that waits only for objects of its own process never gives the runtime that
 * chance: under load from one client, all other clients would wait until that client is done.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
