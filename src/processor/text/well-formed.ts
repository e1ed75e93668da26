/** Text that the processor takes must be well-formed Unicode: names of models are hashes of UTF-8, which a lone surrogate has none of. */

import { Fault } from "../ports/fault";

/**
 * Refuses text that is not well-formed Unicode.
 * @param text any text
 * @param what what the text is, for the message
 * @throws Fault `invalid` when it holds a lone surrogate
 */
export function assertWellFormed(text: string, what: string): void {
  if (text.isWellFormed()) return;
  throw new Fault("invalid", `${what} must be well-formed Unicode, got ${JSON.stringify(text)} with a lone surrogate`);
}
