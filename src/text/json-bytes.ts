/** The size of texts in JSON, in bytes, without creating the JSON. Used for rows, answers and backups. */

const FIRST_PRINTED = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The control characters that JSON writes as a backslash and a letter: \b, \t, \n, \f and \r. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

/** Maximum bytes of a UTF-16 unit: JSON writes a control character as \u and four digits. */
export const MAX_UNIT_BYTES = 6;

/**
 * Bytes of a text as a JSON string in UTF-8, without its quotation marks.
 *
 * @param text without lone surrogates
 */
export function jsonBytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) bytes += excessOf(text.charCodeAt(at));
  return bytes;
}

/** The number of bytes beyond one that a UTF-16 unit takes. A surrogate is half of four bytes. */
function excessOf(unit: number): number {
  if (unit < FIRST_PRINTED) return SHORT_ESCAPES.has(unit) ? 1 : MAX_UNIT_BYTES - 1;
  if (unit < 0x80) return unit === QUOTE || unit === BACKSLASH ? 1 : 0;
  return unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
}
