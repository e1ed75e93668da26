/** Checks that an answer is canonical as the wire contract says: compact, members sorted by code point, shortest numbers. */

/** Members whose content keeps the sender's order. */
const SENDERS_ORDER = new Set(["metadata", "genome"]);

function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"));
}

/** The path of the first member out of order; empty when there is none. */
function firstUnsorted(value: unknown, at: string): string {
  if (typeof value !== "object" || value === null) return "";
  const keys = Object.keys(value);
  // JavaScript itself puts keys that look like array indices first; such objects tell nothing about the text.
  const telling = !Array.isArray(value) && !keys.some((key) => /^\d+$/.test(key));
  const wrong = telling
    ? keys.find((key, index) => index > 0 && compareCodePoints(keys[index - 1] ?? "", key) > 0)
    : undefined;
  if (wrong !== undefined) return `${at}.${wrong} is out of order`;
  for (const [key, inner] of Object.entries(value)) {
    const found = SENDERS_ORDER.has(key) ? "" : firstUnsorted(inner, `${at}.${key}`);
    if (found !== "") return found;
  }
  return "";
}

/** Says where a JSON text is not canonical; empty when it is. */
export function canonicalFault(text: string): string {
  const value: unknown = JSON.parse(text);
  const compact = JSON.stringify(value);
  if (compact.length !== text.length) return `${text.length} characters where ${compact.length} would do`;
  return firstUnsorted(value, "answer");
}
