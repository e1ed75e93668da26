/** A stream over a real socket, for tests of the served bundle. */

import { createRequire } from "node:module";

/** What the server says, parsed. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
export type Said = any;

/** The part of the package ws that is used here; it has no types of its own. */
interface Socket {
  readonly protocol: string;
  on(event: string, listener: (...of: never[]) => void): void;
  send(data: string): void;
  close(): void;
  terminate(): void;
}

const WebSocketOfWs = createRequire(import.meta.url)("ws") as new (
  address: string,
  protocols: readonly string[],
  options: { headers: Record<string, string> },
) => Socket;

/** How a test opens a stream. */
interface Opening {
  readonly protocols?: readonly string[];
  readonly headers?: Record<string, string>;
}

/** An open stream. */
export class ServedStream {
  readonly socket: Socket;
  readonly #said: string[] = [];
  #wake: (() => void) | undefined;
  /** The code with which it was closed. */
  closed: number | undefined;
  /** The reason that came with the code. */
  reason = "";

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("message", (data: Buffer) => {
      this.#said.push(String(data));
      this.#wake?.();
    });
    socket.on("close", (code: number, reason: Buffer) => {
      this.closed = code;
      this.reason = String(reason);
      this.#wake?.();
    });
  }

  /**
   * Opens a stream and waits for it. Throws the status and the body of an answer that is no WebSocket.
   *
   * @param path such as `/p46b6b076c/stream`
   */
  static open(address: string, path: string, { protocols, headers }: Opening = {}): Promise<ServedStream> {
    return new Promise((resolve, reject) => {
      const url = address.replace(/^http/, "ws") + path;
      const socket = new WebSocketOfWs(url, protocols ?? ["noema.v1"], {
        headers: headers ?? { "x-api-key": "ABCD-1234" },
      });
      // Made at once: messages may follow the handshake in the same packet.
      const stream = new ServedStream(socket);
      socket.on("open", () => resolve(stream));
      socket.on("error", reject as never);
      socket.on("unexpected-response", (async (
        _: unknown,
        response: AsyncIterable<Buffer> & { statusCode: number },
      ) => {
        let body = "";
        for await (const part of response) body += part;
        reject(new Error(`${response.statusCode} ${body}`));
      }) as never);
    });
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** The next message. Throws when the stream closes first. */
  async next(): Promise<Said> {
    for (;;) {
      const text = this.#said.shift();
      if (text !== undefined) return text === "pong" ? text : JSON.parse(text);
      if (this.closed !== undefined) throw new Error(`closed: ${this.closed}`);
      await this.#change();
    }
  }

  /** Sends a message and waits for the next one. */
  ask(message: unknown): Promise<Said> {
    this.send(message);
    return this.next();
  }

  /** Waits until it is closed. */
  async untilClosed(): Promise<number> {
    while (this.closed === undefined) await this.#change();
    return this.closed;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
