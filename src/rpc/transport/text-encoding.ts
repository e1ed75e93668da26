/**
 * How the texts of messages become UTF-8 and back. Most are short and ASCII, and for those a loop is several times as fast as a call
 * into the runtime's encoder; all others go there.
 */

import { configureTextEncoding } from "@bufbuild/protobuf/wire";

/** Above these lengths the runtime is faster. */
const MOST_UNITS = 64;
const MOST_BYTES = 12;
const LAST_ASCII = 0x7f;

const encoder = new TextEncoder();
// A leading U+FEFF is part of the text: a symbol that begins with it is another symbol than the one without.
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function encode(text: string) {
  // The types of the platform leave open what buffer it is over.
  return encoder.encode(text) as Uint8Array<ArrayBuffer>;
}

/** UTF-8 of a text. */
function encodeUtf8(text: string) {
  const { length } = text;
  // Turned round, this leaves to the encoder what is no text at all, too.
  if (!(length <= MOST_UNITS)) return encode(text);
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > LAST_ASCII) return encode(text);
    bytes[at] = unit;
  }
  return bytes;
}

/** The text of some UTF-8, all of it: a leading byte order mark too. @param strict throws for what is no UTF-8 */
function decodeUtf8(bytes: Uint8Array, strict?: boolean): string {
  const platform = strict ? strictDecoder : decoder;
  if (bytes.length > MOST_BYTES) return platform.decode(bytes);
  let text = "";
  for (const byte of bytes) {
    if (byte > LAST_ASCII) return platform.decode(bytes);
    text += String.fromCharCode(byte);
  }
  return text;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether a text can be UTF-8. */
function checkUtf8(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

/** Has the protobuf library code texts so; once is enough, more does no harm. */
export function useQuickTextEncoding(): void {
  configureTextEncoding({ encodeUtf8, decodeUtf8, checkUtf8 });
}
