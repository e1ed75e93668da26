/**
 * Measures the memory of workerd's isolate while something runs in it: its JavaScript heap with V8's own objects, the buffers
 * outside the heap, and linear memory, which V8 counts in neither. It takes samples; what happens between two of them goes unseen.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { LOCAL_KEY } from "../../src/serve/settings.mjs";
import { Inspector } from "./inspector.mjs";
import { linearBytes } from "./process-usage.mjs";

/** Time between two samples. */
const SAMPLE_MS = 20;
/** Time between two requests while the garbage collection runs. */
const NUDGE_MS = 10;

/**
 * The memory of an isolate, in bytes.
 *
 * @typedef {{ heap: number, buffers: number, linear: number, sum: number }} Sample
 */

/** Measures the isolate of one server that runs with an inspector. */
export class IsolateMemory {
  #inspector;
  #server;

  constructor(inspector, server) {
    this.#inspector = inspector;
    this.#server = server;
  }

  /** @param server a server whose inspector listens */
  static async open(server) {
    return new IsolateMemory(await Inspector.open(server.inspector), server);
  }

  /** The memory in use now, including garbage that is not collected yet. @returns {Promise<Sample>} */
  async sample() {
    const usage = await this.#inspector.call("Runtime.getHeapUsage");
    const heap = usage.usedSize + usage.embedderHeapUsedSize;
    const buffers = usage.backingStorageSize;
    const linear = linearBytes(this.#server.pid);
    return { heap, buffers, linear, sum: heap + buffers + linear };
  }

  /**
   * The most memory that the isolate uses while an action runs. The garbage collector runs when V8 likes.
   *
   * @returns {Promise<{ result: unknown, peak: Sample, gapMs: number }>} `gapMs` is the longest time between two samples
   */
  async during(action) {
    let running = true;
    const done = action().finally(() => {
      running = false;
    });
    // A failed action is reported at the end, not here.
    const ended = done.catch(() => undefined);
    let peak = await this.sample();
    let gapMs = 0;
    let last = performance.now();
    while (running) {
      await Promise.race([sleep(SAMPLE_MS), ended]);
      const sample = await this.sample();
      if (sample.sum > peak.sum) peak = sample;
      gapMs = Math.max(gapMs, performance.now() - last);
      last = performance.now();
    }
    return { result: await done, peak, gapMs };
  }

  /** The memory in use after all garbage is collected. @returns {Promise<Sample>} */
  async live() {
    // Twice: objects that the first collection finds dead may have kept others alive.
    await this.#collect();
    await this.#collect();
    return this.sample();
  }

  close() {
    this.#inspector.close();
  }

  /** V8 schedules the collection as a task, and workerd runs tasks only when a request comes. */
  async #collect() {
    let waiting = true;
    const collected = this.#inspector.call("HeapProfiler.collectGarbage").finally(() => {
      waiting = false;
    });
    while (waiting) {
      await (await fetch(`${this.#server.address}/agent/ping`, { headers: { "x-api-key": LOCAL_KEY } })).text();
      await Promise.race([sleep(NUDGE_MS), collected]);
    }
    await collected;
  }
}
