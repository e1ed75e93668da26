/** Makes the OpenAPI document from the table of operations and its reference. Pure: reads no file and asks no server. */

import { keyUseOf } from "../../src/gateway/idempotency";
import { MAX_BODY_BYTES } from "../../src/gateway/json/body";
import { absentOperations } from "../../src/gateway/operations/absent";
import { mqttRouteOperations } from "../../src/gateway/operations/mqtt-routes";
import type { HttpMethod, Operation } from "../../src/gateway/operations/operation";
import { MAX_JSON_DEPTH } from "../../src/text/json-depth";
import { encoderSchemas } from "./encoders";
import { geneSchemas, geneSettings } from "./genes";
import { pagePaths } from "./page-paths";
import { parameters, parametersOf, pathParametersOf } from "./parameters";
import type { Entry, Json, Schema } from "./reference/entry";
import { type Failure, failures } from "./reference/page";
import { schemas } from "./reference/schemas/components";
import { entryOf, sections } from "./sections";
import { mqttPath, streamPaths } from "./stream-paths";

const DESCRIPTION = `A cognitive agent: it observes events, learns sequences of them and predicts what comes next.

**Paths** begin with a processor: its identifier, such as \`p46b6b076c\`, or its friendly name, such as \`P1\`.

**Answers** are JSON without spaces. Most are an envelope with the result as its \`message\`. Answers may gain members in later versions:
ignore those that you do not know. If a client accepts \`text/javascript\` and not \`application/json\`, answers have that type.

**Numbers** are IEEE 754 doubles, printed in the shortest form that reads back as the same double; whole numbers have no fraction.

**Requests** are JSON in UTF-8; the content type does not matter. The original interface's operations ignore members that they do not
know and name them in \`detail\`. All other operations refuse them: they have \`x-strict: true\`. These, and operations with
query parameters, refuse unknown query parameters.

**Sessions**: operations about one memory are also served below \`/{id}/sessions/{session}\`. There they mean the memory of the session; \`interval\` is
its time. \`x-session-of\` names the operation that means the processor's own memory.

**Repeating**: an operation that takes the header \`Idempotency-Key\` keeps its answer under the key. The same request with the same key
gets that answer and has no further effect. Operations that change nothing ignore the header; the others refuse it.

**Limits**: a body may have ${MAX_BODY_BYTES / 2 ** 20} MiB (a knowledge base to load more) and ${MAX_JSON_DEPTH} levels. Schemas have the ranges of
values; failures say what else there may be too much of.

**Roles**: a key that an agent has issued opens the operations of its roles. \`x-roles\` names the roles of which one is needed, any key will
do where there are none, and the role \`admin\` opens everything. A sequence that is to be learned needs the role \`learn\`, too.`;

const SECURITY_SCHEMES = {
  ApiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-KEY",
    description: "An accepted key. Without one, the answer is HTTP 500, as the interface specification has it.",
  },
  Bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "The same key as a bearer token, for programs that can set only this header. X-API-KEY wins where both are given.",
  },
};

/** The statuses of failures in a scope. */
const statusesIn = (wanted: Failure["scope"]) =>
  failures.filter(({ scope }) => scope === wanted).map(({ status }) => status);

/**
 * The OpenAPI document, version 3.1.
 *
 * @param version the version of Noema
 * @returns JSON. Throws Error when a row of the table lacks an entry, an operation identifier, or a description of a parameter
 */
export function openApiDocument(version: string): { readonly [member: string]: Json } {
  const paths: { [path: string]: { [member: string]: Json } } = {};
  for (const { title, rows } of sections) {
    for (const row of rows) {
      for (const place of row.inSessions ? [row, inSession(row)] : [row]) {
        const path = pathOf(place);
        paths[path] ??= pathParametersOf(place);
        Object.assign(paths[path], operationsOf(row, title, place));
      }
    }
  }
  return {
    openapi: "3.1.1",
    info: { title: "Noema", version, description: DESCRIPTION, license: { name: "MIT", identifier: "MIT" } },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: [{ url: "/", description: "The server that this document comes from." }],
    security: [{ ApiKey: [] }, { Bearer: [] }],
    tags: [...sections.map(({ title, description }) => ({ name: title, description })), PAGES_TAG],
    paths: {
      ...pagePaths(PAGES_TAG.name),
      ...paths,
      ...streamPaths(CORE_TAG, failureRef, inSession),
      ...mqttPath(MQTT_TAG, failureRef),
    },
    components: {
      schemas: titled({ ...schemas, ...geneSchemas(), ...encoderSchemas(), Primitive: primitive() }),
      parameters,
      responses: Object.fromEntries(
        failures.filter(({ scope }) => scope !== "path").map((failure) => [failure.name, failureOf(failure)]),
      ),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const REPLAYED = {
  "Idempotency-Replayed": {
    description: "Set if the answer is the one of an earlier request with the same Idempotency-Key.",
    schema: { type: "string", const: "true" },
  },
};

/** The section in which streams stand. */
const CORE_TAG = sections[0]?.title ?? "";

/** The section in which the endpoint of MQTT stands. */
const MQTT_TAG = sections.find(({ rows }) => rows === mqttRouteOperations)?.title ?? "";

const PAGES_TAG = { name: "Without a key", description: "Pages that need no key." };

/** The place where a row is served in sessions. */
export function inSession({ path }: Pick<Operation, "path">): Pick<Operation, "path"> {
  return { path: path.replace("/:id/", "/:id/sessions/:session/") };
}

/** The media type of JSON. */
export const JSON_TYPE = "application/json";

/** The media type of a row's answer, without its parameters. */
export function mediaTypeOf({ mediaType = JSON_TYPE }: Pick<Operation, "mediaType">): string {
  return mediaType.split(";")[0] ?? mediaType;
}

/** The path of a row as OpenAPI writes it. */
export function pathOf({ path }: Pick<Operation, "path">): string {
  return path.replace(/:(\w+)\+?/g, "{$1}");
}

/** @param place where the row is served: at its own path, or in sessions */
function operationsOf(row: Operation, tag: string, place: Pick<Operation, "path">): { [method: string]: Json } {
  const entry = entryOf(row);
  const isInSession = place !== row;
  if (entry.operationId.length !== row.methods.length) {
    throw new Error(
      `${row.methods.join(", ")} ${row.path} has ${row.methods.length} methods, but other operation ids: ${entry.operationId}`,
    );
  }
  return Object.fromEntries(
    row.methods.map((method, at) => [
      method.toLowerCase(),
      operationOf({ row, entry, tag, method, isInSession, operationId: entry.operationId[at] ?? "" }),
    ]),
  );
}

interface Described {
  readonly row: Operation;
  readonly entry: Entry;
  readonly tag: string;
  readonly method: HttpMethod;
  /** Whether it is about the memory of a session. */
  readonly isInSession: boolean;
  readonly operationId: string;
}

function operationOf(described: Described): { [member: string]: Json } {
  const { row, entry, tag, method, isInSession, operationId } = described;
  const parameters = parametersOf(row, entry);
  return {
    operationId: isInSession ? `${operationId}InSession` : operationId,
    summary: row.summary.replace(/\.$/, isInSession ? "; in a session" : ""),
    ...(isInSession ? { "x-session-of": operationId } : {}),
    tags: [tag],
    ...(absentOperations.includes(row) ? { deprecated: true } : {}),
    ...(row.isOwn ? { "x-strict": true } : {}),
    "x-roles": row.roles,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(entry.request === undefined ? {} : { requestBody: requestOf(entry, method) }),
    responses: {
      200: {
        description: "The answer.",
        ...(keyUseOf(row) === "keeps" ? { headers: REPLAYED } : {}),
        content: { [mediaTypeOf(row)]: { schema: entry.answer, example: entry.example.response } },
      },
      ...Object.fromEntries(statusesOf(described).map((status) => [status, failureRef(status)])),
    },
  };
}

function requestOf({ request, requestType = JSON_TYPE, isRequestOptional, example }: Entry, method: HttpMethod): Json {
  const shown = example.request.method === method && example.request.body !== undefined;
  return {
    required: isRequestOptional !== true,
    content: {
      [requestType]: { schema: request ?? {}, ...(shown ? { example: example.request.body ?? null } : {}) },
    },
  };
}

function statusesOf({ row, entry: { failures: named = [] } }: Described): number[] {
  const ofKeys = keyUseOf(row) === "keeps" ? statusesIn("repeatable") : [];
  const ofRights = row.roles.length > 0 || row.path.startsWith("/:id/") ? statusesIn("rights") : [];
  return [...statusesIn("every"), ...ofKeys, ...ofRights, ...named].sort((a, b) => a - b);
}

function failureRef(status: number): Json {
  const failure = failures.find((one) => one.status === status);
  if (failure === undefined)
    throw new Error(`there is no failure with the HTTP status ${status} in scripts/openapi/reference/page.ts`);
  return { $ref: `#/components/responses/${failure.name}` };
}

function failureOf({ status, when, example }: Failure): Json {
  const retry = {
    "Retry-After": { description: "In how many seconds to try again.", schema: { type: "integer", minimum: 1 } },
  };
  return {
    description: when,
    ...(status === 429 || status === 503 ? { headers: retry } : {}),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Failure" },
        ...(example === undefined ? {} : { example: example.response }),
      },
    },
  };
}

/** A processor in a genome, with its settings. */
function primitive(): Schema {
  const { properties, ...rest } = schemas.Primitive ?? {};
  return { ...rest, properties: { ...(properties as Schema), ...geneSettings() } };
}

function titled(named: { readonly [name: string]: Schema }): { readonly [name: string]: Schema } {
  return Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, { title: name, ...schema }]));
}
