/**
 * Checks the values of a genome one by one. Every refusal names the place of the value, the value, and what is
 * accepted.
 */

import { Fault } from "../../processor/ports/fault";
import { excerpt } from "../../text/excerpt";
import { isJsonObject, type JsonObject, type Located, memberPath } from "../../text/located";

/** The refusal of a value. @param accepted what the check accepts */
export function wrong({ value, path }: Located, accepted: string): Fault {
  const subject = path === "" ? "the genome" : `the genome's ${path}`;
  return new Fault(
    "invalid",
    `${subject} must be ${accepted}, got ${value === undefined ? "nothing" : excerpt(value)}`,
  );
}

/** A member of an object; its value is `undefined` when the object has no such member, or is not an object. */
export function memberOf({ value, path }: Located, name: string): Located {
  const member = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return { value: member, path: memberPath(path, name) };
}

/** @throws Fault `invalid` when the value is not an object */
export function asObject(located: Located): JsonObject {
  if (!isJsonObject(located.value)) throw wrong(located, "an object");
  return located.value;
}

/** The items of a list. @throws Fault `invalid` when the value is not a list */
export function asList(located: Located): Located[] {
  if (!Array.isArray(located.value)) throw wrong(located, "a list");
  return located.value.map((value: unknown, at) => ({ value, path: `${located.path}[${at}]` }));
}

/** @throws Fault `invalid` when the value is not a text, or is empty */
export function asText(located: Located): string {
  const { value } = located;
  if (typeof value !== "string" || value === "") throw wrong(located, "a string that is not empty");
  return value;
}

/** @throws Fault `invalid` when the value is not a list of texts, or names one of them twice */
export function asDistinctTexts(located: Located): string[] {
  const texts = new Set<string>();
  for (const item of asList(located)) {
    const text = asText(item);
    if (texts.has(text)) throw new Fault("invalid", `the genome's ${located.path} names ${excerpt(text)} twice`);
    texts.add(text);
  }
  return [...texts];
}
