/**
 * One stream that sends prepared frames with many under way, and measures each from its sending to its answer. It uses the package `ws`
 * and reads no more of an answer than it must, so that a benchmark measures the server.
 */

import { once } from "node:events";
import WebSocket from "ws";
import { LOCAL_KEY } from "../../src/serve/settings.mjs";

/** An open stream. */
export class StreamConnection {
  #socket;
  #lastNumber;
  /** Takes the next answer; does nothing while none is awaited. */
  #take = () => {};
  #fail = () => {};

  constructor(socket, last) {
    this.#socket = socket;
    this.#lastNumber = last;
    socket.on("message", (data) => this.#take(data));
    socket.on("close", (code, reason) => this.#fail(new Error(`the stream was closed: ${code} ${reason}`)));
    socket.on("error", (error) => this.#fail(error));
  }

  /** @param address for example `http://127.0.0.1:8787` @param path for example `/p46b6b076c/stream?source=d1` */
  static async open(address, path) {
    const headers = { "x-api-key": LOCAL_KEY };
    const url = address.replace("http", "ws") + path;
    const socket = new WebSocket(url, ["noema.v1"], { headers, perMessageDeflate: false });
    const [data] = await once(socket, "message");
    return new StreamConnection(socket, JSON.parse(data).welcome.last);
  }

  /**
   * Sends frames and waits for all answers.
   *
   * @param {readonly string[]} bodies the frames' members without `n`, such as `"observe":{...}`
   * @param {number} underWay how many may wait for their answers
   * @param {(answer: Buffer) => void} [hear] gets every answer
   * @returns {Promise<number[]>} milliseconds from sending to answer, in order. Throws when a frame is refused or the stream is closed
   */
  send(bodies, underWay, hear = () => {}) {
    const begun = [];
    const times = [];
    const pump = () => {
      while (begun.length < bodies.length && begun.length - times.length < underWay) {
        this.#lastNumber++;
        const frame = `{"n":${this.#lastNumber},${bodies[begun.length]}}`;
        begun.push(performance.now());
        this.#socket.send(frame);
      }
    };
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#take = (data) => {
        times.push(performance.now() - begun[times.length]);
        if (data.subarray(0, REFUSED.length).equals(REFUSED)) reject(new Error(`a frame was refused: ${data}`));
        hear(data);
        if (times.length === bodies.length) resolve(times);
        else pump();
      };
      pump();
    });
  }

  /** Closes the stream, and waits until the server has closed it, too. */
  async close() {
    this.#fail = () => {};
    const closed = once(this.#socket, "close");
    this.#socket.close();
    await closed;
  }
}

/** How an answer begins that refuses a frame. Members of answers are sorted. */
const REFUSED = Buffer.from('{"error"');
