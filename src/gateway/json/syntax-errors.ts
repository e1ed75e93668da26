/** Says where a body stops being JSON. Only ever called with text that the JSON parser has refused, nested no deeper than MAX_JSON_DEPTH. */

import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/**
 * One sentence that names the position of the first error.
 *
 * @param source text that is not JSON
 * @param reason what the JSON parser said, used where the position cannot be worked out
 * @param start how many characters of the body stand before `source`
 */
export function explainMalformed(source: string, reason: string, start = 0): string {
  if (source.trim() === "") return "the body is blank; it must be JSON";
  const errors: ParseError[] = [];
  parseTree(source, errors, { disallowComments: true, allowTrailingComma: false });
  const first = errors[0];
  if (first === undefined) return `the body is not valid JSON: ${reason}`;
  const where = start === 0 ? placeOf(source, first.offset) : `position ${start + first.offset}`;
  if (/^(?:[-+]?Infinity|[-+]?NaN)\b/.test(source.slice(first.offset, first.offset + 10))) {
    return `the body is not valid JSON at ${where}: NaN and Infinity are not accepted, numbers must be finite`;
  }
  return `the body is not valid JSON at ${where}: ${wordsOf(printParseErrorCode(first.error))}`;
}

function placeOf(source: string, offset: number): string {
  const before = source.slice(0, offset);
  const line = before.split("\n").length;
  const column = offset - before.lastIndexOf("\n");
  return `position ${offset} (line ${line}, column ${column})`;
}

/** Turns the library's name of an error, such as CommaExpected, into words. */
function wordsOf(name: string): string {
  return name.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
