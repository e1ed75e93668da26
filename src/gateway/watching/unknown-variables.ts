/** Warns in the log of variables that look like Noema's and that nothing reads: a misspelt one would have no effect. */

import { closestMatch } from "leven";

const PREFIX = "NOEMA_";

/** How many letters of a name may be wrong. */
const MOST_EDITS = 3;

/** The variables that there are, and whether users set them. */
export type Variables = { readonly [name: string]: boolean };

/**
 * Writes a line of the log for each variable that begins with NOEMA_ and that nothing reads. Its value is not in the line: it may be a secret.
 *
 * @param env what the Worker was given
 */
export function warnOfUnknown(env: object, variables: Variables): void {
  const suggested = Object.keys(variables).filter((name) => variables[name]);
  for (const name of Object.keys(env)) {
    if (!name.startsWith(PREFIX) || Object.hasOwn(variables, name)) continue;
    const near = nearest(name, suggested);
    const message = `The variable ${name} is unknown and has no effect${near === undefined ? "." : `; did you mean ${near}?`}`;
    console.error(JSON.stringify({ time: new Date().toISOString(), event: "unknown-variable", message }));
  }
}

/** The nearest name. API_KEYS and AGENT_KEYS have no prefix, which a user may have added. */
function nearest(name: string, suggested: readonly string[]): string | undefined {
  const bare = (text: string) => text.replace(PREFIX, "");
  const maxDistance = Math.min(MOST_EDITS, Math.floor(bare(name).length / 2));
  const near = closestMatch(bare(name), suggested.map(bare), { maxDistance });
  return suggested.find((other) => bare(other) === near);
}
