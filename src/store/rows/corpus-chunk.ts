/**
 * A batch of models packed into one BLOB: columns of numbers, each as narrow as its greatest number allows. Most are
 * read in place, without a copy. Knows no table.
 *
 * Layout, little-endian: the first id as a double; for each column its width in bytes and its length as u32; the
 * columns, each padded to a multiple of 8 bytes.
 */

import type { ModelBatch } from "../../processor/ports/matcher";

/** Change it whenever the layout changes: chunks in the old layout then fail the checksum and are packed again. */
const CHECKSUM_SEED = 0x4e6f_0001;
/**
 * The 32-bit prime of the FNV hashes. It is odd, so every step is invertible, and a single changed
 * word always changes the sum.
 */
const CHECKSUM_FACTOR = 0x0100_0193;

/**
 * Columns: the distance of each id from the previous one, frequency, number of events, their lengths, their symbols.
 */
const COLUMNS = 5;
const FIRST_ID_BYTES = 8;
const HEADER_BYTES = FIRST_ID_BYTES + COLUMNS * 8;
const ALIGNMENT = 8;

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

function widthOf(values: Iterable<number>): number {
  let greatest = 0;
  for (const value of values) greatest = Math.max(greatest, value);
  if (greatest <= 0xff) return 1;
  if (greatest <= 0xffff) return 2;
  return greatest <= 0xffff_ffff ? 4 : 8;
}

/** A column of unsigned numbers. */
function narrow(width: number, buffer: ArrayBuffer, offset: number, length: number) {
  switch (width) {
    case 1:
      return new Uint8Array(buffer, offset, length);
    case 2:
      return new Uint16Array(buffer, offset, length);
    case 4:
      return new Uint32Array(buffer, offset, length);
    default:
      throw new Error(`a column of symbols or lengths is 1, 2 or 4 bytes wide, not ${width}`);
  }
}

/** A column of numbers that may need more than 32 bits. */
function wide(width: number, buffer: ArrayBuffer, offset: number, length: number) {
  return width === 8 ? new Float64Array(buffer, offset, length) : narrow(width, buffer, offset, length);
}

/** Packs a batch. */
export function packChunk({ ids, frequencies, eventCounts, lengths, symbols }: ModelBatch): Uint8Array {
  const firstId = ids[0] ?? 0;
  const gaps = ids.map((id, at) => id - (ids[at - 1] ?? firstId));
  const columns = [gaps, frequencies, eventCounts, lengths, symbols];
  const widths = columns.map(widthOf);
  const size = columns.reduce((sum, { length }, at) => sum + aligned(length * (widths[at] ?? 0)), HEADER_BYTES);
  const buffer = new ArrayBuffer(size);
  new Float64Array(buffer, 0, 1)[0] = firstId;
  const header = new Uint32Array(buffer, FIRST_ID_BYTES, 2 * COLUMNS);
  let offset = HEADER_BYTES;
  for (const [at, column] of columns.entries()) {
    const width = widths[at] ?? 0;
    header.set([width, column.length], 2 * at);
    wide(width, buffer, offset, column.length).set(column);
    offset += aligned(column.length * width);
  }
  return new Uint8Array(buffer);
}

/**
 * Unpacks a batch, most of whose columns are views of the chunk.
 *
 * @param buffer a whole, undamaged result of {@link packChunk}
 */
export function unpackChunk(buffer: ArrayBuffer): ModelBatch {
  const header = new Uint32Array(buffer, FIRST_ID_BYTES, 2 * COLUMNS);
  let offset = HEADER_BYTES;
  let at = 0;
  const next = () => {
    const [width = 0, length = 0] = header.subarray(at, at + 2);
    const window = [width, buffer, offset, length] as const;
    at += 2;
    offset += aligned(length * width);
    return window;
  };
  const ids = Float64Array.from(wide(...next()));
  ids[0] = new Float64Array(buffer, 0, 1)[0] ?? 0;
  for (let place = 1; place < ids.length; place++) ids[place] = (ids[place] ?? 0) + (ids[place - 1] ?? 0);
  return {
    ids,
    frequencies: Float64Array.from(wide(...next())),
    eventCounts: narrow(...next()),
    lengths: narrow(...next()),
    symbols: narrow(...next()),
  };
}

/** The 32-bit checksum of a chunk, to detect damage. @param bytes a multiple of 4 */
export function checksumOf(bytes: Uint8Array): number {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
  let sum = CHECKSUM_SEED ^ bytes.byteLength;
  for (const word of words) {
    sum = Math.imul(sum ^ word, CHECKSUM_FACTOR);
    // Without this, two changes of upper bits could cancel out.
    sum ^= sum >>> 15;
  }
  return sum >>> 0;
}
