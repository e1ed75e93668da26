/** One request that a reader tries: what is sent, and what came back. Knows nothing of the form. */

import pretty from "json-stringify-pretty-compact";

/** A request as the form has it. */
export interface TriedCall {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly path: string;
  /** Headers other than the key. */
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
}

/** What came back. */
export interface Outcome {
  readonly status: number;
  readonly statusText: string;
  readonly milliseconds: number;
  /** Headers that say something about this answer, one a line. */
  readonly headers: string;
  /** The body; JSON is broken into lines. */
  readonly text: string;
}

/** More of an answer than this is not shown, in UTF-16 units. */
const MAX_SHOWN = 100_000;

const SHOWN_HEADERS = ["content-type", "idempotency-replayed", "retry-after", "allow", "x-request-id"];

/** A segment that browsers take out of a path. */
const DOTS = /\/(?:\.|%2e){1,2}(?=[/?]|$)/i;

/**
 * Sends a request and waits for the whole answer.
 *
 * @throws Error when there is no answer: its message says why
 */
export async function send(call: TriedCall, key: string, signal: AbortSignal): Promise<Outcome> {
  if (DOTS.test(call.path)) throw new Error('A name in a path cannot be "." or "..".');
  const headers = key === "" ? call.headers : { ...call.headers, "X-API-KEY": key };
  const { method, body = null } = call;
  const from = performance.now();
  const response = await fetch(call.path, { method, headers, body, signal, cache: "no-store", credentials: "omit" });
  const text = await response.text();
  return {
    status: response.status,
    statusText: response.statusText,
    milliseconds: performance.now() - from,
    headers: headersOf(response),
    text: readable(text),
  };
}

function headersOf({ headers }: Response): string {
  const shown = SHOWN_HEADERS.filter((name) => headers.has(name));
  return shown.map((name) => `${name}: ${headers.get(name)}`).join("\n");
}

function readable(text: string): string {
  const lines = text.length > MAX_SHOWN ? text : linesOf(text);
  if (lines.length <= MAX_SHOWN) return lines;
  return `${lines.slice(0, MAX_SHOWN)}\n… and ${(lines.length - MAX_SHOWN).toLocaleString("en-US")} characters more.`;
}

function linesOf(text: string): string {
  try {
    return pretty(JSON.parse(text), { maxLength: 72 });
  } catch {
    // Not JSON, or several JSON texts: show it unchanged.
    return text;
  }
}

/** Text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same request for curl. It names the key by a variable, so that it can be shown to others. */
export function curlOf({ method, path, headers, body }: TriedCall, hasKey: boolean): string {
  const usual = body === undefined ? "GET" : "POST";
  return [
    `curl ${method === usual ? "" : `-X ${method} `}${quoted(location.origin + path)}`,
    ...(hasKey ? ['-H "X-API-KEY: $KEY"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(" \\\n  ");
}
