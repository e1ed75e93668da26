/** Runs pieces of work one at a time, in their order: at once while nothing waits. Knows nothing of the work. */

/** Work that may wait, or not. */
export class InTurn {
  /** How many pieces are under way or wait. */
  #open = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when all work given before has ended, whether that succeeded or failed. Settles as `work` does. */
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
