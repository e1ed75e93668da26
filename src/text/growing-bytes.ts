/**
 * Collects bytes that arrive in parts of any size in one buffer, which doubles when it is full: a part needs no memory
 * of its own.
 */

/** The first size of a buffer, in bytes. */
const FIRST_BYTES = 4 * 1024;

/** Bytes that grow at the end. */
export class GrowingBytes {
  readonly #most: number;
  readonly #onGrow: ((capacity: number) => void) | undefined;
  #buffer = new Uint8Array(0);
  /** Number of bytes. */
  size = 0;

  /**
   * @param most maximum number of bytes, if known; the buffer never grows beyond it for fewer bytes
   * @param onGrow called with the size of the new buffer before it is made; {@link add} passes on what it throws
   */
  constructor(most = Number.POSITIVE_INFINITY, onGrow?: (capacity: number) => void) {
    this.#most = most;
    this.#onGrow = onGrow;
  }

  /** Size of the buffer in bytes. */
  get capacity(): number {
    return this.#buffer.byteLength;
  }

  /** Adds bytes, as a copy. */
  add(part: Uint8Array): void {
    const size = this.size + part.byteLength;
    if (size > this.#buffer.byteLength) this.#grow(size);
    this.#buffer.set(part, this.size);
    this.size = size;
  }

  /** Frees all bytes. */
  drop(): void {
    this.#buffer = new Uint8Array(0);
    this.size = 0;
  }

  /** All bytes, in the buffer itself. Use it once nothing more is added. */
  get all(): Uint8Array {
    return this.#buffer.subarray(0, this.size);
  }

  #grow(size: number): void {
    const doubled = Math.max(FIRST_BYTES, this.#buffer.byteLength * 2, size);
    const capacity = Math.max(size, Math.min(doubled, this.#most));
    this.#onGrow?.(capacity);
    const buffer = new Uint8Array(capacity);
    buffer.set(this.all);
    this.#buffer = buffer;
  }
}
