/**
 * Work done in the next frame, at most twenty times a second, however often it is requested. Knows
 * nothing of the work itself.
 */

/** Minimum time between the starts of two runs. */
const MIN_GAP_MS = 50;

/** A hidden page has no frames. There the work is done after this delay, so that nothing piles up. */
const HIDDEN_MS = 1000;

/** Work to do in the next frame. */
export class FrameTask {
  readonly #work: () => void;
  #frame = 0;
  #gap: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #began = Number.NEGATIVE_INFINITY;

  /** @param work run once for all pending requests */
  constructor(work: () => void) {
    this.#work = work;
  }

  /** Requests a run. */
  request(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(this.#run, HIDDEN_MS);
    const left = this.#began + MIN_GAP_MS - performance.now();
    if (left <= 0) this.#frame = requestAnimationFrame(this.#run);
    else
      this.#gap = setTimeout(() => {
        this.#frame = requestAnimationFrame(this.#run);
      }, left);
  }

  /** Cancels a pending run. */
  cancel(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#gap);
    cancelAnimationFrame(this.#frame);
    this.#timer = undefined;
  }

  readonly #run = (): void => {
    this.cancel();
    this.#began = performance.now();
    this.#work();
  };
}
