/** The names that clients choose, such as those of sessions. They are compared and sorted by their bytes, in UTF-8. */

/** Maximum length of a name, in bytes of UTF-8. */
export const MAX_NAME_BYTES = 128;

/** A text of at most this many UTF-16 units cannot be too long: each takes at most 3 bytes. */
const SHORT_UNITS = Math.floor(MAX_NAME_BYTES / 3);

/** Control characters, and lone surrogates, which UTF-8 cannot encode. */
const FORBIDDEN_CHARACTERS = /[\p{Cc}\p{Cs}]/u;

const encoder = new TextEncoder();

/**
 * Why a text cannot be a name.
 *
 * @returns what is accepted, to follow "must be"; `undefined` if the text can be a name
 */
export function nameRefusal(text: string): string | undefined {
  const fits =
    text.length <= SHORT_UNITS || (text.length <= MAX_NAME_BYTES && encoder.encode(text).length <= MAX_NAME_BYTES);
  if (fits && text !== "" && text !== "." && text !== ".." && !FORBIDDEN_CHARACTERS.test(text)) return undefined;
  return `a name of 1 to ${MAX_NAME_BYTES} bytes of UTF-8 without control characters, and neither . nor ..`;
}
