/**
 * One MQTT 5 client over a WebSocket that publishes prepared messages of QoS 1 with many under way, and measures each from its sending
 * to its PUBACK. It writes and reads packets itself, so that a benchmark measures the server, and not a client.
 */

import { once } from "node:events";
import WebSocket from "ws";
import { connect, disconnect, ping, publish, TYPE } from "../support/mqtt/packets.mjs";

/** How long a session is kept whose connection ends, in seconds. */
const KEPT_S = 3600;

/** How long a client may be silent, in seconds. */
const KEEP_ALIVE_S = 600;

/** A connected client. */
export class MqttConnection {
  #socket;
  #id = 0;
  /** Takes the next packet; does nothing while none is awaited. */
  #take = () => {};
  #fail = () => {};

  constructor(socket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#take(data));
    socket.on("close", (code, reason) => this.#fail(new Error(`the connection was closed: ${code} ${reason}`)));
    socket.on("error", (error) => this.#fail(error));
  }

  /**
   * @param address for example `http://127.0.0.1:8787`
   * @param clientId of the client
   * @param isKept whether its session outlives the connection
   */
  static async open(address, clientId, isKept = false) {
    const socket = new WebSocket(`${address.replace("http", "ws")}/mqtt`, "mqtt", { perMessageDeflate: false });
    await once(socket, "open");
    const expiry = isKept ? KEPT_S : 0;
    socket.send(connect({ clientId, isClean: !isKept, keepAlive: KEEP_ALIVE_S, expiry }));
    const [data] = await once(socket, "message");
    if (data[0] >> 4 !== TYPE.connack || data[3] !== 0) throw new Error(`CONNECT was refused: ${data.toString("hex")}`);
    return new MqttConnection(socket);
  }

  /**
   * Publishes messages with QoS 1 and waits for all acknowledgements.
   *
   * @param {string} topic
   * @param {readonly string[]} payloads
   * @param {number} underWay how many may wait for their acknowledgement
   * @returns {Promise<number[]>} milliseconds from sending to PUBACK, in order. Throws when a message is refused or the connection ends
   */
  publish(topic, payloads, underWay) {
    const begun = [];
    const times = [];
    const pump = () => {
      while (begun.length < payloads.length && begun.length - times.length < underWay) {
        this.#id = (this.#id % 0xffff) + 1;
        const bytes = publish(5, topic, payloads[begun.length], 1, this.#id);
        begun.push(performance.now());
        this.#socket.send(bytes);
      }
    };
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#take = (data) => {
        times.push(performance.now() - begun[times.length]);
        if (data[0] >> 4 !== TYPE.puback || data[1] !== 2)
          reject(new Error(`a message was refused: ${data.toString("hex")}`));
        if (times.length === payloads.length) resolve(times);
        else pump();
      };
      pump();
    });
  }

  /** Sends PINGREQ and waits for the answer. */
  ping() {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#take = resolve;
      this.#socket.send(ping());
    });
  }

  /** Ends the connection, and waits until the server has, too. */
  async close() {
    this.#fail = () => {};
    const closed = once(this.#socket, "close");
    this.#socket.send(disconnect());
    await closed;
  }
}
