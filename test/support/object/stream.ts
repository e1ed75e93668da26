/** A stream at a processor's object, without a gateway, for tests inside workerd. */

import { type StreamPlace, streamRequest } from "../../../src/rpc/transport/stream-upgrade";

/** What the server says, parsed. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
export type Said = any;

/** An open stream. */
export class TestStream {
  readonly socket: WebSocket;
  readonly #said: Said[] = [];
  #wake: (() => void) | undefined;
  /** The code and reason with which it was closed. */
  closed: { code: number; reason: string } | undefined;

  /** @param socket as the answer to an upgrade has it */
  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.#said.push(data === "pong" ? "pong" : JSON.parse(String(data)));
      this.#wake?.();
    });
    socket.addEventListener("close", ({ code, reason }) => {
      this.closed = { code, reason };
      this.#wake?.();
    });
    socket.accept();
  }

  /** Opens a stream. Throws when the object refuses it. */
  static async open(stub: DurableObjectStub, place: Partial<StreamPlace> = {}): Promise<TestStream> {
    const response = await stub.fetch(streamRequest({ session: "", ...place }));
    if (response.webSocket === null) throw new Error(`${response.status}: ${await response.text()}`);
    return new TestStream(response.webSocket);
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" || message instanceof ArrayBuffer ? message : JSON.stringify(message));
  }

  /** The next message. Throws when the stream closes first. */
  async next(): Promise<Said> {
    while (this.#said.length === 0) {
      if (this.closed !== undefined) throw new Error(`closed: ${this.closed.code} ${this.closed.reason}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#said.shift();
  }

  /** Sends a message and waits for the next one. */
  ask(message: unknown): Promise<Said> {
    this.send(message);
    return this.next();
  }

  /** Waits until it is closed. */
  async untilClosed(): Promise<{ code: number; reason: string }> {
    while (this.closed === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.closed;
  }
}
