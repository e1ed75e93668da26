/** Runs pieces of work one at a time, in the order of submission. Knows nothing of the work. */

/** A queue of asynchronous work. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all earlier work, whether that succeeded or failed. Settles as `work` does. */
  run<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    const running = this.#last.then(work, work);
    this.#last = running.catch(() => undefined);
    return running;
  }
}
