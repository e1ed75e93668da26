/** Unicode text as the processor orders and accepts it: by code point, and never with a lone surrogate. */

import { Fault } from "./fault";

const LONE_SURROGATE = /[\ud800-\udfff]/u;
const SURROGATE_START = 0xd800;
const SURROGATE_COUNT = 0x800;
const SURROGATE_END = SURROGATE_START + SURROGATE_COUNT;

/** Moves surrogates behind the rest of the basic plane, where the code points that they encode belong. */
function rank(unit: number): number {
  if (unit < SURROGATE_START) return unit;
  return unit < SURROGATE_END ? unit + 0x10000 : unit - SURROGATE_COUNT;
}

/** Compares two strings by code point, as Python does; UTF-16 order differs beyond the basic plane. Negative, zero or positive. */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/**
 * Refuses text that is not well-formed Unicode.
 * @param text any text
 * @param what what the text is, for the message
 * @throws Fault `invalid` when it holds a lone surrogate
 */
export function assertWellFormed(text: string, what: string): void {
  if (LONE_SURROGATE.test(text)) {
    throw new Fault(
      "invalid",
      `${what} must be well-formed Unicode, got ${JSON.stringify(text)} with a lone surrogate`,
    );
  }
}
