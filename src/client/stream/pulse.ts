/** Detects that the other end of a link is gone: sends a ping after a silence, and waits for the answer. */

/** Silence after which a ping is sent, in milliseconds. */
const SILENCE_MS = 30_000;

/** Time limit for the answer to a ping, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Watches one link. Stop it, or its timer keeps running. */
export class Pulse {
  readonly #ping: () => void;
  readonly #dead: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Starts the silence, which {@link heard} restarts.
   *
   * @param ping sends a ping, which the other end will answer
   * @param dead called when a ping was not answered in time
   */
  constructor(ping: () => void, dead: () => void) {
    this.#ping = ping;
    this.#dead = dead;
  }

  /** Call on every message: restarts the silence. */
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
