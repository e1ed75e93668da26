/** Prints text as Python 3.11's `repr` does: the name of a model is a hash of it. */

import { NON_PRINTABLE } from "./unicode-14";

/** Printable ASCII that needs no escape between single quotes. */
const PLAIN = /^[ !-&(-[\]-~]*$/;

const SHORT_ESCAPES = new Map([
  ["\\", "\\\\"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\r", "\\r"],
]);

/** Whether Python 3.11 prints this code point without an escape. */
function isPrintable(codePoint: number): boolean {
  if (codePoint < 0x7f) return codePoint >= 0x20;
  let low = 0;
  let high = NON_PRINTABLE.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((NON_PRINTABLE[2 * middle + 1] ?? 0) < codePoint) low = middle + 1;
    else high = middle;
  }
  return codePoint < (NON_PRINTABLE[2 * low] ?? Number.POSITIVE_INFINITY);
}

function escapeCodePoint(codePoint: number): string {
  const hex = codePoint.toString(16);
  if (codePoint <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return codePoint <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

function printCharacter(character: string, quote: string): string {
  if (character === quote) return `\\${quote}`;
  const short = SHORT_ESCAPES.get(character);
  if (short !== undefined) return short;
  const codePoint = character.codePointAt(0) ?? 0;
  return isPrintable(codePoint) ? character : escapeCodePoint(codePoint);
}

/** `repr` of a str. @param text well-formed Unicode */
export function reprString(text: string): string {
  if (PLAIN.test(text)) return `'${text}'`;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let body = "";
  for (const character of text) body += printCharacter(character, quote);
  return quote + body + quote;
}

/** `repr` of a list of lists of str. */
export function reprSequence(events: readonly (readonly string[])[]): string {
  return `[${events.map((symbols) => `[${symbols.map(reprString).join(", ")}]`).join(", ")}]`;
}
