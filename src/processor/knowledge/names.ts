/** The names of models and vectors: SHA-1 hashes of their printed forms. */

import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { sixDecimals } from "../text/decimal";
import { reprSequence } from "../text/python-repr";

const encoder = new TextEncoder();

function digest(text: string): string {
  return bytesToHex(sha1(encoder.encode(text)));
}

/** Maximum length of a printed form kept in {@link latest}, in UTF-16 units. A longer one is hashed each time. */
const MAX_KEPT_UNITS = 10_000;

/** The model named last: a steady stream learns it again and again. */
let latest = { printed: "", name: "" };

/** The name of a model, 40 hex digits without prefix. @param events its sequence */
export function modelName(events: readonly (readonly string[])[]): string {
  const printed = reprSequence(events);
  if (printed === latest.printed && printed !== "") return latest.name;
  const name = digest(printed);
  if (printed.length <= MAX_KEPT_UNITS) latest = { printed, name };
  return name;
}

/** The name of a vector, 40 hex digits without prefix. @param components finite, without -0 */
export function vectorName(components: Float64Array): string {
  const printed: string[] = [];
  for (const component of components) printed.push(sixDecimals(component));
  return digest(`[${printed.join(", ")}]`);
}
