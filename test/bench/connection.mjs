/**
 * One kept-alive HTTP/1.1 connection that sends JSON and reads answers with a declared length, one after the other. Far lighter than
 * a real client, so that a benchmark measures the server.
 */

import { once } from "node:events";
import { connect } from "node:net";
import { LOCAL_KEY } from "../../src/serve/settings.mjs";

const HEAD_END = "\r\n\r\n";
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * The bytes of a POST with a JSON body, to send any number of times. Make them before the connection, because a server closes a
 * connection that stays silent for some seconds.
 *
 * @param address for example `http://127.0.0.1:8787`
 */
export function postRequest(address, path, body) {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: ${new URL(address).host}\r\nx-api-key: ${LOCAL_KEY}\r\n` +
      "accept: application/json, text/javascript\r\ncontent-type: application/json\r\n" +
      `content-length: ${Buffer.byteLength(body)}${HEAD_END}${body}`,
  );
}

/** The number of times a request is sent again after the server has closed the connection. */
const MAX_RETRIES = 3;

/** A connection to one server; one request at a time. */
export class Connection {
  #address;
  #socket;
  #received = Buffer.alloc(0);
  /** Settles the pending request; undefined when there is none. */
  #waiting;

  constructor(address) {
    this.#address = address;
  }

  /** @param address for example `http://127.0.0.1:8787` */
  static async open(address) {
    const connection = new Connection(address);
    await connection.#connect();
    return connection;
  }

  /**
   * Sends a request and waits for the whole answer. When the machine stalls for seconds, workerd takes a connection for idle and
   * closes it while a request is on its way. The request is then sent again, and its time includes the stall.
   *
   * @param {Buffer} request
   * @returns {Promise<{ status: number, body: string }>}
   */
  async send(request) {
    for (let retries = 0; ; retries++) {
      try {
        return await this.#exchange(request);
      } catch (error) {
        if (retries === MAX_RETRIES) throw error;
        await this.#connect();
      }
    }
  }

  close() {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  async #connect() {
    const { hostname, port, host } = new URL(this.#address);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, "connect");
    const fail = (error) => this.#socket === socket && this.#waiting?.reject(error);
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("error", fail);
    socket.on("close", () => fail(new Error(`${host} closed the connection`)));
    this.#socket = socket;
    this.#received = Buffer.alloc(0);
  }

  #exchange(request) {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) reject(new Error(`${this.#address} has closed the connection`));
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  #take(chunk) {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.#received.toString("latin1", 0, headEnd);
    const length = LENGTH.exec(head)?.[1];
    if (length === undefined) {
      this.#waiting?.reject(new Error(`an answer has no declared length:\n${head}`));
      return;
    }
    const start = headEnd + HEAD_END.length;
    const end = start + Number(length);
    if (this.#received.length < end) return;
    const body = this.#received.toString("utf8", start, end);
    this.#received = this.#received.subarray(end);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve({ status: Number(head.slice(9, 12)), body });
  }
}
