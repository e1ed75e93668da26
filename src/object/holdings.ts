/**
 * Bounds what one object holds for all its clients together: waiting messages, and output that they have not read. An
 * isolate of the platform has 128 MB, of which the kernels may take 96 MiB; a thousand clients can exceed that although
 * each stays within its own bounds.
 */

/** Maximum number of characters and bytes that an object holds for all its clients. */
export const MAX_HELD = 16_777_216;

/** One client for which an object holds something. */
export interface HeldClient {
  /** The amount held now. Calls {@link Holdings.changed} when it changes. */
  holding(): number;
  /** Ends the client, because too much is held and most of it for this client. That frees what it held. */
  overload(): void;
}

/** What an object holds. */
export class Holdings {
  readonly #clients: () => readonly HeldClient[];
  readonly #most: number;
  /** The total that clients have reported. They may have read some of it since. */
  #held = 0;
  #isRelieving = false;

  /**
   * @param clients the clients that may hold something
   * @param most maximum number of characters and bytes
   */
  constructor(clients: () => readonly HeldClient[], most = MAX_HELD) {
    this.#clients = clients;
    this.#most = most;
  }

  /**
   * Adds to the total; negative to subtract. Above the maximum, ends the clients that hold most until the total fits.
   */
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
