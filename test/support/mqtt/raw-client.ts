/**
 * A client of MQTT that sends any bytes, written from the MQTT documents and not from the server: tests attack the
 * server with it, and kill it between two packets.
 */

import { WebSocket } from "ws";
import { connect, type Hello, TYPE } from "./packets.mjs";

/** A packet of the server. */
export interface Received {
  /** The packet type, the upper half of the first byte. */
  readonly type: number;
  /** The lower half. */
  readonly flags: number;
  /** What stands behind the length. */
  readonly body: Buffer;
}

/** One connection. */
export class RawClient {
  readonly #socket: WebSocket;
  #held = Buffer.alloc(0);
  readonly #received: Received[] = [];
  #wake = () => {};
  #isClosed = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data: Buffer) => {
      this.#held = Buffer.concat([this.#held, data]);
      this.#cut();
      this.#wake();
    });
    socket.on("close", () => {
      this.#isClosed = true;
      this.#wake();
    });
    socket.on("error", () => {});
  }

  /** Opens one. @param address of the server, http://... */
  static async open(address: string): Promise<RawClient> {
    const socket = new WebSocket(`${address.replace(/^http/, "ws")}/mqtt`, "mqtt");
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    return new RawClient(socket);
  }

  /** Opens one, and sends a CONNECT that is accepted. @returns whether the server has the session */
  static async connected(address: string, hello: Hello = {}): Promise<{ client: RawClient; isPresent: boolean }> {
    const client = await RawClient.open(address);
    client.send(connect(hello));
    const { type, body } = await client.next();
    if (type !== TYPE.connack || body[1] !== 0) throw new Error(`not accepted: ${type} ${body.toString("hex")}`);
    return { client, isPresent: body[0] === 1 };
  }

  #cut(): void {
    for (;;) {
      let length = 0;
      let at = 1;
      for (let shift = 0; ; shift++) {
        const byte = this.#held[at++];
        if (byte === undefined) return;
        length += (byte & 127) * 128 ** shift;
        if (byte < 128) break;
      }
      if (this.#held.length < at + length) return;
      const first = this.#held[0] ?? 0;
      this.#received.push({ type: first >> 4, flags: first & 15, body: this.#held.subarray(at, at + length) });
      this.#held = this.#held.subarray(at + length);
    }
  }

  send(...packets: Buffer[]): void {
    for (const each of packets) this.#socket.send(each);
  }

  sendText(said: string): void {
    this.#socket.send(said);
  }

  /** The next packet. @throws Error when the connection ends before it */
  async next(): Promise<Received> {
    for (;;) {
      const received = this.#received.shift();
      if (received !== undefined) return received;
      if (this.#isClosed) throw new Error("the connection has ended");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Everything until the connection ends. */
  async rest(): Promise<Received[]> {
    const all: Received[] = [];
    for (;;) {
      try {
        all.push(await this.next());
      } catch {
        return all;
      }
    }
  }

  /** Ends the connection without a word. */
  drop(): void {
    this.#socket.terminate();
  }
}
