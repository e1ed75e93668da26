/** Values of incoming JSON, each with its path, so that a refusal can name it. */

import { excerpt } from "./excerpt";

/** A JSON object. */
export type JsonObject = { readonly [name: string]: unknown };

/** A value in a JSON text, and its path. */
export interface Located<Value = unknown> {
  readonly value: Value;
  /** Its path in messages: `data.strings`, `elements.nodes[3].data.id`. Empty for the whole text. */
  readonly path: string;
}

/** A name that paths show in full and without quotation marks. */
const PLAIN_NAME = /^[A-Za-z_]\w{0,59}$/;

/** Whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The path of a member of an object: `data.strings`, `data.emotives["a b"]`.
 *
 * @param path the path of the object; empty for the whole text, which is called `body` if the member's name needs
 *   quotation marks; long names are cut
 */
export function memberPath(path: string, name: string): string {
  if (!PLAIN_NAME.test(name)) return `${path === "" ? "body" : path}[${excerpt(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}
