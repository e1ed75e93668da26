/**
 * A bad link for one device: loses requests and answers, and delivers some requests a second time, after later ones. What happens to each is
 * drawn with a seed. Goes where `connect` of noema/client takes a fetch.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../random.mjs";

/** What happens to a request, as often as it stands here. */
const FATES = ["passes", "passes", "passes", "passes", "request lost", "answer lost", "comes again"];

/** The longest time after its answer at which a request comes again, in milliseconds. */
const LATE_MS = 100;

export class FlakyLink {
  /** How many requests had each fate. */
  counts = Object.fromEntries(FATES.map((fate) => [fate, 0]));
  #random;
  #late = [];

  /** @param {number} seed a whole number from 1 to 2^31 - 2 */
  constructor(seed) {
    this.#random = new Random(seed);
  }

  /** Sends a request as `fetch` does, or so it seems. @type {import("noema/client").Fetch} */
  fetch = async (url, init) => {
    const fate = this.#random.pick(FATES);
    this.counts[fate]++;
    if (fate === "request lost") throw new TypeError("the link has lost the request");
    const answer = await fetch(url, init);
    if (fate === "comes again") this.#late.push(this.#repeat(url, init));
    if (fate !== "answer lost") return answer;
    await answer.arrayBuffer();
    throw new TypeError("the link has lost the answer");
  };

  async #repeat(url, { signal: _, ...init }) {
    await sleep(this.#random.below(LATE_MS));
    // This answer is not read: the device has moved on.
    await (await fetch(url, init)).arrayBuffer();
  }

  /** Waits until all that comes again has come. */
  async settled() {
    await Promise.all(this.#late);
  }
}
