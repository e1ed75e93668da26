/** A webhook for tests: a server that answers as its path says, checks signatures with the public library, and remembers what came. */

import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook as Checker } from "standardwebhooks";

/** A secret of these tests. */
export const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";

/** A delivery that came. */
export interface Delivery {
  path: string;
  /** When, epoch milliseconds. */
  at: number;
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies whose shape is what they check
  body: any;
}

/** What to do with a request. It may never answer. */
type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** How long after the deadline `late` answers, in milliseconds. */
const LATE_MS = 11_000;

const BEHAVIOURS: { readonly [name: string]: Behaviour } = {
  okay: (_, response) => response.writeHead(204).end(),
  fails: (_, response) => response.writeHead(500).end("no"),
  hangs: () => undefined,
  redirects: (_, response) => response.writeHead(307, { location: "/redirected" }).end(),
  resets: (request) => request.socket.destroy(),
  // Ends in the middle of its status line, and in the middle of its body.
  breaks: (request) => request.socket.end("HTTP/1.1 20"),
  cuts: (request) => request.socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"),
  // Two answers to one request, of which the second takes back the first.
  twice: (request) => {
    request.socket.write("HTTP/1.1 204 No Content\r\n\r\n");
    setTimeout(() => request.socket.end("HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n"), 100);
  },
  busy: (_, response) => response.writeHead(429, { "retry-after": "6" }).end(),
  gone: (_, response) => response.writeHead(410).end(),
  late: (_, response) => void setTimeout(() => response.writeHead(200).end(), LATE_MS),
  // An endless answer, which must not be read.
  endless: (_, response) => {
    response.writeHead(200);
    const more = setInterval(() => response.write("x".repeat(65_536)), 5);
    response.once("close", () => clearInterval(more));
  },
};

/** Checks a signature by the words of the specification, apart from the library: HMAC-SHA256 of id, time and body. */
function isSigned(body: string, { headers }: IncomingMessage): boolean {
  const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
  const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return headers["webhook-signature"] === `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
}

/** A webhook that runs. */
export class TestWebhook {
  /** All deliveries whose signature is right, in the order of coming. */
  readonly deliveries: Delivery[] = [];
  /** How many requests had a wrong signature, or none. */
  forgeries = 0;
  /** What is done at paths that are no behaviour. */
  otherwise: Behaviour = (_, response) => response.writeHead(404).end();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Starts one on any free port of this machine, or on the one given. @param host on which it listens */
  static async start(port = 0, host = "127.0.0.1"): Promise<TestWebhook> {
    const server = createServer((request, response) => void webhook.#take(request, response));
    const webhook = new TestWebhook(server);
    server.listen(port, host);
    await once(server, "listening");
    return webhook;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** The address that behaves so. @param name such as `fails` */
  url(name: string): string {
    return `http://${this.host}/${name}`;
  }

  /** The deliveries that came to a behaviour. */
  at(name: string): Delivery[] {
    return this.deliveries.filter(({ path }) => path === `/${name}`);
  }

  /** Waits until this many have come to a behaviour. */
  async came(name: string, count: number, withinMs = 60_000): Promise<Delivery[]> {
    for (const end = Date.now() + withinMs; this.at(name).length < count; await sleep(20)) {
      if (Date.now() > end) throw new Error(`${this.at(name).length} of ${count} deliveries came to ${name}`);
    }
    return this.at(name);
  }

  /** Ends it with all its connections. */
  async stop(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const path = request.url ?? "";
    try {
      const body = new Checker(SECRET).verify(text, request.headers as Record<string, string>);
      if (!isSigned(text, request) || request.method !== "POST") this.forgeries++;
      this.deliveries.push({ path, at: Date.now(), id: String(request.headers["webhook-id"]), body });
    } catch {
      this.forgeries++;
    }
    (BEHAVIOURS[path.slice(1)] ?? this.otherwise)(request, response);
  }
}
