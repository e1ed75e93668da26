/** A value as an error message names it: as JSON, and never longer than a line. */

const MOST_CHARACTERS = 80;

/** Prints a value for an error message. NaN and infinities print as such; long text is cut and ends in "...". */
export function excerpt(value: unknown): string {
  const printed = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
  return printed.length <= MOST_CHARACTERS ? printed : `${printed.slice(0, MOST_CHARACTERS)}...`;
}
