/** Names members and describes values in messages to the client. Never shows more than a few characters of a value. */

/** How many characters of a string a message shows. */
const SHOWN_CHARACTERS = 60;

/** A value as a message shows it: short strings whole, lists and objects by their kind only. */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "a number too large for a double";
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  return Object.keys(value).length === 0 ? "an empty object" : "an object";
}

/** A string in quotation marks, cut when it is long. */
export function quoted(value: string): string {
  if (value.length <= SHOWN_CHARACTERS) return JSON.stringify(value);
  return `${JSON.stringify(value.slice(0, SHOWN_CHARACTERS))} (cut, ${value.length} characters)`;
}

/**
 * The path of a member, as messages write it: `data.strings`, `data.emotives["a b"]`.
 *
 * @param path the path of the object; empty for the body itself
 */
export function member(path: string, name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) return `${path === "" ? "body" : path}[${quoted(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}
