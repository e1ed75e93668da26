/**
 * The methods of the clients, from the OpenAPI document: their names, their places, what they take and return. The
 * Python client and the calls of the TypeScript client are generated from these. Pure.
 */

import { CALLS, type CallResult, NAMES, resultOf } from "../operation-calls";
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
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: { readonly [type: string]: { schema: AnySchema; example?: Json } };
  };
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
export interface Parameter {
  /** Its name, as a caller sees it. */
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
export interface Method {
  readonly operation: string;
  readonly name: string;
  /** Whose method it is. A memory is a processor's own or a session. */
  readonly owner: "memory" | "noema" | "processor";
  readonly verb: string;
  /** The path below the owner's, with the names of parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly roles: readonly string[];
  readonly parameters: readonly Parameter[];
  /** What the body carries; absent if the operation takes none. */
  readonly carried?: { readonly schema: AnySchema; readonly isRequired: boolean };
  /** The members of the body around what it carries, outermost first. */
  readonly wrapping: readonly string[];
  /** When it may be sent again, as the TypeScript client has it. */
  readonly repeats: "keyed" | "once" | "read";
  /** What it returns: all of the answer, its message, a member of that, or nothing. */
  readonly result: CallResult;
  /** What the answer has where the result is. */
  readonly answer: AnySchema;
  /** Whether an answer with HTTP 200 may be a failure, which clients throw. */
  readonly mayFail: boolean;
}

/** Operations whose body is one value, although it has members: their names are not for the client to know. */
export const VALUES: readonly string[] = ["changeGenes", "hotswapGenome", "putEncoder"];

const JSON_TYPE = "application/json";

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

function bodyParameters(operation: string, schema: AnySchema, document: Documented): Parameter[] {
  const { properties, required = [] } = resolved(schema, document);
  const base = { isRequired: true, isPositional: true };
  if (properties === undefined || VALUES.includes(operation)) {
    return [{ ...base, name: bodyName(operation), wire: "", place: "body", schema }];
  }
  const members = Object.entries(properties as { readonly [name: string]: AnySchema });
  return members.map(([wire, member]) => ({
    name: wire,
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

function queryParameters(operation: string, parameters: readonly AnySchema[]): Parameter[] {
  // A vector is named in the query; each method has one way to say it.
  const isName = operation === "getVector";
  return parameters.filter(isOwn).map((parameter) => ({
    name: isName ? "vector" : String(parameter.name),
    wire: String(parameter.name),
    place: "query",
    schema: parameter.schema as AnySchema,
    isRequired: isName || parameter.required === true,
    isPositional: isName,
  }));
}

const STRING: AnySchema = { type: "string" };
const INTEGER: AnySchema = { type: "integer" };

function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name: name === "route" || name === "alert" || name === "encoder" ? "name" : name,
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

function repeatsOf(verb: string, roles: readonly string[], parameters: readonly AnySchema[]): Method["repeats"] {
  if (parameters.some(({ $ref }) => $ref === "#/components/parameters/idempotencyKey")) return "keyed";
  // To put or delete the same again changes nothing.
  return verb !== "POST" || roles.includes("read") ? "read" : "once";
}

/** The methods of clients, in the order of the document. */
export function methodsIn(document: Documented): Method[] {
  const all = Object.entries(document.paths).flatMap(([path, verbs]) => {
    const shared = (verbs as { readonly parameters?: readonly AnySchema[] }).parameters ?? [];
    return Object.entries(verbs as { readonly [verb: string]: DocumentedOperation })
      .filter(([verb]) => verb !== "parameters")
      .map(([verb, operation]) => ({ path, verb: verb.toUpperCase(), shared, operation }));
  });
  const inSessions = new Set(all.map(({ operation }) => operation["x-session-of"]));
  return all.flatMap(({ path, verb, operation }) => {
    const id = operation.operationId;
    if (id === undefined || operation["x-session-of"] !== undefined) return [];
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

function methodOf({ path, verb, id, operation, isInSessions }: Found, document: Documented): Method {
  const { summary, parameters = [], requestBody, responses, "x-roles": roles = [] } = operation;
  const below = path.replace(/^\/(?:\{id\}\/)?/, "");
  const json = requestBody?.content[JSON_TYPE];
  // A body on a GET is for clients of the original agent; the query says the same.
  const body = json === undefined || verb === "GET" ? undefined : carried(json);
  const whole = (responses["200"]?.content?.[JSON_TYPE]?.schema ?? {}) as AnySchema;
  const { isEnvelope, answer } = answerIn(whole);
  const ofProcessor = isInSessions ? "memory" : "processor";
  return {
    operation: id,
    name: NAMES[id] ?? id,
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
    ...(body && { carried: { schema: body.schema, isRequired: requestBody?.required !== false } }),
    wrapping: body?.wrapping ?? [],
    repeats: repeatsOf(verb, roles, parameters),
    result: resultOf(id, isEnvelope),
    answer,
    mayFail: isEnvelope && alternatives(whole).length > 0,
  };
}
