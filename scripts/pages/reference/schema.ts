/**
 * JSON Schemas as HTML for people: types in words, with ranges, defaults and links to schemas that have a
 * name. Knows no operation.
 */

import type { Json, Schema } from "../../openapi/reference/entry";
import { escaped, inlineCode, quoted } from "../html";
import type { Markdown } from "../markdown";
import { nameIn } from "./document";

/** Where the section of a schema is on the page. */
export function schemaId(name: string): string {
  return `schema-${name}`;
}

const isSchema = (value: Json | undefined): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const schemasIn = (value: Json | undefined): readonly Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

const value = (json: Json) => inlineCode(JSON.stringify(json));

/** A `$ref`, even inside an `allOf` that adds a description. */
function refOf(schema: Schema): string | undefined {
  if (typeof schema.$ref === "string") return schema.$ref;
  const parts = schemasIn(schema.allOf);
  return parts.length === 1 && parts[0] !== undefined ? refOf(parts[0]) : undefined;
}

const WORDS: { readonly [type: string]: string } = {
  boolean: "true or false",
  integer: "whole number",
  null: "null",
  number: "number",
  object: "object",
  string: "text",
};

/** The type of a schema in a few words, as HTML. */
export function typeOf(schema: Schema): string {
  const ref = refOf(schema);
  if (ref !== undefined) return `<a href="#${schemaId(nameIn(ref))}">${nameIn(ref)}</a>`;
  if (schema.const !== undefined) return value(schema.const);
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.map(value).join(", ")}`;
  const either = schemasIn(schema.anyOf);
  if (either.length > 0) return either.map(typeOf).join(" or ");
  return [wordOf(schema), ...rules(schema)].join(", ");
}

function wordOf(schema: Schema): string {
  const { type, items, additionalProperties: more } = schema;
  if (type === "array") return `list of ${isSchema(items) ? plural(items) : "values"}`;
  if (type === "object" && schema.properties === undefined && isSchema(more))
    return `object of ${plural(more)} by name`;
  if (Array.isArray(type)) return type.map((one) => WORDS[String(one)] ?? String(one)).join(" or ");
  return WORDS[String(type)] ?? "any value";
}

const PLURALS: { readonly [word: string]: string } = {
  "any value": "values",
  number: "numbers",
  object: "objects",
  text: "texts",
  "whole number": "whole numbers",
};

/** The type of the items of a list. */
function plural(items: Schema): string {
  const type = typeOf(items);
  const [word = "", ...others] = type.split(", ");
  return [
    PLURALS[word] ?? word.replace(/^list of /, "lists of ").replace(/^object of /, "objects of "),
    ...others,
  ].join(", ");
}

/** The constraints of a value in addition to its type. */
function rules(schema: Schema): string[] {
  const { pattern, uniqueItems } = schema;
  return [
    range(schema),
    counted(schema.minItems, schema.maxItems, "item"),
    counted(schema.minLength, schema.maxLength, "character"),
    counted(schema.minProperties, schema.maxProperties, "member"),
    uniqueItems === true ? "each once" : "",
    typeof pattern === "string" ? `matching ${inlineCode(pattern)}` : "",
  ].filter((rule) => rule !== "");
}

const grouped = (count: Json) =>
  typeof count === "number" && count === Number.MAX_SAFE_INTEGER
    ? "2<sup>53</sup> − 1"
    : Number(count).toLocaleString("en-US");

function range({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? undefined : grouped(maximum);
  if (exclusiveMinimum !== undefined) {
    return `more than ${grouped(exclusiveMinimum)}${most === undefined ? "" : `, at most ${most}`}`;
  }
  if (minimum === undefined) return most === undefined ? "" : `at most ${most}`;
  return most === undefined ? `${grouped(minimum)} or more` : `${grouped(minimum)} to ${most}`;
}

function counted(least: Json | undefined, most: Json | undefined, noun: string): string {
  const some = (count: Json) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
  if (most === 0) return "empty";
  if (least !== undefined && most !== undefined) return `${grouped(least)} to ${some(most)}`;
  if (least !== undefined) return `${some(least)} or more`;
  return most === undefined ? "" : `at most ${some(most)}`;
}

/** Schemas by name. */
type Named = { readonly [name: string]: Schema };

/** Writes schemas as HTML. */
export class SchemaWriter {
  readonly #markdown: Markdown;
  readonly #named: Named;
  readonly #toShow: ReadonlySet<string>;
  readonly #shown = new Set<string>();

  /**
   * @param markdown for the descriptions
   * @param named the schemas that have a name
   * @param toShow the names of those that are shown where they are mentioned first; all later mentions lead there
   */
  constructor(markdown: Markdown, named: Named, toShow: ReadonlySet<string>) {
    this.#markdown = markdown;
    this.#named = named;
    this.#toShow = toShow;
  }

  /** Whether a named schema was shown where it was mentioned. */
  isShown(name: string): boolean {
    return this.#shown.has(name);
  }

  /**
   * A schema with its description and all its members.
   *
   * @param within the name of the schema that it is, so that links can lead to its members
   */
  block(schema: Schema, within?: string): string {
    const text = this.#description(schema);
    const type = hasPlainType(schema) || this.#isListed(schema) ? "" : `<p class=type>${typeOf(schema)}</p>`;
    return `${text === "" ? "" : `<p>${text}</p>`}${type}${this.inner(schema, within)}`;
  }

  /** What a schema holds, if its type does not say it: the members of an object, and the alternatives. */
  inner(schema: Schema, within?: string): string {
    const ref = refOf(schema);
    if (ref !== undefined) return this.#inPlace(nameIn(ref));
    const { properties, items, additionalProperties: more } = schema;
    if (isSchema(properties)) return this.#members(schema, properties, within);
    if (this.#isListed(schema)) {
      return `<ul class=either>${schemasIn(schema.anyOf)
        .map((one) => this.#alternative(one))
        .join("")}</ul>`;
    }
    if (isSchema(items)) return this.#nested(items);
    return isSchema(more) ? this.#nested(more) : "";
  }

  /**
   * One member of an object, or a parameter.
   *
   * @param attributes of its element, as HTML with a blank before each
   */
  member(name: string, schema: Schema, isRequired: boolean, attributes = ""): string {
    const mark = isRequired ? "" : " <i>optional</i>";
    const other = otherThanNull(schema);
    const type = this.#isListed(schema) && other === undefined ? "one of" : typeOf(schema);
    const standard = schema.default === undefined ? "" : `, default ${value(schema.default)}`;
    const text = this.#description(schema);
    const more = other === undefined ? "" : this.#description(other);
    const about = [text, text.startsWith(more.replace(/\.$/, "")) ? "" : more].filter((one) => one !== "");
    const inner = this.inner(other ?? schema);
    return `<li${attributes}><b>${escaped(name)}</b> <span>${type}${standard}</span>${mark}${about.map((one) => `<p>${one}</p>`).join("")}${inner}`;
  }

  /** Whether the alternatives of a schema are listed, because a few words do not say what they are. */
  #isListed({ anyOf }: Schema): boolean {
    const isPlain = (one: Schema) => {
      const ref = refOf(one);
      if (ref !== undefined) return !this.#isDue(nameIn(ref));
      return one.type === "null" || (one.type === "boolean" && one.description === undefined);
    };
    return schemasIn(anyOf).some((one) => !isPlain(one));
  }

  #isDue(name: string): boolean {
    return this.#toShow.has(name) && !this.#shown.has(name);
  }

  /** A schema that is mentioned here first. */
  #inPlace(name: string): string {
    const schema = this.#named[name];
    if (schema === undefined || !this.#isDue(name)) return "";
    this.#shown.add(name);
    return `<div id="${schemaId(name)}">${this.inner(schema, name)}</div>`;
  }

  #members(schema: Schema, properties: Schema, within: string | undefined): string {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const members = Object.entries(properties).map(([name, member]) =>
      this.member(
        name,
        isSchema(member) ? member : {},
        required.includes(name),
        within === undefined ? "" : ` id=${quoted(`${within}.${name}`)}`,
      ),
    );
    return `<ul class=members>${members.join("")}</ul>`;
  }

  #alternative(schema: Schema): string {
    const text = this.#description(schema);
    return `<li><span>${typeOf(schema)}</span>${text === "" ? "" : `<p>${text}</p>`}${this.inner(schema)}`;
  }

  /** The items of a list: their description, and what they hold. */
  #nested(schema: Schema): string {
    const inner = this.inner(schema);
    return inner === "" ? "" : `<ul class=either><li>${this.#description(schema)}${inner}</ul>`;
  }

  /** What a schema says of itself, or else the schema that it refers to. */
  #description(schema: Schema): string {
    const ref = refOf(schema);
    const { description = ref === undefined ? "" : this.#named[nameIn(ref)]?.description } = schema;
    return typeof description === "string" ? this.#markdown.inline(description) : "";
  }
}

/** The one alternative beside null, of a schema that has no other. */
function otherThanNull({ anyOf }: Schema): Schema | undefined {
  const either = schemasIn(anyOf);
  const others = either.filter(({ type }) => type !== "null");
  return either.length === 2 && others.length === 1 ? others[0] : undefined;
}

/** Whether the type says nothing beyond the members that follow. */
function hasPlainType(schema: Schema): boolean {
  return schema.type === "object" && schema.properties !== undefined;
}

/** Schemas with more members have a section of their own. */
const MAX_IN_PLACE = 15;

/** The schemas of what is around nearly every answer. */
export const sharedByAll: readonly string[] = ["Envelope", "Failure"];

/** The names of the schemas that are shown where an operation mentions them first: objects with few members. */
export function schemasToShow(named: Named, operations: readonly object[]): Set<string> {
  const mentioned = [...JSON.stringify(operations).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name = ""]) => name,
  );
  return new Set(
    mentioned.filter((name) => {
      const properties = named[name]?.properties;
      // What is around nearly every answer has a section of its own, too.
      return !sharedByAll.includes(name) && isSchema(properties) && Object.keys(properties).length <= MAX_IN_PLACE;
    }),
  );
}
