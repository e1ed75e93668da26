/** Cuts a stream of bytes into whole packets, however they were cut before, and bounds them before they are held. */

import { ProtocolFault, REASON } from "./packet";

/** The longest CONNECT, in bytes: it comes before a key is known. */
export const MOST_CONNECT_BYTES = 65_536;

/** The longest packet, in bytes, with its header. */
export const MOST_PACKET_BYTES = 1_048_576;

/** The most bytes of a length (MQTT 5, 1.5.5). */
const MOST_LENGTH_BYTES = 4;

/** The packets in the bytes of one client. */
export class Framing {
  #parts: Uint8Array[] = [];
  #held = 0;
  /** How many bytes the packet under way has; `undefined` until its length is known. */
  #wanted: number | undefined;
  /** How many bytes a packet may have. */
  most = MOST_CONNECT_BYTES;

  /** How many bytes of a packet that is not whole are held. */
  get held(): number {
    return this.#held;
  }

  /** Adds what has come. */
  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#parts.push(bytes);
    this.#held += bytes.length;
  }

  /**
   * The next whole packet, which is then held no longer.
   *
   * @returns `undefined` when the rest of it has not come
   * @throws ProtocolFault when it is longer than it may be, or its length is no length
   */
  next(): Uint8Array | undefined {
    const wanted = this.#wanted ?? this.#length();
    if (wanted === undefined) return undefined;
    if (wanted > this.most) {
      throw new ProtocolFault(REASON.tooLarge, `a packet may have ${this.most} bytes here, got one of ${wanted}`);
    }
    this.#wanted = wanted;
    if (this.#held < wanted) return undefined;
    const all = this.#joined();
    this.#wanted = undefined;
    this.#held -= wanted;
    this.#parts = this.#held === 0 ? [] : [all.subarray(wanted)];
    return all.subarray(0, wanted);
  }

  /** How many bytes the packet has, with its header; `undefined` when that has not come. */
  #length(): number | undefined {
    if (this.#held < 2) return undefined;
    const bytes = this.#joined();
    let length = 0;
    for (let at = 0; at < MOST_LENGTH_BYTES; at++) {
      const byte = bytes[at + 1];
      if (byte === undefined) return undefined;
      length += (byte & 0x7f) * 128 ** at;
      if (byte < 0x80) return 2 + at + length;
    }
    throw new ProtocolFault(REASON.malformed, "the length of a packet must end with its fourth byte");
  }

  #joined(): Uint8Array {
    const [first] = this.#parts;
    if (this.#parts.length === 1 && first !== undefined) return first;
    const all = new Uint8Array(this.#held);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    this.#parts = [all];
    return all;
  }
}
