/**
 * A TCP proxy that ends connections as bad links do: after this many bytes, in the middle of a frame; by a reset, by an end of one direction
 * only, or by silence. What happens to each connection is drawn with a seed.
 */

import { once } from "node:events";
import { connect, createServer } from "node:net";

/** What can end a connection, as often as it stands here. */
const ENDS = ["both reset", "both reset", "client's half ends", "server's half ends", "silence", "never"];

/** After so much silence, both sides are reset, in milliseconds. */
const SILENCE_MS = 3000;

/** A bad link to a server. */
export class CuttingProxy {
  /** How many connections ended in each way. */
  ends = new Map();
  /** Whether it still ends connections. */
  isCutting = true;
  #server;
  #random;
  #mostBytes;

  /** @param {{ below(bound: number): number }} random @param {number} mostBytes a connection is ended after at most this many */
  constructor(random, mostBytes) {
    this.#random = random;
    this.#mostBytes = mostBytes;
  }

  /** Begins to listen. @param {string} address the server behind @returns {Promise<string>} its own address */
  async listen(address) {
    const { hostname, port } = new URL(address);
    this.#server = createServer({ allowHalfOpen: true }, (client) => {
      this.#join(client, connect({ host: hostname, port: Number(port), allowHalfOpen: true }));
    });
    this.#server.listen(0, "127.0.0.1", 4096);
    await once(this.#server, "listening");
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  close() {
    this.#server.close();
  }

  #join(client, server) {
    const how = ENDS[this.#random.below(ENDS.length)];
    let left = 200 + this.#random.below(this.#mostBytes);
    const reset = () => {
      client.destroy();
      server.destroy();
    };
    const pass = (from, to) => {
      from.on("data", (chunk) => {
        if (left < 0) return;
        left -= chunk.length;
        if (left >= 0 || how === "never" || !this.isCutting) {
          to.write(chunk);
          left = Math.max(left, 0);
          return;
        }
        // What is before the cut passes: a part of a frame.
        to.write(chunk.subarray(0, Math.max(0, chunk.length + left)));
        this.ends.set(how, (this.ends.get(how) ?? 0) + 1);
        this.#end(how, client, server, reset);
      });
      from.on("end", () => to.end());
      from.on("error", reset);
      from.on("close", () => to.destroy());
    };
    pass(client, server);
    pass(server, client);
  }

  #end(how, client, server, reset) {
    if (how === "both reset") return reset();
    if (how === "client's half ends") client.end();
    if (how === "server's half ends") server.end();
    setTimeout(reset, SILENCE_MS).unref();
  }
}
