/**
 * Limits the number of live objects where the operating system limits open files, as for `npm start`: an object keeps
 * its database open until it has been idle for a while. There, gateway and objects share an isolate, so an object can
 * also find out here how many calls are on their way to it. Knows only the calls that pass through it.
 */

import { Code, ConnectError } from "@connectrpc/connect";
import { RETRY_AFTER_HEADER } from "./endpoint-transport";
import type { UnaryObject } from "./unary";

/** The part of the Worker's environment that limits live objects. */
export interface LiveObjectsEnv {
  /** Maximum number of live objects, as a decimal number. Without it, as in a deployment, there is no limit. */
  readonly NOEMA_LIVE_OBJECTS?: string | null;
}

/** workerd evicts an object that was idle for 10 s; 2 s more for closing its database. */
export const EVICTED_AFTER_MS = 12_000;

/** Time after which a call counts as lost: the runtime drops the calls of a client that has left, without an end. */
export const ABANDONED_AFTER_MS = 60_000;

/** An object that may be live. */
interface Use {
  /** Number of running calls. */
  calls: number;
  /** Number of calls that were sent and have not reached the object yet, if it says when they do. */
  coming: number;
  /** When the last call began, in milliseconds of the clock. */
  begunMs: number;
  /** When the last call ended, in milliseconds of the clock. */
  endedMs: number;
}

/** Counts the objects that may be live, and refuses calls to others if there are too many. */
export class LiveObjects {
  /** By name. */
  readonly #uses = new Map<string, Use>();
  readonly #limit: number;
  readonly #now: () => number;
  /** None of the counted objects can have been evicted before this time. */
  #nextEvictionMs = 0;

  /**
   * @param limit maximum number of live objects
   * @param now the time in milliseconds
   */
  constructor(limit: number, now = Date.now) {
    this.#limit = limit;
    this.#now = now;
  }

  /**
   * The object, counted as live while it is called and until it is evicted.
   *
   * @param name unique among the objects of all classes
   * @param object returns the object's stub for an admitted call
   */
  counted(name: string, object: () => UnaryObject): UnaryObject {
    return {
      unary: (path, body, call) =>
        this.during(name, (use) => {
          const reply = object().unary(path, body, call);
          use.coming++;
          return reply;
        }),
    };
  }

  /**
   * Runs a call to an object, which counts as live meanwhile and until it is evicted.
   *
   * @throws as the object's own calls
   */
  during<Answer>(name: string, call: (use: Pick<Use, "coming">) => Promise<Answer>): Promise<Answer> {
    let use: Use | undefined;
    const over = () => {
      if (use !== undefined) this.#end(use);
    };
    try {
      use = this.#begin(name);
      // Not an async function, because every request of a device passes here, and each promise takes time.
      return call(use).then(
        (answer) => {
          over();
          return answer;
        },
        (error: unknown) => {
          over();
          throw error;
        },
      );
    } catch (error) {
      over();
      return Promise.reject(error);
    }
  }

  /** Notes that an object is live without a call, because a message came over one of its streams. Never refuses. */
  wasLive(name: string): void {
    const use = this.#uses.get(name) ?? newUse();
    use.endedMs = this.#now();
    this.#uses.set(name, use);
  }

  /** Notes that a call has reached its object. @returns how many others are on their way to it */
  arrived(name: string): number {
    const use = this.#uses.get(name);
    if (use === undefined || use.coming === 0) return 0;
    use.coming--;
    return use.coming;
  }

  /** Notes that calls which have not reached their object will not: the runtime drops those of clients that left. */
  forgetComing(name: string): void {
    const use = this.#uses.get(name);
    if (use !== undefined) use.coming = 0;
  }

  /** @throws ConnectError ResourceExhausted when too many others are live */
  #begin(name: string): Use {
    const use = this.#uses.get(name) ?? this.#admit(name);
    use.calls++;
    use.begunMs = this.#now();
    return use;
  }

  #end(use: Use): void {
    use.calls--;
    use.endedMs = this.#now();
  }

  #admit(name: string): Use {
    if (this.#uses.size >= this.#limit) this.#dropEvicted();
    if (this.#uses.size >= this.#limit) {
      throw new ConnectError(
        `${this.#limit} processors and agents are in use, and this server allows no more at once; ` +
          `try again in ${EVICTED_AFTER_MS / 1000} s`,
        Code.ResourceExhausted,
        { [RETRY_AFTER_HEADER]: String(EVICTED_AFTER_MS / 1000) },
      );
    }
    const use = newUse();
    this.#uses.set(name, use);
    return use;
  }

  /** Checks all objects, but only once one of them can have been evicted. */
  #dropEvicted(): void {
    const now = this.#now();
    // After the clock was set back, this time may be far away.
    if (now < this.#nextEvictionMs && this.#nextEvictionMs <= now + EVICTED_AFTER_MS) return;
    this.#nextEvictionMs = now + EVICTED_AFTER_MS;
    for (const [name, use] of this.#uses) {
      use.begunMs = Math.min(use.begunMs, now);
      use.endedMs = Math.min(use.endedMs, now);
      const { calls, begunMs, endedMs } = use;
      const usedMs = calls > 0 ? Math.max(begunMs + ABANDONED_AFTER_MS, endedMs) : endedMs;
      const evictedMs = usedMs + EVICTED_AFTER_MS;
      if (evictedMs <= now) this.#uses.delete(name);
      else this.#nextEvictionMs = Math.min(this.#nextEvictionMs, evictedMs);
    }
  }
}

function newUse(): Use {
  return { calls: 0, coming: 0, begunMs: 0, endedMs: 0 };
}

let shared: LiveObjects | undefined;

/**
 * The counter of this isolate's objects, which they share with the gateway under workerd; undefined without a limit.
 */
export function liveObjectsOf({ NOEMA_LIVE_OBJECTS: limit }: LiveObjectsEnv): LiveObjects | undefined {
  if (limit) shared ??= new LiveObjects(Number(limit));
  return shared;
}
