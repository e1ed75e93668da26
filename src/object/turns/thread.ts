/**
 * The one thread that the objects of an isolate share: how long they have worked since the runtime last read input, how
 * much of it each key has used, and whose turn it is. Holds only plain numbers, because an object must not wait for the
 * I/O of another.
 */

import { Usage } from "./usage";

/**
 * Milliseconds of work after which the runtime must read input before expensive work, or work of a heavy key, may
 * start.
 */
export const QUANTUM_MS = 100;

/** Milliseconds of work after which even a flow without history must wait for the runtime to read. */
export const MAX_MS = 3 * QUANTUM_MS;

/** Milliseconds counted for a step of matching if the clock stands still while code runs, as on Cloudflare. */
const MS_A_STEP = 4e-6;

/** Milliseconds after which an object counts as gone that has not checked whether it is its turn. */
const GONE_MS = 3_000;

/** Cap on the time counted for one piece of work, in milliseconds. */
const MAX_COUNTED_MS = 10_000;

/** Maximum number of keys whose use is kept although it is almost nothing. */
const MAX_KEYS = 256;

/** An object with calls waiting for their turn. */
export interface Waiter {
  /** The least use among the keys with waiting calls, in milliseconds, as of the last change. */
  keyMs: number;
  /** The least use among the flows of that key with waiting calls, in milliseconds. */
  flowMs: number;
  /** When it last checked whether it is its turn, in milliseconds of the clock. */
  seenMs: number;
}

/** The thread of an isolate. */
export class Thread {
  readonly #now: () => number;
  readonly #steps: () => number;
  /** Work since the last look, minus the time in which no object worked. */
  #levelMs = 0;
  #beganMs = 0;
  #beganSteps = 0;
  #endedMs = 0;
  #look = 0;
  readonly #keys = new Map<string, Usage>();
  readonly #waiting = new Set<Waiter>();
  /** Number of calls run on arrival. */
  promptly = 0;

  /**
   * @param now the time in milliseconds; it may stand still while code runs
   * @param steps returns the steps of matching of all objects so far
   */
  constructor(now: () => number, steps: () => number) {
    this.#now = now;
    this.#steps = steps;
  }

  /** When work last began or ended, in milliseconds of the clock. */
  get nowMs(): number {
    return this.#endedMs;
  }

  /** Work of all objects since the last look, in milliseconds. */
  get levelMs(): number {
    return this.#levelMs;
  }

  /** Notes that work begins, or might. */
  begin(): void {
    const now = this.#now();
    // In whatever other time has passed, the runtime could read. The clock may have been set back.
    this.#levelMs = Math.max(0, this.#levelMs - Math.max(0, now - this.#endedMs));
    this.#beganMs = now;
    this.#endedMs = now;
    this.#beganSteps = this.#steps();
  }

  /** Time of the current work so far, in milliseconds. */
  get underWayMs(): number {
    return this.#msUntil(this.#now());
  }

  #msUntil(now: number): number {
    // The clock may have been set meanwhile, so limit the time to a plausible range.
    const byClock = Math.min(Math.max(0, now - this.#beganMs), MAX_COUNTED_MS);
    return Math.max(byClock, (this.#steps() - this.#beganSteps) * MS_A_STEP);
  }

  /** Notes that the work has ended. @returns its time in milliseconds */
  end(): number {
    const now = this.#now();
    const ms = this.#msUntil(now);
    this.#endedMs = now;
    this.#levelMs += ms;
    return ms;
  }

  /** Notes that the runtime has read what had arrived. @param look the number of the look */
  looked(look: number): void {
    if (look === this.#look) return;
    this.#look = look;
    this.#levelMs = 0;
  }

  /** Records the use of a key. @param key its identifier; empty for a configured one */
  use(key: string, ms: number): void {
    let usage = this.#keys.get(key);
    if (usage === undefined) {
      if (this.#keys.size >= MAX_KEYS) this.#forgetIdle();
      usage = new Usage();
      this.#keys.set(key, usage);
    }
    usage.add(ms, this.#endedMs);
  }

  /** Recent use of a key, in milliseconds. */
  usedBy(key: string): number {
    return this.#keys.get(key)?.at(this.#endedMs) ?? 0;
  }

  /** Adds an object with waiting calls. */
  join(waiter: Waiter): void {
    waiter.seenMs = this.#now();
    this.#waiting.add(waiter);
  }

  /** Removes an object without waiting calls. */
  leave(waiter: Waiter): void {
    this.#waiting.delete(waiter);
  }

  /** Number of objects with waiting calls. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Whether no other object's calls come first: calls of the key with the least use, and then of the flow with the
   * least.
   */
  isNext(waiter: Waiter): boolean {
    const now = this.#now();
    waiter.seenMs = now;
    for (const other of this.#waiting) {
      if (Math.abs(now - other.seenMs) > GONE_MS) this.#waiting.delete(other);
      else if (isBefore(other, waiter)) return false;
    }
    return true;
  }

  #forgetIdle(): void {
    for (const [key, usage] of this.#keys) if (usage.at(this.#endedMs) < 1) this.#keys.delete(key);
  }
}

function isBefore(one: Waiter, other: Waiter): boolean {
  return one.keyMs < other.keyMs || (one.keyMs === other.keyMs && one.flowMs < other.flowMs);
}
