/**
 * Writes the generated functions of the TypeScript client: those whose call follows from the OpenAPI document. Their
 * comments are those of the reference. Pure.
 */

import { CALLS } from "../operation-calls";
import { entryOf } from "../sections";
import { type AnySchema, type Documented, type Method, type Parameter, resolved } from "./methods";

const BANNER =
  "The functions of operations whose call follows from the OpenAPI document. Written by `npm run generate`; edit the reference instead.";

const REFERENCE = "#/components/schemas/";

/** Longest line of a comment. */
const WIDTH = 120;

/** Functions that are written by hand: they stream, or take, send or return something else than the operation. */
const BY_HAND: readonly string[] = [
  "addModel",
  "backup",
  "changeGenes",
  "connect",
  "exportKnowledgeBase",
  "getGene",
  "getHealth",
  "getKnowledgeBase",
  "getMetrics",
  "getPredictions",
  "getTime",
  "hotswapGenome",
  "loadKnowledgeBase",
  "observe",
  "observeSequence",
  "pingAgent",
  "removePatterns",
  "removeSymbols",
  "restore",
];

/** How a parameter of the path is called, what an error calls it, and the function that checks and encodes it. */
const PATH: { readonly [wire: string]: { readonly name: string; readonly what: string; readonly encode: string } } = {
  alert: { name: "name", what: "the name of an alert", encode: "segment" },
  encoder: { name: "name", what: "the name of an encoder", encode: "nameSegment" },
  incident: { name: "id", what: "the id of an incident", encode: "idSegment" },
  key: { name: "id", what: "the id of a key", encode: "segment" },
  model: { name: "model", what: "the name of a model", encode: "segment" },
  route: { name: "name", what: "the name of a route", encode: "nameSegment" },
  session: { name: "name", what: "the name of a session", encode: "nameSegment" },
  symbol: { name: "symbol", what: "a symbol", encode: "segment" },
};

/** How a body with members is called, and what an error calls it, unless it is a query. */
const BODIES: { readonly [operation: string]: { readonly name: string; readonly what: string } } = {
  clearAllMemory: { name: "what", what: "the query of clearAllMemory" },
  createKey: { name: "rights", what: "a key" },
  forgetModels: { name: "which", what: "forgetModels" },
  judgeIncident: { name: "judgement", what: "a judgement" },
  putEncoder: { name: "encoder", what: "an encoder" },
  putMqttRoute: { name: "route", what: "a route" },
  setAlert: { name: "alert", what: "an alert" },
  updateModel: { name: "change", what: "updateModel" },
};

/** The type of a query in the path, in src/client/queries.ts. */
const QUERIES: { readonly [operation: string]: string } = {
  getHistory: "HistoryQuery",
  listDevices: "DeviceQuery",
  listIncidents: "IncidentQuery",
  listModels: "ModelListQuery",
  listSessions: "SessionQuery",
  listSymbols: "SymbolListQuery",
  listVectors: "VectorListQuery",
};

const PLACES = { memory: "Memory", noema: "Noema", processor: "Processor" } as const;

/** Names that the file imports, by module. */
type Imports = Map<string, Set<string>>;

/** The names of an object's members: all of those that one of its kinds has, if it has several. */
function memberNames(schema: AnySchema, document: Documented): string[] {
  const { anyOf, oneOf, properties } = resolved(schema, document);
  const kinds = (anyOf ?? oneOf ?? []) as readonly AnySchema[];
  const names = Object.keys((properties as object | undefined) ?? {});
  return [...new Set([...names, ...kinds.flatMap((kind) => memberNames(kind, document))])];
}

/** Writes one function after the other, and collects what they import. */
class FunctionWriter {
  readonly #document: Documented;
  readonly imports: Imports = new Map();

  constructor(document: Documented) {
    this.#document = document;
  }

  /** The text of a function. */
  text(method: Method): string {
    const { name, operation, owner, repeats } = method;
    const content = this.#content(method);
    const options = this.#type("../transport/exchange", repeats === "keyed" ? "WriteOptions" : "CallOptions");
    const place = this.#type("../transport/connection", PLACES[owner]);
    const inPath = method.parameters.filter(isInPath);
    const parameters = [
      `${owner}: ${place}`,
      ...inPath.map(({ wire, schema }) => `${PATH[wire]?.name}: ${schema.type === "integer" ? "number" : "string"}`),
      ...content.parameters,
      `options?: ${options}`,
    ];
    const members = [
      `operation: "${operation}"`,
      `method: "${method.verb}"`,
      `path: ${content.path ?? this.#path(method)}`,
      `repeats: "${repeats}"`,
      ...content.body,
    ];
    const send = this.#use("../transport/call", method.result === "whole" ? "envelope" : "message");
    const call = `${send}(${owner}, { ${members.join(", ")} }, options)`;
    const [type, result] = this.#result(method, call);
    const lines = [...content.before, result];
    return `${comment(docOf(method))}
export async function ${name}(${parameters.join(", ")}): Promise<${type}> {
${lines.map((line) => `  ${line}\n`).join("")}}
`;
  }

  /** What a function takes besides the place and the names of the path, and how it is sent. */
  #content(method: Method): { parameters: string[]; before: string[]; body: string[]; path?: string } {
    const query = method.parameters.filter(({ place }) => place === "query");
    const { carried } = method;
    if (carried === undefined) return query.length === 0 ? NOTHING : this.#query(method, query);
    const [single, ...more] = method.parameters.filter(({ place }) => place === "body" || place === "member");
    const names = memberNames(carried.schema, this.#document);
    if (names.length === 0 && single !== undefined) {
      const parameters = [`${single.name}: ${this.#argumentType(single.schema)}`];
      return { parameters, before: [], body: [bodyText(method, single.name)] };
    }
    if (single !== undefined && more.length === 0 && single.schema.type === "number") {
      const parameters = [`${single.name}: ${this.#argumentType(single.schema)}`];
      return { parameters, before: [], body: [bodyText(method, `{ ${single.name} }`)] };
    }
    const { name, what } = BODIES[method.operation] ?? { name: "query", what: `the query of ${method.operation}` };
    const mark = carried.isRequired ? "" : "?";
    const check = `${this.#use("../transport/members", "checked")}("${what}", "member", ${name}, ${ones(names)});`;
    const sent = bodyText(method, name);
    const whole = sent.slice("body: ".length);
    return {
      parameters: [`${name}${mark}: ${this.#argumentType(carried.schema)}`],
      before: [carried.isRequired ? check : `if (${name} !== undefined) ${check}`],
      body: [carried.isRequired ? sent : `body: ${name} === undefined ? undefined : ${whole}`],
    };
  }

  /** The query of a list, whose members repeat in the path as often as they have values. */
  #query(method: Method, query: readonly Parameter[]) {
    if (query.every(({ isPositional }) => isPositional)) {
      const [{ name, wire }] = query as [Parameter];
      const path = `${this.#use("../transport/names", "withQuery")}("${method.path}", { ${wire}: ${name} })`;
      return { parameters: [`${name}: string`], before: [], body: [], path };
    }
    const type = this.#type("../queries", QUERIES[method.operation] ?? `QueryOf${method.operation}`);
    // Callers name several values in the plural.
    const several = query.filter(({ schema }) => schema.type === "array").map(({ wire }) => wire);
    const names = query.map(({ wire }) => (several.includes(wire) ? `${wire}s` : wire));
    const checked = this.#use("../transport/members", "checked");
    const taken = several.length === 0 ? "asked" : `{ ${several.map((wire) => `${wire}s`).join(", ")}, ...asked }`;
    const sent = ["...asked", ...several.map((wire) => `${wire}: ${wire}s`)].join(", ");
    return {
      parameters: [`query: ${type} = {}`],
      before: [`const ${taken} = ${checked}("the query of ${method.operation}", "member", query, ${ones(names)});`],
      body: [],
      path: `${this.#use("../transport/names", "withQuery")}("${method.path}", { ${sent} })`,
    };
  }

  /** The path, with the parameters checked and encoded. */
  #path({ path, parameters }: Method): string {
    if (!parameters.some(isInPath)) return `"${path}"`;
    const filled = path.replace(/\{(\w+)\}/g, (_, wire: string) => {
      const { name, what, encode } = PATH[wire] ?? { name: wire, what: wire, encode: "segment" };
      return `\${${this.#use("../transport/names", encode)}("${what}", ${name})}`;
    });
    return `\`${filled}\``;
  }

  /** The type that a function resolves to, and its last statement. */
  #result({ operation, result, answer, mayFail }: Method, call: string): [string, string] {
    if (result === "none") return ["void", `await ${call};`];
    if (result === "whole") return [`${this.#type("../transport/call", "Answer")}<"${operation}">`, `return ${call};`];
    if (typeof result === "object") {
      const { properties } = resolved(answer, this.#document) as { readonly properties: { [name: string]: AnySchema } };
      const type = this.#schemaType(properties[result.member] ?? {});
      return [type ?? "unknown", `return (await ${call}).${result.member};`];
    }
    const type = this.#schemaType(answer) ?? `${this.#type("../transport/call", "Message")}<"${operation}">`;
    return [type, `return ${call}${mayFail || type.includes(EMPTY) ? ` as Promise<${type}>` : ""};`];
  }

  /** The type of an argument: callers may pass a list that is read-only. */
  #argumentType(schema: AnySchema): string {
    const type = this.#schemaType(schema) ?? "unknown";
    return schema.type === "array" ? `readonly ${type}` : type;
  }

  /** The type of values of a schema, if it is short: a name, a list of them, one or the other, or a simple type. */
  #schemaType(schema: AnySchema): string | undefined {
    if (typeof schema.$ref === "string") {
      const name = schema.$ref.slice(REFERENCE.length);
      return NAMES[name] ?? this.#type("./operations", name);
    }
    if (schema.enum !== undefined || schema.const !== undefined) return undefined;
    if (schema.type === "array") {
      const items = this.#schemaType((schema.items ?? {}) as AnySchema);
      return items === undefined ? undefined : `${items}[]`;
    }
    if (Array.isArray(schema.anyOf)) {
      const types = (schema.anyOf as AnySchema[]).map((one) => this.#schemaType(one));
      return types.includes(undefined) ? undefined : types.join(" | ");
    }
    return SIMPLE[String(schema.type)];
  }

  #use(module: string, name: string): string {
    const names = this.imports.get(module) ?? new Set();
    this.imports.set(module, names.add(name));
    return name;
  }

  #type(module: string, name: string): string {
    this.#use(module, `type ${name}`);
    return name;
  }
}

const NOTHING = { parameters: [], before: [], body: [] };

const EMPTY = "Record<string, never>";

/** Schemas that have another name in TypeScript, where `Symbol` is something else. */
const NAMES: { readonly [schema: string]: string } = { Nothing: EMPTY, Symbol: "string" };

const SIMPLE: { readonly [type: string]: string } = {
  boolean: "boolean",
  integer: "number",
  null: "null",
  number: "number",
  string: "string",
};

const isInPath = ({ place }: Parameter) => place === "path";

const ones = (names: readonly string[]) => `{ ${names.map((name) => `${name}: 1`).join(", ")} }`;

function bodyText({ wrapping }: Method, inner: string): string {
  return `body: ${wrapping.reduceRight((text, name) => `{ ${name}: ${text} }`, inner)}`;
}

/** The paragraphs of a function's comment. */
function docOf({ operation, summary }: Method): readonly string[] {
  const row = CALLS[operation]?.row;
  return (row && entryOf(row).doc) ?? [`${summary}.`];
}

/** A comment: one line if it fits. */
function comment(paragraphs: readonly string[]): string {
  const line = `/** ${paragraphs.join(" ")} */`;
  if (paragraphs.length === 1 && line.length <= WIDTH) return line;
  const [text = "", ...tags] = paragraphs;
  const lines = [...wrapped(text, ""), ...(tags.length > 0 ? [""] : []), ...tags.flatMap((tag) => wrapped(tag, "  "))];
  return ["/**", ...lines.map((one) => ` * ${one}`.trimEnd()), " */"].join("\n");
}

/** Lines of a paragraph; those after the first are indented. */
function wrapped(text: string, indent: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    const longer = last === "" ? word : `${last} ${word}`;
    if (` * ${longer}`.length <= WIDTH || last.trim() === "") lines[lines.length - 1] = longer;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

/** The text of the file with the functions of all methods that are not written by hand. */
export function typescriptSource(document: Documented, methods: readonly Method[]): string {
  const writer = new FunctionWriter(document);
  const functions = methods.filter(({ operation }) => !BY_HAND.includes(operation)).map((one) => writer.text(one));
  const imports = [...writer.imports]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([module, names]) => `import { ${[...names].sort().join(", ")} } from "${module}";\n`);
  return `/** ${BANNER} */\n\n${imports.join("")}\n${functions.join("\n")}`;
}
