/**
 * A device in a demo: it observes, learns and reads predictions of one processor over HTTP. It reuses connections as docs/devices.md
 * tells devices to: none that was idle for so long that the server may be closing it.
 */

import http from "node:http";
import https from "node:https";
import { text } from "node:stream/consumers";
import { PROCESSOR } from "../project.mjs";
import { LOCAL_KEY } from "../settings.mjs";

/** The server closes a connection that was idle for 5 s. A request that is on its way at that moment fails. */
const MAX_IDLE_MS = 3000;

/** Calls the default processor of one server, with the key in API_KEY or else the local key. */
export class Device {
  #base;
  #headers;
  #http;
  #agent;
  #usedMs = 0;

  /** @param {string} address the server's address, such as http://127.0.0.1:8787 */
  constructor(address) {
    this.#base = `${address.replace(/\/+$/, "")}/${PROCESSOR}/`;
    this.#headers = { "X-API-KEY": process.env.API_KEY || LOCAL_KEY, "Content-Type": "application/json" };
    this.#http = address.startsWith("https:") ? https : http;
  }

  /** The connections to reuse: new ones when those there are were idle for too long. Connections left idle close by themselves. */
  #connections() {
    if (this.#agent === undefined || performance.now() - this.#usedMs > MAX_IDLE_MS) {
      this.#usedMs = performance.now();
      this.#agent = new this.#http.Agent({ keepAlive: true, timeout: MAX_IDLE_MS });
    }
    return this.#agent;
  }

  /** Sends one request and reads the whole answer as text. */
  #exchange(method, path, body) {
    return new Promise((resolve, reject) => {
      const options = { method, headers: this.#headers, agent: this.#connections() };
      const request = this.#http.request(this.#base + path, options, (answer) => text(answer).then(resolve, reject));
      request.on("error", reject);
      request.end(body);
    });
  }

  /** Makes a call and returns the message of the answer. Throws with the answer's sentence unless the answer is okay. */
  async #call(method, path, data) {
    const answer = await this.#exchange(method, path, data === undefined ? undefined : JSON.stringify({ data }));
    this.#usedMs = performance.now();
    const { status, message } = JSON.parse(answer);
    if (status !== "okay") throw new Error(`${method} ${path}: ${message}`);
    return message;
  }

  /** Sends one record. */
  observe(gdf) {
    return this.#call("POST", "observe", gdf);
  }

  /** Stores working memory as a model. */
  learn() {
    return this.#call("POST", "learn");
  }

  /** The predictions, best first. */
  predictions() {
    return this.#call("POST", "predictions");
  }

  /** Empties working memory. */
  clearWorkingMemory() {
    return this.#call("POST", "working-memory/clear");
  }

  /** Forgets everything. */
  clearAllMemory() {
    return this.#call("POST", "clear-all-memory");
  }

  /** Sets several genes, all or none. Throws when one of them is impossible. */
  async changeGenes(changes) {
    const message = await this.#call("POST", "genes/change", changes);
    if (message !== "updated-genes") throw new Error(`genes/change: ${message}: ${JSON.stringify(changes)}`);
  }

  /** A summary of the processor's state. */
  status() {
    return this.#call("GET", "status");
  }
}
