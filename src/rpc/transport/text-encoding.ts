/**
 * Encodes the texts of messages as UTF-8, and decodes them. Most are short and ASCII: for those, a loop is several
 * times as fast as the runtime's encoder, which encodes all others.
 */

import { configureTextEncoding } from "@bufbuild/protobuf/wire";

/** Longer texts go to the runtime, which is faster for them. */
const MAX_UNITS = 64;
const MAX_BYTES = 12;
const LAST_ASCII = 0x7f;

const encoder = new TextEncoder();
// `ignoreBOM` keeps a leading U+FEFF: a symbol that begins with it differs from the one without.
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function encode(text: string) {
  // The platform's types leave open the kind of the underlying buffer.
  return encoder.encode(text) as Uint8Array<ArrayBuffer>;
}

/** UTF-8 of a text. */
function encodeUtf8(text: string) {
  const { length } = text;
  // Not `length > MAX_UNITS`: a value other than text has no length, and must go to the encoder too.
  if (!(length <= MAX_UNITS)) return encode(text);
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > LAST_ASCII) return encode(text);
    bytes[at] = unit;
  }
  return bytes;
}

/** Decodes UTF-8, and keeps a leading byte order mark. @param strict throw for bytes that are not UTF-8 */
function decodeUtf8(bytes: Uint8Array, strict?: boolean): string {
  const platform = strict ? strictDecoder : decoder;
  if (bytes.length > MAX_BYTES) return platform.decode(bytes);
  let text = "";
  for (const byte of bytes) {
    if (byte > LAST_ASCII) return platform.decode(bytes);
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Whether a text can be encoded as UTF-8. */
function checkUtf8(text: string): boolean {
  return text.isWellFormed();
}

/** Makes the protobuf library use this encoding. One call suffices; more do no harm. */
export function useFastTextEncoding(): void {
  configureTextEncoding({ encodeUtf8, decodeUtf8, checkUtf8 });
}
