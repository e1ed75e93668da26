/** Schemas of what messages of the contract are as JSON: members, types and bounds from descriptors, words from comments. */

import { type DescEnum, type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { mayBeAbsent } from "../../src/gateway/decode/from-contract";
import { type Bounds, bounds } from "../../src/gen/noema/v1/bounds_pb";
import { EventSchema, SequenceSchema } from "../../src/gen/noema/v1/gdf_pb";
import { MAX_NAME_BYTES } from "../../src/text/chosen-names";
import { comments } from "./gen/comments";
import type { Json, Schema } from "./reference/entry";
import { choice, closed, either, flag, list, type Members, open, ref, text } from "./reference/schemas/schema";

/** How JSON shows a message, where it is not as the message is. */
interface Shape {
  /** What it is, where the comment of the message is no description of it. */
  readonly says?: string;
  /** Fields that JSON does not show. The stamp is never shown. */
  readonly without?: readonly string[];
  /** Members that messages do not have, or that JSON shows in another way. */
  readonly further?: Members;
}

/** The form of the names that clients choose. Bytes are no more than characters allow. */
const CHOSEN_NAME = { minLength: 1, maxLength: MAX_NAME_BYTES, pattern: "^(?!\\.{1,2}$)[^\\p{Cc}\\p{Cs}]+$" };

/** An event of a request, unlike those of answers never empty. */
const SENT_EVENT = list("The symbols of an event; one or more.", ref("Symbol"), { minItems: 1 });

/** A comment of the contract. @param name the full name of what it explains. Throws Error when there is none */
export function commentOn(name: string): string {
  const comment = comments[name];
  if (!comment) throw new Error(`${name} has no comment in proto/`);
  return comment;
}

/** The values of an enumeration as words, with their comments, from a value on. */
export function meaningsOf({ typeName, values }: DescEnum, from: number): { readonly [word: string]: string } {
  const shown = values.filter(({ number }) => number >= from);
  return Object.fromEntries(
    shown.map(({ localName, name }) => [localName.toLowerCase(), commentOn(`${typeName}.${name}`)]),
  );
}

/** What an answer shows of a message. */
export function answered(message: DescMessage, shape: Shape = {}): Schema {
  return open(shape.says ?? commentOn(message.typeName), membersOf(message, shape, false));
}

/** What answers show of messages, under the names of the messages. */
export function answeredByName(...messages: readonly DescMessage[]): Members {
  return Object.fromEntries(messages.map((message) => [message.name, answered(message)]));
}

/** What a request says of a message. It may have no other members. */
export function asked(message: DescMessage, shape: Shape = {}): Schema {
  return closed(shape.says ?? commentOn(message.typeName), membersOf(message, shape, true));
}

/** What a request says of a message that has exactly one of its fields. */
export function askedOneOf(message: DescMessage, further: Members = {}): Schema {
  const members = message.fields.map((field) => {
    const says = commentOn(`${message.typeName}.${field.name}`);
    return closed(says, { [field.name]: further[field.name] ?? schemaOf(field) });
  });
  return either(commentOn(message.typeName), ...members);
}

/** The members of a message. @param isAsked whether a client sends it, which may leave out switches */
export function membersOf(message: DescMessage, { without = [], further = {} }: Shape = {}, isAsked = false): Members {
  const instead = Object.keys(further).map((name) => name.replace(/\?$/, ""));
  const fields = message.fields.filter(({ name }) => ![...without, ...instead, "stamp"].includes(name));
  const members = fields.map((field) => [nameIn(field, isAsked), schemaOf(field)] as const);
  return { ...Object.fromEntries(members), ...further };
}

/** The name of a member; a question mark behind it says that JSON may leave it out. */
function nameIn(field: DescField, isAsked: boolean): string {
  const isAnsweredSwitch = !isAsked && field.scalar === ScalarType.BOOL && !field.proto.proto3Optional;
  return mayBeAbsent(field, getOption(field, bounds)) && !isAnsweredSwitch ? `${field.name}?` : field.name;
}

/** The schema of a field. Throws Error when it has no comment. */
export function schemaOf(field: DescField): Schema {
  const says = commentOn(`${field.parent.typeName}.${field.name}`);
  const rules = getOption(field, bounds);
  if (field.fieldKind === "list") {
    const element = elementOf(field, rules, rules.element);
    return list(says, element, defined({ minItems: rules.fewest, maxItems: rules.mostElements }));
  }
  const schema = elementOf(field, rules, says);
  if (!rules.nullable) return schema;
  const { type } = schema;
  return type === undefined || "enum" in schema
    ? either(says, schema, { type: "null" })
    : { ...schema, type: [type, "null"] };
}

function elementOf(field: DescField, rules: Bounds, says: string): Schema {
  if (rules.schema !== "") return ref(rules.schema);
  if (field.message === SequenceSchema) return list(says, SENT_EVENT);
  if (field.message === EventSchema && field.fieldKind === "message") return { ...SENT_EVENT, description: says };
  if (field.message !== undefined) return ref(field.message.name);
  switch (field.scalar) {
    case ScalarType.STRING: {
      const { chosenName, shortest, longest, pattern, words } = rules;
      if (chosenName) return text(says, CHOSEN_NAME);
      if (words.length > 0) return choice(words, says);
      return text(says, defined({ minLength: shortest, maxLength: longest, pattern: pattern || undefined }));
    }
    case ScalarType.BOOL:
      return flag(says);
    default:
      return numberOf(field, rules, says);
  }
}

function numberOf(field: DescField, { above, least, most, standard, whole }: Bounds, says: string): Schema {
  const rules = defined({ exclusiveMinimum: above, maximum: most, default: standard });
  const described = defined({ description: says || undefined });
  if (!whole && field.scalar === ScalarType.DOUBLE)
    return { type: "number", format: "double", ...described, ...defined({ minimum: least }), ...rules };
  return { type: "integer", ...described, minimum: least ?? 0, ...rules };
}

/** The keywords that have a value. */
function defined(rules: { readonly [keyword: string]: Json | undefined }): Schema {
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined)) as Schema;
}
