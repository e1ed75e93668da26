/**
 * Takes MQTT over TCP or TLS, and carries each connection's bytes to the endpoint over a WebSocket of its own. Reads no
 * packet: the endpoint puts them together. A side that does not read holds the other one up.
 */

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { Complaint } from "./complaint.mjs";

/** Opcodes of WebSocket frames (RFC 6455, 5.2). */
const OPCODE = { continuation: 0, binary: 2, close: 8, ping: 9, pong: 10 };

/** The longest frame that the endpoint sends, in bytes: a packet of 1 MiB and its header. */
const MOST_FRAME_BYTES = 1_114_112;

/** How long a connection may take to reach the endpoint, in milliseconds. */
const REACH_MS = 10_000;

/** How many bytes the head of a frame has, by the length that its second byte says. */
function headOf(short) {
  if (short < 126) return 2;
  return short === 126 ? 4 : 10;
}

/** The head of the frame that begins here, and the length of its payload; `undefined` when not all of it has come. */
function headIn(bytes) {
  if (bytes.length < 2) return undefined;
  const short = bytes[1] & 0x7f;
  const head = headOf(short);
  if (bytes.length < head) return undefined;
  if (head === 2) return { head, length: short };
  return { head, length: head === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2)) };
}

/** One frame, masked as clients must. */
function frameOf(opcode, payload) {
  const { length } = payload;
  const head = headOf(length < 126 || length > 65_535 ? Math.min(length, 127) : 126);
  const frame = Buffer.allocUnsafe(head + 4 + length);
  frame[0] = 0x80 | opcode;
  if (head === 2) frame[1] = 0x80 | length;
  else if (head === 4) {
    frame[1] = 0xfe;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 0xff;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  const mask = randomBytes(4);
  mask.copy(frame, head);
  for (let at = 0; at < length; at++) frame[head + 4 + at] = payload[at] ^ mask[at & 3];
  return frame;
}

/** The frames of a server, which are not masked. */
class Frames {
  #held = Buffer.alloc(0);

  /** @param {Buffer} bytes what has come; calls `take(opcode, payload)` for each whole frame. Throws when one is too long */
  push(bytes, take) {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    for (let found = headIn(this.#held); found !== undefined; found = headIn(this.#held)) {
      const { head, length } = found;
      if (length > MOST_FRAME_BYTES) throw new Error("a frame of the endpoint is too long");
      if (this.#held.length < head + length) return;
      take(this.#held[0] & 0x0f, this.#held.subarray(head, head + length));
      this.#held = this.#held.subarray(head + length);
    }
  }
}

/** Joins a client's socket and the endpoint's. */
function join(client, endpoint, rest) {
  const frames = new Frames();
  const end = () => {
    client.destroy();
    endpoint.destroy();
  };
  const fromEndpoint = (bytes) => {
    try {
      frames.push(bytes, (opcode, payload) => {
        if (opcode === OPCODE.close) {
          client.end();
          endpoint.end();
        } else if (opcode === OPCODE.ping) endpoint.write(frameOf(OPCODE.pong, payload));
        else if (opcode !== OPCODE.pong && !client.write(payload)) endpoint.pause();
      });
    } catch {
      // The endpoint is none of ours any more.
      end();
    }
  };
  client.on("drain", () => endpoint.resume());
  endpoint.on("drain", () => client.resume());
  client.on("data", (bytes) => {
    if (!endpoint.write(frameOf(OPCODE.binary, bytes))) client.pause();
  });
  client.on("end", () => endpoint.end(frameOf(OPCODE.close, Buffer.from([0x03, 0xe8]))));
  endpoint.on("data", fromEndpoint);
  endpoint.on("end", () => client.end());
  for (const socket of [client, endpoint]) socket.on("error", end).on("close", end);
  if (rest.length > 0) fromEndpoint(rest);
  client.resume();
}

/** Opens a WebSocket to the endpoint for a client. */
function reach(client, address) {
  client.pause();
  client.setNoDelay(true);
  client.on("error", () => client.destroy());
  const { hostname, port } = new URL(address);
  // A name of TLS leads to the agent of that name, as the host of a request does.
  const host = client.servername || "localhost";
  const headers = {
    host,
    connection: "upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": randomBytes(16).toString("base64"),
    "sec-websocket-protocol": "mqtt",
  };
  const upgrading = request({ hostname, port, path: "/mqtt", headers, timeout: REACH_MS });
  upgrading.on("upgrade", (_response, socket, rest) => {
    socket.setTimeout(0);
    socket.setNoDelay(true);
    join(client, socket, rest);
  });
  upgrading.on("response", (response) => {
    response.resume();
    client.destroy();
  });
  upgrading.on("timeout", () => upgrading.destroy());
  upgrading.on("error", () => client.destroy());
  upgrading.end();
}

/** The text of a file that a variable names. */
function fileOf(name, path) {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Complaint(`${name} is ${JSON.stringify(path)}, which cannot be read: ${error.code ?? error.message}.`);
  }
}

/**
 * Listens for MQTT clients.
 *
 * @param {{ host: string, port: number, cert: string | undefined, key: string | undefined }} settings `cert` and `key`
 *   are paths of PEM files, and given together, for TLS
 * @param {() => string} address of the server, as it is now
 * @returns {Promise<{ address: string, close(): void }>} throws a Complaint when it cannot listen
 */
export async function openMqttGate({ host, port, cert, key }, address) {
  const sockets = new Set();
  const take = (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    reach(socket, address());
  };
  const server = cert === undefined ? createServer(take) : tlsServer(cert, key, take);
  await new Promise((resolve, reject) => {
    server.once("error", (error) => {
      reject(new Complaint(`MQTT cannot be taken at ${host}:${port} (${error.code}). Set MQTT_PORT to another port.`));
    });
    server.listen({ host, port }, resolve);
  });
  server.on("error", () => {});
  const shown = host.includes(":") ? `[${host}]` : host;
  return {
    address: `${cert === undefined ? "mqtt" : "mqtts"}://${shown}:${server.address().port}`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function tlsServer(cert, key, take) {
  try {
    return createTlsServer({ cert: fileOf("MQTT_TLS_CERT", cert), key: fileOf("MQTT_TLS_KEY", key) }, take).on(
      "tlsClientError",
      // The client has closed, or speaks no TLS.
      () => {},
    );
  } catch (error) {
    if (error instanceof Complaint) throw error;
    throw new Complaint(`MQTT_TLS_CERT and MQTT_TLS_KEY are no certificate and its key: ${error.message}.`);
  }
}
