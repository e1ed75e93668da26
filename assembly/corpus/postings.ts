/**
 * Per symbol, the slots of the models that hold it and how often each does, as bytes in a chain of chunks. An entry is the gap to
 * the slot before, doubled, plus 1 when a count follows; a count of 1 does not. Numbers have seven bits to the byte, the lowest
 * first. Entries are only ever added at the end; those of removed models stay until the corpus is packed.
 */

import { allocate, classBytes, newBytes, release } from "../memory/arena";
import * as column from "../memory/buffer";

/** A chunk: the next one, the bytes used and those there are, then the bytes. */
const CHUNK_NEXT: usize = 0;
const CHUNK_USED: usize = 4;
const CHUNK_CAPACITY: usize = 6;
export const CHUNK_HEAD: usize = 8;
/** A chunk is no larger than this. */
export const LARGEST_CHUNK: usize = 4096;
/** An entry is two numbers of at most five bytes. */
const LARGEST_ENTRY: usize = 10;

/** A head: the first chunk, the last one, the slot posted last plus one, the bytes of all entries. */
const HEAD_FIRST: usize = 0;
const HEAD_LAST: usize = 4;
const HEAD_SLOT: usize = 8;
const HEAD_BYTES: usize = 12;

const heads: usize = memory.data(12, 8);

/** New bytes needed for the heads of `more` symbols. */
export function headGrowthBytes(more: usize): usize {
  return column.growthBytes(heads, more << 4);
}

/** Makes heads for `more` symbols. */
export function growHeads(more: usize): void {
  column.appendZeros(heads, more << 4);
}

/** The most new bytes that one more entry of the symbol may need. */
export function postingGrowthBytes(symbol: u32): usize {
  const head = headOf(symbol);
  const last = load<u32>(head, HEAD_LAST);
  const room: usize = last === 0 ? 0 : <usize>load<u16>(last, CHUNK_CAPACITY) - <usize>load<u16>(last, CHUNK_USED);
  return room >= LARGEST_ENTRY ? 0 : newBytes(nextChunkBytes(head));
}

/** Notes that the model in `slot`, greater than all before, holds the symbol `count` times. */
export function post(symbol: u32, slot: u32, count: u32): void {
  const head = headOf(symbol);
  const gap = slot + 1 - load<u32>(head, HEAD_SLOT);
  const entry = (gap << 1) | <u32>(count > 1);
  const bytes = numberBytes(entry) + (count > 1 ? numberBytes(count) : 0);
  let to = reserve(head, bytes);
  to = writeVarying(to, entry);
  if (count > 1) {
    writeVarying(to, count);
  }
  store<u32>(head, slot + 1, HEAD_SLOT);
  store<u32>(head, load<u32>(head, HEAD_BYTES) + <u32>bytes, HEAD_BYTES);
}

/** The first chunk of a symbol's entries; 0 when there are none. */
export function firstChunk(symbol: u32): usize {
  return load<u32>(headOf(symbol), HEAD_FIRST);
}

/** How many bytes a symbol's entries take. */
export function postingBytes(symbol: u32): u32 {
  return load<u32>(headOf(symbol), HEAD_BYTES);
}

export function nextChunk(chunk: usize): usize {
  return load<u32>(chunk, CHUNK_NEXT);
}

export function chunkEnd(chunk: usize): usize {
  return chunk + CHUNK_HEAD + load<u16>(chunk, CHUNK_USED);
}

/** Gives all chunks back; the heads stay, empty. */
export function clearPostings(): void {
  const end = column.start(heads) + column.size(heads);
  for (let head = column.start(heads); head < end; head += 16) {
    let chunk: usize = load<u32>(head, HEAD_FIRST);
    while (chunk !== 0) {
      const next = nextChunk(chunk);
      release(chunk, CHUNK_HEAD + load<u16>(chunk, CHUNK_CAPACITY));
      chunk = next;
    }
  }
  memory.fill(column.start(heads), 0, column.size(heads));
}

/** Gives everything back. */
export function forgetPostings(): void {
  clearPostings();
  column.drop(heads);
}

function headOf(symbol: u32): usize {
  return column.start(heads) + ((<usize>symbol) << 4);
}

/** A quarter of what is there already, so that at most a fifth stays unused, and chains stay short. */
function nextChunkBytes(head: usize): usize {
  const wanted = CHUNK_HEAD + <usize>(load<u32>(head, HEAD_BYTES) >> 2);
  return classBytes(min(max(wanted, CHUNK_HEAD + LARGEST_ENTRY), LARGEST_CHUNK));
}

/** Where `bytes` more can be written, in the last chunk or a new one. */
function reserve(head: usize, bytes: usize): usize {
  let last: usize = load<u32>(head, HEAD_LAST);
  if (last === 0 || load<u16>(last, CHUNK_USED) + bytes > load<u16>(last, CHUNK_CAPACITY)) {
    last = addChunk(head, last);
  }
  const used: usize = load<u16>(last, CHUNK_USED);
  store<u16>(last, <u16>(used + bytes), CHUNK_USED);
  return last + CHUNK_HEAD + used;
}

function addChunk(head: usize, last: usize): usize {
  const bytes = nextChunkBytes(head);
  const chunk = allocate(bytes);
  store<u32>(chunk, 0, CHUNK_NEXT);
  store<u16>(chunk, 0, CHUNK_USED);
  store<u16>(chunk, <u16>(bytes - CHUNK_HEAD), CHUNK_CAPACITY);
  if (last === 0) {
    store<u32>(head, <u32>chunk, HEAD_FIRST);
  } else {
    store<u32>(last, <u32>chunk, CHUNK_NEXT);
  }
  store<u32>(head, <u32>chunk, HEAD_LAST);
  return chunk;
}

function numberBytes(value: u32): usize {
  return <usize>((38 - clz<u32>(value | 1)) / 7);
}

function writeVarying(to: usize, value: u32): usize {
  let at = to;
  let rest = value;
  for (; rest > 0x7f; rest >>= 7) {
    store<u8>(at++, <u8>(rest | 0x80));
  }
  store<u8>(at++, <u8>rest);
  return at;
}
