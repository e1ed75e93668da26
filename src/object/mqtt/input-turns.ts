/**
 * Lets the runtime read what others have sent while clients publish: it reads nothing while one of its objects waits
 * only for another, as the endpoint does for processors. Without turns, one client that always has messages under way
 * would make all other requests of the server wait.
 */

import { yieldToEventLoop } from "../../rpc/transport/yield-to-event-loop";

/** Number of packets of all connections after which the runtime reads; some ten milliseconds of work. */
export const PACKETS_A_TURN = 64;

/** The turns of one endpoint. An object must not wait for the timer of another. */
export class InputTurns {
  #packets = 0;
  #reading: Promise<void> | undefined;

  /** The reading to wait for before more packets are handled; `undefined` if none is due. */
  get due(): Promise<void> | undefined {
    if (this.#reading === undefined && this.#packets >= PACKETS_A_TURN) {
      this.#packets = 0;
      this.#reading = yieldToEventLoop().finally(() => {
        this.#reading = undefined;
      });
    }
    return this.#reading;
  }

  /** Counts packets that are about to be handled. */
  handling(packets: number): void {
    this.#packets += packets;
  }
}
