/** Asks for confirmation before data is lost, if there is a user to answer. */

import { createInterface } from "node:readline/promises";
import type { Context } from "./context";

/**
 * If stdin is a terminal, asks on stderr and waits for the answer.
 *
 * @param question what would happen, as a sentence
 * @throws Error if the answer is not yes
 */
export async function confirm(question: string, { stdin, output, signal }: Context): Promise<void> {
  if ((stdin as NodeJS.ReadStream).isTTY !== true) return;
  output.note(`${question} Go on? Type yes, or anything else to change nothing.`);
  const lines = createInterface({ input: stdin, signal });
  try {
    const { value = "" } = await lines[Symbol.asyncIterator]().next();
    signal.throwIfAborted();
    if (!/^y(?:es)?$/i.test(value.trim())) throw new Error("nothing was changed");
  } finally {
    lines.close();
  }
}
