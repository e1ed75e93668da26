/** Warns in the log of variables that look like Noema's and that nothing reads: a misspelt one would have no effect. */

import { unknownVariable } from "../../text/nearest-name.mjs";

const PREFIX = "NOEMA_";

/** The variables that there are, and whether users set them. */
export type Variables = { readonly [name: string]: boolean };

/**
 * Writes a line of the log for each variable that begins with NOEMA_ and that nothing reads. Its value is not in the
 * line: it may be a secret.
 *
 * @param env what the Worker was given
 */
export function warnOfUnknown(env: object, variables: Variables): void {
  const suggested = Object.keys(variables).filter((name) => variables[name]);
  for (const name of Object.keys(env)) {
    if (!name.startsWith(PREFIX) || Object.hasOwn(variables, name)) continue;
    // A user may have added the prefix to API_KEYS and AGENT_KEYS, which have none.
    const message = unknownVariable(name, suggested, PREFIX);
    console.error(JSON.stringify({ time: new Date().toISOString(), event: "unknown-variable", message }));
  }
}
