/**
 * The header `X-Request-Id`: names a request in answers and in the log, so that a client's report can be matched with
 * the server's log.
 */

/** The header of requests and answers. */
export const REQUEST_ID_HEADER = "x-request-id";

/** 1 to 128 visible ASCII characters. */
const ACCEPTED = /^[\x21-\x7e]{1,128}$/;

/** The identifier in a request; a new UUID if it has none, or an invalid one. */
export function requestIdOf({ headers }: Request): string {
  const given = headers.get(REQUEST_ID_HEADER);
  return given !== null && ACCEPTED.test(given) ? given : crypto.randomUUID();
}
