/**
 * A client of MQTT that sends any bytes, written from the MQTT documents and not from the server: tests attack the
 * server with it, and kill it between two packets.
 */

import { WebSocket } from "ws";

/** A packet of the server. */
export interface Received {
  /** The packet type, the upper half of the first byte. */
  readonly type: number;
  /** The lower half. */
  readonly flags: number;
  /** What stands behind the length. */
  readonly body: Buffer;
}

/** The types of packets that a server sends. */
export const TYPE = {
  connack: 2,
  publish: 3,
  puback: 4,
  pubrec: 5,
  pubrel: 6,
  pubcomp: 7,
  suback: 9,
  unsuback: 11,
  pingresp: 13,
  disconnect: 14,
} as const;

/** A number of two bytes. */
export const two = (value: number) => Buffer.from([value >> 8, value & 255]);

/** A text with its length. */
export const text = (value: string | Buffer) => {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([two(bytes.length), bytes]);
};

/** A packet: its first byte, and what stands behind the length. */
export function packet(first: number, ...parts: (Buffer | number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as Buffer)));
  const length: number[] = [];
  for (let left = body.length; ; ) {
    const low = left % 128;
    left = Math.floor(left / 128);
    length.push(left > 0 ? low + 128 : low);
    if (left === 0) break;
  }
  return Buffer.concat([Buffer.from([first, ...length]), body]);
}

/** What a CONNECT says. */
export interface Hello {
  readonly version?: 4 | 5;
  readonly clientId?: string;
  readonly isClean?: boolean;
  readonly keepAlive?: number;
  /** The session expiry interval of version 5, in seconds. */
  readonly expiry?: number;
  readonly key?: string;
}

/** A CONNECT with a key. */
export function connect(hello: Hello = {}): Buffer {
  const { version = 5, clientId = "raw", isClean = true, keepAlive = 60, expiry = 0, key = "ABCD-1234" } = hello;
  const properties =
    version === 5 ? [5, 0x11, expiry >>> 24, (expiry >> 16) & 255, (expiry >> 8) & 255, expiry & 255] : [];
  return packet(
    0x10,
    text("MQTT"),
    [version, 0xc0 + (isClean ? 2 : 0)],
    two(keepAlive),
    properties,
    text(clientId),
    text("u"),
    text(key),
  );
}

/** A PUBLISH. */
export function publish(version: 4 | 5, topic: string, payload: string, qos = 0, id = 0, isRepeated = false): Buffer {
  return packet(
    0x30 + qos * 2 + (isRepeated ? 8 : 0),
    text(topic),
    qos > 0 ? two(id) : [],
    version === 5 ? [0] : [],
    Buffer.from(payload),
  );
}

/** A PUBREL. */
export const pubrel = (id: number) => packet(0x62, two(id));

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
