/**
 * Writes canonical JSON text: compact, numbers in the shortest form that round-trips, members of an object sorted by
 * code point. Encoders that know the members of an object write them out in sorted order themselves.
 */

import { compareCodePoints } from "../../text/code-points";

/** A string as JSON. */
export function text(value: string): string {
  return JSON.stringify(value);
}

/** Strings as a JSON list. */
export function texts(values: readonly string[]): string {
  return JSON.stringify(values);
}

/** A finite number as JSON: whole numbers without a fraction, -0 as 0. A number that JSON cannot hold becomes null. */
export function number(value: number): string {
  return Number.isFinite(value) ? String(value) : "null";
}

/** Numbers as a JSON list, each as `number` writes it. */
export function numbers(values: readonly number[]): string {
  return JSON.stringify(values);
}

/** A JSON list of values that are JSON text already. */
export function list(values: readonly string[]): string {
  return `[${values.join(",")}]`;
}

/** A member of an object: its name, and its value as JSON text. */
export type Member = readonly [name: string, json: string];

/** An object with these members, which it sorts by code point. Names must be unique. */
export function object(members: readonly Member[]): string {
  return record(members.length < 2 ? members : [...members].sort((a, b) => compareCodePoints(a[0], b[0])));
}

/** An object with these members, which must be sorted already. */
export function record(members: readonly Member[]): string {
  if (members.length === 0) return "{}";
  let out = "";
  for (const [name, json] of members) out += `${out === "" ? "{" : ","}${JSON.stringify(name)}:${json}`;
  return `${out}}`;
}
