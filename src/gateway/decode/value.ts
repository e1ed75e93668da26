/**
 * Checks the values of a body one by one. Every check names the member, describes the wrong value and says what is
 * accepted. Checks never change or guess a value.
 */

import { type DescField, getOption } from "@bufbuild/protobuf";
import { bounds } from "../../gen/noema/v1/bounds_pb";
import { excerpt } from "../../text/excerpt";
import { isJsonObject, type JsonObject, memberPath } from "../../text/located";
import type { Body, LocatedInBody } from "../json/body";
import { Refusal } from "../refusal";
import type { Query } from "../request-context";

/** A value as refusals describe it: strings by {@link excerpt}, lists and objects only by kind. */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "a number too large for a double";
  if (typeof value === "string") return excerpt(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  return Object.keys(value).length === 0 ? "an empty object" : "an object";
}

/**
 * The refusal of a value.
 *
 * @param path where it stands; empty for the whole body
 * @param accepted what the check accepts
 */
export function wrong(path: string, accepted: string, value: unknown): Refusal {
  return new Refusal(400, `${path === "" ? "the body" : path} must be ${accepted}, got ${describe(value)}`);
}

/**
 * A member that the official client puts into the data of some calls, and other clients beside it. Few calls use it.
 */
export const UNIQUE_ID: readonly string[] = ["unique_id"];

/**
 * The body, or the value of its member `data` if it has one. Notes unknown members beside `data`.
 *
 * @param beside the members that may stand beside `data`
 */
export function dataOf(body: Body, beside = UNIQUE_ID): LocatedInBody {
  const { value } = body;
  if (!isJsonObject(value) || !Object.hasOwn(value, "data")) return body.root();
  body.unknown.note({ value, path: "" }, DATA, beside);
  return { value: value.data, way: ["data"], path: "data" };
}

const DATA = ["data"];

/** Notes all members of a body, and of its data, as unknown, for a body that is not read. */
export function noteAll(body: Body): void {
  if (body.value === undefined) return;
  const { value, path } = dataOf(body);
  if (isJsonObject(value)) body.unknown.note({ value, path }, [], UNIQUE_ID);
}

/** @throws Refusal 400 naming the unknown members that were noted, if any */
export function refuseUnknown({ unknown }: Body): void {
  const { sentence } = unknown;
  if (sentence !== "") throw new Refusal(400, sentence);
}

/** A member of an object in a body; its value is `undefined` when the object has no such member. */
export function memberOf(object: LocatedInBody<JsonObject>, name: string): LocatedInBody {
  return { value: object.value[name], way: [...object.way, name], path: memberPath(object.path, name) };
}

/** @throws Refusal 400 when the value is not an object */
export function asObject(located: LocatedInBody, accepted: string): LocatedInBody<JsonObject> {
  if (!isObject(located)) throw wrong(located.path, accepted, located.value);
  return located;
}

function isObject(located: LocatedInBody): located is LocatedInBody<JsonObject> {
  return isJsonObject(located.value);
}

/** @throws Refusal 400 when the value is not a string */
export function asString(value: unknown, path: string): string {
  if (typeof value !== "string") throw wrong(path, "a string", value);
  return value;
}

/** @throws Refusal 400 when the value is neither true nor false */
export function asFlag(value: unknown, path: string): boolean {
  if (typeof value !== "boolean") throw wrong(path, "true or false", value);
  return value;
}

/** @throws Refusal 400 when the value is not a finite number */
export function asNumber(value: unknown, path: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw wrong(path, "a finite number", value);
  return value;
}

/** @throws Refusal 400 when the value is not a whole number from `least` to `most` */
export function asWhole(value: unknown, path: string, least: number, most: number): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw wrong(path, `a whole number from ${least} to ${most}`, value);
}

/** @throws Refusal 400 when the value is not a whole number within the bounds that the contract states for a field */
export function asBounded(value: unknown, path: string, field: DescField): number {
  const { least = 0, most = Number.MAX_SAFE_INTEGER } = getOption(field, bounds);
  return asWhole(value, path, least, most);
}

/** @throws Refusal 400 when the value is not a list */
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

/** A parameter of the query that is true or false; false if absent. @throws Refusal 400 for another value */
export function flagIn(query: Query, name: string): boolean {
  const value = query[name];
  if (value === undefined || value === "false") return false;
  if (value === "true") return true;
  throw new Refusal(400, `the query's ${name} must be true or false, got ${describe(value)}`);
}
