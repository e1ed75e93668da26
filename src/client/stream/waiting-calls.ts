/** The calls that no frame has taken yet, in order, and who waits for room among them. */

import type { Call } from "./frame";

/** So many calls may be gone from the front before the list is made anew. */
const MOST_GONE = 1024;

/** A queue of calls. */
export class WaitingCalls {
  /** The most records before it is full. */
  readonly #bound: number;
  #calls: Call[] = [];
  /** How many calls at the front are gone. */
  #gone = 0;
  #records = 0;
  #room: Deferred | undefined;

  constructor(bound: number) {
    this.#bound = bound;
  }

  get length(): number {
    return this.#calls.length - this.#gone;
  }

  get isFull(): boolean {
    return this.#records >= this.#bound;
  }

  /** When it is not full. Rejects when the calls are dropped. */
  get room(): Promise<void> {
    if (!this.isFull) return Promise.resolve();
    this.#room ??= withResolvers();
    return this.#room.promise;
  }

  *[Symbol.iterator](): Generator<Call> {
    for (let i = this.#gone; i < this.#calls.length; i++) yield this.#calls[i] as Call;
  }

  push(call: Call): void {
    this.#calls.push(call);
    this.#records += call.records;
  }

  /** Puts calls before all others. */
  putBack(calls: readonly Call[]): void {
    this.#calls = [...calls, ...this];
    this.#gone = 0;
    for (const { records } of calls) this.#records += records;
  }

  /** Takes the first calls out. */
  take(count: number): Call[] {
    const taken = this.#calls.slice(this.#gone, this.#gone + count);
    this.#gone += taken.length;
    if (this.#gone > MOST_GONE && this.#gone * 2 > this.#calls.length) {
      this.#calls = this.#calls.slice(this.#gone);
      this.#gone = 0;
    }
    for (const { records } of taken) this.#records -= records;
    if (!this.isFull) this.#room?.resolve();
    if (!this.isFull) this.#room = undefined;
    return taken;
  }

  /** Takes all calls out. Who waits for room gets the reason. */
  drop(reason: unknown): Call[] {
    this.#room?.reject(reason);
    this.#room = undefined;
    return this.take(this.length);
  }
}

/** A promise that others settle. */
interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** As `Promise.withResolvers` of newer platforms. Nobody has to handle the rejection. */
export function withResolvers(): Deferred {
  let settle: Omit<Deferred, "promise"> | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => {});
  return { promise, ...(settle as Omit<Deferred, "promise">) };
}
