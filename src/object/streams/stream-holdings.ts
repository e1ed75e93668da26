/**
 * How much one object holds for the clients of all its streams: what waits for other processors, and what they have not
 * read. An isolate of the platform has 128 MB, of which the kernels may take 96 MiB; each stream alone stays below its
 * own bounds, and a thousand of them do not.
 */

import { CLOSE, type Holdings, type Link } from "./link";

/** Maximum number of characters and bytes that an object holds for all its clients. */
const MOST_HELD = 16_777_216;

/** What an object holds. */
export class StreamHoldings implements Holdings {
  readonly #links: () => readonly Link[];
  /** What its links have said. Clients may have read some of it since. */
  #held = 0;
  #isRelieving = false;

  /** @param links the open streams */
  constructor(links: () => readonly Link[]) {
    this.#links = links;
  }

  changed(by: number): void {
    this.#held += by;
    if (this.#held > MOST_HELD && !this.#isRelieving) this.#relieve();
  }

  /** Closes the streams for which most is held, until it is little enough. */
  #relieve(): void {
    this.#isRelieving = true;
    const open = this.#links().filter((link) => !link.isClosed);
    const held = open.map((link) => ({ link, amount: link.holding() })).sort((a, b) => b.amount - a.amount);
    for (const { link } of held) {
      if (this.#held <= MOST_HELD) break;
      link.close(
        CLOSE.overload,
        "the processor holds more than 16 MiB of answers for its clients, most of it for this one",
      );
    }
    this.#isRelieving = false;
  }
}
