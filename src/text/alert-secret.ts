/** The form of the secrets that sign what alerts deliver, as Standard Webhooks has it. */

/** What every secret begins with. */
export const SECRET_PREFIX = "whsec_";

/** What a refusal says that a secret must be. */
export const SECRET_WORDS = `${SECRET_PREFIX} and the base64 of 24 to 64 bytes`;

/**
 * Base64 with its padding, in the one spelling that every library reads. 24 bytes are 8 groups of four
 * characters, 64 are 21 and one byte.
 */
const SECRET =
  /^whsec_(?:(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/][AQgw]==)?|(?:[A-Za-z0-9+/]{4}){8,20}[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)$/;

/** Whether a text is a secret. */
export function isAlertSecret(text: string): boolean {
  return SECRET.test(text);
}
