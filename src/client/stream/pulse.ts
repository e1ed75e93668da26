/** Notices that the other end of a link is gone: asks after a silence, and waits for an answer. */

/** How long nothing may be heard before a ping is sent, in milliseconds. */
const SILENCE_MS = 30_000;

/** How long a ping may go without an answer, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Watches one link. Stop it, or its timer keeps running. */
export class Pulse {
  readonly #ping: () => void;
  readonly #dead: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Waits for {@link heard}.
   *
   * @param ping sends a ping, which the other end will answer
   * @param dead the ping was not answered in time
   */
  constructor(ping: () => void, dead: () => void) {
    this.#ping = ping;
    this.#dead = dead;
  }

  /** Something was heard: the silence begins anew. */
  heard(): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(this.#dead, PATIENCE_MS);
      this.#ping();
    }, SILENCE_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
