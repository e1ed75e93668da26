/**
 * Text must be well-formed Unicode: names of models are hashes of UTF-8, and a lone surrogate has no UTF-8 encoding.
 */

import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";

/**
 * Refuses text that is not well-formed Unicode.
 * @param text any text
 * @param what names the text in the message
 * @throws Fault `invalid` when it holds a lone surrogate
 */
export function assertWellFormed(text: string, what: string): void {
  if (text.isWellFormed()) return;
  throw new Fault("invalid", `${what} must be well-formed Unicode, got ${excerpt(text)} with a lone surrogate`);
}
