/** The form of issued keys, `noema_<id>_<secret>`: creating and parsing them. Stores nothing. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Bytes of a secret: 160 bits. */
const SECRET_BYTES = 20;

const ISSUED = /^noema_([0-9a-f]{16})_([0-9a-f]{40})$/;

/** The parts of an issued key. */
interface IssuedKeyParts {
  /** 16 hex digits. */
  readonly id: string;
  /** 40 hex digits. */
  readonly secret: string;
}

/** The parts of a text that has the form of an issued key; else `undefined`. */
export function partsOfKey(key: string): IssuedKeyParts | undefined {
  const [, id, secret] = ISSUED.exec(key) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** A secret for a new key: 40 hex digits, at random. */
export function newSecret(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** The text of a key. */
export function keyText({ id, secret }: IssuedKeyParts): string {
  return `noema_${id}_${secret}`;
}

/**
 * SHA-256 of a secret, 32 bytes, which is all that is stored of it. The secret is random, so it cannot be found with a
 * dictionary.
 */
export function hashOf(secret: string): Uint8Array {
  return sha256(utf8ToBytes(secret));
}
