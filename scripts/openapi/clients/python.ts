/** Writes the generated part of the Python client: a class of methods for each owner, and the types of what they carry. Pure. */

import type { Json } from "../reference/entry";
import { type AnySchema, type Documented, type Method, type Parameter, resolved } from "./methods";
import { pythonName, pythonParameter } from "./python-names";

/** Methods that are written by hand: they stream, or take more than the operation has. */
const BY_HAND: readonly string[] = [
  "backup",
  "exportKnowledgeBase",
  "getMetrics",
  "getTime",
  "loadKnowledgeBase",
  "observe",
  "observeSequence",
  "restore",
];

const BANNER = "From the OpenAPI document. Written by `npm run generate`; edit the contract instead.";

const REFERENCE = "#/components/schemas/";

/** Where a type is written: names of schemas there, and lists and mappings that a caller may pass as another kind. */
interface Place {
  /** What stands before the name of a schema. */
  readonly prefix: string;
  /** Whether callers pass it: then a tuple is as good as a list. */
  readonly isArgument: boolean;
}

const IN_TYPES: Place = { prefix: "", isArgument: false };
const RESULT: Place = { prefix: "types.", isArgument: false };
const ARGUMENT: Place = { prefix: "types.", isArgument: true };

const quoted = (text: Json) => JSON.stringify(text);

function literal(values: readonly Json[]): string {
  const python = (value: Json) => ({ true: "True", false: "False", null: "None" })[String(value)] ?? quoted(value);
  // A number is not of the types that a literal may have when it has a fraction.
  return `t.Literal[${values.map((value) => (typeof value === "string" ? quoted(value) : python(value))).join(", ")}]`;
}

function union(types: readonly string[]): string {
  const all = [...new Set(types)];
  return all.length === 1 ? (all[0] ?? "t.Any") : `t.Union[${all.join(", ")}]`;
}

const SIMPLE: { readonly [type: string]: string } = {
  boolean: "bool",
  integer: "int",
  null: "None",
  number: "float",
  string: "str",
};

/** Whether a schema is an object with members of its own. */
const hasMembers = ({ type, properties }: AnySchema) =>
  type === "object" && properties !== undefined && Object.keys(properties as object).length > 0;

/** Writes types. Objects without a name get one: they are collected. */
class TypeWriter {
  readonly #document: Documented;
  /** Definitions of objects without a name of their own, in order. */
  readonly extra: string[] = [];

  constructor(document: Documented) {
    this.#document = document;
  }

  /**
   * The type of values of a schema.
   *
   * @param name what an object without a name is called
   */
  type(schema: AnySchema, name: string, place: Place): string {
    if (typeof schema.$ref === "string") return this.#referred(schema, name, place);
    if (schema.const !== undefined) return typeof schema.const === "string" ? literal([schema.const]) : "t.Any";
    if (Array.isArray(schema.enum)) return literal(schema.enum);
    const parts = (schema.anyOf ?? schema.oneOf) as AnySchema[] | undefined;
    if (parts !== undefined && schema.properties === undefined) {
      // A gene that was not accepted is raised.
      const kept = parts.filter(({ $ref }) => $ref !== `${REFERENCE}FaultyGenes`);
      return union(kept.map((part, at) => this.type(part, `${name}${at === 0 ? "" : at + 1}`, place)));
    }
    if (Array.isArray(schema.allOf) && schema.properties === undefined) {
      return this.type((schema.allOf as AnySchema[])[0] ?? {}, name, place);
    }
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => SIMPLE[String(type)] ?? "t.Any"));
    if (schema.type === "array") return this.#list(schema, name, place);
    if (schema.type === "object") return this.#object(schema, name, place);
    return SIMPLE[String(schema.type)] ?? "t.Any";
  }

  #referred(schema: AnySchema, name: string, place: Place): string {
    const target = resolved(schema, this.#document);
    // What a caller passes may be any sequence: lists behind a name are written out.
    if (place.isArgument && target.type === "array") return this.type(target, name, place);
    return `${place.prefix}${String(schema.$ref).slice(REFERENCE.length)}`;
  }

  #list(schema: AnySchema, name: string, place: Place): string {
    const items = this.type((schema.items ?? {}) as AnySchema, `${name}Item`, place);
    return `${place.isArgument ? "t.Sequence" : "t.List"}[${items}]`;
  }

  #object(schema: AnySchema, name: string, place: Place): string {
    if (hasMembers(schema)) {
      this.extra.push(this.definition(name, schema));
      return `${place.prefix}${name}`;
    }
    const { additionalProperties: values } = schema;
    const inner = typeof values === "object" ? this.type(values as AnySchema, `${name}Value`, place) : "t.Any";
    return `${place.isArgument ? "t.Mapping" : "t.Dict"}[str, ${inner}]`;
  }

  /** The definition of a type: a dictionary with the members of an object, or another name. */
  definition(name: string, schema: AnySchema): string {
    const text = String(schema.description ?? "").replaceAll("\\", "\\\\");
    if (!hasMembers(schema)) return `${name} = ${this.type(schema, `${name}Part`, IN_TYPES)}\n"""${text}"""\n`;
    const { properties, required = [] } = schema as { properties: { [name: string]: AnySchema }; required?: string[] };
    const members = Object.entries(properties).map(([member, value]) => ({
      member,
      type: this.type(value, `${name}${pascal(member)}`, IN_TYPES),
      isRequired: required.includes(member),
    }));
    const [always, sometimes] = [
      members.filter(({ isRequired }) => isRequired),
      members.filter(({ isRequired }) => !isRequired),
    ];
    const hasBoth = always.length > 0 && sometimes.length > 0;
    const dictionary = (own: string, of: typeof members, total: string) =>
      `${own} = t.TypedDict("${own}", {${of.map(({ member, type }) => `"${member}": '${type}'`).join(", ")}}${total})\n`;
    if (!hasBoth) return `${dictionary(name, members, sometimes.length > 0 ? ", total=False" : "")}"""${text}"""\n`;
    const base = `_${name}Always`;
    const lines = sometimes.map(({ member, type }) => `    ${member}: ${type}\n`);
    return `${dictionary(base, always, "")}\n\nclass ${name}(${base}, total=False):\n    """${text}"""\n\n${lines.join("")}`;
  }
}

const pascal = (text: string) => text.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A name of an argument with its type, and its default where it has one. */
function argument(parameter: Parameter, method: Method, types: TypeWriter): string {
  const { name, schema, isRequired } = parameter;
  const isFlag = Array.isArray(schema.enum) && schema.enum.join() === "true,false";
  const type = isFlag ? "bool" : types.type(schema, `${pascal(method.name)}${pascal(name)}`, ARGUMENT);
  if (isRequired) return `${name}: ${type}`;
  return `${name}: t.Optional[${type}] = None`;
}

function signature(method: Method, types: TypeWriter): string {
  const positional = method.parameters.filter(({ isPositional }) => isPositional);
  // Those that must be given come first.
  const keywords = method.parameters
    .filter(({ isPositional }) => !isPositional)
    .sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
  const how = ["timeout: t.Optional[float] = None", "retries: t.Optional[int] = None"];
  if (method.repeats === "keyed") how.unshift("idempotency_key: t.Optional[str] = None");
  return [
    "self",
    ...positional.map((parameter) => argument(parameter, method, types)),
    "*",
    ...keywords.map((parameter) => argument(parameter, method, types)),
    ...how,
  ].join(", ");
}

/** A dictionary of what is given. */
function given(parameters: readonly Parameter[]): string {
  return `{${parameters.map(({ name, wire, isRequired }) => `"${wire}": ${isRequired ? name : `none_is_absent(${name})`}`).join(", ")}}`;
}

function bodyOf({ parameters, wrapping }: Method): string {
  const whole = parameters.find(({ place }) => place === "body");
  const members = parameters.filter(({ place }) => place === "member");
  if (whole === undefined && members.length === 0) return "ABSENT";
  const inner = whole === undefined ? `present(${given(members)})` : whole.name;
  const isOptional = members.length > 0 && members.every(({ isRequired }) => !isRequired);
  const wrapped = wrapping.reduceRight((text, name) => `{"${name}": ${text}}`, inner);
  return isOptional ? `${wrapped} if ${inner} else ABSENT` : wrapped;
}

function returned({ result, answer, name }: Method, document: Documented, types: TypeWriter): [string, string] {
  if (result === "none") return ["None", ""];
  if (result === "message") return [types.type(answer, `${pascal(name)}Message`, RESULT), '["message"]'];
  if (result === "whole") {
    return [name === "hotswap_genome" ? "t.Dict[str, t.Any]" : types.type(answer, `${pascal(name)}Answer`, RESULT), ""];
  }
  const properties = resolved(answer, document).properties as { readonly [name: string]: AnySchema };
  const { member } = result;
  const isOptional = !((resolved(answer, document).required ?? []) as readonly string[]).includes(member);
  const type = types.type(properties[member] ?? {}, `${pascal(name)}${pascal(member)}`, RESULT);
  return isOptional ? [`t.Optional[${type}]`, `["message"].get("${member}")`] : [type, `["message"]["${member}"]`];
}

/** Python's text of a sentence in a comment of code. */
const sentence = (text: string) => text.replaceAll("\\", "\\\\");

function documentation(method: Method): string {
  const { summary, roles, parameters } = method;
  const lines = parameters.flatMap(({ name, schema }) =>
    typeof schema.description === "string" ? [`:param ${name}: ${schema.description}`] : [],
  );
  const role = roles.length === 0 ? "Any key will do." : `The key needs the role ${roles.join(" or ")}.`;
  const all = [`${summary}.`, "", role, ...(lines.length > 0 ? [""] : []), ...lines];
  return sentence(
    all
      .map((line) => (line === "" ? "" : `        ${line}`))
      .join("\n")
      .trimStart(),
  );
}

function methodText(method: Method, document: Documented, types: TypeWriter): string {
  const path = method.path.replace(/\{(\w+)\}/g, (_, wire: string) => {
    const name = method.parameters.find((one) => one.place === "path" && one.wire === wire)?.name ?? wire;
    return `{segment("${name}", ${name})}`;
  });
  const query = method.parameters.filter(({ place }) => place === "query");
  const [type, member] = returned(method, document, types);
  const key = method.repeats === "keyed" ? "idempotency_key" : "None";
  const call = [
    `"${method.name}"`,
    `"${method.verb}"`,
    `${path.includes("{") ? "f" : ""}${path.includes("{") ? `'${path}'` : `"${path}"`}`,
    `"${method.repeats}"`,
    `query=${query.length === 0 ? "{}" : given(query)}`,
    `body=${bodyOf(method)}`,
    `how=How(timeout, retries, ${key})`,
  ].join(", ");
  const made = method.result === "none" ? `self._call(${call})` : `answer: t.Any = self._call(${call})`;
  const end =
    method.result === "none" ? [] : [`        return t.cast("${type.replaceAll('"', "'")}", answer${member})`];
  return [
    `    def ${method.name}(${signature(method, types)}) -> ${type}:`,
    `        """${documentation(method)}"""`,
    `        ${made}`,
    ...end,
    "",
  ].join("\n");
}

const CLASSES: { readonly [owner in Method["owner"]]: { readonly name: string; readonly text: string } } = {
  noema: { name: "NoemaOperations", text: "What a server, or an agent of it, does." },
  memory: {
    name: "MemoryOperations",
    text: "What is done with one working memory: a processor's own, or a session's.",
  },
  processor: { name: "ProcessorOperations", text: "What is done with a processor itself, whichever memory." },
};

/** Schemas such that each comes after those that it refers to. */
function inOrder(schemas: readonly [string, AnySchema][]): [string, AnySchema][] {
  const left = new Map(schemas);
  const sorted: [string, AnySchema][] = [];
  const add = (name: string) => {
    const schema = left.get(name);
    if (schema === undefined) return;
    left.delete(name);
    for (const [, other = ""] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) add(other);
    sorted.push([name, schema]);
  };
  for (const [name] of schemas) add(name);
  return sorted;
}

/** A method under the names that it has in Python. */
function inPython(method: Method): Method {
  const parameters = method.parameters.map((parameter) => ({ ...parameter, name: pythonParameter(parameter.name) }));
  return { ...method, name: pythonName(method.name), parameters };
}

/** The files of the generated part, by their names. */
export function pythonSources(document: Documented, methods: readonly Method[]): { readonly [file: string]: string } {
  const types = new TypeWriter(document);
  const named = methods.filter(({ operation }) => !BY_HAND.includes(operation)).map(inPython);
  const classes = (Object.keys(CLASSES) as Method["owner"][]).map((owner) => {
    const { name, text } = CLASSES[owner];
    const own = named.filter((method) => method.owner === owner);
    const bodies = own.map((method) => methodText(method, document, types));
    return `class ${name}(Place):\n    """${text}"""\n\n${bodies.join("\n")}`;
  });
  const schemas = Object.entries(document.components.schemas) as unknown as [string, AnySchema][];
  // Other names for types are evaluated when they are read: what they name comes first.
  const objects = schemas.filter(([, schema]) => hasMembers(schema));
  const others = inOrder(schemas.filter(([, schema]) => !hasMembers(schema)));
  const definitions = [...objects, ...others].map(([name, schema]) => types.definition(name, schema));
  const head = `"""${BANNER}"""\n# ruff: noqa\nfrom __future__ import annotations\n\nimport typing as t\n\n`;
  return {
    "operations.py": `${head}from .. import types\nfrom ..place import ABSENT, How, Place, none_is_absent, present, segment\n\n\n${classes.join("\n\n")}`,
    "types.py": `${head}\n${[...types.extra, ...definitions].join("\n\n")}`,
  };
}
