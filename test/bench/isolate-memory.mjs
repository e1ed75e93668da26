/**
 * What workerd's isolate holds while something runs in it: its JavaScript heap, what V8 keeps for the runtime's own objects, the
 * buffers outside the heap, and linear memory, which V8 counts in none of these. Looks again and again; between two looks it is blind.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { LOCAL_KEY } from "../../scripts/settings.mjs";
import { Inspector } from "./inspector.mjs";
import { linearBytes } from "./linear-memory.mjs";

/** Between two looks. */
const LOOK_MS = 20;
/** Between two requests while a collection is waited for. */
const NUDGE_MS = 10;

/**
 * What an isolate holds, in bytes.
 *
 * @typedef {{ heap: number, buffers: number, linear: number, sum: number }} Held
 */

/** Watches the isolate of one server, started with an inspector. */
export class IsolateMemory {
  #inspector;
  #server;

  constructor(inspector, server) {
    this.#inspector = inspector;
    this.#server = server;
  }

  /** @param server a server whose inspector listens */
  static async watch(server) {
    return new IsolateMemory(await Inspector.open(server.inspector), server);
  }

  /** What the isolate holds now, garbage that was not collected yet included. @returns {Promise<Held>} */
  async look() {
    const usage = await this.#inspector.ask("Runtime.getHeapUsage");
    const heap = usage.usedSize + usage.embedderHeapUsedSize;
    const buffers = usage.backingStorageSize;
    const linear = linearBytes(this.#server.pid);
    return { heap, buffers, linear, sum: heap + buffers + linear };
  }

  /**
   * The most that the isolate holds while an action runs, the garbage collector coming when it likes.
   *
   * @returns {Promise<{ outcome: unknown, peak: Held, blindMs: number }>} `blindMs` is the longest time without a look
   */
  async during(action) {
    let running = true;
    const done = action().finally(() => {
      running = false;
    });
    // Who looks when the action fails is told so at the end.
    const ended = done.catch(() => undefined);
    let peak = await this.look();
    let blindMs = 0;
    let last = performance.now();
    while (running) {
      await Promise.race([sleep(LOOK_MS), ended]);
      const held = await this.look();
      if (held.sum > peak.sum) peak = held;
      blindMs = Math.max(blindMs, performance.now() - last);
      last = performance.now();
    }
    return { outcome: await done, peak, blindMs };
  }

  /** What is left when all garbage is collected. @returns {Promise<Held>} */
  async live() {
    // Twice: what the first collection finds dead may have kept other things alive until it was swept.
    await this.#collect();
    await this.#collect();
    return this.look();
  }

  close() {
    this.#inspector.close();
  }

  /** V8 makes a task of the collection, and workerd does tasks only when a request comes. */
  async #collect() {
    let waiting = true;
    const collected = this.#inspector.ask("HeapProfiler.collectGarbage").finally(() => {
      waiting = false;
    });
    while (waiting) {
      await (await fetch(`${this.#server.address}/agent/ping`, { headers: { "x-api-key": LOCAL_KEY } })).text();
      await Promise.race([sleep(NUDGE_MS), collected]);
    }
    await collected;
  }
}
