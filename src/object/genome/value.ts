/** Checks the values of a genome one by one. Every refusal names the place in the genome, the value there, and what is accepted. */

import { Fault } from "../../processor/ports/fault";
import { excerpt } from "../../text/excerpt";

/** A value of a genome, and the way to it as messages write it, for example `elements.nodes[3].data.id`. */
export interface Place {
  readonly value: unknown;
  readonly path: string;
}

/** The refusal of a value. @param accepted what would have been taken */
export function refused({ value, path }: Place, accepted: string): Fault {
  const what = path === "" ? "the genome" : `the genome's ${path}`;
  return new Fault("invalid", `${what} must be ${accepted}, got ${value === undefined ? "nothing" : excerpt(value)}`);
}

/** A member of the object at a place; its value is `undefined` when there is none, or no object. */
export function memberOf({ value, path }: Place, name: string): Place {
  const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return {
    value: isObject ? (value as Record<string, unknown>)[name] : undefined,
    path: path === "" ? name : `${path}.${name}`,
  };
}

/** The members of the object at a place. @throws Fault `invalid` when it is none */
export function objectAt(place: Place): Readonly<Record<string, unknown>> {
  const { value } = place;
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refused(place, "an object");
  return value as Record<string, unknown>;
}

/** The items of the list at a place. @throws Fault `invalid` when it is none */
export function listAt(place: Place): Place[] {
  if (!Array.isArray(place.value)) throw refused(place, "a list");
  return place.value.map((value: unknown, at) => ({ value, path: `${place.path}[${at}]` }));
}

/** The text at a place. @throws Fault `invalid` when it is none, or empty */
export function textAt(place: Place): string {
  const { value } = place;
  if (typeof value !== "string" || value === "") throw refused(place, "a text that is not empty");
  return value;
}

/** The texts of the list at a place. @throws Fault `invalid` when it is no list of texts, or one of them stands in it twice */
export function distinctTextsAt(place: Place): string[] {
  const texts = new Set<string>();
  for (const item of listAt(place)) {
    const text = textAt(item);
    if (texts.has(text)) throw new Fault("invalid", `the genome's ${place.path} names ${excerpt(text)} twice`);
    texts.add(text);
  }
  return [...texts];
}
