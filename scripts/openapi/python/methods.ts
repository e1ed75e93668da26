/**
 * The methods of the Python client, from the OpenAPI document: their names, their places, and what they take. The
 * client is generated from these, and so are its examples in the reference. Pure.
 */

import pretty from "json-stringify-pretty-compact";
import { CALLS, type CallResult, type ClientCall, NAMES, resultOf } from "../operation-calls";
import { INTEGER_PARAMETERS } from "../parameters";
import type { Json, Schema } from "../reference/entry";

/** A schema of the document, of whatever kind. */
export type AnySchema = { readonly [keyword: string]: Json };

/** An operation of the document, as far as methods need it. */
interface DocumentedOperation {
  readonly operationId?: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly AnySchema[];
  readonly requestBody?: { readonly content: { readonly [type: string]: { schema: AnySchema; example?: Json } } };
  readonly responses: { readonly [status: string]: { readonly content?: { readonly [type: string]: AnySchema } } };
  readonly "x-roles"?: readonly string[];
  readonly "x-session-of"?: string;
}

/** The part of an OpenAPI document that methods are made of. */
export interface Documented {
  readonly paths: { readonly [path: string]: unknown };
  readonly components: { readonly schemas: { readonly [name: string]: Schema } };
}

/** What a method takes besides how it is called. */
export interface PythonParameter {
  /** Its name in Python. */
  readonly name: string;
  /** Its name on the wire; of a body, nothing. */
  readonly wire: string;
  /** Where it goes: into the path, the query, a member of the body, or it is the body. */
  readonly place: "body" | "member" | "path" | "query";
  readonly schema: AnySchema;
  readonly isRequired: boolean;
  /** Whether it has no name in a call. */
  readonly isPositional: boolean;
}

/** A method of the client. */
export interface PythonMethod {
  readonly operation: string;
  readonly name: string;
  /** Whose method it is. A memory is a processor's own or a session. */
  readonly owner: "memory" | "noema" | "processor";
  readonly verb: string;
  /** The path below the owner's, with the names of parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly roles: readonly string[];
  readonly parameters: readonly PythonParameter[];
  /** The members of the body around what it carries, outermost first. */
  readonly wrapping: readonly string[];
  /** When it may be sent again, as the TypeScript client has it. */
  readonly repeats: "keyed" | "once" | "read";
  /** What it returns: all of the answer, its message, a member of that, or nothing. */
  readonly result: CallResult;
  /** What the answer has where the result is. */
  readonly answer: AnySchema;
}

/** Methods that are written by hand: they stream, or take more than the operation has. */
export const BY_HAND: readonly string[] = [
  "backup",
  "exportKnowledgeBase",
  "getMetrics",
  "getTime",
  "loadKnowledgeBase",
  "observe",
  "observeSequence",
  "restore",
];

/** Operations whose body is one value, although it has members: their names are not for the client to know. */
const VALUES: readonly string[] = ["changeGenes", "hotswapGenome", "putEncoder"];

const JSON_TYPE = "application/json";

const KEYWORDS = new Set([
  "from",
  "in",
  "is",
  "not",
  "or",
  "and",
  "class",
  "def",
  "global",
  "import",
  "lambda",
  "with",
]);

/** The name of an operation in Python. */
export function pythonName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A schema behind its reference. */
export function resolved(schema: AnySchema, { components }: Documented): AnySchema {
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref ?? ""))?.[1];
  if (name === undefined) return schema;
  return resolved(components.schemas[name] as unknown as AnySchema, { components } as Documented);
}

const alternatives = ({ anyOf }: AnySchema) => (Array.isArray(anyOf) ? (anyOf as AnySchema[]) : []);

/** What a body carries, and in which members: the document also allows it without `data`, which clients do not need. */
function carried({ schema, example }: { schema: AnySchema; example?: Json }): {
  schema: AnySchema;
  wrapping: string[];
} {
  const [wrapped] = alternatives(schema);
  const inner = (wrapped?.properties as { data?: AnySchema } | undefined)?.data;
  if (inner === undefined) return { schema, wrapping: [] };
  const [model] = alternatives(inner);
  const ofModel = (model?.properties as { model?: AnySchema } | undefined)?.model;
  const isBare = typeof example === "object" && example !== null && !("data" in example);
  const outer = isBare ? [] : ["data"];
  if (ofModel !== undefined) return { schema: ofModel, wrapping: [...outer, "model"] };
  return { schema: inner, wrapping: outer };
}

function named(name: string): string {
  return KEYWORDS.has(name) ? `${name}_` : name;
}

function bodyParameters(operation: string, schema: AnySchema, document: Documented): PythonParameter[] {
  const { properties, required = [] } = resolved(schema, document);
  const base = { isRequired: true, isPositional: true };
  if (properties === undefined || VALUES.includes(operation)) {
    return [{ ...base, name: bodyName(operation), wire: "", place: "body", schema }];
  }
  const members = Object.entries(properties as { readonly [name: string]: AnySchema });
  return members.map(([wire, member]) => ({
    name: named(wire),
    wire,
    place: "member",
    schema: member,
    isRequired: (required as readonly string[]).includes(wire),
    isPositional: members.length === 1 && (required as readonly string[]).includes(wire),
  }));
}

const BODY_NAMES: { readonly [operation: string]: string } = {
  changeGenes: "genes",
  hotswapGenome: "genome",
  putEncoder: "encoder",
  setTargetClass: "symbol",
};

function bodyName(operation: string): string {
  return BODY_NAMES[operation] ?? (operation.endsWith("Patterns") ? "patterns" : "symbols");
}

/** Whether a parameter of the document is one of the method, and not how it is sent. */
const isOwn = ({ in: place }: AnySchema) => place === "query";

function queryParameters(operation: string, parameters: readonly AnySchema[]): PythonParameter[] {
  // A vector is named in the query; each method has one way to say it.
  const isName = operation === "getVector";
  return parameters.filter(isOwn).map((parameter) => ({
    name: isName ? "vector" : named(String(parameter.name)),
    wire: String(parameter.name),
    place: "query",
    schema: parameter.schema as AnySchema,
    isRequired: isName || parameter.required === true,
    isPositional: isName,
  }));
}

const STRING: AnySchema = { type: "string" };
const INTEGER: AnySchema = { type: "integer" };

function pathParameters(path: string): PythonParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name: name === "route" || name === "alert" || name === "encoder" ? "name" : named(name),
    wire: name,
    place: "path",
    schema: INTEGER_PARAMETERS.includes(name) ? INTEGER : STRING,
    isRequired: true,
    isPositional: true,
  }));
}

/** The schema of what is in an answer; of an envelope, its message. */
function answerIn(schema: AnySchema): { readonly isEnvelope: boolean; readonly answer: AnySchema } {
  const parts = Array.isArray(schema.allOf) ? (schema.allOf as AnySchema[]) : [];
  const isEnvelope = parts[0]?.$ref === "#/components/schemas/Envelope";
  if (isEnvelope) {
    const { properties } = parts[1] as { readonly properties: { readonly message: AnySchema } };
    return { isEnvelope, answer: properties.message };
  }
  const either = alternatives(schema).map(answerIn);
  if (!either.some((one) => one.isEnvelope)) return { isEnvelope, answer: schema };
  // A failure is raised.
  const answers = either.filter((one) => one.isEnvelope).map(({ answer }) => answer);
  return { isEnvelope: true, answer: answers.length === 1 ? (answers[0] ?? {}) : { anyOf: answers } };
}

function repeatsOf(verb: string, roles: readonly string[], parameters: readonly AnySchema[]): PythonMethod["repeats"] {
  if (parameters.some(({ $ref }) => $ref === "#/components/parameters/idempotencyKey")) return "keyed";
  // To put or delete the same again changes nothing.
  return verb !== "POST" || roles.includes("read") ? "read" : "once";
}

/** The methods of the client, in the order of the document, without those that are written by hand. */
export function pythonMethods(document: Documented): PythonMethod[] {
  const all = Object.entries(document.paths).flatMap(([path, verbs]) => {
    const shared = (verbs as { readonly parameters?: readonly AnySchema[] }).parameters ?? [];
    return Object.entries(verbs as { readonly [verb: string]: DocumentedOperation })
      .filter(([verb]) => verb !== "parameters")
      .map(([verb, operation]) => ({ path, verb: verb.toUpperCase(), shared, operation }));
  });
  const inSessions = new Set(all.map(({ operation }) => operation["x-session-of"]));
  return all.flatMap(({ path, verb, operation }) => {
    const id = operation.operationId;
    if (id === undefined || operation["x-session-of"] !== undefined || BY_HAND.includes(id)) return [];
    // `getHealth` needs no key and so has no row, but programs ask for it.
    if (!(id in CALLS) && id !== "getHealth") return [];
    return [methodOf({ path, verb, id, operation, isInSessions: inSessions.has(id) }, document)];
  });
}

interface Found {
  readonly path: string;
  readonly verb: string;
  readonly id: string;
  readonly operation: DocumentedOperation;
  readonly isInSessions: boolean;
}

function methodOf({ path, verb, id, operation, isInSessions }: Found, document: Documented): PythonMethod {
  const { summary, parameters = [], requestBody, responses, "x-roles": roles = [] } = operation;
  const below = path.replace(/^\/(?:\{id\}\/)?/, "");
  const json = requestBody?.content[JSON_TYPE];
  // A body on a GET is for clients of the original agent; the query says the same.
  const body = json === undefined || verb === "GET" ? undefined : carried(json);
  const { isEnvelope, answer } = answerIn((responses["200"]?.content?.[JSON_TYPE]?.schema ?? {}) as AnySchema);
  const ofProcessor = isInSessions ? "memory" : "processor";
  return {
    operation: id,
    name: pythonName(NAMES[id] ?? id),
    owner: path.startsWith("/{id}/") ? ofProcessor : "noema",
    verb,
    path: below,
    summary,
    roles,
    parameters: [
      ...pathParameters(below),
      ...(body === undefined ? [] : bodyParameters(id, body.schema, document)),
      ...queryParameters(id, parameters),
    ],
    wrapping: body?.wrapping ?? [],
    repeats: repeatsOf(verb, roles, parameters),
    result: resultOf(id, isEnvelope),
    answer,
  };
}

const PYTHON: { readonly [word: string]: string } = { true: "True", false: "False", null: "None" };

/** A JSON string, or a word that Python spells otherwise. */
const TOKEN = /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g;

/** A value as Python writes it. @param maxLength the longest line that is not broken */
export function pythonLiteral(value: Json, maxLength: number): string {
  return pretty(value, { maxLength }).replace(TOKEN, (text) => PYTHON[text] ?? text);
}

/** Methods that take their object as it is, and not its members. */
const TAKING_OBJECTS: readonly string[] = [...VALUES, "loadKnowledgeBase", "observe"];

/**
 * The arguments of a Python call, from those of the TypeScript client's.
 *
 * @param name the function
 * @param args after the place: first the names of the path, then what the body or the query has
 */
function pythonArguments(name: string, args: readonly Json[], maxLength: number): string[] {
  return args.flatMap((value) => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (TAKING_OBJECTS.includes(name) || !isObject) return [pythonLiteral(value, maxLength)];
    return Object.entries(value).map(([member, given]) => `${named(member)}=${pythonLiteral(given, maxLength)}`);
  });
}

/** Methods whose answer is read piece by piece. */
const DOWNLOADS: readonly string[] = ["backup", "exportKnowledgeBase"];

/** A call of the TypeScript client in Python. */
export function pythonExpression({ name, place, args }: ClientCall, maxLength = Number.POSITIVE_INFINITY): string {
  const call = `${place}.${pythonName(name)}(${pythonArguments(name, args, maxLength).join(", ")})`;
  return DOWNLOADS.includes(name) ? `${call}.read().decode()` : call;
}
