/** Lets other requests be served in the middle of long work. */

/**
 * Waits until the runtime has looked for input. Work that only ever waits for objects of its own process does not let it: under
 * load from one client, all others would stand still until that client is done.
 */
export function giveWay(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
