/** The parameters of operations, as the OpenAPI document has them. */

import { keyUseOf } from "../../src/gateway/idempotency";
import type { Operation } from "../../src/gateway/operations/operation";
import type { Entry, Json } from "./reference/entry";

/** The parameters of paths, by name. */
const PATH_PARAMETERS: { readonly [name: string]: { readonly description: string; readonly example: string } } = {
  id: { description: "The processor: its identifier or its friendly name.", example: "p46b6b076c" },
  model: {
    description: "The name of a model, with `MODEL|` before it or without.",
    example: "dd80d2cd4340b28cb9b4ea8e55db91e1f6f60d4e",
  },
  session: {
    description:
      "The session: a name of 1 to 128 bytes of UTF-8, without control characters, and not `.` or `..`. The first call that changes something of it creates it.",
    example: "device-7",
  },
  key: {
    description: "The identifier of an issued key, 16 hex digits: the middle part of `noema_<id>_<secret>`.",
    example: "5f1d7a0c93be2468",
  },
  encoder: {
    description:
      "The name of an encoder, which is that of the numbers that it is for: 1 to 128 bytes of UTF-8, without control characters, and not `.` or `..`.",
    example: "temp",
  },
  alert: {
    description: "The alert: a name of 1 to 128 bytes of UTF-8, without control characters, and not `.` or `..`.",
    example: "failure",
  },
  incident: { description: "The id of an incident: a whole number from 1.", example: "1" },
  route: {
    description:
      "The name of a route: 1 to 128 bytes of UTF-8, without control characters, and not `.` or `..`. Of several that match a topic, the first by name takes the message.",
    example: "zigbee",
  },
  gene: { description: "The name of a gene.", example: "recall_threshold" },
  symbol: { description: "A symbol. It may hold slashes, percent-encoded or not.", example: "coffee" },
};

/** The parameters of paths that are whole numbers to clients. */
export const INTEGER_PARAMETERS: readonly string[] = ["incident"];

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A key for this request, 1 to 255 visible ASCII characters. The same request with the same key has no further effect and gets the same answer. Kept for 24 hours.",
  schema: { type: "string", pattern: "^[!-~]{1,255}$" },
};

/** Those that several operations share. */
export const parameters: { readonly [name: string]: Json } = {
  ...Object.fromEntries(
    Object.entries(PATH_PARAMETERS).map(([name, { description, example }]) => [
      name,
      { name, in: "path", required: true, description, schema: { type: "string", minLength: 1 }, example },
    ]),
  ),
  idempotencyKey: IDEMPOTENCY_KEY,
};

/** The parameters in the path of a row, as a path item has them. Throws Error when one has no description. */
export function pathParametersOf({ path }: Pick<Operation, "path">): { [member: string]: Json } {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "");
  const unknown = names.find((name) => !Object.hasOwn(PATH_PARAMETERS, name));
  if (unknown !== undefined)
    throw new Error(`the parameter ${unknown} of ${path} has no description in scripts/openapi`);
  if (names.length === 0) return {};
  return { parameters: names.map((name) => ({ $ref: `#/components/parameters/${name}` })) };
}

/** The other parameters of a row. Throws Error when one of the query has no schema. */
export function parametersOf(row: Operation, entry: Entry): Json[] {
  const query = (row.query ?? []).map((name) => queryParameter(name, entry));
  return keyUseOf(row) === "keeps" ? [...query, { $ref: "#/components/parameters/idempotencyKey" }] : query;
}

function queryParameter(name: string, { query, example: { request } }: Entry): Json {
  const schema = query?.[name];
  if (schema === undefined)
    throw new Error(`the parameter ${name} of the query has no schema in scripts/openapi/reference`);
  const { description, ...rest } = schema;
  const shown = new URLSearchParams(request.path.split("?")[1]).get(name);
  const example = shown === null ? {} : { example: rest.type === "integer" ? Number(shown) : shown };
  return { name, in: "query", required: false, description: description ?? "", schema: rest, ...example };
}
