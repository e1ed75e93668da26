/** Parses JSON text from outside. Refuses text that is not JSON, or that nobody can carry further, and says where it is wrong. */

import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { jsonDepth, jsonValues, MAX_JSON_DEPTH, MAX_JSON_VALUES } from "../../text/json-depth";
import { type Located, memberPath } from "../../text/located";
import { Refusal } from "../refusal";

/** A lone surrogate can reach us only as such an escape: the body itself is valid UTF-8. */
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/**
 * Parses JSON text.
 *
 * @param start how many characters of the body stand before `source`
 * @param path where the value stands, as messages write it; empty for the whole body
 * @throws Refusal 413 when the text holds more than MAX_JSON_VALUES values; 400 when it is not JSON, naming the position, is nested
 *   deeper than MAX_JSON_DEPTH levels, or holds strings that are not well-formed Unicode
 */
export function parseJson(source: string, start: number, path: string): unknown {
  // Check the depth before the parser runs: text that is nested without end costs the parser a hundred times its own memory.
  if (jsonDepth(source) > MAX_JSON_DEPTH) {
    throw new Refusal(400, `${path || "the body"} is nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
  // Shorter text cannot hold too many. Each of many values costs the parser far more than a look at its text.
  if (source.length > MAX_JSON_VALUES && jsonValues(source) > MAX_JSON_VALUES) {
    throw new Refusal(
      413,
      `${path || "the body"} holds more than ${MAX_JSON_VALUES} values, which is all that is accepted`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (reason) {
    throw new Refusal(400, explainMalformed(source, String(reason), start));
  }
  if (ESCAPED_SURROGATE.test(source)) refuseLoneSurrogates({ value, path });
  return value;
}

/** @throws Refusal 400 naming the first string, or name of a member, that holds a lone surrogate */
function refuseLoneSurrogates(root: Located): void {
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next;
    if (typeof value === "string" && !value.isWellFormed()) throw loneSurrogate(path);
    // One by one: the arguments of one call have room on the stack for some hundred thousand only.
    if (typeof value === "object" && value !== null) for (const member of membersOf(value, path)) waiting.push(member);
  }
}

/** The members of an object or list. */
function membersOf(value: object, path: string): Located[] {
  return Object.entries(value).map(([name, inner]) => {
    if (!name.isWellFormed()) throw loneSurrogate(memberPath(path, name));
    return { value: inner, path: Array.isArray(value) ? `${path}[${name}]` : memberPath(path, name) };
  });
}

function loneSurrogate(path: string): Refusal {
  return new Refusal(400, `${path || "the body"} holds half of a surrogate pair; text must be well-formed Unicode`);
}

/**
 * One sentence that names the position of the first error.
 *
 * @param source text that is not JSON
 * @param reason what the JSON parser said, used where the position cannot be found
 */
function explainMalformed(source: string, reason: string, start: number): string {
  if (source.trim() === "") return "the body is blank; it must be JSON";
  const errors: ParseError[] = [];
  parseTree(source, errors, { disallowComments: true, allowTrailingComma: false });
  const first = errors[0];
  if (first === undefined) return `the body is not valid JSON: ${reason}`;
  const position = start === 0 ? positionIn(source, first.offset) : `position ${start + first.offset}`;
  if (/^(?:[-+]?Infinity|[-+]?NaN)\b/.test(source.slice(first.offset, first.offset + 10))) {
    return `the body is not valid JSON at ${position}: NaN and Infinity are not accepted, numbers must be finite`;
  }
  return `the body is not valid JSON at ${position}: ${splitWords(printParseErrorCode(first.error))}`;
}

function positionIn(source: string, offset: number): string {
  const before = source.slice(0, offset);
  const line = before.split("\n").length;
  const column = offset - before.lastIndexOf("\n");
  return `position ${offset} (line ${line}, column ${column})`;
}

/** Splits the library's name of an error, such as CommaExpected, into words. */
function splitWords(name: string): string {
  return name.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
