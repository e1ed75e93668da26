/** Reads the fields of one packet, each within its bytes. */

import { ProtocolFault, REASON } from "./packet";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The refusal of malformed bytes. */
export function malformed(sentence: string): ProtocolFault {
  return new ProtocolFault(REASON.malformed, sentence);
}

/** The refusal of a packet that the protocol forbids. */
export function forbidden(sentence: string): ProtocolFault {
  return new ProtocolFault(REASON.protocolError, sentence);
}

/** A position in a packet. */
export class Cursor {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = at;
    this.#end = end;
  }

  /** Number of bytes left. */
  get left(): number {
    return this.#end - this.#at;
  }

  /** @throws ProtocolFault at the end */
  byte(): number {
    this.#need(1);
    return this.#bytes[this.#at++] as number;
  }

  /** A number of two bytes. @throws ProtocolFault when there are fewer */
  two(): number {
    return this.byte() * 256 + this.byte();
  }

  /** A number of four bytes. @throws ProtocolFault when there are fewer */
  four(): number {
    return this.two() * 65_536 + this.two();
  }

  /** A number of one to four bytes, in as few as possible. @throws ProtocolFault when it is malformed */
  variable(): number {
    let value = 0;
    for (let at = 0; at < 4; at++) {
      const byte = this.byte();
      value += (byte & 0x7f) * 128 ** at;
      if (byte >= 0x80) continue;
      if (byte === 0 && at > 0) throw malformed("a variable byte integer must have as few bytes as it needs");
      return value;
    }
    throw malformed("a variable byte integer must end with its fourth byte");
  }

  /** Bytes after their length. @throws ProtocolFault when there are fewer */
  data(): Uint8Array {
    const length = this.two();
    this.#need(length);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** Text. @throws ProtocolFault when it is not UTF-8, or holds U+0000 */
  text(): string {
    let text: string;
    try {
      text = decoder.decode(this.data());
    } catch (error) {
      if (error instanceof ProtocolFault) throw error;
      throw malformed("a text of a packet must be UTF-8");
    }
    if (text.includes("\0")) throw malformed("a text of a packet must not hold U+0000");
    return text;
  }

  /** All bytes left. */
  rest(): Uint8Array {
    const rest = this.#bytes.subarray(this.#at, this.#end);
    this.#at = this.#end;
    return rest;
  }

  /** The next bytes as a cursor of their own. @throws ProtocolFault when there are fewer */
  part(length: number): Cursor {
    this.#need(length);
    this.#at += length;
    return new Cursor(this.#bytes, this.#at - length, this.#at);
  }

  /** @throws ProtocolFault when bytes are left */
  end(what: string): void {
    if (this.left > 0) throw malformed(`${what} has ${this.left} bytes too many`);
  }

  #need(bytes: number): void {
    if (this.left < bytes) throw malformed("a packet ends within a field");
  }
}
