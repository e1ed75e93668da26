/** Cuts a stream of bytes into whole packets, however they were cut before, and bounds them before they are held. */

import { GrowingBytes } from "../../text/growing-bytes";
import { ProtocolFault, REASON } from "./packet";

/** The longest CONNECT, in bytes: it comes before a key is known. */
export const MOST_CONNECT_BYTES = 65_536;

/** The longest packet, in bytes, with its header. */
export const MOST_PACKET_BYTES = 1_048_576;

/** The most bytes of a length (MQTT 5, 1.5.5). */
const MOST_LENGTH_BYTES = 4;

/** The packets in the bytes of one client. */
export class Framing {
  readonly #bytes = new GrowingBytes();
  /** Where in them the packet under way begins. */
  #from = 0;
  /** How many bytes the packet under way has; `undefined` until its length is known. */
  #wanted: number | undefined;
  /** How many bytes a packet may have. */
  most = MOST_CONNECT_BYTES;

  /** How many bytes of a packet that is not whole are held. */
  get held(): number {
    return this.#bytes.size - this.#from;
  }

  /** How many bytes of memory that takes. */
  get capacity(): number {
    return this.#bytes.capacity;
  }

  /** Adds what has come. It is copied. */
  push(bytes: Uint8Array): void {
    this.#bytes.add(bytes);
  }

  /** Lets go of the packets that were taken: a byte that is left must not keep a buffer of a mebibyte. */
  #compact(): void {
    if (this.#from === 0) return;
    const rest = this.#bytes.all.slice(this.#from);
    this.drop();
    if (rest.length > 0) this.#bytes.add(rest);
  }

  /** Lets go of all bytes. */
  drop(): void {
    this.#bytes.drop();
    this.#from = 0;
  }

  /**
   * The next whole packet, which is then held no longer.
   *
   * @returns `undefined` when the rest of it has not come
   * @throws ProtocolFault when it is longer than it may be, or its length is no length
   */
  next(): Uint8Array | undefined {
    const wanted = this.#wanted ?? this.#length();
    if (wanted === undefined) {
      this.#compact();
      return undefined;
    }
    if (wanted > this.most) {
      throw new ProtocolFault(REASON.tooLarge, `a packet may have ${this.most} bytes here, got one of ${wanted}`);
    }
    this.#wanted = wanted;
    if (this.held < wanted) {
      this.#compact();
      return undefined;
    }
    this.#wanted = undefined;
    // A copy: what waits of it must not keep the whole buffer.
    const packet = this.#bytes.all.slice(this.#from, this.#from + wanted);
    this.#from += wanted;
    if (this.held === 0) this.drop();
    return packet;
  }

  /** How many bytes the packet has, with its header; `undefined` when that has not come. */
  #length(): number | undefined {
    if (this.held < 2) return undefined;
    const bytes = this.#bytes.all;
    let length = 0;
    for (let at = 0; at < MOST_LENGTH_BYTES; at++) {
      const byte = bytes[this.#from + at + 1];
      if (byte === undefined) return undefined;
      length += (byte & 0x7f) * 128 ** at;
      if (byte < 0x80) return 2 + at + length;
    }
    throw new ProtocolFault(REASON.malformed, "the length of a packet must end with its fourth byte");
  }
}
