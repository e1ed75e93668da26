/** Definitions of encoders as JSON text: reads and checks what a client sends, and prints what is stored and shown. */

import { excerpt } from "../../text/excerpt";
import { isZone } from "../../text/time-zones";
import { Fault } from "../ports/fault";
import {
  acceptedBy,
  type ChoiceMember,
  type Definition,
  isKindName,
  KIND_NAMES,
  type KindName,
  type MemberDeclaration,
  membersOf,
  type NumberMember,
  type RisingMember,
  type ZoneMember,
} from "./kinds";

/** Maximum number of unknown members named in a message. */
const MAX_NAMED = 5;

type JsonObject = { readonly [name: string]: unknown };

type Setting = boolean | number | string | readonly number[];

const KINDS_LIST = `${KIND_NAMES.slice(0, -1).join(", ")} or ${KIND_NAMES.at(-1)}`;

const ACCEPTED = `an object with kind (${KINDS_LIST}) and the members of that kind`;

/**
 * Describes a value for an error message. JSON has no infinity: an infinite number comes from a literal beyond the
 * range of doubles.
 */
function described(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "number" && !Number.isFinite(value)) return "a number too large for a double";
  return excerpt(value);
}

/** The refusal of a member's value. */
function wrong(name: string, accepted: string, value: unknown): Fault {
  return new Fault("invalid", `${name} must be ${accepted}, got ${described(value)}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Answer text that is not JSON with the refusal for JSON that is not an object.
    return text;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A number of a definition: finite, and 0 for -0, so that it prints the same everywhere. */
function finite(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value + 0 : undefined;
}

/**
 * The numbers of a list.
 *
 * @throws Fault `invalid` naming the first item that is not a number, or not greater than its predecessor
 */
function risingIn(name: string, list: readonly unknown[], accepted: string): number[] {
  const numbers: number[] = [];
  for (const [at, value] of list.entries()) {
    const number = finite(value);
    const before = numbers.at(-1);
    if (number === undefined) throw wrong(`${name}[${at}]`, "a finite number", value);
    if (before !== undefined && number <= before) {
      throw new Fault("invalid", `${name} must be ${accepted}, got ${number} after ${before} at ${name}[${at}]`);
    }
    numbers.push(number);
  }
  return numbers;
}

/** @throws Fault `invalid` when the value is not a list of rising numbers, or too long */
function risingSetting(name: string, member: RisingMember, given: unknown): Setting {
  const accepted = acceptedBy(member);
  if (!Array.isArray(given)) throw wrong(name, accepted, given);
  if (given.length === 0 || given.length > member.most) {
    throw new Fault("invalid", `${name} must be ${accepted}, got ${given.length} numbers`);
  }
  return risingIn(name, given, accepted);
}

/** @throws Fault `invalid` when the value is not a number in the range */
function numberSetting(name: string, member: NumberMember, given: unknown): Setting {
  const { least = Number.NEGATIVE_INFINITY, above = Number.NEGATIVE_INFINITY, most } = member;
  const number = finite(given);
  const isIn = number !== undefined && number >= least && number > above;
  const isWhole = most === undefined || (isIn && number <= most && Number.isInteger(number));
  if (!isIn || !isWhole) throw wrong(name, acceptedBy(member), given);
  return number;
}

/** @throws Fault `invalid` when the value is not a word that the member accepts */
function wordSetting(name: string, member: ChoiceMember | ZoneMember, given: unknown): Setting {
  const isAccepted =
    typeof given === "string" && (member.type === "choice" ? member.choices.includes(given) : isZone(given));
  if (!isAccepted) throw wrong(name, acceptedBy(member), given);
  return given;
}

/**
 * The value of a member; `undefined` for an absent optional member.
 *
 * @throws Fault `invalid` naming the member and what it accepts
 */
function settingOf(name: string, member: MemberDeclaration, value: unknown): Setting | undefined {
  const given = value === undefined && "default" in member ? member.default : value;
  switch (member.type) {
    case "flag":
      if (typeof given !== "boolean") throw wrong(name, acceptedBy(member), given);
      return given;
    case "rising":
      return given === undefined && member.isOptional ? undefined : risingSetting(name, member, given);
    case "number":
      return numberSetting(name, member, given);
    case "choice":
    case "zone":
      return wordSetting(name, member, given);
  }
}

/** @throws Fault `invalid` naming the members that encoders of this kind do not have */
function refuseUnknown(kind: KindName, object: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(object).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const named = unknown.slice(0, MAX_NAMED).map((name) => excerpt(name));
  const more = unknown.length > named.length ? ` and ${unknown.length - named.length} more` : "";
  const are = unknown.length === 1 ? "is" : "are";
  throw new Fault(
    "invalid",
    `${named.join(", ")}${more} ${are} unknown in an encoder of the kind ${kind} (accepted: ${known.join(", ")})`,
  );
}

/**
 * Reads a definition.
 *
 * @param text a JSON object; members that have a default may be left out
 * @throws Fault `invalid` naming the wrong member and what it accepts
 */
export function definitionOf(text: string): Definition {
  const object = parse(text);
  if (!isObject(object)) throw new Fault("invalid", `an encoder must be ${ACCEPTED}, got ${excerpt(object)}`);
  const { kind } = object;
  if (typeof kind !== "string" || !isKindName(kind)) {
    throw wrong("the kind of an encoder", `one of ${KIND_NAMES.join(", ")}`, kind);
  }
  const members = membersOf(kind);
  refuseUnknown(kind, object, ["kind", ...Object.keys(members)]);
  const settings = Object.entries(members).flatMap(([name, member]) => {
    const setting = settingOf(name, member, Object.hasOwn(object, name) ? object[name] : undefined);
    return setting === undefined ? [] : [[name, setting] as const];
  });
  return { kind, ...Object.fromEntries(settings) } as unknown as Definition;
}

/** A definition as canonical JSON text: all members, sorted by name. Definitions are equal if their texts are. */
export function definitionText(definition: Definition): string {
  return JSON.stringify(Object.fromEntries(Object.entries(definition).sort(([a], [b]) => (a < b ? -1 : 1))));
}
