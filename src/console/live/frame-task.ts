/**
 * Work that is due in the next frame, and at most twenty times a second, however often it is asked for: nobody reads
 * faster. Knows nothing of what the work is.
 */

/** Between the beginnings of two. */
const LEAST_GAP_MS = 50;

/** A hidden page has no frames. Then the work is done so many milliseconds later, so that nothing piles up. */
const HIDDEN_MS = 1000;

/** Does something in the next frame. */
export class FrameTask {
  readonly #work: () => void;
  #frame = 0;
  #gap: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #began = Number.NEGATIVE_INFINITY;

  /** @param work done once for all requests before it */
  constructor(work: () => void) {
    this.#work = work;
  }

  /** Asks for the work. */
  request(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(this.#run, HIDDEN_MS);
    const left = this.#began + LEAST_GAP_MS - performance.now();
    if (left <= 0) this.#frame = requestAnimationFrame(this.#run);
    else
      this.#gap = setTimeout(() => {
        this.#frame = requestAnimationFrame(this.#run);
      }, left);
  }

  /** Takes back what was asked for. */
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
