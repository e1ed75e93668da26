/**
 * Writes what the client has from the OpenAPI document: its types, src/client/gen/operations.ts, functions of
 * operations, calls.ts, the roles with what they mean, roles.ts, and bounds of requests, limits.ts. Part of
 * `npm run generate`.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "json-schema-to-typescript";
import { importTypeScript } from "./import-typescript.mjs";
import { ROOT } from "./project.mjs";

const FOLDER = join(ROOT, "src", "client", "gen");
const JSON_TYPE = "application/json";
const BANNER =
  "/** What each operation takes and answers, from the OpenAPI document. Written by `npm run generate`; edit the rows of the table instead. */";

/** Keywords of a schema that say nothing about the type. */
const WORDS = new Set(["description", "title", "example", "examples"]);
/** Keywords that hold schemas: one, a list of them, or an object of them. */
const INNER = ["additionalProperties", "allOf", "anyOf", "definitions", "items", "oneOf", "properties"];

/**
 * A schema as the generator needs it: references lead to `definitions`; a schema that admits everything is `unknown`;
 * an object about whose members nothing is said may have any.
 */
function prepared(schema) {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(prepared);
  const { title: _, ...rest } = schema;
  if (typeof rest.$ref === "string") rest.$ref = rest.$ref.replace("#/components/schemas/", "#/definitions/");
  for (const keyword of INNER) {
    if (rest[keyword] === undefined) continue;
    rest[keyword] = ["definitions", "properties"].includes(keyword)
      ? preparedEach(rest[keyword])
      : prepared(rest[keyword]);
  }
  if (Object.keys(rest).every((keyword) => WORDS.has(keyword))) return { ...rest, tsType: "unknown" };
  const isBare = rest.type === "object" && rest.properties === undefined && rest.additionalProperties === undefined;
  return isBare && rest.maxProperties !== 0 ? { ...rest, additionalProperties: true } : rest;
}

function preparedEach(schemas) {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, prepared(schema)]));
}

/** The schemas of one operation's request and answer, as members of an object. */
function operationSchema({ summary, requestBody, responses }) {
  const request = requestBody?.content[JSON_TYPE]?.schema;
  const [{ schema: answer } = {}] = Object.values(responses["200"]?.content ?? {});
  const properties = { ...(request && { request }), ...(answer && { answer }) };
  return { type: "object", description: summary, properties, required: Object.keys(properties) };
}

const ROLES_BANNER = `/** The roles that a key can have, from the OpenAPI document. Written by \`npm run generate\`. */

import type { Role } from "./operations";
`;

/** The roles with what they mean, as source text. */
function rolesText({ components: { schemas } }) {
  const rows = Object.entries(schemas.Role["x-meanings"]).map(
    ([role, meaning]) => `  { role: ${JSON.stringify(role)}, meaning: ${JSON.stringify(meaning)} },\n`,
  );
  return `${ROLES_BANNER}
/** Each role with what it allows, in a sentence. None includes another, but \`admin\` has all of them. */
export const ROLES: readonly { readonly role: Role; readonly meaning: string }[] = [
${rows.join("")}];
`;
}

/** The bounds of what programs ask for, as source text. */
function limitsText({ paths, components: { schemas } }) {
  const { horizon, top } = schemas.AskForecast.properties;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const limitOf = (id) => {
    const { parameters } = operations.find(({ operationId }) => operationId === id);
    return parameters.find(({ name }) => name === "limit").schema.maximum;
  };
  const limits = [
    ["MAX_HORIZON", horizon.maximum, "Maximum number of events ahead in a forecast or an alert."],
    ["MAX_FORECAST_SYMBOLS", top.maximum, "Maximum number of symbols that a forecast lists for each event."],
    [
      "MAX_PER_DAY",
      schemas.DailyCondition.properties.per_day.maximum,
      "Maximum number of events a day that an alert may ask for.",
    ],
    [
      "MAX_NOTE",
      schemas.Judgement.properties.note.maxLength,
      "Maximum number of characters in the note of an incident.",
    ],
    ["MAX_LISTED_DEVICES", limitOf("listDevices"), "Maximum number of memories that `listDevices` lists."],
    ["MAX_LISTED_SESSIONS", limitOf("listSessions"), "Maximum number of sessions that `listSessions` lists at once."],
    [
      "MAX_LISTED_INCIDENTS",
      limitOf("listIncidents"),
      "Maximum number of incidents that `listIncidents` lists at once.",
    ],
    ["MAX_LISTED_EVENTS", limitOf("getHistory"), "Maximum number of events that `getHistory` lists at once."],
    ["MAX_LISTED_MODELS", limitOf("listModels"), "Maximum number of models that `listModels` lists at once."],
  ];
  const lines = limits.map(([name, value, meaning]) => `\n/** ${meaning} */\nexport const ${name} = ${value};\n`);
  return `/** Bounds of requests, from the OpenAPI document. Written by \`npm run generate\`. */\n${lines.join("")}`;
}

function schemaOf({ paths, components }) {
  const operations = Object.values(paths)
    .flatMap((path) => Object.values(path))
    // In a session, an operation takes and answers what it does elsewhere.
    .filter((operation) => operation.operationId !== undefined && operation["x-session-of"] === undefined)
    // A page to read has no type.
    .filter(({ responses }) => responses["200"]?.content?.[JSON_TYPE] !== undefined)
    .map((operation) => [operation.operationId, operationSchema(operation)]);
  return prepared({
    type: "object",
    description: "The operations by name.",
    properties: Object.fromEntries(operations),
    required: operations.map(([name]) => name),
    definitions: components.schemas,
  });
}

async function openApiDocument() {
  const { openApiDocument: make } = await importTypeScript(join("scripts", "openapi", "document.ts"));
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return make(version);
}

const document = await openApiDocument();
const text = await compile(schemaOf(document), "Operations", {
  additionalProperties: false,
  bannerComment: BANNER,
  ignoreMinAndMaxItems: true,
  style: { printWidth: 120 },
  unreachableDefinitions: true,
});
const { methodsIn } = await importTypeScript(join("scripts", "openapi", "clients", "methods.ts"));
const { typescriptSource } = await importTypeScript(join("scripts", "openapi", "clients", "typescript.ts"));
mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, "calls.ts"), typescriptSource(document, methodsIn(document)));
writeFileSync(join(FOLDER, "roles.ts"), rolesText(document));
writeFileSync(join(FOLDER, "limits.ts"), limitsText(document));
// The generator says of every type which schema names it.
writeFileSync(
  join(FOLDER, "operations.ts"),
  text.replace(/ \*\n \* This interface was referenced by .*\n \* via the `definition` .*\n/g, ""),
);
