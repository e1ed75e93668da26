/**
 * What the parser of tables needs of Node's Buffer, for browsers: the bundle puts it in that name's place. The parser's
 * own build for browsers brings all of Buffer, which is as large as the parser. Text is UTF-8.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

class Bytes extends Uint8Array<ArrayBuffer> {
  static isBuffer(value: unknown): value is Bytes {
    return value instanceof Bytes;
  }

  /** A copy of bytes, or the bytes of a text. */
  static override from(source: string | ArrayLike<number>): Bytes {
    return new Bytes(typeof source === "string" ? encoder.encode(source) : source);
  }

  static allocUnsafe(size: number): Bytes {
    return new Bytes(size);
  }

  static compare(one: Bytes, other: Bytes): number {
    return one.compare(other);
  }

  /** As the sign of a comparison byte by byte. */
  compare(other: Bytes, from = 0, to = other.length): number {
    const part = other.subarray(from, to);
    const at = this.findIndex((byte, place) => byte !== part[place]);
    if (at >= 0) return (this[at] ?? 0) < (part[at] ?? -1) ? -1 : 1;
    return this.length < part.length ? -1 : 0;
  }

  equals(other: Bytes): boolean {
    return this.compare(other) === 0;
  }

  copy(target: Bytes, at = 0, from = 0, to = this.length): void {
    target.set(this.subarray(from, to), at);
  }

  /** As in Node, the result shares these bytes. */
  override slice(from?: number, to?: number): Bytes {
    return this.subarray(from, to) as Bytes;
  }

  override toString(_encoding?: string, from = 0, to = this.length): string {
    return decoder.decode(this.subarray(from, to));
  }
}

export { Bytes as Buffer };
