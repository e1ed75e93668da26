/** A `fetch` that records requests and answers as a test says, without a network. */

import { connect, type Fetch } from "../../../src/client";

/** One request as `fetch` got it. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** The body as text; `undefined` when there was none. */
  readonly body: string | undefined;
}

/** What happens to one request: the answer, or an error to throw. */
export type Outcome = (request: SentRequest, signal: AbortSignal) => Response | Promise<Response>;

/** Where scripted servers are. */
export const ADDRESS = "http://noema.test:8787";
/** Their key. */
export const KEY = "ABCD-1234";

/** An envelope with a message. */
export function okay(message: unknown, extra: object = {}): Response {
  return Response.json({ id: "P1", interval: 1, message, status: "okay", time_stamp: 1795250628, ...extra });
}

/** A failed envelope. */
export function failed(status: number, message: string, headers: Record<string, string> = {}): Response {
  const body = { id: "P1", interval: 1, message, status: "failed", time_stamp: 1795250628 };
  return Response.json(body, { status, headers });
}

/** A connection to a server that answers by `outcome`, with all requests that it got. Pauses take no time. */
export function scripted(outcome: Outcome, options: Partial<Parameters<typeof connect>[0]> = {}) {
  const requests: SentRequest[] = [];
  const fetch: Fetch = async (url, { method, headers, body, signal }) => {
    const text = body === undefined ? undefined : await new Response(body).text();
    const request = { method, url, headers: new Headers(headers), body: text };
    requests.push(request);
    signal.throwIfAborted();
    return outcome(request, signal);
  };
  const noema = connect({ address: ADDRESS, key: KEY, fetch, firstPause: 0, ...options });
  return { noema, requests };
}
