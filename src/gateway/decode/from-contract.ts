/**
 * Reads bodies as the contract describes their messages: members have the names of fields, and are checked by type and
 * bounds.
 */

import {
  type DescField,
  type DescMessage,
  type DescOneof,
  getOption,
  hasOption,
  type MessageInitShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { type Bounds, bounds, example } from "../../gen/noema/v1/bounds_pb";
import { EventSchema, SequenceSchema } from "../../gen/noema/v1/gdf_pb";
import { nameRefusal } from "../../text/chosen-names";
import { excerpt } from "../../text/excerpt";
import type { JsonObject } from "../../text/located";
import type { Body, LocatedInBody } from "../json/body";
import { Refusal } from "../refusal";
import { sequenceOf } from "./memory";
import { asBounded, asFlag, asList, asNumber, asObject, asString, asStrings, dataOf, memberOf, wrong } from "./value";

/** Checks a value, converts it to a field's, and notes unknown members. @throws Refusal 400 naming what is accepted */
type Reader = (located: LocatedInBody, body: Body) => unknown;

/** Readers of fields whose JSON is not what the contract says, by name of the field. */
type Readers = { readonly [field: string]: Reader };

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

/** How bodies differ from the message. */
interface Differences {
  /** Whether the body may be absent, which sets nothing. */
  readonly isBodyOptional?: boolean;
  /** The fields that the body does not have, such as those of the path. */
  readonly without?: readonly string[];
  readonly readers?: Readers;
}

/**
 * Creates the decoder of a message that is sent as `{data: {...}}`, or as that object alone.
 *
 * @returns a decoder that notes members that the message does not have. It throws Refusal 400 naming the wrong member
 */
export function decodeData<Desc extends DescMessage>(
  desc: Desc,
  { isBodyOptional = false, without = [], readers }: Differences = {},
): (body: Body) => MessageInitShape<Desc> {
  const fields = desc.fields.map(({ name }) => name).filter((name) => !without.includes(name));
  const { read } = objectForm(desc, partsOf(desc, fields, readers), isBodyOptional ? ", or absent" : "");
  return (body) => {
    if (isBodyOptional && body.value === undefined) return {} as MessageInitShape<Desc>;
    return read(dataOf(body, []), body) as MessageInitShape<Desc>;
  };
}

/** The members that a body may have for a message. @param names the fields; all if absent */
export function partsOf(desc: DescMessage, names?: readonly string[], readers: Readers = {}): readonly Part[] {
  const fields = desc.fields.filter(({ name }) => names === undefined || names.includes(name));
  return fields.map((field) => {
    const rules = getOption(field, bounds);
    const read = readers[field.name];
    const form = read === undefined ? formOf(field, rules, readers) : { words: "...", read };
    return { field, isOptional: mayBeAbsent(field, rules), ...form };
  });
}

/** Whether a request may omit a field. */
export function mayBeAbsent({ fieldKind, scalar, proto }: DescField, rules: Bounds): boolean {
  const isSwitch = fieldKind === "scalar" && scalar === ScalarType.BOOL;
  return isSwitch || rules.optional || rules.standard !== undefined || (proto.proto3Optional && !rules.nullable);
}

/** The fields of a message that an object sets. @throws Refusal 400 naming the wrong member */
export function fieldsIn(
  object: LocatedInBody<JsonObject>,
  parts: readonly Part[],
  body: Body,
): { [field: string]: unknown } {
  const set: { [field: string]: unknown } = {};
  for (const { field, isOptional, read } of parts) {
    if (!isOptional || Object.hasOwn(object.value, field.name))
      set[field.localName] = read(memberOf(object, field.name), body);
    else if (!field.proto.proto3Optional) setStandard(set, field);
  }
  return set;
}

/** Sets a field that cannot be absent in the message to the value that counts if it is absent in JSON. */
function setStandard(set: { [field: string]: unknown }, field: DescField): void {
  const { standard } = getOption(field, bounds);
  if (standard !== undefined) set[field.localName] = standard;
}

/** @throws Error for a type of field that no body has so far */
function formOf(field: DescField, rules: Bounds, readers: Readers): Form {
  if (field.fieldKind === "list") return listOf(field, rules);
  const { message } = field;
  if (message === undefined) return { words: wordsOf(field), read: scalarReader(field, rules) };
  if (message === SequenceSchema)
    return { words: "[[symbol, ...], ...]", read: ({ value, path }) => sequenceOf(value, path) };
  if (message === EventSchema) return { words: "[symbol, ...]", read: eventOf };
  const parts = partsOf(message, undefined, readers);
  const [oneof] = message.oneofs;
  return oneof === undefined ? objectForm(message, parts) : oneofForm(oneof, parts);
}

/** An object that holds the fields of a message. @param alternative what is accepted besides */
function objectForm(desc: DescMessage, parts: readonly Part[], alternative = ""): Form {
  const names = parts.map(({ field }) => field.name);
  const members = parts.map(({ field, isOptional, words }) => `${field.name}${isOptional ? "?" : ""}: ${words}`);
  const object = `{${members.join(", ")}}`;
  const words = hasOption(desc, example)
    ? `an object such as ${getOption(desc, example)}`
    : `an object {data: ${object}}${alternative}`;
  const read: Reader = (located, body) => {
    const given = asObject(located, words);
    body.unknown.note(given, names);
    return fieldsIn(given, parts, body);
  };
  return { words, read };
}

/** An object with exactly one of the members of a oneof, which has all fields of its message. */
function oneofForm({ localName, parent }: DescOneof, parts: readonly Part[]): Form {
  const names = parts.map(({ field }) => field.name);
  const words = `an object with one of the members ${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  // AlertCondition: condition.
  const noun = parent.name.replace(/^.*(?=[A-Z])/, "").toLowerCase();
  const read: Reader = (located, body) => {
    const object = asObject(located, words);
    body.unknown.note(object, names);
    const given = parts.filter(({ field }) => Object.hasOwn(object.value, field.name));
    const [part] = given;
    if (part === undefined) {
      const [other] = Object.keys(object.value);
      const got = other === undefined ? "an empty object" : `the member ${excerpt(other)}`;
      throw new Refusal(400, `${object.path} must be ${words}, got ${got}`);
    }
    if (given.length > 1) {
      const all = given.map(({ field }) => field.name).join(" and ");
      throw new Refusal(400, `${object.path} must have one ${noun}, got ${all}`);
    }
    const member = memberOf(object, part.field.name);
    // A switch that is off would be no choice.
    if (part.field.scalar === ScalarType.BOOL && member.value !== true) throw wrong(member.path, "true", member.value);
    return { [localName]: { case: part.field.localName, value: part.read(member, body) } };
  };
  return { words, read };
}

/** A scalar as descriptions of objects name it. @throws Error for a type of field that no body has so far */
function wordsOf(field: DescField): string {
  if (field.scalar === ScalarType.STRING) return "string";
  if (field.scalar === ScalarType.BOOL) return "bool";
  if (field.scalar === ScalarType.UINT32 || field.scalar === ScalarType.DOUBLE) return "number";
  throw unread(field);
}

function scalarReader(field: DescField, rules: Bounds): Reader {
  if (field.scalar === ScalarType.STRING) return (located) => textOf(located, rules);
  if (field.scalar === ScalarType.BOOL) return ({ value, path }) => asFlag(value, path);
  if (field.scalar === ScalarType.DOUBLE && !rules.whole) return (located) => numberOf(located, rules);
  return ({ value, path }) => asBounded(value, path, field);
}

function unread({ parent, name }: DescField): Error {
  return new Error(`no body holds ${parent.name}.${name} yet: let decode/from-contract.ts read it, or write a decoder`);
}

/** A text; empty for null. The processor checks patterns. */
function textOf({ value, path }: LocatedInBody, rules: Bounds): string {
  const { chosenName, longest = Number.MAX_SAFE_INTEGER, nullable, shortest = 0, words } = rules;
  if (chosenName) return nameOf(value, path);
  if (nullable && value === null) return "";
  if (words.length > 0) {
    if (words.some((word) => word === value)) return String(value);
    throw wrong(path, `${nullable ? "null or " : ""}one of ${words.join(", ")}`, value);
  }
  if (value === "" && shortest > 0) throw wrong(path, "a string that is not empty", value);
  const text = asString(value, path);
  if (text.length <= longest) return text;
  throw new Refusal(400, `${path} must have at most ${longest} characters, got ${text.length}`);
}

function nameOf(value: unknown, path: string): string {
  if (typeof value === "string" && nameRefusal(value) === undefined) return value;
  throw wrong(path, nameRefusal("") ?? "", value);
}

/** A number that may have a fraction. */
function numberOf({ value, path }: LocatedInBody, { above, least, most, accepted }: Bounds): number {
  if (accepted !== "") asNumber(value, path);
  const isAbove = (number: number) => (above === undefined ? number >= (least ?? -Infinity) : number > above);
  if (typeof value === "number" && isAbove(value) && value <= (most ?? Number.MAX_VALUE)) return value;
  const range =
    above === undefined ? `a number from ${least} to ${most}` : `a number above ${above} and at most ${most}`;
  throw wrong(path, accepted || range, value);
}

/** A list of numbers within bounds, or a set of names. */
function listOf(field: DescField, rules: Bounds): Form {
  const { least, most, fewest = 0, mostElements } = rules;
  if (field.scalar === ScalarType.STRING && rules.chosenName && mostElements !== undefined)
    return { words: "[name, ...]", read: (located) => namesOf(located, fewest, mostElements) };
  if (field.scalar !== ScalarType.DOUBLE || mostElements === undefined || least === undefined || most === undefined)
    throw new Error(
      `no body can hold the list ${field.parent.name}.${field.name} yet: say in decode/from-contract.ts how`,
    );
  const wanted = `a list of ${fewest} to ${mostElements} numbers from ${least} to ${most}`;
  const read: Reader = ({ value, path }) => {
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

/** A list of names, each once. */
function namesOf({ value, path }: LocatedInBody, fewest: number, most: number): string[] {
  const names = asList(value, path, `a list of ${fewest} to ${most} names`);
  if (names.length < fewest || names.length > most) {
    throw new Refusal(400, `${path} must have ${fewest} to ${most} names, got ${names.length}`);
  }
  return [...new Set(names.map((name, at) => nameOf(name, `${path}[${at}]`)))];
}

/** A nonempty event. */
function eventOf({ value, path }: LocatedInBody): { symbols: string[] } {
  const symbols = asStrings(value, path);
  if (symbols.length === 0) throw wrong(path, "a list of one or more symbols", symbols);
  return { symbols };
}
