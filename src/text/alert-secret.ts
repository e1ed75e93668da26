/** The format of the secrets that sign deliveries of alerts, following Standard Webhooks. */

/** The prefix of every secret. */
export const SECRET_PREFIX = "whsec_";

/** What a secret must be, for error messages. */
export const SECRET_WORDS = `${SECRET_PREFIX} and the base64 of 24 to 64 bytes`;

/**
 * Padded base64 in canonical form, which every library accepts. 24 bytes are 8 groups of four characters, 64 are 21 and
 * one byte.
 */
export const SECRET_PATTERN =
  /^whsec_(?:(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/][AQgw]==)?|(?:[A-Za-z0-9+/]{4}){8,20}[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)$/;

/** Whether a text is a secret. */
export function isAlertSecret(text: string): boolean {
  return SECRET_PATTERN.test(text);
}
