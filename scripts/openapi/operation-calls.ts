/**
 * The call of the clients for the example of each operation, as data: which function, where, and with which arguments.
 * They follow from the example's request, except for those of the few functions that differ from their operation.
 */

import { absentOperations } from "../../src/gateway/operations/absent";
import type { Operation } from "../../src/gateway/operations/operation";
import { operations } from "../../src/gateway/operations/table";
import { INTEGER_PARAMETERS } from "./parameters";
import type { Entry, Json } from "./reference/entry";
import { entryOf } from "./sections";

/** What a function returns: all of the answer, its message, a member of that, or nothing. */
export type CallResult = "message" | "none" | "whole" | { readonly member: string };

/** A call of `noema/client`. */
export interface ClientCall {
  /** The function. */
  readonly name: string;
  /** Whether it takes the server or a processor. */
  readonly place: "noema" | "p1";
  /** Its arguments after the place. */
  readonly args: readonly Json[];
}

/** The call for the example of an operation. */
export interface OperationCall extends ClientCall {
  /** The operation's row. */
  readonly row: Operation;
  readonly result: CallResult;
}

/** Operations that do the same as another one, which alone has a function. */
export const SAME: { readonly [operation: string]: string } = {
  connectProcessor: "connect",
  hotswapProcessorGenome: "hotswapGenome",
  pingGateway: "pingAgent",
  readVector: "getVector",
  removeSymbolsByDelete: "removeSymbols",
};

/** Functions whose names are not those of their operations. */
export const NAMES: { readonly [operation: string]: string } = { connect: "getConnection" };

/** Where the result is one member of the message. */
const MEMBERS: { readonly [operation: string]: string } = {
  addModel: "name",
  findModelsWithPatterns: "model_list",
  findModelsWithSymbols: "model_list",
  forgetModels: "models",
  getAllGenes: "genes",
  removePatterns: "models",
  removeSymbols: "models",
};

/** Operations whose functions return nothing. */
const SILENT: readonly string[] = ["deleteAlert", "deleteEncoder", "deleteKey", "deleteMqttRoute"];

/** Operations whose functions return the envelope. */
const WHOLE: readonly string[] = ["hotswapGenome"];

/** The arguments that differ from the members of the request: options, and single members by themselves. */
const ARGUMENTS: { readonly [operation: string]: (example: Json | undefined) => readonly Json[] } = {
  backup: () => [{ processor: "p46b6b076c" }],
  getVector: () => ["VECTOR|33f9e6a09aa622f5e8a6e3338f1ce4e988a7f660"],
  incrementRecallThreshold: () => [0.2],
  restore: (file = "") => [file, { processor: "p46b6b076c" }],
};

/** What the function of an operation returns. @param isEnvelope whether the operation answers with an envelope */
export function resultOf(operation: string, isEnvelope: boolean): CallResult {
  if (SILENT.includes(operation)) return "none";
  if (!isEnvelope || WHOLE.includes(operation)) return "whole";
  const member = MEMBERS[operation];
  return member === undefined ? "message" : { member };
}

/** The calls by operation, in the order of the table. Operations that always fail have none. */
export const CALLS: { readonly [operation: string]: OperationCall } = Object.fromEntries(
  operations
    .filter((row) => !absentOperations.includes(row))
    .flatMap((row) => {
      const entry = entryOf(row);
      return entry.operationId
        .filter((operation) => !(operation in SAME))
        .map((operation): [string, OperationCall] => [operation, callOf(operation, row, entry)]);
    }),
);

function callOf(operation: string, row: Operation, entry: Entry): OperationCall {
  const { body } = entry.example.request;
  const args = ARGUMENTS[operation]?.(body) ?? [...pathArguments(row, entry), ...contentArguments(entry)];
  const place = row.path.startsWith("/:id/") ? "p1" : "noema";
  return { name: NAMES[operation] ?? operation, place, args, row, result: resultOf(operation, isEnvelope(entry)) };
}

function isEnvelope({ answer }: Entry): boolean {
  return JSON.stringify(answer).includes('"#/components/schemas/Envelope"');
}

/** The values of the parameters in the path, but for the processor. */
function pathArguments({ path }: Operation, { example: { request } }: Entry): Json[] {
  const values = new URL(request.path, "http://example.org").pathname.split("/");
  const names = path.split("/").map((segment) => /^:(\w+)/.exec(segment)?.[1]);
  return names.flatMap((name, at) => {
    if (name === undefined || name === "id") return [];
    const value = decodeURIComponent(values[at] ?? "");
    return [INTEGER_PARAMETERS.includes(name) ? Number(value) : value];
  });
}

/** What the body carries, or else the query. */
function contentArguments({ query = {}, example: { request } }: Entry): Json[] {
  if (request.body !== undefined) return [carried(request.body)];
  const asked = [...new URL(request.path, "http://example.org").searchParams].map(([name, value]) => [
    name,
    query[name]?.type === "integer" ? Number(value) : value,
  ]);
  return asked.length === 0 ? [] : [Object.fromEntries(asked)];
}

/** What is in a body, without the members around it. */
function carried(body: Json): Json {
  const { data = body } = body as { readonly data?: Json };
  const { model, ...others } = data as { readonly model?: Json };
  return typeof model === "object" && model !== null && Object.keys(others).length === 0 ? model : data;
}
