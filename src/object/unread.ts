/** What a client has not read of what was sent to its socket. */

/** Maximum bytes that wait in the server for a client that does not read. */
export const MOST_BUFFERED_BYTES = 1_048_576;

/** Older runtimes do not report what a socket has buffered; there a connection ends after this number of characters. */
const MOST_BLIND_CHARACTERS = 33_554_432;

/** A socket that knows how much has not been sent. */
export type BufferingSocket = WebSocket & { readonly bufferedAmount?: number };

/** What one client has not read. */
export class Unread {
  readonly #socket: BufferingSocket;
  #sent = 0;

  constructor(socket: BufferingSocket) {
    this.#socket = socket;
  }

  /** How many bytes it is; 0 where the runtime does not report it. */
  get bytes(): number {
    return this.#socket.bufferedAmount ?? 0;
  }

  /** Something was sent. @param size in bytes or characters @returns whether the client has left too much unread */
  sent(size: number): boolean {
    this.#sent += size;
    const { bufferedAmount } = this.#socket;
    return bufferedAmount === undefined ? this.#sent > MOST_BLIND_CHARACTERS : bufferedAmount > MOST_BUFFERED_BYTES;
  }
}
