/**
 * Parses incoming JSON text. Refuses text that is not JSON, or that cannot be passed on, and gives the position of the
 * error.
 */

import { type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";
import { jsonExcess } from "../../text/json-depth";
import { memberPath } from "../../text/located";
import { Refusal } from "../refusal";

/** A lone surrogate can reach us only as such an escape: the body itself is valid UTF-8. */
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/**
 * In text with more escapes and line ends than this, the position of an error is not searched: the library copies the
 * text before each escape, and handles each line end separately.
 */
const MAX_STOPS = 1_000_000;

/** The characters at which the library stops. */
const STOPS = ["\\", "\n", "\r"];

const LINE_FEED = 0x0a;

/**
 * Parses JSON text.
 *
 * @param start number of the body's characters before `source`
 * @param path the path of the value in messages; empty for the whole body
 * @throws Refusal 413 when the text holds more than MAX_JSON_VALUES values or MAX_JSON_MEMBERS distinct members; 400
 *   when it is not JSON, naming the position, is nested deeper than MAX_JSON_DEPTH levels, or holds strings that are
 *   not well-formed Unicode
 */
export function parseJson(source: string, start: number, path: string): unknown {
  checkExcess(source, path || "the body");
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (reason) {
    throw new Refusal(400, explainMalformed(source, String(reason), start));
  }
  checkSurrogates(source, value, path);
  return value;
}

/**
 * Makes sure that a parsed text holds only well-formed Unicode.
 *
 * @param value what `source` parses to
 * @throws Refusal 400 naming the first string, or name of a member, that holds half of a surrogate pair
 */
export function checkSurrogates(source: string, value: unknown, path: string): void {
  if (ESCAPED_SURROGATE.test(source) && hasLoneSurrogate(source)) refuseLoneSurrogates(value, path);
}

/**
 * Makes sure that a text may be parsed.
 *
 * @param what names it at the beginning of a sentence
 * @throws Refusal 400 when it is nested too deeply, 413 when it is too large
 */
export function checkExcess(source: string, what: string): void {
  const excess = jsonExcess(source);
  if (excess !== undefined) throw new Refusal(excess.isTooDeep ? 400 : 413, `${what} ${excess.sentence}`);
}

/** Whether valid JSON has an escape of half of a surrogate pair without the other half beside it. */
function hasLoneSurrogate(source: string): boolean {
  for (let at = source.indexOf("\\"); at >= 0; at = source.indexOf("\\", at)) {
    const unit = escapedUnit(source, at);
    if (unit >= 0xdc00 && unit <= 0xdfff) return true;
    const isHigh = unit >= 0xd800 && unit <= 0xdbff;
    if (isHigh && !isLowSurrogate(escapedUnit(source, at + 6))) return true;
    at += isHigh ? 12 : 2;
  }
  return false;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The code unit of a numeric escape at a position; -1 for none. */
function escapedUnit(source: string, at: number): number {
  if (source.charCodeAt(at) !== 0x5c || source.charCodeAt(at + 1) !== 0x75) return -1;
  return Number.parseInt(source.slice(at + 2, at + 6), 16);
}

/** @throws Refusal 400 naming the first string, or name of a member, that holds a lone surrogate */
function refuseLoneSurrogates(value: unknown, path: string): void {
  if (typeof value === "string" && !value.isWellFormed()) throw loneSurrogate(path);
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!name.isWellFormed()) throw loneSurrogate(memberPath(path, name));
    refuseLoneSurrogates(inner, Array.isArray(value) ? `${path}[${name}]` : memberPath(path, name));
  }
}

function loneSurrogate(path: string): Refusal {
  return new Refusal(400, `${path || "the body"} holds half of a surrogate pair; text must be well-formed Unicode`);
}

/**
 * One sentence that names the position of the first error.
 *
 * @param source text that is not JSON
 * @param reason the JSON parser's message, used if the position cannot be found
 */
function explainMalformed(source: string, reason: string, start: number): string {
  if (source.trim() === "") return "the body is blank; it must be JSON";
  const first = firstError(source);
  if (first === undefined) return `the body is not valid JSON: ${reason}`;
  const position = start === 0 ? positionIn(source, first.offset) : `position ${start + first.offset}`;
  if (/^(?:[-+]?Infinity|[-+]?NaN)\b/.test(source.slice(first.offset, first.offset + 10))) {
    return `the body is not valid JSON at ${position}: NaN and Infinity are not accepted, numbers must be finite`;
  }
  return `the body is not valid JSON at ${position}: ${splitWords(printParseErrorCode(first.error))}`;
}

/** The position and kind of a text's first error; `undefined` when that takes too long to find out. */
function firstError(source: string): { readonly error: ParseErrorCode; readonly offset: number } | undefined {
  let stops = 0;
  for (const stop of STOPS) {
    for (let at = source.indexOf(stop); at >= 0 && stops <= MAX_STOPS; at = source.indexOf(stop, at + 1)) stops += 1;
  }
  if (stops > MAX_STOPS) return undefined;
  let first: { readonly error: ParseErrorCode; readonly offset: number } | undefined;
  const stop = new Error("found");
  const onError = (error: ParseErrorCode, offset: number) => {
    first = { error, offset };
    throw stop;
  };
  try {
    visit(source, { onError }, { disallowComments: true, allowTrailingComma: false });
  } catch (reason) {
    if (reason !== stop) throw reason;
  }
  return first;
}

function positionIn(source: string, offset: number): string {
  let line = 1;
  let begin = 0;
  for (let i = 0; i < offset; i++) {
    if (source.charCodeAt(i) !== LINE_FEED) continue;
    line += 1;
    begin = i + 1;
  }
  return `position ${offset} (line ${line}, column ${offset - begin + 1})`;
}

/** Splits the library's name of an error, such as CommaExpected, into words. */
function splitWords(name: string): string {
  return name.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
