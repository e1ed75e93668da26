/** Metadata from outside: JSON text that is carried as it came, checked so that every file it is exported to can be loaded. */

import { excerpt } from "../../text/excerpt";
import { jsonDepth, MAX_JSON_DEPTH } from "../../text/json-depth";
import { Fault } from "../ports/fault";
import { assertWellFormed } from "../text/well-formed";

/** How deeply metadata may be nested, itself included: two levels less than any body, because bodies hold it two levels down. */
const MOST_LEVELS = MAX_JSON_DEPTH - 2;
/** Only an escape can hold half of a surrogate pair, and only an exponent or many digits a number beyond all doubles. */
const WORTH_A_WALK = /\\u[dD][89a-fA-F]|\d[eE]\+?\d{3}|\d{300}/;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON at all is the same refusal as JSON of another kind.
    return undefined;
  }
}

/** @throws Fault `invalid` when a string in a value has a lone surrogate or a number is infinite */
function assertCarriable(value: unknown, what: string): void {
  if (typeof value === "string") assertWellFormed(value, what);
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new Fault("invalid", `${what} must hold finite numbers only, got one that is too large for a double`);
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    assertWellFormed(name, what);
    assertCarriable(member, what);
  }
}

/**
 * Checks a metadata text; empty text becomes `{}`.
 * @param what what it is the metadata of, for the message
 * @throws Fault `invalid` when it is not a JSON object, is nested deeper than {@link MOST_LEVELS} levels, or holds text that is
 *   not well-formed Unicode or a number that no double can hold
 */
export function takeMetadata(text: string, what: string): string {
  if (text === "" || text === "{}") return "{}";
  assertWellFormed(text, what);
  if (jsonDepth(text) > MOST_LEVELS) {
    throw new Fault("invalid", `${what} must be nested at most ${MOST_LEVELS} levels deep, got ${excerpt(text)}`);
  }
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Fault("invalid", `${what} must be a JSON object, got ${excerpt(text)}`);
  }
  if (WORTH_A_WALK.test(text)) assertCarriable(value, what);
  return text;
}
