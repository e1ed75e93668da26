/** SHA-1 names as columns: 40 hex digits become 20 bytes, whose byte order is the order of the hex text. */

const NAME = /^[0-9a-f]{40}$/;
const BYTES = 20;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
/** The value of a hex digit by its code unit. */
const DIGITS = new Uint8Array(128);
for (let digit = 0; digit < 16; digit++) DIGITS[digit.toString(16).charCodeAt(0)] = digit;

/** Whether a text is a name as this processor gives them: 40 hex digits in lower case. */
export function isHashName(text: string): boolean {
  return NAME.test(text);
}

/**
 * The bytes of a name.
 *
 * @throws Error when `name` is not 40 hex digits in lower case
 */
export function hashNameToColumn(name: string): Uint8Array {
  if (!isHashName(name)) throw new Error(`the name "${name}" is not 40 hex digits in lower case`);
  const bytes = new Uint8Array(BYTES);
  const digit = (at: number) => DIGITS[name.charCodeAt(at)] ?? 0;
  for (let i = 0; i < BYTES; i++) bytes[i] = 16 * digit(2 * i) + digit(2 * i + 1);
  return bytes;
}

/** The reverse of {@link hashNameToColumn}. */
export function hashNameFromColumn(column: ArrayBuffer): string {
  let name = "";
  for (const byte of new Uint8Array(column)) name += HEX[byte];
  return name;
}
