/**
 * The payloads of messages to Noema: records as JSON, or text. Limits size and nesting before parsing anything. Knows
 * no topic and no route.
 */

import { excerpt } from "../text/excerpt";
import { jsonExcess } from "../text/json-depth";
import { isJsonObject, type JsonObject } from "../text/located";

/** Maximum size of a payload, in bytes: 1 MiB, as of a packet and of a frame of a stream. */
export const MAX_PAYLOAD_BYTES = 1_048_576;

/** A payload that its topic does not accept. Its message names the value and what is accepted. */
export class PayloadFault extends Error {
  override readonly name = "PayloadFault";
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** How a GDF and a list of GDFs begin, after white space. */
const OBJECT_OR_LIST = /^[ \t\n\r]*[{[]/;

/**
 * The records of a payload on `noema/<processor>[/sessions/<session>]/observe`: a GDF, a list of GDFs, or other text as
 * one string. Text that begins with `{` or `[` must be JSON, so that a truncated payload does not become a symbol. The
 * processor checks the GDFs.
 *
 * @returns GDFs, unchecked objects; none for an empty list
 * @throws PayloadFault when it is empty, too long, nested too deeply, not UTF-8, broken JSON, or a list with anything
 *   but objects
 */
export function observationsOf(payload: Uint8Array): JsonObject[] {
  const text = payloadText(payload);
  if (text === "") throw new PayloadFault("the payload must be a GDF, a list of GDFs or a text, and it is empty");
  if (!OBJECT_OR_LIST.test(text)) return [{ strings: [text] }];
  const value = payloadJson(text);
  if (value === undefined) {
    throw new PayloadFault(
      `the payload must be JSON where it begins with { or [, got ${excerpt(text)}; to observe it as a text, send ` +
        '{"strings": [text]}',
    );
  }
  const records = Array.isArray(value) ? (value as unknown[]) : [value];
  for (const [at, record] of records.entries()) {
    if (!isJsonObject(record)) {
      throw new PayloadFault(`a list of GDFs must hold objects, got ${excerpt(record)} at its place ${at}`);
    }
  }
  return records as JsonObject[];
}

/**
 * The text of a payload.
 *
 * @throws PayloadFault when it has more than {@link MAX_PAYLOAD_BYTES}, or is not UTF-8
 */
export function payloadText(payload: Uint8Array): string {
  if (payload.length > MAX_PAYLOAD_BYTES) {
    throw new PayloadFault(`a payload may have ${MAX_PAYLOAD_BYTES} bytes, got ${payload.length}`);
  }
  try {
    return decoder.decode(payload);
  } catch {
    // The only possible error: the bytes are not UTF-8.
    throw new PayloadFault(`the payload must be UTF-8 text, got ${payload.length} bytes that are not`);
  }
}

/**
 * The value of a text that is JSON.
 *
 * @returns `undefined` if it is not JSON
 * @throws PayloadFault when it is nested too deeply, or too large
 */
export function payloadJson(text: string): unknown {
  const excess = jsonExcess(text);
  if (excess !== undefined) throw new PayloadFault(`the payload ${excess.sentence}`);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
