/** Decides the media type of an answer from the request's Accept header. */

/** The media type of answers unless the client asks for another. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** The media type of answers to a client that asks for scripts and not for JSON. */
const SCRIPT_TYPE = "text/javascript; charset=utf-8";

/** The media types of answers. */
export type MediaType = typeof JSON_TYPE | typeof SCRIPT_TYPE;

/** The last decision, cached because a client sends the same header with every request. */
let last: { readonly accept: string | null; readonly type: MediaType } = { accept: null, type: JSON_TYPE };

/**
 * Decides the media type of an answer.
 *
 * @param accept the Accept header; null for none
 * @returns `SCRIPT_TYPE` when the header names text/javascript and does not name application/json, else `JSON_TYPE`; a
 *   type with quality 0 counts as not named
 */
export function mediaType(accept: string | null): MediaType {
  if (last.accept !== accept) last = { accept, type: typeFor(accept) };
  return last.type;
}

function typeFor(accept: string | null): MediaType {
  if (accept === null || !/text\/javascript/i.test(accept)) return JSON_TYPE;
  const named = accept.split(",").filter(isWanted).map(bareType);
  return named.includes("text/javascript") && !named.includes("application/json") ? SCRIPT_TYPE : JSON_TYPE;
}

function isWanted(range: string): boolean {
  return !/;\s*q=0(?:\.0*)?\s*(?:;|$)/i.test(range);
}

function bareType(range: string): string {
  return (range.split(";", 1)[0] ?? "").trim().toLowerCase();
}
