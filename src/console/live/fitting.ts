/** Asks for less of an answer that is too large to send. Knows no view. */

import { NoemaError } from "../../client";

/** Whether an answer was refused for its bytes. Other refusals, such as for steps of matching, cost time again. */
export function isTooLargeToSend(error: unknown): boolean {
  return error instanceof NoemaError && error.status === 413 && error.message.includes("bytes as JSON");
}

/**
 * The answer with as many members as fit, of at most a number: half of it, and so on.
 *
 * @param ask asks for at most that number of members
 * @returns `undefined` if not even one fits
 */
export async function fitting<Answer>(
  most: number,
  ask: (most: number) => Promise<Answer>,
): Promise<Answer | undefined> {
  for (let top = most; top > 0; top = Math.floor(top / 2)) {
    try {
      return await ask(top);
    } catch (error) {
      if (!isTooLargeToSend(error)) throw error;
    }
  }
  return undefined;
}
