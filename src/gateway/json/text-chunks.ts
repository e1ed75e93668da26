/** Reads the body of a request piece by piece as text, for bodies that are too large to be held whole. */

import { Refusal } from "./refusal";

/**
 * The pieces of a body. Whoever stops reading before the end must call `return`, which consumes the rest.
 *
 * @param maxBytes the largest body that is accepted
 * @throws Refusal 413 when it is larger, 400 when it is not UTF-8
 */
export async function* textChunks(request: Request, maxBytes: number): AsyncGenerator<string, void, void> {
  if (request.body === null) return;
  const reader = request.body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      if (size > maxBytes)
        throw new Refusal(413, `the body has more than ${maxBytes} bytes, which is all that is accepted`);
      yield decoded(decoder, part.value);
    }
    yield decoded(decoder, undefined);
  } finally {
    // Nothing may be left on a connection that is kept alive.
    while (!(await reader.read()).done);
  }
}

/** @param bytes undefined at the end */
function decoded(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    // The decoder says no more than that it failed.
    throw new Refusal(400, "the body is not valid UTF-8");
  }
}
