/** Runs pieces of work one at a time, in order, and immediately if nothing waits. Knows nothing of the work. */

/** A queue of work that may be asynchronous or not. */
export class InTurn {
  /** Number of pieces that run or wait. */
  #open = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` once all earlier work has ended, successfully or not. Settles as `work` does. */
  run<Outcome>(work: () => Outcome | Promise<Outcome>): Outcome | Promise<Outcome> {
    if (this.#open > 0) return this.#note(this.#last.then(work));
    const outcome = work();
    return outcome instanceof Promise ? this.#note(outcome) : outcome;
  }

  #note<Outcome>(running: Promise<Outcome>): Promise<Outcome> {
    this.#open++;
    const over = () => {
      this.#open--;
    };
    this.#last = running.then(over, over);
    return running;
  }
}
