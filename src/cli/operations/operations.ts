/**
 * What the command line knows about an operation, and how it sends one: with the client's retries, and returning the
 * response text unchanged. Knows no particular operation.
 */

import type { Memory, Noema, Processor } from "../../client";
import { exchange, textOf } from "../../client/transport/exchange";

/** A path or query parameter. */
export interface Parameter {
  readonly name: string;
  readonly description: string;
  /** The accepted values; absent if any text is accepted. */
  readonly choices?: readonly string[];
}

/**
 * An operation of the HTTP interface. scripts/cli.mjs makes these from the OpenAPI document and writes them into the
 * bundle.
 */
export interface OperationSummary {
  /** The operation's name in the OpenAPI document: `operationId`. */
  readonly id: string;
  readonly method: string;
  /** The path, with parameters in braces, such as `/{id}/model/{model}`. `{id}` is the processor. */
  readonly path: string;
  readonly summary: string;
  /** The roles that may call the operation; empty if every key may. */
  readonly roles: readonly string[];
  /** The path parameters except `{id}`, in order. */
  readonly pathParameters: readonly Parameter[];
  readonly query: readonly Parameter[];
  /** Set if the operation is also served below `/{id}/sessions/{session}`. */
  readonly inSessions?: true;
  /** Set if an Idempotency-Key makes the operation take effect only once. */
  readonly isKeyed?: true;
  /** Set if the operation takes a body. */
  readonly body?: { readonly isRequired: boolean; readonly example?: unknown };
}

/** A call of an operation. */
export interface OperationCall {
  /** Where to call it: a processor or a session if the path begins with one, else the server. */
  readonly place: Noema | Processor | Memory;
  /** The values of the path parameters except the processor, in order. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** JSON. */
  readonly body: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Makes a call.
 *
 * @returns the response text
 * @throws NoemaError if the call was refused or not answered; Error if a JSON response reports a failure or is
 *   incomplete
 */
export async function sendOperation(operation: OperationSummary, call: OperationCall): Promise<string> {
  const { place, body, idempotencyKey, signal } = call;
  const noema = place.kind === "noema" ? place : place.noema;
  const outgoing = {
    operation: operation.id,
    method: operation.method,
    path: pathOf(operation, call),
    repeats: repeatsOf(operation),
    body,
  };
  const options = { signal, ...(idempotencyKey !== undefined && { idempotencyKey }) };
  const { whole, isJson } = await exchange(noema, outgoing, options, async (response, watch) => {
    const text = await textOf(response, watch);
    watch.end();
    // Some responses are text, such as metrics.
    return { whole: text, isJson: /^application\/json\b/.test(response.headers.get("content-type") ?? "") };
  });
  if (isJson) assertDone(whole);
  return whole;
}

function repeatsOf({ method, isKeyed }: OperationSummary): "keyed" | "once" | "read" {
  if (method === "GET") return "read";
  return isKeyed === true ? "keyed" : "once";
}

function pathOf({ path }: OperationSummary, { place, path: values, query }: OperationCall): string {
  const below = path.replace("/{id}", "");
  const rest = [...values];
  const filled = below.replace(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? ""));
  const start = place.kind === "noema" ? "" : place.path;
  return `${start}${filled}${query.size === 0 ? "" : `?${query}`}`;
}

function assertDone(text: string): void {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Error(`the answer is not JSON; it ends with ${JSON.stringify(text.slice(-200))}`);
  }
  const { status, message } = Object(answer) as { status?: unknown; message?: unknown };
  if (status === "failed") throw new Error(String(message));
}
