/** How Python spells what the TypeScript client has: names, values and calls. Pure. */

import pretty from "json-stringify-pretty-compact";
import type { ClientCall } from "../operation-calls";
import type { Json } from "../reference/entry";
import { VALUES } from "./methods";

const KEYWORDS = new Set([
  "from",
  "in",
  "is",
  "not",
  "or",
  "and",
  "class",
  "def",
  "global",
  "import",
  "lambda",
  "with",
]);

/** The name of an operation in Python. */
export function pythonName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The name of a parameter in Python. */
export function pythonParameter(name: string): string {
  return KEYWORDS.has(name) ? `${name}_` : name;
}

const PYTHON: { readonly [word: string]: string } = { true: "True", false: "False", null: "None" };

/** A JSON string, or a word that Python spells otherwise. */
const TOKEN = /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g;

/** A value as Python writes it. @param maxLength the longest line that is not broken */
export function pythonLiteral(value: Json, maxLength: number): string {
  return pretty(value, { maxLength }).replace(TOKEN, (text) => PYTHON[text] ?? text);
}

/** Methods that take their object as it is, and not its members. */
const TAKING_OBJECTS: readonly string[] = [...VALUES, "loadKnowledgeBase", "observe"];

/**
 * The arguments of a Python call, from those of the TypeScript client's.
 *
 * @param name the function
 * @param args after the place: first the names of the path, then what the body or the query has
 */
function pythonArguments(name: string, args: readonly Json[], maxLength: number): string[] {
  return args.flatMap((value) => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (TAKING_OBJECTS.includes(name) || !isObject) return [pythonLiteral(value, maxLength)];
    return Object.entries(value).map(
      ([member, given]) => `${pythonParameter(member)}=${pythonLiteral(given, maxLength)}`,
    );
  });
}

/** Methods whose answer is read piece by piece. */
const DOWNLOADS: readonly string[] = ["backup", "exportKnowledgeBase"];

/** A call of the TypeScript client in Python. */
export function pythonExpression({ name, place, args }: ClientCall, maxLength = Number.POSITIVE_INFINITY): string {
  const call = `${place}.${pythonName(name)}(${pythonArguments(name, args, maxLength).join(", ")})`;
  return DOWNLOADS.includes(name) ? `${call}.read().decode()` : call;
}
