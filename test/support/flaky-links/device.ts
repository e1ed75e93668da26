/** A device on a bad link: sends a call again until an answer comes. */

import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** A call. */
export interface Call {
  readonly method: string;
  /** Without the processor. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** An answer that came whole. */
interface Answered {
  readonly status: number;
  readonly text: string;
}

/** The pause before a call is sent again, in milliseconds. */
const PAUSE_MS = 10;

/** After this long without an answer a call is given up, in milliseconds: the server must have been down all the time. */
const GIVEN_UP_MS = 60_000;

function attempt(address: string, { method, path, body, headers }: Call): Promise<Answered> {
  const { hostname, port } = new URL(address);
  const text = body === undefined ? "" : JSON.stringify(body);
  const sent = { "x-api-key": "ABCD-1234", "content-length": `${Buffer.byteLength(text)}`, ...headers };
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent: false, hostname, port, method, path, headers: sent }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part));
      incoming.on("error", reject);
      incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
    });
    outgoing.on("error", reject);
    outgoing.end(text);
  });
}

/**
 * Sends a call until it is answered, and not with 503.
 *
 * @param address where it is sent, asked before every attempt
 * @returns the answer without its time stamp
 * @throws Error when no answer comes for a minute, or the server has a defect
 */
export async function untilAnswered(address: () => string, call: Call): Promise<string> {
  for (const end = performance.now() + GIVEN_UP_MS; performance.now() < end; await sleep(PAUSE_MS)) {
    const answered = await attempt(address(), call).catch(() => undefined);
    if (answered === undefined || answered.status === 503) continue;
    if (answered.status < 500)
      return `${answered.status} ${answered.text.replace(/"time_stamp":\d+/, '"time_stamp":0')}`;
    throw new Error(`${call.method} ${call.path} answered HTTP ${answered.status}: ${answered.text}`);
  }
  throw new Error(`${call.method} ${call.path} was not answered within ${GIVEN_UP_MS / 1000} s`);
}
