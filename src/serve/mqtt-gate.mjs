/**
 * Accepts MQTT over TCP or TLS, and carries each connection's bytes to the endpoint over a WebSocket of its own. Does
 * not parse packets, which is the endpoint's work. If one side does not read, the other has to wait.
 */

import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { pipeline } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import { createWebSocketStream, WebSocket } from "ws";
import { Complaint } from "./complaint.mjs";

/** Maximum size of a message from the endpoint, in bytes: a packet of 1 MiB and its header. */
const MAX_MESSAGE_BYTES = 1_114_112;

/** Time limit for a connection to reach the endpoint, in milliseconds. */
const REACH_MS = 10_000;

/**
 * Most listeners for one event of a client's socket. A TLS socket that is both ends of a pipeline has 11 for its close,
 * one more than Node allows without a warning of a leak.
 */
const MAX_LISTENERS = 16;

/** Opens a WebSocket to the endpoint for a client, and connects the two. */
function reach(client, address) {
  client.pause();
  client.setNoDelay(true);
  client.setMaxListeners(MAX_LISTENERS);
  // A name of TLS leads to the agent of that name, as the host of a request does.
  const headers = { host: client.servername || "localhost" };
  const endpoint = new WebSocket(`${address.replace(/^http/, "ws")}/mqtt`, "mqtt", {
    headers,
    handshakeTimeout: REACH_MS,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  const end = () => {
    client.destroy();
    endpoint.terminate();
  };
  client.on("error", end).on("close", end);
  endpoint.on("error", end);
  endpoint.on("open", () => {
    pipeline(client, createWebSocketStream(endpoint), client, end);
  });
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
 * @param {() => string | undefined} address of the server, as it is at the moment; without one, connections are closed
 * @returns {Promise<{ address: string, close(): void }>} throws a Complaint when it cannot listen
 */
export async function openMqttGate({ host, port, cert, key }, address) {
  const sockets = new Set();
  const take = (socket) => {
    const reached = address();
    if (reached === undefined) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    reach(socket, reached);
  };
  const server = cert === undefined ? createServer(take) : tlsServer(cert, key, take);
  await new Promise((resolve, reject) => {
    server.once("error", (error) => {
      reject(new Complaint(`Cannot listen for MQTT on ${host}:${port} (${error.code}). Set another MQTT_PORT.`));
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
      // The client has closed, or does not speak TLS.
      () => {},
    );
  } catch (error) {
    if (error instanceof Complaint) throw error;
    throw new Complaint(`MQTT_TLS_CERT and MQTT_TLS_KEY are not a certificate and its key: ${error.message}.`);
  }
}
