/** Refuses strings that are not well-formed Unicode, wherever they stand in a body. */

import { Refusal } from "./refusal";
import { member } from "./value-text";

/** Half of a surrogate pair on its own; with the flag u a whole pair is one character and does not match. */
const LONE = /\p{Surrogate}/u;

/** Lone surrogates can reach us only through such an escape: the body itself is valid UTF-8. */
const ESCAPED = /\\u[dD][89a-fA-F]/;

/**
 * @param source the body's text
 * @param value what it parses to
 * @param path how messages name the value; empty for a whole body
 * @throws Refusal 400 naming the first string, or member name, that holds a lone surrogate
 */
export function refuseLoneSurrogates(source: string, value: unknown, path: string): void {
  if (!ESCAPED.test(source)) return;
  const open: Located[] = [{ value, path }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part.value === "string" && LONE.test(part.value)) throw lone(part.path);
    if (typeof part.value === "object" && part.value !== null) open.push(...membersOf(part.value, part.path));
  }
}

interface Located {
  readonly value: unknown;
  readonly path: string;
}

/** The members of an object or list. A lone surrogate in a name is refused. */
function membersOf(value: object, path: string): Located[] {
  return Object.entries(value).map(([name, inner]) => {
    if (LONE.test(name)) throw lone(member(path, name));
    return { value: inner, path: Array.isArray(value) ? `${path}[${name}]` : member(path, name) };
  });
}

function lone(path: string): Refusal {
  return new Refusal(
    400,
    `${path === "" ? "the body" : path} holds half of a surrogate pair; text must be well-formed Unicode`,
  );
}
