/**
 * The supported revisions of the Model Context Protocol. Since 2026-07-28 each request states its revision, in `_meta`
 * and in headers that must agree with the body; before, a client opened with `initialize`.
 *
 * Source: modelcontextprotocol.io/specification/2026-07-28, "Versioning" and "Streamable HTTP".
 */

import { excerpt } from "../../text/excerpt";
import { isJsonObject } from "../../text/located";
import { CODES, RpcError, type RpcRequest } from "./messages";

/** The stateless revision, whose requests carry all that they need. */
export const STATELESS = "2026-07-28";

/** The revisions that open with `initialize`, the newest first. */
export const WITH_HANDSHAKE: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/** The supported revisions, newest first. */
export const REVISIONS: readonly string[] = [STATELESS, ...WITH_HANDSHAKE];

/** The revision of a request that names none: the last one without a header for it. */
const UNNAMED = "2025-03-26";

/**
 * Since this revision, wrong arguments are reported in the result of a tool, so that a language model can correct them.
 */
const WRONG_ARGUMENTS_ARE_RESULTS = "2025-11-25";

const META = "io.modelcontextprotocol/";
const REVISION_HEADER = "mcp-protocol-version";
const METHOD_HEADER = "mcp-method";
const NAME_HEADER = "mcp-name";

/** Whether wrong arguments are reported in the result of a tool; else they are errors of the protocol. */
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
 * @throws RpcError -32020 when headers and body disagree, or a header is missing; -32022 for an unsupported revision;
 *   -32602 when a request of the newest revision lacks required members
 */
export function revisionOf(request: RpcRequest, headers: Headers): string {
  const header = headers.get(REVISION_HEADER)?.trim();
  const meta = isJsonObject(request.params._meta) ? request.params._meta : {};
  const claimed = meta[`${META}protocolVersion`];
  if (claimed === undefined && header !== STATELESS) return withoutClaim(header);
  if (typeof claimed !== "string") {
    throw new RpcError(
      CODES.invalidParams,
      `params._meta must hold ${META}protocolVersion as a string, as ${STATELESS} asks, got ${excerpt(claimed)}`,
    );
  }
  if (header !== claimed) {
    throw mismatch(`the header MCP-Protocol-Version must be ${excerpt(claimed)}, as in the body, got ${shown(header)}`);
  }
  if (!REVISIONS.includes(claimed)) throw unsupported(claimed);
  if (claimed === STATELESS) checkStateless(request, headers, meta[`${META}clientCapabilities`]);
  return claimed;
}

/** The revision of a request whose body names none. @param header the revision in its header */
function withoutClaim(header: string | undefined): string {
  if (header === undefined) return UNNAMED;
  if (WITH_HANDSHAKE.includes(header)) return header;
  throw unsupported(header);
}

/** @param capabilities the client's declared capabilities */
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

/** The value of a header that may be encoded; `undefined` if the encoding is broken. */
function decoded(value: string): string | undefined {
  const base64 = ENCODED.exec(value)?.groups?.base64;
  if (base64 === undefined) return value;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not base64 of UTF-8, so it agrees with no name.
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
