/**
 * What the parser of tables needs of Node's Buffer, for browsers: the bundle puts it in that name's place. The parser's
 * own build for browsers brings all of Buffer, which is as large as the parser. Text is UTF-8.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

class Bytes extends Uint8Array {
  /** Compares byte by byte with a part of others: -1, 0 or 1. */
  compare(other: Uint8Array, from = 0, to = other.length): number {
    const part = other.subarray(from, to);
    const at = this.findIndex((byte, place) => byte !== part[place]);
    if (at >= 0) return (this[at] ?? 0) < (part[at] ?? -1) ? -1 : 1;
    return this.length < part.length ? -1 : 0;
  }

  equals(other: Uint8Array): boolean {
    return this.compare(other) === 0;
  }

  copy(target: Uint8Array, at = 0, from = 0, to = this.length): void {
    target.set(this.subarray(from, to), at);
  }

  override toString(_encoding?: string, from = 0, to = this.length): string {
    return decoder.decode(this.subarray(from, to));
  }
}

export const Buffer = {
  isBuffer: (value: unknown): boolean => value instanceof Bytes,
  /** The bytes of a text, or a copy of bytes. */
  from: (source: string | ArrayLike<number>): Bytes =>
    new Bytes(typeof source === "string" ? encoder.encode(source) : source),
  allocUnsafe: (size: number): Bytes => new Bytes(size),
  compare: (one: Bytes, other: Bytes): number => one.compare(other),
};
