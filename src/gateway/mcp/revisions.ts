/**
 * The revisions of the Model Context Protocol that are served. Since 2026-07-28 each request says its revision itself,
 * in `_meta` and in headers that must agree with the body; before, a client opened with `initialize`.
 *
 * Source: modelcontextprotocol.io/specification/2026-07-28, "Versioning" and "Streamable HTTP".
 */

import { excerpt } from "../../text/excerpt";
import { isJsonObject } from "../../text/located";
import { CODES, RpcError, type RpcRequest } from "./messages";

/** The revision whose requests say all that they need. */
export const STATELESS = "2026-07-28";

/** The revisions that open with `initialize`, the newest first. */
export const WITH_HANDSHAKE: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/** The revisions that are served, the newest first. */
export const REVISIONS: readonly string[] = [STATELESS, ...WITH_HANDSHAKE];

/** What a request counts as that names no revision: the last one without a header for it. */
const UNNAMED = "2025-03-26";

/** Since this revision a tool says itself that an argument is wrong, so that a language model can correct it. */
const WRONG_ARGUMENTS_ARE_RESULTS = "2025-11-25";

const META = "io.modelcontextprotocol/";
const REVISION_HEADER = "mcp-protocol-version";
const METHOD_HEADER = "mcp-method";
const NAME_HEADER = "mcp-name";

/** Whether a wrong argument is said in the result of a tool; else it is an error of the protocol. */
export function saysWrongArgumentsInResults(revision: string): boolean {
  return revision >= WRONG_ARGUMENTS_ARE_RESULTS;
}

/** Whether a client may send several messages at once. */
export function allowsBatches(headers: Headers): boolean {
  return [null, UNNAMED].includes(headers.get(REVISION_HEADER));
}

/**
 * The revision of a request.
 *
 * @throws RpcError -32020 when headers and body disagree, or a header is missing; -32022 for a revision that is not
 *   served; -32602 when a request of the newest revision lacks what it must say
 */
export function revisionOf(request: RpcRequest, headers: Headers): string {
  const header = headers.get(REVISION_HEADER)?.trim();
  const meta = isJsonObject(request.params._meta) ? request.params._meta : {};
  const claimed = meta[`${META}protocolVersion`];
  if (claimed === undefined && header !== STATELESS) return withoutClaim(header);
  if (typeof claimed !== "string") {
    throw new RpcError(
      CODES.invalidParams,
      `params._meta must hold ${META}protocolVersion as a text, as ${STATELESS} asks, got ${excerpt(claimed)}`,
    );
  }
  if (header !== claimed) {
    throw mismatch(`the header MCP-Protocol-Version must be ${excerpt(claimed)}, as in the body, got ${shown(header)}`);
  }
  if (!REVISIONS.includes(claimed)) throw unsupported(claimed);
  if (claimed === STATELESS) checkStateless(request, headers, meta[`${META}clientCapabilities`]);
  return claimed;
}

/** The revision of a request whose body names none. @param header what its header names */
function withoutClaim(header: string | undefined): string {
  if (header === undefined) return UNNAMED;
  if (WITH_HANDSHAKE.includes(header)) return header;
  throw unsupported(header);
}

/** @param capabilities what the client says that it can do */
function checkStateless({ method, params }: RpcRequest, headers: Headers, capabilities: unknown): void {
  if (!isJsonObject(capabilities)) {
    throw new RpcError(
      CODES.invalidParams,
      `params._meta must hold ${META}clientCapabilities as an object, got ${excerpt(capabilities)}`,
    );
  }
  const named = headers.get(METHOD_HEADER)?.trim();
  if (named !== method) {
    throw mismatch(`the header Mcp-Method must be ${excerpt(method)}, as in the body, got ${shown(named)}`);
  }
  if (method !== "tools/call") return;
  const name = headers.get(NAME_HEADER)?.trim();
  if (name === undefined || decoded(name) !== params.name) {
    throw mismatch(`the header Mcp-Name must be ${excerpt(params.name)}, as in the body, got ${shown(name)}`);
  }
}

const ENCODED = /^=\?base64\?(?<base64>.*)\?=$/;

/** The value of a header that may be encoded; `undefined` when the encoding is broken. */
function decoded(value: string): string | undefined {
  const base64 = ENCODED.exec(value)?.groups?.base64;
  if (base64 === undefined) return value;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Neither base64 nor UTF-8: it agrees with no name.
    return undefined;
  }
}

function shown(header: string | undefined): string {
  return header === undefined ? "none" : excerpt(header);
}

function mismatch(message: string): RpcError {
  return new RpcError(CODES.headerMismatch, message);
}

function unsupported(requested: string): RpcError {
  const message = `the revision ${excerpt(requested)} is not served; ${REVISIONS.join(", ")} are`;
  return new RpcError(CODES.unsupportedRevision, message, 400, { supported: [...REVISIONS], requested });
}
