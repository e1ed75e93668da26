/**
 * The messages of JSON-RPC 2.0, as far as the Model Context Protocol uses them: one request, notification or response.
 */

import { excerpt } from "../../text/excerpt";
import { isJsonObject, type JsonObject } from "../../text/located";

/** The codes of errors: those of JSON-RPC 2.0, and those that the protocol adds. */
export const CODES = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  headerMismatch: -32_020,
  unsupportedRevision: -32_022,
} as const;

/** The identifier of a request: text, or a whole number. */
export type RequestId = string | number;

/** A request. */
export interface RpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

/** An error of the protocol, and the status of the HTTP answer that carries it. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  /** One of {@link CODES}. */
  readonly code: number;
  /** The HTTP status: 200 for a handler's errors, 4xx for requests that reached no handler. */
  readonly status: number;
  /** Details for programs. */
  readonly data: JsonObject | undefined;

  /** @param message what is wrong, and what is accepted */
  constructor(code: number, message: string, status = 400, data?: JsonObject) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

/**
 * Reads a message.
 *
 * @returns the request; `undefined` for a notification or a response, which get no answer
 * @throws RpcError -32600 when it is none of these
 */
export function requestIn(message: unknown): RpcRequest | undefined {
  if (!isJsonObject(message) || message.jsonrpc !== "2.0") {
    throw invalid(`the body must be a JSON-RPC message with "jsonrpc": "2.0", got ${excerpt(message)}`);
  }
  const { id, method, params = {} } = message;
  if (method === undefined && ("result" in message || "error" in message)) return undefined;
  if (typeof method !== "string") throw invalid(`method must be a string, got ${excerpt(method)}`);
  if (!isJsonObject(params))
    throw new RpcError(CODES.invalidParams, `params must be an object, got ${excerpt(params)}`);
  if (id === undefined) return undefined;
  if (typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id))) return { id, method, params };
  throw invalid(`id must be a string or a whole number, got ${excerpt(id)}`);
}

function invalid(message: string): RpcError {
  return new RpcError(CODES.invalidRequest, message);
}

/** The identifier of a message if it has a valid one, for naming it in an error. */
export function idOf(message: unknown): RequestId | null {
  const id = isJsonObject(message) ? message.id : undefined;
  return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : null;
}

/** The response with a result. */
export function resultOf(id: RequestId, result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

/** The response with an error. @param id null if the message has no readable one */
export function errorOf(id: RequestId | null, { code, message, data }: RpcError): JsonObject {
  return { jsonrpc: "2.0", id, error: data === undefined ? { code, message } : { code, message, data } };
}
