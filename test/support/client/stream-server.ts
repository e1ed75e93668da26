/**
 * A small server of streams: it speaks as docs say that Noema does, over real sockets, and a test can cut its links, hold its answers
 * and refuse frames. What it keeps of a source outlives its links.
 */

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

const KEY = "ABCD-1234";

/** A frame as it came in. */
export interface TakenFrame {
  readonly n: number;
  readonly clear?: boolean;
  readonly observe?: unknown;
  readonly learn?: boolean;
  readonly predictions?: unknown;
  readonly brief?: boolean;
}

type Refusal = { readonly code: number; readonly message: string };

/** The answer to an ordinary request or a failed upgrade. */
interface HttpAnswer {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a test sets. */
interface Behaviour {
  /** Why a frame is refused; `undefined` when it is taken. */
  refuse: (frame: TakenFrame) => Refusal | undefined;
  /** What happens to a link once it has taken a frame. */
  afterFrame: (frame: TakenFrame) => "answer" | "cut before the answer" | "hold";
  /** How opening a link fails; `undefined` when it does not. */
  refuseLink: () => HttpAnswer | undefined;
  /** The answer to a subscription. */
  refuseSubscription: () => Refusal | undefined;
}

export class StreamServer implements Behaviour {
  refuse: Behaviour["refuse"] = () => undefined;
  afterFrame: Behaviour["afterFrame"] = () => "answer";
  refuseLink: Behaviour["refuseLink"] = () => undefined;
  refuseSubscription: Behaviour["refuseSubscription"] = () => undefined;
  /** Whether WebSockets come through; without them, other requests still do. */
  carriesWebSockets = true;
  /** Every frame that took effect, in order. */
  readonly taken: TakenFrame[] = [];
  /** Every message that came in. */
  readonly heard: string[] = [];
  /** The requests that opened links. */
  readonly opened: IncomingMessage[] = [];
  /** What each subscription asked for. */
  readonly subscriptions: string[][] = [];
  readonly #http: Server;
  readonly #sockets = new Set<WebSocket>();
  readonly #lastOf = new Map<string, number>();
  readonly #eventsLeft = new Map<WebSocket, number>();
  #held: (() => void)[] = [];
  #interval = 0;

  private constructor(http: Server) {
    this.#http = http;
    const upgrades = new WebSocketServer({ noServer: true, handleProtocols: () => "noema.v1" });
    http.on("request", (request, response) => {
      const { status, message, headers } = this.#answerOrdinary(request);
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify({ id: "", interval: null, message, status: "failed", time_stamp: 0 }));
    });
    http.on("upgrade", (request, socket, head) => {
      const refusal = this.#refusalOf(request) ?? (this.carriesWebSockets ? undefined : { status: 502 });
      if (refusal !== undefined) {
        socket.end(`HTTP/1.1 ${refusal.status} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
        return;
      }
      this.opened.push(request);
      upgrades.handleUpgrade(request, socket, head, (opened) => this.#serve(opened, request));
    });
  }

  static async start(): Promise<StreamServer> {
    const http = createServer().listen(0, "127.0.0.1");
    await once(http, "listening");
    return new StreamServer(http);
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** How many links are open. */
  get links(): number {
    return this.#sockets.size;
  }

  /** The symbols that took effect, in order. */
  get symbols(): string[] {
    return this.taken.flatMap(({ observe }) => recordsOf(observe)).flatMap(({ strings }) => strings);
  }

  /** Ends all links without a close frame. */
  cut(): void {
    for (const socket of this.#sockets) socket.terminate();
    this.#sockets.clear();
  }

  /** Closes all links. */
  close(code: number, reason: string): void {
    for (const socket of this.#sockets) socket.close(code, reason);
  }

  /** Sends the answers that were held. */
  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const send of held) send();
  }

  /** Tells the links that have subscribed of an event: 1,000 times, until they subscribe anew. */
  tell(event: object): void {
    for (const [socket, left] of this.#eventsLeft) {
      if (left > 0) socket.send(JSON.stringify(left === 1 ? { ...event, renew: true } : event));
      this.#eventsLeft.set(socket, left - 1);
    }
  }

  async stop(): Promise<void> {
    this.cut();
    this.#http.close();
    this.#http.closeAllConnections();
    await once(this.#http, "close");
  }

  /** The processor is not looked for before a request asks for a WebSocket. */
  #answerOrdinary(request: IncomingMessage): HttpAnswer {
    const refusal = this.#refusalOf(request);
    if (!request.url?.includes("/stream")) return refusal ?? { status: 200, message: "okay" };
    if (refusal !== undefined && refusal.status !== 404) return refusal;
    return { status: 426, message: "a stream is a WebSocket" };
  }

  #refusalOf(request: IncomingMessage): HttpAnswer | undefined {
    const { headers } = request;
    const offered = String(headers["sec-websocket-protocol"] ?? "").split(/, */);
    const protocolKey = offered.find((one) => one.startsWith("noema.key."))?.slice("noema.key.".length);
    const key = headers["x-api-key"] ?? (protocolKey && Buffer.from(protocolKey, "base64url").toString());
    if (key !== KEY) return { status: 500, message: "the key is missing or wrong" };
    return this.refuseLink();
  }

  #serve(socket: WebSocket, request: IncomingMessage): void {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://server");
    const source = searchParams.get("source");
    const name = source === null ? undefined : `${pathname} ${source}`;
    const link = { last: 0 };
    this.#sockets.add(socket);
    socket.on("close", () => {
      this.#sockets.delete(socket);
      this.#eventsLeft.delete(socket);
    });
    socket.on("message", (data) => {
      const text = String(data);
      this.heard.push(text);
      if (text === "ping") return socket.send("pong");
      this.#take(socket, JSON.parse(text), name, link);
    });
    const last = name === undefined ? 0 : (this.#lastOf.get(name) ?? 0);
    socket.send(JSON.stringify({ welcome: { interval: this.#interval, last } }));
  }

  #take(
    socket: WebSocket,
    frame: TakenFrame & { readonly subscribe?: string[] },
    name: string | undefined,
    link: { last: number },
  ): void {
    const { n, subscribe } = frame;
    if (subscribe !== undefined) {
      const error = this.refuseSubscription();
      this.subscriptions.push(subscribe);
      this.#eventsLeft.set(socket, 1000);
      socket.send(JSON.stringify(error === undefined ? { subscribed: subscribe } : { n: null, error }));
      return;
    }
    const last = name === undefined ? link.last : (this.#lastOf.get(name) ?? 0);
    if (n <= last) {
      socket.send(JSON.stringify({ n, redelivered: true }));
      return;
    }
    const error = this.refuse(frame);
    if (error !== undefined) {
      socket.send(JSON.stringify({ n, error }));
      return;
    }
    link.last = n;
    if (name !== undefined) this.#lastOf.set(name, n);
    this.taken.push(frame);
    const answer = this.#answerTo(frame);
    const fate = this.afterFrame(frame);
    if (fate === "cut before the answer") this.cut();
    else if (fate === "hold") this.#held.push(() => socket.send(answer));
    else socket.send(answer);
  }

  #answerTo({ n, observe, learn, predictions, brief }: TakenFrame): string {
    const records = recordsOf(observe);
    this.#interval += records.length;
    const observed = brief
      ? records.length
      : records.map(({ strings }) => ({ status: "observed", unique_id: strings.join(" ") }));
    const message = {
      ...(observe !== undefined && { observed }),
      ...(learn && { learned: `MODEL|${n}` }),
      ...(predictions !== undefined && { predictions: [{ asked: predictions }] }),
    };
    return JSON.stringify({ interval: this.#interval, message, n });
  }
}

/** The records of a frame. */
export function recordsOf(observe: unknown): { readonly strings: readonly string[] }[] {
  return observe === undefined ? [] : ([observe].flat() as { readonly strings: readonly string[] }[]);
}
