/** The order of text by code point, which is Python's order and the order of all names in answers. */

const SURROGATE_START = 0xd800;
const SURROGATE_COUNT = 0x800;
const SURROGATE_END = SURROGATE_START + SURROGATE_COUNT;

/** Ranks surrogates after the rest of the basic plane, where the code points that they encode belong. */
function rank(unit: number): number {
  if (unit < SURROGATE_START) return unit;
  return unit < SURROGATE_END ? unit + 0x10000 : unit - SURROGATE_COUNT;
}

/**
 * Compares two strings by code point. The order of `<`, by UTF-16 unit, differs only where one string has a surrogate
 * and the other a unit of U+E000 or more.
 *
 * @returns a negative number, 0 or a positive number
 */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}
