/**
 * Checks the values of a body one by one. Every check names the member, describes the value that was wrong and says what is
 * accepted; none of them changes or guesses a value.
 */

import type { Body } from "../json/body";
import { Refusal } from "../json/refusal";
import type { Way } from "../json/source-order";
import { describe, member } from "../json/value-text";

/** A JSON object. */
export type JsonObject = { readonly [name: string]: unknown };

/** A value inside a body, and the ways to it: for a machine and for a reader. */
export interface Part {
  readonly value: unknown;
  readonly way: Way;
  /** Empty for the body itself. */
  readonly path: string;
}

/** The refusal of a value that is not what was asked for. */
export function wrong(path: string, accepted: string, value: unknown): Refusal {
  return new Refusal(400, `${path === "" ? "the body" : path} must be ${accepted}, got ${describe(value)}`);
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The body, or what its member `data` holds when it has one. */
export function dataOf(body: Body): Part {
  const { value } = body;
  if (isObject(value) && Object.hasOwn(value, "data")) return { value: value.data, way: ["data"], path: "data" };
  return { value, way: [], path: "" };
}

/** The member of an object in a body. */
export function partOf(part: Part & { readonly value: JsonObject }, name: string): Part {
  return { value: part.value[name], way: [...part.way, name], path: member(part.path, name) };
}

/** @throws Refusal 400 when the value is no object */
export function asObject(part: Part, accepted: string): Part & { readonly value: JsonObject } {
  const { value } = part;
  if (!isObject(value)) throw wrong(part.path, accepted, value);
  return { ...part, value };
}

/** @throws Refusal 400 when the value is no string */
export function asString(value: unknown, path: string): string {
  if (typeof value !== "string") throw wrong(path, "a string", value);
  return value;
}

/** @throws Refusal 400 when the value is neither true nor false */
export function asFlag(value: unknown, path: string): boolean {
  if (typeof value !== "boolean") throw wrong(path, "true or false", value);
  return value;
}

/** @throws Refusal 400 when the value is no finite number */
export function asNumber(value: unknown, path: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrong(path, "a finite number", value);
  return value;
}

/** @throws Refusal 400 when the value is no list */
export function asList(value: unknown, path: string, accepted: string): unknown[] {
  if (!Array.isArray(value)) throw wrong(path, accepted, value);
  return value;
}

/** @throws Refusal 400 when the value is not a list of strings */
export function asStrings(value: unknown, path: string): string[] {
  const strings = asList(value, path, "a list of strings");
  for (let i = 0; i < strings.length; i++) {
    if (typeof strings[i] !== "string") throw wrong(`${path || "body"}[${i}]`, "a string", strings[i]);
  }
  return strings as string[];
}

/** @throws Refusal 400 when the value is not a list of finite numbers */
export function asNumbers(value: unknown, path: string): number[] {
  const numbers = asList(value, path, "a list of finite numbers");
  for (let i = 0; i < numbers.length; i++) {
    if (!Number.isFinite(numbers[i])) throw wrong(`${path}[${i}]`, "a finite number", numbers[i]);
  }
  return numbers as number[];
}
