/**
 * A run of models as one BLOB: what matching needs of them, as columns of numbers, each as narrow as its greatest number allows.
 * Unpacking is a handful of copies instead of one row, two buffers and two views a model. Knows no table.
 *
 * Layout, little-endian: the first id as a double; for each column its width in bytes and its length as u32; the columns, each
 * filled up to a multiple of 8 bytes.
 */

import type { Sequence } from "../processor/matcher";

/** What matching needs of a model. */
export interface CorpusModel extends Sequence {
  id: number;
  frequency: number;
}

/** Changes with the layout: a chunk of another layout does not have the checksum that is expected. */
const CHECKSUM_SEED = 0x4e6f_0001;
/** The 32-bit prime of the FNV hashes. It is odd, so that every step can be undone and one changed word always changes the sum. */
const CHECKSUM_FACTOR = 0x0100_0193;

/** Distance of each id to the one before, frequency, number of events, their lengths, their symbols. */
const COLUMNS = 5;
const FIRST_ID_BYTES = 8;
const HEADER_BYTES = FIRST_ID_BYTES + COLUMNS * 8;
const ALIGNMENT = 8;

type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;
type ColumnType = new (buffer: ArrayBuffer, offset: number, length: number) => Column;

/** By width in bytes. */
const COLUMN_TYPES: { readonly [width: number]: ColumnType } = {
  1: Uint8Array,
  2: Uint16Array,
  4: Uint32Array,
  8: Float64Array,
};

function widthOf(values: readonly number[] | Uint32Array): number {
  let greatest = 0;
  for (const value of values) greatest = Math.max(greatest, value);
  if (greatest <= 0xff) return 1;
  if (greatest <= 0xffff) return 2;
  return greatest <= 0xffff_ffff ? 4 : 8;
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

function view(width: number, buffer: ArrayBuffer, offset: number, length: number): Column {
  const type = COLUMN_TYPES[width];
  if (type === undefined) throw new Error(`a column of a chunk is 1, 2, 4 or 8 bytes wide, not ${width}`);
  return new type(buffer, offset, length);
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Packs models. @param models at least one, by id; ids and frequencies are whole numbers up to 2^53-1 */
export function packChunk(models: readonly CorpusModel[]): Uint8Array {
  const firstId = models[0]?.id ?? 0;
  const columns: (readonly number[] | Uint32Array)[] = [
    models.map(({ id }, at) => id - (models[at - 1]?.id ?? firstId)),
    models.map(({ frequency }) => frequency),
    models.map(({ lengths }) => lengths.length),
    joined(models.map(({ lengths }) => lengths)),
    joined(models.map(({ symbols }) => symbols)),
  ];
  const widths = columns.map(widthOf);
  const size = columns.reduce((sum, { length }, at) => sum + aligned(length * (widths[at] ?? 0)), HEADER_BYTES);
  const buffer = new ArrayBuffer(size);
  new Float64Array(buffer, 0, 1)[0] = firstId;
  const header = new Uint32Array(buffer, FIRST_ID_BYTES, 2 * COLUMNS);
  let offset = HEADER_BYTES;
  for (const [at, column] of columns.entries()) {
    const width = widths[at] ?? 0;
    header.set([width, column.length], 2 * at);
    view(width, buffer, offset, column.length).set(column);
    offset += aligned(column.length * width);
  }
  return new Uint8Array(buffer);
}

/** Unpacks models. @param buffer what {@link packChunk} made, whole and undamaged */
export function unpackChunk(buffer: ArrayBuffer): CorpusModel[] {
  const header = new Uint32Array(buffer, FIRST_ID_BYTES, 2 * COLUMNS);
  let offset = HEADER_BYTES;
  const column = (at: number) => {
    const width = header[2 * at] ?? 0;
    const length = header[2 * at + 1] ?? 0;
    const found = view(width, buffer, offset, length);
    offset += aligned(length * width);
    return found;
  };
  const [gaps, frequencies, events] = [column(0), column(1), column(2)];
  const [lengths, symbols] = [Uint32Array.from(column(3)), Uint32Array.from(column(4))];
  const models: CorpusModel[] = [];
  let id = new Float64Array(buffer, 0, 1)[0] ?? 0;
  let event = 0;
  let symbol = 0;
  for (let at = 0; at < gaps.length; at++) {
    id += gaps[at] ?? 0;
    const own = lengths.subarray(event, event + (events[at] ?? 0));
    event += own.length;
    const from = symbol;
    for (const length of own) symbol += length;
    models.push({ id, frequency: frequencies[at] ?? 0, symbols: symbols.subarray(from, symbol), lengths: own });
  }
  return models;
}

/** A 32-bit sum over a chunk that tells a damaged one from a whole one. @param bytes a multiple of 4 */
export function checksumOf(bytes: Uint8Array): number {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
  let sum = CHECKSUM_SEED ^ bytes.byteLength;
  for (const word of words) {
    sum = Math.imul(sum ^ word, CHECKSUM_FACTOR);
    // Without this, two damages to upper bits could cancel out.
    sum ^= sum >>> 15;
  }
  return sum >>> 0;
}
