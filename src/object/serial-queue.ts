/** Work that must not overlap, done one after the other in the order of asking. Knows nothing of the work. */

/** A queue of work. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Does `work` when all that was asked for before is done, whether it succeeded or not. */
  take<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
