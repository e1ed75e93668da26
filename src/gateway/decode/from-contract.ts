/**
 * Reads bodies as the contract describes their messages: members have the names of fields, and are checked by type and
 * bounds.
 */

import { type DescField, type DescMessage, getOption, type MessageInitShape, ScalarType } from "@bufbuild/protobuf";
import { type Bounds, bounds } from "../../gen/noema/v1/bounds_pb";
import type { JsonObject } from "../../text/located";
import type { Body, LocatedInBody } from "../json/body";
import { sequenceOf } from "./memory";
import { asBounded, asFlag, asList, asObject, asString, asStrings, dataOf, memberOf, wrong } from "./value";

/** Checks a value, and converts it to a field's. @throws Refusal 400 naming what is accepted */
type Reader = (value: unknown, path: string) => unknown;

/** The form of a field in JSON: its description for refusals, and its reader. */
interface Form {
  readonly words: string;
  readonly read: Reader;
}

/** A member that a body may have. */
interface Part extends Form {
  readonly field: DescField;
  /** Whether a body may omit it. */
  readonly isOptional: boolean;
}

/**
 * Creates the decoder of a message that is sent as `{data: {...}}`, or as that object alone.
 *
 * @param isBodyOptional whether the body may be absent, which sets nothing
 * @returns a decoder that notes members that the message does not have. It throws Refusal 400 naming the wrong member
 */
export function decodeData<Desc extends DescMessage>(
  desc: Desc,
  { isBodyOptional = false } = {},
): (body: Body) => MessageInitShape<Desc> {
  const parts = partsOf(desc);
  const names = parts.map(({ field }) => field.name);
  const members = parts.map(({ field, isOptional, words }) => `${field.name}${isOptional ? "?" : ""}: ${words}`);
  const accepted = `an object {data: {${members.join(", ")}}}${isBodyOptional ? ", or absent" : ""}`;
  return (body) => {
    if (isBodyOptional && body.value === undefined) return {} as MessageInitShape<Desc>;
    const data = asObject(dataOf(body, []), accepted);
    body.unknown.note(data, names);
    return fieldsIn(data, parts) as MessageInitShape<Desc>;
  };
}

/** The members that a body may have for a message. @param names the fields; all if absent */
export function partsOf(desc: DescMessage, names?: readonly string[]): readonly Part[] {
  const fields = desc.fields.filter(({ name }) => names === undefined || names.includes(name));
  return fields.map((field) => {
    const rules = getOption(field, bounds);
    const isText = field.fieldKind === "scalar" && field.scalar === ScalarType.STRING && !field.proto.proto3Optional;
    return { field, isOptional: rules.optional || !(isText || rules.required), ...formOf(field, rules) };
  });
}

/** The fields of a message that an object sets. @throws Refusal 400 naming the wrong member */
export function fieldsIn(object: LocatedInBody<JsonObject>, parts: readonly Part[]): { [field: string]: unknown } {
  const set: { [field: string]: unknown } = {};
  for (const { field, isOptional, read } of parts) {
    if (isOptional && !Object.hasOwn(object.value, field.name)) continue;
    const { value, path } = memberOf(object, field.name);
    set[field.localName] = read(value, path);
  }
  return set;
}

/** @throws Error for a type of field that no body has so far */
function formOf(field: DescField, rules: Bounds): Form {
  if (field.oneof !== undefined) throw unread(field);
  if (field.fieldKind === "list") return listOf(field, rules);
  if (field.message?.name === "Sequence") return { words: "[[symbol, ...], ...]", read: sequenceOf };
  if (field.message?.name === "Event") return { words: "[symbol, ...]", read: eventOf };
  switch (field.scalar) {
    case ScalarType.STRING:
      return { words: "string", read: asString };
    case ScalarType.BOOL:
      return { words: "bool", read: asFlag };
    case ScalarType.UINT32:
      return { words: "number", read: (value, path) => asBounded(value, path, field) };
    case ScalarType.DOUBLE:
      if (rules.whole) return { words: "number", read: (value, path) => asBounded(value, path, field) };
  }
  throw unread(field);
}

function unread({ parent, name }: DescField): Error {
  return new Error(`no body holds ${parent.name}.${name} yet: let decode/from-contract.ts read it, or write a decoder`);
}

/** A list of numbers within bounds. */
function listOf(field: DescField, { least, most, fewest = 0, mostElements }: Bounds): Form {
  if (field.scalar !== ScalarType.DOUBLE || mostElements === undefined || least === undefined || most === undefined)
    throw new Error(
      `no body can hold the list ${field.parent.name}.${field.name} yet: say in decode/from-contract.ts how`,
    );
  const wanted = `a list of ${fewest} to ${mostElements} numbers from ${least} to ${most}`;
  const read: Reader = (value, path) => {
    const numbers = asList(value, path, wanted);
    if (numbers.length < fewest || numbers.length > mostElements) throw wrong(path, wanted, value);
    for (const [i, number] of numbers.entries()) {
      if (typeof number !== "number" || !(number >= least && number <= most))
        throw wrong(`${path}[${i}]`, `a number from ${least} to ${most}`, number);
    }
    return numbers;
  };
  return { words: "[number, ...]", read };
}

/** A nonempty event. */
function eventOf(value: unknown, path: string): { symbols: string[] } {
  const symbols = asStrings(value, path);
  if (symbols.length === 0) throw wrong(path, "a list of one or more symbols", symbols);
  return { symbols };
}
