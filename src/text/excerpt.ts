/** A value as an error message names it: as JSON, and never longer than a line. */

const MOST_CHARACTERS = 80;
/** Half of a character that the cut went through. */
const CUT_CHARACTER = /[\ud800-\udbff]$/;

/** Prints a value for an error message. NaN and infinities print as such; long text is cut and ends in "...". */
export function excerpt(value: unknown): string {
  const printed = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
  if (printed.length <= MOST_CHARACTERS) return printed;
  return `${printed.slice(0, MOST_CHARACTERS).replace(CUT_CHARACTER, "")}...`;
}
