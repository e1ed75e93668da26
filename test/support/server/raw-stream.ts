/** Streams by hand, over a plain socket, for clients that behave as no WebSocket of a library does. */

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Opcodes of WebSocket. */
export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9 } as const;

/** What a frame may differ in from a whole text. */
interface Form {
  readonly opcode?: number;
  /** Whether it is the last of its message. */
  readonly isLast?: boolean;
  /** Further bits of the first byte. */
  readonly reserved?: number;
  readonly isMasked?: boolean;
  /** The length that it claims to have; its own if absent. */
  readonly length?: bigint;
}

/**
 * Opens a stream, and reads nothing after the handshake. The socket is paused, and destroyed when the test ends.
 *
 * @param path such as `/p46b6b076c/stream`
 */
export async function openDeaf(address: string, path: string, key = "ABCD-1234"): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  const head = {
    host: `${hostname}:${port}`,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": randomBytes(16).toString("base64"),
    "sec-websocket-protocol": "noema.v1",
    "x-api-key": key,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  const [answer] = await once(socket, "data");
  if (!String(answer).startsWith("HTTP/1.1 101 ")) throw new Error(`no stream: ${answer}`);
  socket.pause();
  return socket;
}

/** A frame as a client sends it: a whole text, masked with zeros, if the form says nothing else. */
export function rawFrame(payload: string | Buffer, form: Form = {}): Buffer {
  const { opcode = OPCODE.text, isLast = true, reserved = 0, isMasked = true } = form;
  const bytes = Buffer.from(payload);
  const head = Buffer.alloc(isMasked ? 14 : 10);
  head[0] = (isLast ? 0x80 : 0) | reserved | opcode;
  head[1] = (isMasked ? 0x80 : 0) | 127;
  head.writeBigUInt64BE(form.length ?? BigInt(bytes.length), 2);
  return Buffer.concat([head, bytes]);
}

/** The beginning of a close frame with a code, behind its first two bytes. */
export function closeCode(code: number): Buffer {
  return Buffer.from([code >> 8, code & 255]);
}
