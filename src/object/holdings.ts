/**
 * How much one object holds for all its clients together: what waits, and what they have not read. An isolate of the
 * platform has 128 MB, of which the kernels may take 96 MiB; each client alone stays below its own bounds, and a
 * thousand of them do not.
 */

/** Maximum number of characters and bytes that an object holds for all its clients. */
export const MOST_HELD = 16_777_216;

/** One client for which an object holds something. */
export interface HeldClient {
  /** How much that is now. Tells {@link Holdings.changed} when it is another amount than before. */
  holding(): number;
  /** Ends it, because too much is held, and most of it for this one. Then less is held. */
  overload(): void;
}

/** What an object holds. */
export class Holdings {
  readonly #clients: () => readonly HeldClient[];
  readonly #most: number;
  /** What its clients have said. They may have read some of it since. */
  #held = 0;
  #isRelieving = false;

  /**
   * @param clients those for which something may be held
   * @param most maximum number of characters and bytes
   */
  constructor(clients: () => readonly HeldClient[], most = MOST_HELD) {
    this.#clients = clients;
    this.#most = most;
  }

  /** Adds to what is held; negative to subtract. Ends the clients for which most is held, until it is little enough. */
  changed(by: number): void {
    this.#held += by;
    if (this.#held > this.#most && !this.#isRelieving) this.#relieve();
  }

  #relieve(): void {
    this.#isRelieving = true;
    const held = this.#clients().map((client) => ({ client, amount: client.holding() }));
    for (const { client } of held.sort((a, b) => b.amount - a.amount)) {
      if (this.#held <= this.#most) break;
      client.overload();
    }
    this.#isRelieving = false;
  }
}
