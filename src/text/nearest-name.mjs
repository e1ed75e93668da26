/**
 * Suggests the name that a user may have meant by an unknown one. Plain JavaScript, because the server's start script
 * runs it without a build.
 */

import { closestMatch } from "leven";

/** Maximum number of wrong letters for a suggestion. */
const MAX_EDITS = 3;

/**
 * The known name most similar to a wrong one.
 *
 * @param {string} name
 * @param {readonly string[]} known
 * @param {string} [prefix] what known names may begin with, and what says little about which is meant
 * @returns {string | undefined} nothing if more than three letters differ, or more than half of the name
 */
export function nearestName(name, known, prefix = "") {
  const bare = (text) => (text.startsWith(prefix) ? text.slice(prefix.length) : text);
  const maxDistance = Math.min(MAX_EDITS, Math.floor(bare(name).length / 2));
  const near = closestMatch(bare(name), known.map(bare), { maxDistance });
  return known.find((other) => bare(other) === near);
}

/**
 * The message about a variable that nothing reads.
 *
 * @param {string} name
 * @param {readonly string[]} known
 * @param {string} prefix
 */
export function unknownVariable(name, known, prefix) {
  const near = nearestName(name, known, prefix);
  return `The variable ${name} is unknown and has no effect${near === undefined ? "." : `; did you mean ${near}?`}`;
}
