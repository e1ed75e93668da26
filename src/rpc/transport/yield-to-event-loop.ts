/** Lets other work run in the middle of long work. */

/**
 * Lets other requests run in the middle of long work: waits until the runtime has polled for input. Work that waits
 * only for objects of its own process never gives the runtime that chance, and one busy client would make all others
 * wait.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Bytes from which a body or a message is large: others get a turn between two steps of its work. */
export const LARGE_BYTES = 1_048_576;
