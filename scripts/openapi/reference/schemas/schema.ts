/** Short ways to write JSON Schemas. Knows no particular schema. */

import type { Json, Schema } from "../entry";

/** Where the document keeps the schemas that have names. */
const COMPONENTS = "#/components/schemas/";

/** The schemas that a file declares, by name. */
export type Schemas = { readonly [name: string]: Schema };

/** A schema that has a name, which some file beside this one declares. */
export function ref(name: string): Schema {
  return { $ref: COMPONENTS + name };
}

/** The members of an object by name. A question mark behind the name means that the member may be absent. */
/** The members of an object by name. */
export type Members = { readonly [name: string]: Schema };

function objectOf(description: string, members: Members): { readonly [keyword: string]: Json } {
  const names = Object.keys(members);
  const required = names.filter((name) => !name.endsWith("?"));
  const properties = names.map((name) => [name.replace(/\?$/, ""), members[name] ?? {}] as const);
  return {
    type: "object",
    description,
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** An object of an answer. It may gain members in later versions. */
export function open(description: string, members: Members): Schema {
  return objectOf(description, members);
}

/** An object of a file that other programs write too: it may have any other members, which are kept and mean nothing. */
export function loose(description: string, members: Members): Schema {
  return { ...objectOf(description, members), additionalProperties: true };
}

/** An object of a request, without other members. */
export function closed(description: string, members: Members): Schema {
  return { ...objectOf(description, members), additionalProperties: false };
}

/** An object with any names, whose members all have one schema. */
export function byName(description: string, member: Schema): Schema {
  return { type: "object", description, additionalProperties: member };
}

/** A list. */
export function list(description: string, items: Schema, rules: Schema = {}): Schema {
  return { type: "array", description, items, ...rules };
}

/** A string. @param rules further keywords, such as `pattern` */
export function text(description: string, rules: Schema = {}): Schema {
  return { type: "string", description, ...rules };
}

/** The one string that an answer can be. */
export function word(value: string, description: string): Schema {
  return { type: "string", const: value, description };
}

/** One of several strings. */
export function choice(values: readonly string[], description: string): Schema {
  return { type: "string", enum: values, description };
}

/** A finite IEEE 754 double. Answers print it in the shortest form that reads back as the same double. @param rules such as `minimum` */
export function double(description: string, rules: Schema = {}): Schema {
  return { type: "number", format: "double", description, ...rules };
}

/** A whole number. */
export function whole(description: string, minimum = 0): Schema {
  return { type: "integer", description, minimum };
}

/** True or false. */
export function flag(description: string): Schema {
  return { type: "boolean", description };
}

/** One of several schemas. */
export function either(description: string, ...schemas: readonly Schema[]): Schema {
  return { description, anyOf: schemas };
}

/** A body `{data: ...}`, or what it holds by itself. */
export function inData(data: Schema, description = "The request inside `data`, or by itself."): Schema {
  return either(description, closed("The request inside `data`.", { data }), data);
}

/** The usual answer. @param further members of the envelope besides the usual ones */
export function envelope(message: Schema, further: Members = {}): Schema {
  return { allOf: [ref("Envelope"), objectOf("What this operation answers.", { ...further, message })] };
}
