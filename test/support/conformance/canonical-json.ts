/** Checks that an answer is written as the wire contract says: compact, members sorted by code point, numbers at their shortest. */

/** Members whose insides keep the order in which they were sent. */
const KEPT = new Set(["metadata", "genome"]);

function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"));
}

function unsorted(value: unknown, at: string): string {
  if (typeof value !== "object" || value === null) return "";
  const keys = Object.keys(value);
  // JavaScript itself puts keys that look like array indices first; such objects say nothing about the text.
  const telling = !Array.isArray(value) && !keys.some((key) => /^\d+$/.test(key));
  const wrong = telling
    ? keys.find((key, index) => index > 0 && byCodePoint(keys[index - 1] ?? "", key) > 0)
    : undefined;
  if (wrong !== undefined) return `${at}.${wrong} is out of order`;
  for (const [key, inner] of Object.entries(value)) {
    const found = KEPT.has(key) ? "" : unsorted(inner, `${at}.${key}`);
    if (found !== "") return found;
  }
  return "";
}

/** Where a JSON text is not canonical; empty when it is. */
export function disorder(text: string): string {
  const value: unknown = JSON.parse(text);
  const compact = JSON.stringify(value);
  if (compact.length !== text.length) return `${text.length} characters where ${compact.length} would do`;
  return unsorted(value, "answer");
}
