/** Asks a running workerd about itself over its inspector, in the DevTools protocol. Knows no question and no answer. */

import { once } from "node:events";
import WebSocket from "ws";

/** A connection to the inspector of the Worker of one workerd. */
export class Inspector {
  #socket;
  #asked = 0;
  /** How each question that waits is answered, by its number. */
  #waiting = new Map();

  constructor(socket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#take(JSON.parse(String(data))));
    socket.on("close", () => this.#end());
  }

  /** @param port where workerd's inspector listens */
  static async open(port) {
    const [target] = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
    const socket = new WebSocket(target.webSocketDebuggerUrl, { perMessageDeflate: false });
    await once(socket, "open");
    return new Inspector(socket);
  }

  /** The answer to a question. Throws when it is refused, or the connection ends before. */
  ask(method) {
    return new Promise((resolve, reject) => {
      this.#asked++;
      this.#waiting.set(this.#asked, { resolve, reject });
      this.#socket.send(JSON.stringify({ id: this.#asked, method }));
    });
  }

  close() {
    this.#socket.close();
  }

  #take({ id, result, error }) {
    // What comes without a number is news that nobody has asked for.
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(`the inspector refuses: ${error.message}`));
  }

  #end() {
    for (const { reject } of this.#waiting.values()) reject(new Error("the inspector's connection has ended"));
    this.#waiting.clear();
  }
}
