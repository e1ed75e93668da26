/**
 * Answers `POST /mcp`: the Model Context Protocol over Streamable HTTP, without sessions and without streams. An answer
 * is JSON-RPC, not the envelope of the HTTP interface.
 */

import { excerpt } from "../../text/excerpt";
import { bodyOf } from "../json/body";
import { wholeBytes } from "../json/body-bytes";
import { heldBytes } from "../json/held-bytes";
import { keyNameOf } from "../keys/offered-key";
import { JSON_TYPE } from "../media-type";
import { Refusal } from "../refusal";
import { NO_STORE } from "../watching/watched-request";
import { CODES, errorOf, idOf, RpcError, requestIn, resultOf } from "./messages";
import { type McpHost, resultFor } from "./methods";
import { allowsBatches, revisionOf } from "./revisions";

/** The path. */
export const MCP_PATH = "/mcp";

/** Maximum size of a body, in bytes: as for a frame of a stream. */
export const MAX_MCP_BYTES = 1_048_576;

/** Maximum number of messages in a batch. */
export const MAX_BATCHED = 50;

/** Refuses anything but POST. */
export function notPosted(request: Request): Response | undefined {
  if (request.method === "POST") return undefined;
  const error = new RpcError(CODES.invalidRequest, `POST is accepted here, got ${excerpt(request.method)}`, 405);
  return failure(error, { allow: "POST" });
}

/** Answers a request that was refused before a message was read: with 401 if its key is missing or not accepted. */
export function refusedMcp({ http, message, extras }: Refusal): Response {
  const headers: Record<string, string> = {};
  if (extras.isOfKey) headers["www-authenticate"] = 'Bearer realm="noema"';
  if (extras.retryAfterS !== undefined) headers["retry-after"] = String(extras.retryAfterS);
  const status = extras.isOfKey ? 401 : http;
  return failure(new RpcError(status >= 500 ? CODES.internal : CODES.invalidRequest, message, status), headers);
}

/**
 * Answers a request whose key is valid.
 *
 * @throws Refusal 415 when the body is not declared as JSON, 413 when it is too large, 400 when it comes too slowly,
 *   429 or 503 when bodies hold too much
 */
export async function answerMcp(request: Request, host: McpHost): Promise<Response> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Refusal(415, `the header Content-Type must be application/json, got ${excerpt(type)}`);
  }
  const held = heldBytes.body(keyNameOf(request, host.rights));
  try {
    const message = messageOf(await wholeBytes(request, MAX_MCP_BYTES, () => held));
    if (message instanceof RpcError) return failure(message);
    if (Array.isArray(message)) return await answerBatch(message, request.headers, host);
    const answer = await answerTo(message, request.headers, host);
    return answer === undefined ? new Response(null, { status: 202 }) : json(answer.response, answer.status);
  } finally {
    held.release();
  }
}

/** The content of the body, or why it has none. */
function messageOf(bytes: Uint8Array): unknown {
  try {
    return bodyOf(bytes).value;
  } catch (reason) {
    if (!(reason instanceof Refusal)) throw reason;
    return new RpcError(CODES.parse, reason.message, reason.http);
  }
}

/** A message's answer, and the status of the HTTP answer; `undefined` for a message that has none. */
async function answerTo(message: unknown, headers: Headers, host: McpHost) {
  try {
    const request = requestIn(message);
    if (request === undefined) return undefined;
    const result = await resultFor(request, revisionOf(request, headers), host);
    return { response: resultOf(request.id, result), status: 200 };
  } catch (reason) {
    if (!(reason instanceof RpcError)) throw reason;
    return { response: errorOf(idOf(message), reason), status: reason.status };
  }
}

/** Answers several messages, one after the other, as in the revision 2025-03-26. */
async function answerBatch(messages: readonly unknown[], headers: Headers, host: McpHost): Promise<Response> {
  const isTaken = allowsBatches(headers) && messages.length > 0 && messages.length <= MAX_BATCHED;
  if (!isTaken) {
    const accepted = `a batch of 1 to ${MAX_BATCHED} messages is accepted in the revision 2025-03-26 alone`;
    return failure(new RpcError(CODES.invalidRequest, `${accepted}, got ${messages.length}`));
  }
  const responses: unknown[] = [];
  for (const [at, message] of messages.entries()) {
    // The first message is counted with the request that carries them all.
    const refusal = at === 0 ? undefined : await refusalToCount(host);
    const answer =
      refusal === undefined ? await answerTo(message, headers, host) : { response: errorOf(idOf(message), refusal) };
    if (answer !== undefined) responses.push(answer.response);
  }
  return responses.length === 0 ? new Response(null, { status: 202 }) : json(responses, 200);
}

/** Why the key may make no further request; `undefined` if it may. */
async function refusalToCount(host: McpHost): Promise<RpcError | undefined> {
  try {
    await host.count();
    return undefined;
  } catch (reason) {
    if (!(reason instanceof Refusal)) throw reason;
    return new RpcError(CODES.invalidRequest, reason.message);
  }
}

function failure(error: RpcError, headers: Record<string, string> = {}): Response {
  return json(errorOf(null, error), error.status, headers);
}

function json(value: unknown, status: number, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { "content-type": JSON_TYPE, "cache-control": NO_STORE, ...headers },
  });
}
