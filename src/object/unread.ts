/** Output sent to a client's socket that it has not read. */

/** Maximum unread bytes in the server for a client. */
export const MAX_BUFFERED_BYTES = 1_048_576;

/** Older runtimes do not report a socket's buffered bytes; there a connection ends after this number of characters. */
const MAX_BLIND_CHARACTERS = 33_554_432;

/** A socket that may know how much has not been sent. */
export type BufferingSocket = WebSocket & { readonly bufferedAmount?: number };

/** The unread output of one client. */
export class Unread {
  readonly #socket: BufferingSocket;
  #sent = 0;

  constructor(socket: BufferingSocket) {
    this.#socket = socket;
  }

  /** Number of unread bytes; 0 if the runtime does not report it. */
  get bytes(): number {
    return this.#socket.bufferedAmount ?? 0;
  }

  /** Counts sent output. @param size in bytes or characters @returns whether the client has left too much unread */
  sent(size: number): boolean {
    this.#sent += size;
    const { bufferedAmount } = this.#socket;
    return bufferedAmount === undefined ? this.#sent > MAX_BLIND_CHARACTERS : bufferedAmount > MAX_BUFFERED_BYTES;
  }
}
