/** The calls that are not in a frame yet, in order, and the promise for room among them. */

import type { Call } from "./frame";

/** Number of taken calls at the front at which the list is compacted. */
const MAX_GONE = 1024;

/** A queue of calls. */
export class WaitingCalls {
  /** Number of records at which it is full. */
  readonly #bound: number;
  #calls: Call[] = [];
  /** Number of taken calls at the front. */
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

  /** Resolves when it is not full. Rejects when the calls are dropped. */
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

  /** Removes the first calls. */
  take(count: number): Call[] {
    const taken = this.#calls.slice(this.#gone, this.#gone + count);
    this.#gone += taken.length;
    if (this.#gone > MAX_GONE && this.#gone * 2 > this.#calls.length) {
      this.#calls = this.#calls.slice(this.#gone);
      this.#gone = 0;
    }
    for (const { records } of taken) this.#records -= records;
    if (!this.isFull) this.#room?.resolve();
    if (!this.isFull) this.#room = undefined;
    return taken;
  }

  /** Removes all calls. Rejects the promise for room with the reason. */
  drop(reason: unknown): Call[] {
    this.#room?.reject(reason);
    this.#room = undefined;
    return this.take(this.length);
  }
}

/** A promise with its settling functions. */
interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Like `Promise.withResolvers` of newer platforms. An unhandled rejection is not reported. */
export function withResolvers(): Deferred {
  let settle: Omit<Deferred, "promise"> | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => {});
  return { promise, ...(settle as Omit<Deferred, "promise">) };
}
