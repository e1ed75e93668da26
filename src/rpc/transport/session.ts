/** The session that a call is about: a part of a native call, or over HTTP a header. */

import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { nameRefusal } from "../../text/chosen-names";
import { excerpt } from "../../text/excerpt";
import { SESSION_HEADER } from "./endpoint-transport";
import { UnaryContext } from "./unary-server";

/**
 * The session of a call.
 *
 * @returns its name; empty for the processor's own memory
 * @throws ConnectError `InvalidArgument` when the header does not hold a session's name, percent-encoded
 */
export function sessionOf(context: HandlerContext): string {
  if (context instanceof UnaryContext) return context.session;
  const header = context.requestHeader.get(SESSION_HEADER);
  return header === null ? "" : sessionIn(header);
}

/**
 * The session that the header X-Session names.
 *
 * @throws ConnectError `InvalidArgument` when it does not hold a session's name, percent-encoded
 */
export function sessionIn(header: string): string {
  const session = decoded(header);
  const refusal = session === undefined ? "a name in percent-encoded UTF-8" : nameRefusal(session);
  if (session !== undefined && refusal === undefined) return session;
  throw new ConnectError(`the header X-Session must hold ${refusal}, got ${excerpt(header)}`, Code.InvalidArgument);
}

/** `undefined` if it is not percent-encoded UTF-8. */
function decoded(header: string): string | undefined {
  // Headers are bytes: anything but ASCII may be in any encoding.
  if (!/^[\x20-\x7e]*$/.test(header)) return undefined;
  try {
    return decodeURIComponent(header);
  } catch {
    // The only possible error: an escape is cut short or is not UTF-8.
    return undefined;
  }
}
