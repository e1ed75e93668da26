/** Work that is due once a frame, however often it is asked for: nobody can see more. Knows nothing of what the work is. */

/** A hidden page has no frames. Then the work is done so many milliseconds later, so that nothing piles up. */
const HIDDEN_MS = 1000;

/** Does something in the next frame. */
export class FrameTask {
  readonly #work: () => void;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param work done once a frame at most */
  constructor(work: () => void) {
    this.#work = work;
  }

  /** Asks for the work. */
  request(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(this.#run, HIDDEN_MS);
    this.#frame = requestAnimationFrame(this.#run);
  }

  /** Takes back what was asked for. */
  cancel(): void {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#timer = undefined;
  }

  readonly #run = (): void => {
    this.cancel();
    this.#work();
  };
}
