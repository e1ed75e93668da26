/** One HTTP exchange over a real socket with node:http, which unlike fetch sends bodies with GET and DELETE too. */

import { Agent, type IncomingHttpHeaders, request } from "node:http";

const agent = new Agent({ keepAlive: true });

/** What goes out. */
export interface Outgoing {
  method: string;
  /** Path and query. */
  path: string;
  /** Sent as it is, when it is text or bytes, else as JSON; nothing is sent when absent. */
  body?: unknown;
  /** Besides, or instead of, the headers that a JSON client sends. */
  headers?: Record<string, string>;
  /** The header X-API-KEY; null sends none. */
  key?: string | null;
}

/** What comes back. */
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

/** Sends and waits for the whole answer. Rejects when the connection breaks. */
export function exchange(address: string, { method, path, body, headers, key }: Outgoing): Promise<Answer> {
  const bytes = bytesOf(body);
  const { hostname, port } = new URL(address);
  const sent: Record<string, string> = { accept: "application/json, text/javascript" };
  if (bytes !== undefined)
    Object.assign(sent, { "content-type": "application/json", "content-length": `${bytes.length}` });
  if (key !== null) sent["x-api-key"] = key ?? "ABCD-1234";
  return new Promise((resolve, reject) => {
    // The path is not parsed on its way out: what a test writes is what is sent.
    const outgoing = request({ agent, hostname, port, method, path, headers: { ...sent, ...headers } }, (incoming) => {
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
    outgoing.on("error", reject);
    outgoing.end(bytes);
  });
}
