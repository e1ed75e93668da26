/**
 * Checks metadata: JSON text that is stored unchanged. The limits ensure that every exported file can be loaded again.
 */

import { excerpt } from "../../text/excerpt";
import { jsonDepth, jsonValues, MAX_JSON_DEPTH, MAX_JSON_VALUES } from "../../text/json-depth";
import { Fault } from "../ports/fault";
import { assertWellFormed } from "../text/well-formed";

/**
 * Maximum nesting of metadata, counting itself: two levels less than a body's, because a body holds metadata two levels
 * down.
 */
const MAX_LEVELS = MAX_JSON_DEPTH - 2;
/**
 * Only an escape can hide a lone surrogate, and only an exponent or many digits can exceed the range of doubles. Other
 * text needs no walk.
 */
const NEEDS_A_WALK = /\\u[dD][89a-fA-F]|\d[eE]\+?\d{3}|\d{300}/;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Answer text that is not JSON with the refusal for JSON that is not an object.
    return undefined;
  }
}

/** @throws Fault `invalid` when a string in a value has a lone surrogate or a number is infinite */
function assertStorable(value: unknown, what: string): void {
  if (typeof value === "string") assertWellFormed(value, what);
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new Fault("invalid", `${what} must hold finite numbers only, got one that is too large for a double`);
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    assertWellFormed(name, what);
    assertStorable(member, what);
  }
}

/**
 * Checks a metadata text and returns it; empty text becomes `{}`.
 * @param what names the metadata in the message
 * @throws Fault `too-large` when it holds more than {@link MAX_JSON_VALUES} values; `invalid` when it is not a JSON
 *   object, is nested deeper than {@link MAX_LEVELS} levels, or holds text that is not well-formed Unicode or a number
 *   that no double can hold
 */
export function checkMetadata(text: string, what: string): string {
  if (text === "" || text === "{}") return "{}";
  assertWellFormed(text, what);
  if (jsonDepth(text) > MAX_LEVELS) {
    throw new Fault("invalid", `${what} must be nested at most ${MAX_LEVELS} levels deep, got ${excerpt(text)}`);
  }
  // A message of a service carries metadata as one text, so its values have not been counted yet. Shorter text cannot
  // hold too many.
  const values = text.length > MAX_JSON_VALUES ? jsonValues(text) : 0;
  if (values > MAX_JSON_VALUES) {
    throw new Fault("too-large", `${what} must hold at most ${MAX_JSON_VALUES} values, got ${values}`);
  }
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Fault("invalid", `${what} must be a JSON object, got ${excerpt(text)}`);
  }
  if (NEEDS_A_WALK.test(text)) assertStorable(value, what);
  return text;
}
