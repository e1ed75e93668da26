/** One HTTP request and its answer, over node:http, which unlike fetch sends bodies with GET and DELETE too. */

import { Agent, type ClientRequest, type IncomingHttpHeaders, request } from "node:http";

const agent = new Agent({ keepAlive: true });

/** A request. */
export interface Outgoing {
  method: string;
  /** Path and query. */
  path: string;
  /** Text and bytes are sent as they are, anything else as JSON; nothing is sent when absent. */
  body?: unknown;
  /** Replace or extend the headers that a JSON client sends. */
  headers?: Record<string, string>;
  /** The header X-API-KEY; the local key when absent, no header when null. */
  key?: string | null;
}

/** An answer. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

/** Whether the server had closed an idle connection before this request came: then it has not read the request. */
function isStaleConnection({ reusedSocket }: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return reusedSocket && error.code === "ECONNRESET";
}

/**
 * Sends a request and waits for the whole answer. workerd closes connections that were idle for 5 s, and on a busy machine a
 * request may already be on its way; such a request is sent again.
 *
 * @throws Error when the connection breaks
 */
export function exchange(address: string, outgoing: Outgoing): Promise<Answer> {
  const { method, path, body, headers, key } = outgoing;
  const bytes = bytesOf(body);
  const { hostname, port } = new URL(address);
  const sent: Record<string, string> = { accept: "application/json, text/javascript" };
  if (bytes !== undefined)
    Object.assign(sent, { "content-type": "application/json", "content-length": `${bytes.length}` });
  if (key !== null) sent["x-api-key"] = key ?? "ABCD-1234";
  return new Promise((resolve, reject) => {
    // The path is not parsed on its way out: the server gets exactly what a test writes.
    const pending = request({ agent, hostname, port, method, path, headers: { ...sent, ...headers } }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
    pending.on("error", (error) => {
      if (isStaleConnection(pending, error)) exchange(address, outgoing).then(resolve, reject);
      else reject(error);
    });
    pending.end(bytes);
  });
}
