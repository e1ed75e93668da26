/**
 * Cuts a stream of bytes into whole packets, in whatever pieces it arrives, and checks their size before buffering
 * them.
 */

import { GrowingBytes } from "../../text/growing-bytes";
import { ProtocolFault, REASON } from "./packet";

/** Maximum size of CONNECT, in bytes. It is smaller because CONNECT comes before a key is known. */
export const MAX_CONNECT_BYTES = 65_536;

/** Maximum size of a packet with its header, in bytes. */
export const MAX_PACKET_BYTES = 1_048_576;

/** Maximum bytes of a length (MQTT 5, 1.5.5). */
const MAX_LENGTH_BYTES = 4;

/** The packets in the bytes of one client. A packet that arrives alone and whole is passed on without a copy. */
export class Framing {
  readonly #bytes = new GrowingBytes();
  /** Where the current packet begins. */
  #from = 0;
  /** Size of the current packet; `undefined` until its length is known. */
  #wanted: number | undefined;
  /** The packet that arrived last, if it came alone and whole, as most do: it needs no buffer. */
  #whole: Uint8Array | undefined;
  /** Maximum size of a packet, in bytes. */
  most = MAX_CONNECT_BYTES;

  /** Bytes held that were not taken as packets. */
  get held(): number {
    return this.#whole?.length ?? this.#bytes.size - this.#from;
  }

  /** Bytes of memory used for them. */
  get capacity(): number {
    return this.#bytes.capacity;
  }

  /**
   * Adds received bytes, which must not change afterwards.
   *
   * @throws ProtocolFault when they begin a packet whose length is malformed
   */
  push(bytes: Uint8Array): void {
    if (this.held === 0 && sizeOf(bytes, 0) === bytes.length) {
      this.#whole = bytes;
      return;
    }
    if (this.#whole !== undefined) this.#bytes.add(this.#whole);
    this.#whole = undefined;
    this.#bytes.add(bytes);
  }

  /** Frees the packets already taken: a single remaining byte must not keep a buffer of a mebibyte. */
  #compact(): void {
    if (this.#from === 0) return;
    const rest = this.#bytes.all.slice(this.#from);
    this.drop();
    if (rest.length > 0) this.#bytes.add(rest);
  }

  /** Frees all bytes. */
  drop(): void {
    this.#bytes.drop();
    this.#from = 0;
    this.#whole = undefined;
  }

  /**
   * The next whole packet, which leaves the buffer.
   *
   * @returns `undefined` if it is incomplete
   * @throws ProtocolFault when it is too long, or its length is malformed
   */
  next(): Uint8Array | undefined {
    const wanted = this.#whole?.length ?? this.#wanted ?? sizeOf(this.#bytes.all, this.#from);
    if (wanted === undefined) {
      this.#compact();
      return undefined;
    }
    if (wanted > this.most) {
      throw new ProtocolFault(REASON.tooLarge, `a packet may have ${this.most} bytes here, got one of ${wanted}`);
    }
    if (this.#whole !== undefined) return this.#takeWhole();
    this.#wanted = wanted;
    if (this.held < wanted) {
      this.#compact();
      return undefined;
    }
    this.#wanted = undefined;
    // A copy, because a waiting packet must not keep the whole buffer.
    const packet = this.#bytes.all.slice(this.#from, this.#from + wanted);
    this.#from += wanted;
    if (this.held === 0) this.drop();
    return packet;
  }

  #takeWhole(): Uint8Array | undefined {
    const whole = this.#whole;
    this.#whole = undefined;
    return whole;
  }
}

/**
 * Size of a packet with its header.
 *
 * @param from where it begins
 * @returns `undefined` if its length is incomplete
 * @throws ProtocolFault when its length is malformed
 */
function sizeOf(bytes: Uint8Array, from: number): number | undefined {
  let length = 0;
  for (let at = 0; at < MAX_LENGTH_BYTES; at++) {
    const byte = bytes[from + at + 1];
    if (byte === undefined) return undefined;
    length += (byte & 0x7f) * 128 ** at;
    if (byte < 0x80) return 2 + at + length;
  }
  throw new ProtocolFault(REASON.malformed, "the length of a packet must end with its fourth byte");
}
