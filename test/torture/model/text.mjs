/** Text as the wire contract writes it: canonical JSON, names of models and vectors, numbers with six decimals. */

import { createHash } from "node:crypto";

/** JSON text that is written as it is: metadata keeps the order of its sender. */
export class Raw {
  constructor(text) {
    this.text = text;
  }
}

/** Orders text by code point, as Python does, and not by UTF-16 unit. */
export function byCodePoint(a, b) {
  const [left, right] = [Array.from(a), Array.from(b)];
  const at = left.findIndex((char, index) => char !== right[index]);
  if (at < 0) return left.length - right.length;
  return (left[at]?.codePointAt(0) ?? -1) - (right[at]?.codePointAt(0) ?? -1);
}

/** Compact JSON, the members of every object in alphabetical order. */
export function canonical(value) {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const sorted = entries.sort(([a], [b]) => byCodePoint(a, b));
  return `{${sorted.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(",")}}`;
}

const ESCAPES = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Control characters, formats, separators but the space, and code points that mean nothing. */
const NON_PRINTING = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

function escaped(char, quote) {
  if (char === quote) return `\\${char}`;
  if (ESCAPES[char] !== undefined) return ESCAPES[char];
  if (!NON_PRINTING.test(char)) return char;
  const hex = char.codePointAt(0).toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, "0")}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** Python's repr of a text. */
function pythonText(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + Array.from(text, (char) => escaped(char, quote)).join("") + quote;
}

const sha1 = (text) => createHash("sha1").update(text, "utf8").digest("hex");

/** The name of a model: that of its sequence, a list of lists of text, as Python prints it. */
export function modelName(sequence) {
  return sha1(`[${sequence.map((event) => `[${event.map(pythonText).join(", ")}]`).join(", ")}]`);
}

/** A number with six decimals. Right for the numbers that histories use, which have few. */
export function sixDecimals(value) {
  return (value + 0).toFixed(6);
}

/** The name of a vector, without its prefix. */
export function vectorName(vector) {
  return sha1(`[${vector.map(sixDecimals).join(", ")}]`);
}
