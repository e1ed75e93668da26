/** The schemas of the OpenAPI document as functions that say what is wrong with a request or an answer. */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { JSON_TYPE, mediaTypeOf, openApiDocument, pathOf } from "../../../scripts/openapi/document";
import { operations } from "../../../src/gateway/operations/table";
import { routesOf } from "../../../src/gateway/routes";
import { closed } from "./closed";

/** The document, with a version that no release has. */
export const DOCUMENT = openApiDocument("0.0.0-test");

const route = routesOf(operations);

/** Compiles the schemas of a document. */
function compiler(document: object): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addSchema(document, "document");
  return ajv;
}

/** Requests as the document has them. */
const asWritten = compiler(DOCUMENT);

/** Answers with all objects closed, so that a member that the document does not mention is noticed. */
const asClosed = compiler(closed(DOCUMENT));

function pointer(...way: readonly string[]): string {
  return `document#/${way.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
}

function compiled(ajv: Ajv2020, ...way: readonly string[]): ValidateFunction {
  const validate = ajv.getSchema(pointer(...way));
  if (validate === undefined) throw new Error(`the OpenAPI document has no schema at ${way.join(" ")}`);
  return validate;
}

function faultOf(validate: ValidateFunction, value: unknown): string {
  if (validate(value)) return "";
  const [error] = validate.errors ?? [];
  return `${error?.instancePath || "the whole"} ${error?.message}: ${JSON.stringify(error?.params)}`;
}

/** A call as clients make it. */
interface Call {
  readonly method: string;
  readonly path: string;
}

/** The path of the operation that answers a call and the media type of its answer, as the document has them. */
async function documented({ method, path }: Call): Promise<[path: string, method: string, type: string]> {
  const { operation } = await route({ method, url: new URL(path, "http://host").href });
  return [pathOf(operation), method.toLowerCase(), mediaTypeOf(operation)];
}

/** Why the schema of a call's request refuses a body; empty when it does not, or when the operation needs no body. */
export async function requestFault(call: Call, body: unknown): Promise<string> {
  const [path, method] = await documented(call);
  if (body === undefined || !hasRequestSchema(path, method)) return "";
  return faultOf(compiled(asWritten, "paths", path, method, "requestBody", "content", JSON_TYPE, "schema"), body);
}

/** An operation that may take a body. */
interface Requested {
  readonly requestBody?: { readonly content: { readonly [type: string]: unknown } };
}

/** Whether an operation of the document has a schema for a request of JSON. */
export function hasRequestSchema(path: string, method: string): boolean {
  const { paths } = DOCUMENT as unknown as { paths: { [path: string]: { [method: string]: Requested } } };
  return paths[path]?.[method]?.requestBody?.content[JSON_TYPE] !== undefined;
}

/** Why the schema of a call's answer refuses one; empty when it does not. */
export async function answerFault(call: Call, status: number, json: unknown): Promise<string> {
  if (status !== 200) return faultOf(compiled(asClosed, "components", "schemas", "Failure"), json);
  const [path, method, type] = await documented(call);
  return faultOf(compiled(asClosed, "paths", path, method, "responses", "200", "content", type, "schema"), json);
}
