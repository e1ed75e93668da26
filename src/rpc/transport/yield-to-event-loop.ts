/** Lets other work run in the middle of long work. */

/**
 * Lets other requests run in the middle of long work: waits until the runtime has polled for input. Work that waits
 * only for objects of its own process never gives the runtime that chance, and one busy client would make all others
 * wait.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
