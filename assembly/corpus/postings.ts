/**
 * Postings: for each symbol, the slots of the models that hold it, with its count in each, as bytes in a chain of
 * chunks. An entry is the gap from the previous slot, doubled, plus 1 if a count follows; a count of 1 is left out.
 * Numbers have seven bits to the byte, lowest first. Entries are only appended. Those of removed models stay until the
 * corpus is packed.
 */

import { allocate, classBytes, newBytes, release } from "../memory/arena";
import * as buffer from "../memory/buffer";
import { POSTING_HEADS } from "../memory/tenant";

/** The start of a chunk; its bytes follow. */
@unmanaged
class Chunk {
  next: usize;
  used: u16;
  capacity: u16;
}

/** The chain of one symbol. */
@unmanaged
class Head {
  first: usize;
  last: usize;
  /** The last slot posted, plus one. */
  slotEnd: u32;
  /** The bytes of all entries. */
  bytes: u32;
}

/** Bytes of a chunk before its entries. */
export const CHUNK_HEAD: usize = offsetof<Chunk>();
/** The largest chunk. */
export const LARGEST_CHUNK: usize = 4096;
/** An entry is two numbers of at most five bytes. */
const LARGEST_ENTRY: usize = 10;
const HEAD_BYTES: usize = offsetof<Head>();

/** New bytes needed for the heads of `more` symbols. */
export function headGrowthBytes(more: usize): usize {
  return buffer.growthBytes(POSTING_HEADS, more * HEAD_BYTES);
}

/** Makes heads for `more` symbols. */
export function growHeads(more: usize): void {
  buffer.appendZeros(POSTING_HEADS, more * HEAD_BYTES);
}

/** Maximum number of new bytes that one more entry of the symbol needs. */
export function postingGrowthBytes(symbol: u32): usize {
  const head = headOf(symbol);
  const last = changetype<Chunk>(head.last);
  const room: usize = head.last === 0 ? 0 : last.capacity - last.used;
  return room >= LARGEST_ENTRY ? 0 : newBytes(nextChunkBytes(head));
}

/** Adds an entry: the model in `slot`, which is greater than all before, holds the symbol `count` times. */
export function post(symbol: u32, slot: u32, count: u32): void {
  const head = headOf(symbol);
  const gap = slot + 1 - head.slotEnd;
  const entry = (gap << 1) | <u32>(count > 1);
  const bytes = numberBytes(entry) + (count > 1 ? numberBytes(count) : 0);
  let to = reserve(head, bytes);
  to = writeVarying(to, entry);
  if (count > 1) {
    writeVarying(to, count);
  }
  head.slotEnd = slot + 1;
  head.bytes += <u32>bytes;
}

/** The first chunk of a symbol's entries, 0 for none. */
export function firstChunk(symbol: u32): usize {
  return headOf(symbol).first;
}

/** Bytes of a symbol's entries. */
export function postingBytes(symbol: u32): u32 {
  return headOf(symbol).bytes;
}

/** The chunk after this one, 0 for none. */
export function nextChunk(chunk: usize): usize {
  return changetype<Chunk>(chunk).next;
}

/** The address after the last entry of a chunk. */
export function chunkEnd(chunk: usize): usize {
  return chunk + CHUNK_HEAD + changetype<Chunk>(chunk).used;
}

/** Frees all chunks. The heads stay, empty. */
export function clearPostings(): void {
  const end = buffer.start(POSTING_HEADS) + buffer.size(POSTING_HEADS);
  for (let head = buffer.start(POSTING_HEADS); head < end; head += HEAD_BYTES) {
    let chunk = changetype<Head>(head).first;
    while (chunk !== 0) {
      const next = nextChunk(chunk);
      release(chunk, CHUNK_HEAD + changetype<Chunk>(chunk).capacity);
      chunk = next;
    }
  }
  memory.fill(buffer.start(POSTING_HEADS), 0, buffer.size(POSTING_HEADS));
}

/** Frees everything. */
export function forgetPostings(): void {
  clearPostings();
  buffer.free(POSTING_HEADS);
}

function headOf(symbol: u32): Head {
  return changetype<Head>(buffer.start(POSTING_HEADS) + <usize>symbol * HEAD_BYTES);
}

/** A quarter of the symbol's present bytes, so that at most a fifth stays unused and chains stay short. */
function nextChunkBytes(head: Head): usize {
  const wanted = CHUNK_HEAD + <usize>(head.bytes >> 2);
  return classBytes(min(max(wanted, CHUNK_HEAD + LARGEST_ENTRY), LARGEST_CHUNK));
}

/** The address for `bytes` more bytes: in the last chunk, or in a new one. */
function reserve(head: Head, bytes: usize): usize {
  let last = changetype<Chunk>(head.last);
  if (head.last === 0 || last.used + bytes > <usize>last.capacity) {
    last = addChunk(head);
  }
  const used: usize = last.used;
  last.used = <u16>(used + bytes);
  return changetype<usize>(last) + CHUNK_HEAD + used;
}

function addChunk(head: Head): Chunk {
  const bytes = nextChunkBytes(head);
  const chunk = changetype<Chunk>(allocate(bytes));
  chunk.next = 0;
  chunk.used = 0;
  chunk.capacity = <u16>(bytes - CHUNK_HEAD);
  if (head.last === 0) {
    head.first = changetype<usize>(chunk);
  } else {
    changetype<Chunk>(head.last).next = changetype<usize>(chunk);
  }
  head.last = changetype<usize>(chunk);
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
