/** Raw connections: to open many, to send half of something, and to close as no client library would. */

import { once } from "node:events";
import { connect } from "node:net";
import { LOCAL_KEY } from "../../src/serve/settings.mjs";

/** Opens a connection. Resolves once it is open, or to undefined when it is refused. */
export async function open(address) {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  // Code that looks at the socket sees that it is destroyed.
  socket.on("error", () => {});
  try {
    await once(socket, "connect");
    return socket;
  } catch {
    return undefined;
  }
}

/** Opens many at once; those that were refused are left out. */
export async function openMany(address, count) {
  const sockets = await Promise.all(Array.from({ length: count }, () => open(address)));
  return sockets.filter((socket) => socket !== undefined);
}

/**
 * The head of a request, with the local key unless `key` is another one, or null for none.
 *
 * @param {string} line such as "POST /p1/observe"
 * @param {string[]} fields other headers
 */
export function head(line, fields = [], { key = LOCAL_KEY } = {}) {
  const keys = key === null ? [] : [`x-api-key: ${key}`];
  return [`${line} HTTP/1.1`, "host: localhost", ...keys, ...fields, "", ""].join("\r\n");
}

/** Everything that a connection receives until a time, an end, or until it is `enough`. */
export function received(socket, limitMs, enough = () => false) {
  return new Promise((resolve) => {
    let text = "";
    const done = (how) => {
      clearTimeout(timer);
      resolve({ text, how });
    };
    const timer = setTimeout(() => done("time"), limitMs);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (enough(text)) done("enough");
    });
    socket.on("close", () => done("closed"));
    if (socket.destroyed) done("closed");
  });
}

/** The status of the first answer in what was received; 0 when there is none. */
export function statusIn(text) {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
}
