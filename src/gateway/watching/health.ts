/**
 * Answers `GET /health`, which needs no key: whether storage works. Performs a real write, but at most once a second
 * however often it is called, so that strangers cannot load the service with it.
 */

import { HealthService } from "../../gen/noema/v1/health_service_pb";
import type { Transports } from "../../rpc/transport/transports";
import { JSON_TYPE } from "../media-type";

/** The path. */
export const HEALTH_PATH = "/health";

/** Time for which an outcome is repeated, in milliseconds. */
const FRESH_MS = 1_000;

/** Time limit of the storage's answer, in milliseconds; beyond it, storage counts as failed. */
const PATIENCE_MS = 5_000;

/** Length of the pauses in which a request waits for the outcome of another, in milliseconds. */
const PAUSE_MS = 20;

/** When to ask again if storage does not work, in seconds. */
const RETRY_AFTER_S = 5;

/** The outcome of the last check. */
interface Outcome {
  readonly works: boolean;
  /** Its time, in milliseconds of the clock. */
  readonly atMs: number;
}

/**
 * The health of the storage behind one gateway. Holds plain values only: a request must not
 * wait for the I/O of another.
 */
export class HealthCheck {
  readonly #transports: Pick<Transports, "health">;
  readonly #now: () => number;
  #outcome: Outcome | undefined;
  /** Start of the running check, in milliseconds of the clock; `undefined` for none. */
  #begunMs: number | undefined;

  /** @param now the time in milliseconds */
  constructor(transports: Pick<Transports, "health">, now = Date.now) {
    this.#transports = transports;
    this.#now = now;
  }

  /** The answer: 200 if storage works, else 503. It says no more than that. */
  async answer(): Promise<Response> {
    const works = await this.#works();
    const headers: Record<string, string> = { "content-type": JSON_TYPE, "cache-control": "no-store" };
    if (works) return new Response('{"status":"okay"}', { headers });
    headers["retry-after"] = String(RETRY_AFTER_S);
    return new Response('{"status":"failed"}', { status: 503, headers });
  }

  async #works(): Promise<boolean> {
    for (;;) {
      const now = this.#now();
      // An outcome in the future was noted before the clock was set back.
      if (this.#outcome !== undefined && now >= this.#outcome.atMs && now - this.#outcome.atMs < FRESH_MS)
        return this.#outcome.works;
      // A check that has not ended by then was dropped with its request.
      if (this.#begunMs === undefined || now < this.#begunMs || now - this.#begunMs > 2 * PATIENCE_MS)
        return this.#check(now);
      await pause(PAUSE_MS);
    }
  }

  async #check(now: number): Promise<boolean> {
    this.#begunMs = now;
    const works = await Promise.race([this.#stores(), pause(PATIENCE_MS).then(() => false)]);
    this.#outcome = { works, atMs: this.#now() };
    this.#begunMs = undefined;
    return works;
  }

  async #stores(): Promise<boolean> {
    try {
      await this.#transports.health().unary(HealthService.method.check, undefined, undefined, undefined, {});
      return true;
    } catch {
      // The caller may be anyone, so it gets no details. The transport has logged the failure.
      return false;
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
