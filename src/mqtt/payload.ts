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

/** One GDF or a list of GDFs, unchecked objects, with the JSON text of it. */
export interface Observations {
  readonly value: JsonObject | readonly JsonObject[];
  readonly json: string;
}

/**
 * The records of a payload on `noema/<processor>[/sessions/<session>]/observe`: a GDF, a list of GDFs, or other text as
 * one string. Text that begins with `{` or `[` must be JSON, so that a truncated payload does not become a symbol. The
 * processor checks the GDFs.
 *
 * @throws PayloadFault when it is empty, too long, nested too deeply, not UTF-8, broken JSON, or a list with anything
 *   but objects
 */
export function observationsIn(payload: Uint8Array): Observations {
  const text = payloadText(payload);
  if (text === "") throw new PayloadFault("the payload must be a GDF, a list of GDFs or text, and it is empty");
  if (!OBJECT_OR_LIST.test(text)) {
    const value = { strings: [text] };
    return { value, json: JSON.stringify(value) };
  }
  const value = payloadJson(text);
  if (value === undefined) {
    throw new PayloadFault(
      `the payload must be JSON where it begins with { or [, got ${excerpt(text)}; to observe it as one symbol, send ` +
        '{"strings": [text]}',
    );
  }
  for (const [at, record] of Array.isArray(value) ? value.entries() : []) {
    if (!isJsonObject(record)) {
      throw new PayloadFault(`a list of GDFs must hold objects, got ${excerpt(record)} at its place ${at}`);
    }
  }
  return { value: value as JsonObject | JsonObject[], json: text };
}

/** The records of {@link observationsIn} as a list; none for an empty list. @throws PayloadFault as it does */
export function observationsOf(payload: Uint8Array): readonly JsonObject[] {
  const { value } = observationsIn(payload);
  return isJsonObject(value) ? [value] : value;
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
