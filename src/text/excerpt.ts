/** Shows a value in an error message: as JSON, and never much longer than a line. */

/** Maximum number of UTF-16 units of a text in a message. */
const MAX_UNITS = 60;
/** Half of a surrogate pair at the cut. */
const CUT_CHARACTER = /[\ud800-\udbff]$/;

/**
 * Prints a value for an error message. NaN and infinities print as such. Long text is cut, and its number of UTF-16
 * units is added.
 */
export function excerpt(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") {
    return value.length <= MAX_UNITS ? JSON.stringify(value) : `${JSON.stringify(startOf(value))} ${cutFrom(value)}`;
  }
  const json = JSON.stringify(value) ?? String(value);
  return json.length <= MAX_UNITS ? json : `${startOf(json)}... ${cutFrom(json)}`;
}

function startOf(text: string): string {
  return text.slice(0, MAX_UNITS).replace(CUT_CHARACTER, "");
}

function cutFrom(text: string): string {
  return `(cut, ${text.length} characters)`;
}
