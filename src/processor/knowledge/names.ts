/** The names of models and vectors: SHA-1 hashes of their printed forms. */

import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { sixDecimals } from "../text/decimal";
import { reprSequence } from "../text/python-repr";

const encoder = new TextEncoder();

function digest(text: string): string {
  return bytesToHex(sha1(encoder.encode(text)));
}

/** The name of a model, 40 hex digits without prefix. @param events its sequence */
export function modelName(events: readonly (readonly string[])[]): string {
  return digest(reprSequence(events));
}

/** The name of a vector, 40 hex digits without prefix. @param components finite, without -0 */
export function vectorName(components: Float64Array): string {
  const printed: string[] = [];
  for (const component of components) printed.push(sixDecimals(component));
  return digest(`[${printed.join(", ")}]`);
}
