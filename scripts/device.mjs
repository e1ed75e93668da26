/** A device as the scripts play one: observes, learns and reads predictions of one processor over HTTP. */

import { LOCAL_KEY } from "./settings.mjs";

/** The processor of the default genome. */
const PROCESSOR = "p46b6b076c";

/** Calls one processor of one server, with the key in API_KEY or else the local one. */
export class Device {
  #base;
  #headers;

  /** @param {string} address the server's address, such as http://127.0.0.1:8787 */
  constructor(address) {
    this.#base = `${address.replace(/\/+$/, "")}/${PROCESSOR}/`;
    this.#headers = { "X-API-KEY": process.env.API_KEY || LOCAL_KEY, "Content-Type": "application/json" };
  }

  /** The message of an answer; throws, with the answer's own sentence, when it is not okay. */
  async #message(method, path, data) {
    const body = data === undefined ? null : JSON.stringify({ data });
    const response = await fetch(this.#base + path, { method, headers: this.#headers, body });
    const { status, message } = await response.json();
    if (status !== "okay") throw new Error(`${method} ${path}: ${message}`);
    return message;
  }

  /** Sends one record. */
  observe(gdf) {
    return this.#message("POST", "observe", gdf);
  }

  /** Stores working memory as a model. */
  learn() {
    return this.#message("POST", "learn");
  }

  /** The ensemble, best first. */
  predictions() {
    return this.#message("POST", "predictions");
  }

  /** Empties working memory. */
  clearWorkingMemory() {
    return this.#message("POST", "working-memory/clear");
  }

  /** Forgets all that was learned. */
  clearAllMemory() {
    return this.#message("POST", "clear-all-memory");
  }

  /** Sets several genes, all or none; throws, with the reason, when one cannot be. */
  async changeGenes(changes) {
    const message = await this.#message("POST", "genes/change", changes);
    if (message !== "updated-genes") throw new Error(`genes/change: ${message}: ${JSON.stringify(changes)}`);
  }

  /** The state at a glance. */
  status() {
    return this.#message("GET", "status");
  }
}
