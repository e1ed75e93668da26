/** A device in a demo: it observes, learns and reads predictions of one processor over HTTP. */

import { PROCESSOR } from "../project.mjs";
import { LOCAL_KEY } from "../settings.mjs";

/** Calls the default processor of one server, with the key in API_KEY or else the local key. */
export class Device {
  #base;
  #headers;

  /** @param {string} address the server's address, such as http://127.0.0.1:8787 */
  constructor(address) {
    this.#base = `${address.replace(/\/+$/, "")}/${PROCESSOR}/`;
    this.#headers = { "X-API-KEY": process.env.API_KEY || LOCAL_KEY, "Content-Type": "application/json" };
  }

  /** Makes a call and returns the message of the answer. Throws with the answer's sentence unless the answer is okay. */
  async #call(method, path, data) {
    const body = data === undefined ? null : JSON.stringify({ data });
    const response = await fetch(this.#base + path, { method, headers: this.#headers, body });
    const { status, message } = await response.json();
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
