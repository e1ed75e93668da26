/**
 * Checks and encodes the names in a path, and its query. Done here, because `fetch` resolves `.` and `..` before it
 * sends a request.
 */

const LONGEST_NAME_BYTES = 128;

const CONTROL = /\p{Cc}/u;

const encoder = new TextEncoder();

/** The segments that `fetch` resolves away. */
const FOLDED: readonly string[] = [".", ".."];

/**
 * A segment of a path: a processor, a model, a gene, a symbol.
 *
 * @param what names the value in the error
 * @throws TypeError if it is empty, `.` or `..`, or not well-formed Unicode
 */
export function segment(what: string, value: string): string {
  if (typeof value !== "string" || value === "" || FOLDED.includes(value)) {
    throw new TypeError(`${what} must be a string that is not empty, "." or "..", got ${JSON.stringify(value)}`);
  }
  try {
    return encodeURIComponent(value);
  } catch {
    throw new TypeError(`${what} must be well-formed Unicode, got ${JSON.stringify(value)}`);
  }
}

/**
 * The name of a session or a source: 1 to 128 bytes of UTF-8 without control characters.
 *
 * @param what names the value in the error
 * @throws TypeError if the name is not valid
 */
export function nameSegment(what: string, value: string): string {
  const encoded = segment(what, value);
  if (encoder.encode(value).length > LONGEST_NAME_BYTES || CONTROL.test(value)) {
    throw new TypeError(
      `${what} must be 1 to ${LONGEST_NAME_BYTES} bytes of UTF-8 without control characters, ` +
        `got ${JSON.stringify(value)}`,
    );
  }
  return encoded;
}

/**
 * The id of an incident in a path.
 *
 * @param what names the value in the error
 * @throws RangeError unless it is a whole number from 1
 */
export function idSegment(what: string, value: number): string {
  if (Number.isSafeInteger(value) && value >= 1) return String(value);
  throw new RangeError(`${what} must be a whole number from 1, got ${value}`);
}

/** A path with the parameters that are set; one with several values is repeated for each. */
export function withQuery(
  path: string,
  values: { readonly [name: string]: string | number | readonly string[] | undefined },
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) query.append(name, String(each));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
