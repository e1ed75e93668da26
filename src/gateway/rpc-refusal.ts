/**
 * Failed answers to calls of the public services: the code for anything thrown, its form in the client's protocol, and
 * the message if the library could not read the request.
 */

import type { DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { type UniversalServerResponse, universalServerResponseToFetch } from "@connectrpc/connect/protocol";
import { codeToHttpStatus, errorFromJsonBytes, errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { findTrailerError, setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { trailerFlag, trailerParse } from "@connectrpc/connect/protocol-grpc-web";
import { RETRY_AFTER_HEADER } from "../rpc/transport/endpoint-transport";
import { internalError } from "../rpc/transport/internal-error";
import { GrowingBytes } from "../text/growing-bytes";
import { Refusal } from "./refusal";

/** Bytes before a message, and before the trailer, in gRPC-Web: flags, and the length as four bytes. */
const FRAME_HEAD_BYTES = 5;

/** The library's codes for a request that it cannot read. */
const UNREADABLE: readonly Code[] = [Code.InvalidArgument, Code.Internal, Code.Unknown, Code.DataLoss];

/**
 * The library's message for JSON that is not such a message, without the engine's message for text
 * that is not JSON at all.
 */
const JSON_REFUSAL = /^cannot decode .* from JSON: (?!.*\bJSON\b)/s;

/** The library's message for a compression that it was not given, which ends in an empty list of the accepted ones. */
const UNKNOWN_COMPRESSION = /^unknown compression ".*": supported encodings are $/s;

/** The error to send to a client for anything thrown. It does not describe a defect, which the caller must log. */
export function rpcError(reason: unknown): ConnectError {
  if (reason instanceof ConnectError) return reason;
  if (reason instanceof Refusal) {
    const { retryAfterS } = reason.extras;
    const headers = retryAfterS === undefined ? undefined : { [RETRY_AFTER_HEADER]: String(retryAfterS) };
    return new ConnectError(reason.message, codeOf(reason), headers, undefined, reason);
  }
  return internalError();
}

/** The code of a refusal by the gateway itself. */
function codeOf({ http, extras }: Refusal): Code {
  if (http === 413 && extras.isOfProcessor) return Code.OutOfRange;
  switch (http) {
    case 400:
      return Code.InvalidArgument;
    case 403:
      return Code.PermissionDenied;
    case 404:
      return Code.NotFound;
    case 413:
    case 429:
      return Code.ResourceExhausted;
    case 503:
      return Code.Unavailable;
    default:
      // A refused key.
      return Code.Unauthenticated;
  }
}

/** Answers a call that failed before a handler could answer, in the client's protocol. */
export function failed(request: Request, error: ConnectError): Response {
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("application/grpc-web")) {
    const headers = new Headers({ "content-type": type });
    setTrailerStatus(headers, error);
    return new Response(null, { headers });
  }
  const headers = new Headers(error.metadata);
  headers.set("content-type", "application/json");
  return new Response(errorToJsonBytes(error, undefined), { status: codeToHttpStatus(error.code), headers });
}

/**
 * The answer to a request that the library could not read. The library reports some of the client's mistakes as
 * failures of the server, quotes the engine, and lists no encoding when it is given no compression.
 *
 * @param answer the library's own answer
 * @param wanted the message that the method takes
 */
export async function unreadAnswer(
  answer: UniversalServerResponse,
  request: Request,
  wanted: DescMessage,
): Promise<Response> {
  const bytes = await bytesOf(answer);
  const error = errorIn(answer, bytes);
  if (error !== undefined && UNKNOWN_COMPRESSION.test(error.rawMessage)) {
    const refused = error.rawMessage.slice(0, error.rawMessage.lastIndexOf(":"));
    const message = `${refused}: messages must not be compressed; the only accepted encoding is identity`;
    return failed(request, new ConnectError(message, Code.Unimplemented, { "accept-encoding": "identity" }));
  }
  if (error === undefined || !UNREADABLE.includes(error.code) || JSON_REFUSAL.test(error.rawMessage)) {
    return universalServerResponseToFetch({ ...answer, body: only(bytes) });
  }
  const place = request.method === "GET" ? "the query's message" : "the body";
  const message = `${place} is not a ${wanted.typeName} in the encoding and compression that the request names`;
  return failed(request, new ConnectError(message, Code.InvalidArgument));
}

async function bytesOf({ body }: UniversalServerResponse): Promise<Uint8Array> {
  const bytes = new GrowingBytes();
  for await (const part of body ?? []) bytes.add(part);
  return bytes.all;
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield bytes;
}

/** The error in an answer of the library; `undefined` if it has only a status. */
function errorIn({ status }: UniversalServerResponse, bytes: Uint8Array): ConnectError | undefined {
  if (bytes.byteLength === 0) return undefined;
  const unreadable = new ConnectError("", Code.Internal);
  if (status !== 200) return errorFromJsonBytes(bytes, undefined, unreadable);
  if (((bytes[0] ?? 0) & trailerFlag) === 0) return unreadable;
  return findTrailerError(trailerParse(bytes.subarray(FRAME_HEAD_BYTES))) ?? unreadable;
}
