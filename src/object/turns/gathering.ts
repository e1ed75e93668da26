/**
 * Lets calls that arrive together be stored together. The runtime commits what an object has written when the object
 * lets go of the thread, and a commit takes longer than an observe. So a small call waits while others are known to be
 * on their way, and the last one to arrive runs all of them, in the order of their arrival. Decision 034 gives the
 * reasons.
 */

/** Maximum number of calls that run together. */
const MAX_GATHERED = 16;

/** Calls that run together should take no more than this, in milliseconds, because the first is answered after all. */
const TOGETHER_MS = 8;

/** Calls on their way arrive sooner than this, in milliseconds, unless the runtime has dropped them. */
const LATE_MS = 2;

/** The calls of one object that wait for others. */
export class Gathering {
  readonly #late: () => void;
  readonly #now: () => number;
  #waiting: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** How many calls run together: fewer while that takes too long. */
  #most = MAX_GATHERED;

  /**
   * @param late called when calls that were on their way have not arrived
   * @param now the time in milliseconds
   */
  constructor(late: () => void, now: () => number = Date.now) {
    this.#late = late;
    this.#now = now;
  }

  /**
   * Runs work, at once or when the others that are on their way have arrived. Work that waits runs first.
   *
   * @param coming how many others are on their way for which it may wait; 0 if it must not wait
   */
  run<Reply>(coming: number, work: () => Reply | Promise<Reply>): Reply | Promise<Reply> {
    if (coming > 0 && this.#waiting.length + 1 < this.#most) return this.#wait(work);
    if (this.#waiting.length === 0) return work();
    const last = this.#wait(work);
    this.#runAll();
    return last;
  }

  #wait<Reply>(work: () => Reply | Promise<Reply>): Promise<Reply> {
    this.#timer ??= setTimeout(() => {
      this.#late();
      this.#runAll();
    }, LATE_MS);
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  #runAll(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    const begunMs = this.#now();
    for (const run of waiting) run();
    const isSlow = this.#now() - begunMs > TOGETHER_MS;
    this.#most = isSlow ? Math.max(2, this.#most / 2) : Math.min(MAX_GATHERED, this.#most * 2);
  }
}
