/**
 * Warns in the log about variables that look like Noema's but are not read: a misspelt one would silently have no
 * effect.
 */

import { unknownVariable } from "../../text/nearest-name.mjs";

const PREFIX = "NOEMA_";

/** The known variables, and whether users set them. */
export type Variables = { readonly [name: string]: boolean };

/**
 * Logs a line for each variable that begins with NOEMA_ and is not read. Its value is not in the line, because it may
 * be a secret.
 *
 * @param env the Worker's environment
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
