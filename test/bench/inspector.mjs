/** A client of workerd's inspector, which speaks the DevTools protocol. */

import { once } from "node:events";
import WebSocket from "ws";

/** A connection to the inspector of one workerd. */
export class Inspector {
  #socket;
  #count = 0;
  /** The pending calls, by number. */
  #waiting = new Map();

  constructor(socket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#take(JSON.parse(String(data))));
    socket.on("close", () => this.#end());
  }

  /** @param port the inspector's port */
  static async open(port) {
    const [target] = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
    const socket = new WebSocket(target.webSocketDebuggerUrl, { perMessageDeflate: false });
    await once(socket, "open");
    return new Inspector(socket);
  }

  /** Calls a method and returns its result. Throws when the inspector refuses, or the connection ends first. */
  call(method) {
    return new Promise((resolve, reject) => {
      this.#count++;
      this.#waiting.set(this.#count, { resolve, reject });
      this.#socket.send(JSON.stringify({ id: this.#count, method }));
    });
  }

  close() {
    this.#socket.close();
  }

  #take({ id, result, error }) {
    // A message without a number is an event that was not requested.
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(`the inspector refused: ${error.message}`));
  }

  #end() {
    for (const { reject } of this.#waiting.values()) reject(new Error("the inspector's connection has ended"));
    this.#waiting.clear();
  }
}
