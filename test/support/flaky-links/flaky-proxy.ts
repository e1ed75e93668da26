/**
 * An HTTP proxy that treats requests as a bad link and an impatient client do: it loses requests and answers, cuts answers short, sends
 * requests twice, and sends some late, after others that came later. What happens to each is drawn at random with a seed.
 */

import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../random";

/** What can happen to a request, as often as it stands here. */
const FATES = [
  "passes",
  "passes",
  "passes",
  "request lost",
  "answer lost",
  "answer cut",
  "sent twice",
  "late",
] as const;

/** What happened to a request. */
export type Fate = (typeof FATES)[number];

/** Maximum delay of a late request, in milliseconds. */
const LATE_MS = 250;

/** A request as it came in. */
interface Taken {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/** An answer of the server behind. */
interface Given {
  status: number;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
}

/** A bad link to a server. */
export class FlakyProxy {
  /** The address of the server behind. It may change at any time. */
  upstream: string;
  /** How many requests had each fate. */
  readonly counts = new Map<Fate, number>();
  readonly #random: Random;
  readonly #server: Server;
  readonly #late = new Set<Promise<unknown>>();

  private constructor(upstream: string, random: Random, server: Server) {
    this.upstream = upstream;
    this.#random = random;
    this.#server = server;
  }

  /** Starts a proxy on a free port of loopback. */
  static async start(upstream: string, random: Random): Promise<FlakyProxy> {
    const server = createServer();
    const proxy = new FlakyProxy(upstream, random, server);
    server.on("request", (incoming, outgoing) => {
      // The client gets no answer when the server behind is down, as when a link is.
      proxy.#carry(incoming, outgoing).catch(() => outgoing.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return proxy;
  }

  /** The address of the proxy. */
  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Waits until the late requests have been sent, and closes the proxy. */
  async close(): Promise<void> {
    while (this.#late.size > 0) await Promise.all(this.#late);
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #carry(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "", url: path = "", headers } = incoming;
    const taken = { method, path, headers, body: await bytesOf(incoming) };
    const fate = this.#random.pick(FATES);
    this.counts.set(fate, (this.counts.get(fate) ?? 0) + 1);
    switch (fate) {
      case "passes":
        return answer(outgoing, await this.#send(taken));
      case "request lost":
        outgoing.destroy();
        return;
      case "answer lost":
        await this.#send(taken);
        outgoing.destroy();
        return;
      case "answer cut":
        return cut(outgoing, await this.#send(taken));
      case "sent twice": {
        const [, second] = await Promise.all([this.#send(taken), this.#send(taken)]);
        return answer(outgoing, second);
      }
      case "late":
        this.#sendLate(taken);
        outgoing.destroy();
    }
  }

  #sendLate(taken: Taken): void {
    const sent = sleep(this.#random.below(LATE_MS))
      .then(() => this.#send(taken))
      // The server may be down when it arrives.
      .catch(() => undefined)
      .finally(() => this.#late.delete(sent));
    this.#late.add(sent);
  }

  #send({ method, path, headers, body }: Taken): Promise<Given> {
    const { hostname, port } = new URL(this.upstream);
    return new Promise((resolve, reject) => {
      const sent = request({ agent: false, hostname, port, method, path, headers }, (given) => {
        bytesOf(given).then(
          (bytes) => resolve({ status: given.statusCode ?? 0, headers: given.headers, body: bytes }),
          reject,
        );
      });
      sent.on("error", reject);
      sent.end(body);
    });
  }
}

function answer(outgoing: ServerResponse, { status, headers, body }: Given): void {
  const { "transfer-encoding": _, connection: __, ...rest } = headers;
  outgoing.writeHead(status, { ...rest, "content-length": body.length }).end(body);
}

function cut(outgoing: ServerResponse, { status, body }: Given): void {
  outgoing.writeHead(status, { "content-length": body.length });
  outgoing.write(body.subarray(0, body.length >> 1), () => outgoing.destroy());
}
