/**
 * The one thread on which the objects of an isolate work: how much they have worked since the runtime last read what
 * others send, which key has used how much of it, and whose turn it is. Holds plain numbers only: an object must not
 * wait for the I/O of another.
 */

import { Usage } from "./usage";

/**
 * Milliseconds of work after which the runtime must read what has arrived before it starts expensive
 * work or work of a heavy key.
 */
export const QUANTUM_MS = 100;

/** Milliseconds of work after which even a flow without history waits for that. */
export const MOST_MS = 3 * QUANTUM_MS;

/**
 * What a step of matching counts for where the clock stands still while code runs, as on Cloudflare, in milliseconds.
 */
const MS_A_STEP = 4e-6;

/** An object that has not looked whether it is its turn for this long is gone, in milliseconds. */
const GONE_MS = 3_000;

/** No work counts for more than this, in milliseconds. */
const LONGEST_MS = 10_000;

/** The most keys whose use is kept although they have used almost nothing. */
const MOST_KEYS = 256;

/** An object whose calls wait for their turn. */
export interface Waiter {
  /** The use of the waiting key that has used least, in milliseconds, as of the last change. */
  keyMs: number;
  /** What the object's waiting calls have used, of the flow that has used least, in milliseconds. */
  flowMs: number;
  /** When it last looked whether it is its turn, in milliseconds of the clock. */
  seenMs: number;
}

/** The thread of an isolate. */
export class Thread {
  readonly #now: () => number;
  readonly #steps: () => number;
  /** Work since the last look, less the time in which no object worked. */
  #levelMs = 0;
  #beganMs = 0;
  #beganSteps = 0;
  #endedMs = 0;
  #look = 0;
  readonly #keys = new Map<string, Usage>();
  readonly #waiting = new Set<Waiter>();
  /** How many calls were done as soon as they came. */
  promptly = 0;

  /**
   * @param now the time in milliseconds; it may stand still while code runs
   * @param steps how many steps of matching all objects have taken
   */
  constructor(now: () => number, steps: () => number) {
    this.#now = now;
    this.#steps = steps;
  }

  /** When work last began or ended, in milliseconds of the clock. */
  get nowMs(): number {
    return this.#endedMs;
  }

  /** How much the objects have worked since the last look, in milliseconds. */
  get levelMs(): number {
    return this.#levelMs;
  }

  /** Work begins, or might. */
  begin(): void {
    const now = this.#now();
    // Whatever else took that time, the runtime could read. The clock may have been set back.
    this.#levelMs = Math.max(0, this.#levelMs - Math.max(0, now - this.#endedMs));
    this.#beganMs = now;
    this.#endedMs = now;
    this.#beganSteps = this.#steps();
  }

  /** What the present work has taken until now, in milliseconds. */
  get underWayMs(): number {
    // The clock may have been set meanwhile: no work takes negative time, or for ever.
    const byClock = Math.min(Math.max(0, this.#now() - this.#beganMs), LONGEST_MS);
    return Math.max(byClock, (this.#steps() - this.#beganSteps) * MS_A_STEP);
  }

  /** The work ends. @returns what it took, in milliseconds */
  end(): number {
    const ms = this.underWayMs;
    this.#endedMs = this.#now();
    this.#levelMs += ms;
    return ms;
  }

  /** The runtime has read what had arrived. @param look the number of the look */
  looked(look: number): void {
    if (look === this.#look) return;
    this.#look = look;
    this.#levelMs = 0;
  }

  /** Records the use of a key. @param key its identifier; empty for a configured one */
  use(key: string, ms: number): void {
    let usage = this.#keys.get(key);
    if (usage === undefined) {
      if (this.#keys.size >= MOST_KEYS) this.#forgetIdle();
      usage = new Usage();
      this.#keys.set(key, usage);
    }
    usage.add(ms, this.#endedMs);
  }

  /** What a key has used lately, in milliseconds. */
  usedBy(key: string): number {
    return this.#keys.get(key)?.at(this.#endedMs) ?? 0;
  }

  /** An object has calls that wait. */
  join(waiter: Waiter): void {
    waiter.seenMs = this.#now();
    this.#waiting.add(waiter);
  }

  /** An object has none any more. */
  leave(waiter: Waiter): void {
    this.#waiting.delete(waiter);
  }

  /** How many objects have calls that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether no other object's calls come first: those of the key that has used least, and of the flow that has. */
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
