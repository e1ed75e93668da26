/**
 * Runs pieces of work one at a time: immediately while no other piece runs, otherwise in turns of the keys that ask for
 * them. The pieces of one key keep their order.
 */

import { Fault } from "../../processor/ports/fault";
import { Usage } from "../turns/usage";

/**
 * Maximum number of waiting pieces, and maximum bytes of their requests: the isolate keeps the requests, and each piece
 * may delay those behind it for seconds.
 */
const MAX_WAITING = 2_048;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** The source of a piece of work. */
export interface Asking {
  /** Identifier of the key; empty for a configured key. */
  readonly key: string;
  /** Bytes of the request. */
  readonly bytes: number;
}

interface Waiting {
  readonly start: () => void;
  readonly bytes: number;
}

/** A queue of synchronous and asynchronous work. */
export class InTurn {
  readonly #most: { readonly pieces: number; readonly bytes: number };
  readonly #now: () => number;
  /** Whether a piece is under way. */
  #isBusy = false;
  /** The waiting pieces by key, oldest first. A key without waiting pieces is missing. */
  readonly #waiting = new Map<string, Waiting[]>();
  #pieces = 0;
  #bytes = 0;
  /** By key: the time for which others have recently waited for its work. */
  readonly #used = new Map<string, Usage>();

  /** @param now the time in milliseconds */
  constructor(most = { pieces: MAX_WAITING, bytes: MAX_WAITING_BYTES }, now = () => Date.now()) {
    this.#most = most;
    this.#now = now;
  }

  /**
   * Runs work when it is its turn. Settles as `work` does.
   *
   * @param work is told whether it has waited
   * @throws Fault `unavailable` when too many wait
   */
  run<Outcome>(
    work: (hasWaited: boolean) => Outcome | Promise<Outcome>,
    { key, bytes }: Asking,
  ): Outcome | Promise<Outcome> {
    if (this.#isBusy) return this.#wait(work, { key, bytes });
    // Until it returns, it is not known whether the work is asynchronous.
    this.#isBusy = true;
    let isOver = true;
    try {
      const outcome = work(false);
      if (!(outcome instanceof Promise)) return outcome;
      isOver = false;
      return this.#untilEnd(outcome, key);
    } finally {
      if (isOver) this.#next();
    }
  }

  #wait<Outcome>(work: (hasWaited: boolean) => Outcome | Promise<Outcome>, { key, bytes }: Asking): Promise<Outcome> {
    if (this.#pieces >= this.#most.pieces || this.#bytes + bytes > this.#most.bytes) {
      throw new Fault(
        "unavailable",
        "too many calls wait for their turn at this processor, whose models are in parts; this one was not begun: " +
          "try again later",
      );
    }
    this.#pieces++;
    this.#bytes += bytes;
    return new Promise<Outcome>((resolve, reject) => {
      const start = () => {
        this.#untilEnd(Promise.resolve(true).then(work), key).then(resolve, reject);
      };
      const waiting = this.#waiting.get(key);
      if (waiting === undefined) this.#waiting.set(key, [{ start, bytes }]);
      else waiting.push({ start, bytes });
    });
  }

  async #untilEnd<Outcome>(running: Promise<Outcome>, key: string): Promise<Outcome> {
    const begunMs = this.#now();
    try {
      return await running;
    } finally {
      const nowMs = this.#now();
      const used = this.#used.get(key) ?? new Usage();
      used.add(Math.max(0, nowMs - begunMs), nowMs);
      this.#used.set(key, used);
      this.#next();
    }
  }

  /** Starts the oldest waiting piece of the key for whose work others have waited least. */
  #next(): void {
    this.#isBusy = false;
    const nowMs = this.#now();
    const used = (key: string) => this.#used.get(key)?.at(nowMs) ?? 0;
    const [key] = [...this.#waiting.keys()].sort((one, other) => used(one) - used(other));
    const waiting = key === undefined ? undefined : this.#waiting.get(key);
    const first = waiting?.shift();
    if (key === undefined || waiting === undefined || first === undefined) {
      this.#used.clear();
      return;
    }
    if (waiting.length === 0) this.#waiting.delete(key);
    this.#pieces--;
    this.#bytes -= first.bytes;
    this.#isBusy = true;
    first.start();
  }
}
