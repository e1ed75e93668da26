/**
 * The only allocator. Blocks come in size classes, four to the octave, so at most a fifth of a block is unused. A
 * released block goes to the free list of its class; once the budget is used up, a larger free block is split. Free
 * blocks are joined only when the host asks for it, after a tenant was released. Owns the budget and the growth of
 * memory.
 */

import { tenant } from "./tenant";

const PAGE_BYTES: usize = 65536;
/** Memory reaches this far beyond the last block, so that wide loads may read past the end of any block. */
const SLACK_BYTES: usize = 64;
const SMALLEST_BYTES: usize = 16;
/** One part in this many is reserved for queries: a kernel filled to the last byte must still answer. */
const RESERVE_PART: usize = 16;

/** Number of size classes. */
const CLASSES: i32 = 128;
/** The first free block of each class, 0 for none. The first word of a free block is the address of the next one. */
const freeLists: usize = memory.data(4 * CLASSES, 16);
const SMALLEST_CLASS: u32 = 16;

/** Free blocks while they are sorted: list n is empty, or holds 2^n blocks in address order. */
const SORTED_LISTS: i32 = 28;
const sortedLists: usize = memory.data(4 * SORTED_LISTS, 4);

let top: usize = 0;
let limit: usize = 0xffff_0000;
let budget: usize = 0xffff_0000;

/** Starts the allocator. Must be the first call of all. */
export function start(): void {
  top = (__heap_base + 15) & ~15;
}

/**
 * Clears static data, so that a new instance can start on the same memory; works after a trap too. Must be the last
 * call of all. Necessary because the compiler assumes fresh memory and omits zeros from static data; the contents of
 * blocks are undefined anyway.
 */
export function end(): void {
  memory.fill(0, 0, __heap_base);
}

/** Sets the budget: the maximum number of bytes in linear memory. */
export function setLimit(bytes: u32): void {
  limit = bytes;
  budget = limit - limit / RESERVE_PART;
}

/** Number of bytes that are reserved for queries. */
export function reserveBytes(): usize {
  return limit / RESERVE_PART;
}

/** The size of the block that {@link allocate} gives for `bytes`. */
export function classBytes(bytes: usize): usize {
  if (bytes <= SMALLEST_BYTES) {
    return SMALLEST_BYTES;
  }
  const shift = classShift(bytes);
  return (((bytes - 1) >> shift) + 1) << shift;
}

/** Number of new bytes that a block of `bytes` takes; 0 if a free block serves. */
export function newBytes(bytes: usize): usize {
  const size = classBytes(bytes);
  return freeClass(size) < <u32>CLASSES ? 0 : size;
}

/**
 * Whether the budget allows `bytes` more; grows memory if so. (Packing and queries may have
 * passed the budget a little.)
 */
export function fits(bytes: usize): bool {
  return bytes === 0 || (top + bytes <= budget && grown(top + bytes + SLACK_BYTES));
}

/** {@link fits} without growing memory. */
export function fitsAlready(bytes: usize): bool {
  return top + bytes <= budget && top + bytes + SLACK_BYTES <= <usize>memory.size() * PAGE_BYTES;
}

/**
 * A block of at least `bytes`, aligned to 16, contents undefined. Ignores the budget; traps when the
 * machine has no more memory.
 */
export function allocate(bytes: usize): usize {
  const size = classBytes(bytes);
  tenant.held += size;
  const own = classOf(size);
  if (listHead(own) !== 0) {
    return take(own);
  }
  if (top + size > budget) {
    const larger = freeClass(size);
    if (larger < <u32>CLASSES) {
      return split(larger, size);
    }
  }
  if (!grown(top + size + SLACK_BYTES)) {
    unreachable();
  }
  const block = top;
  top += size;
  return block;
}

/** Frees a block that {@link allocate} returned for `bytes`. 0 is no block. */
export function release(block: usize, bytes: usize): void {
  if (block !== 0) {
    const size = classBytes(bytes);
    tenant.held -= size;
    put(block, classOf(size));
  }
}

/**
 * Joins free blocks that touch each other, so that they serve larger requests. Takes up to 0.5 us for each free block.
 */
export function joinFree(): void {
  let block = sortFree();
  let start = block;
  let end = block;
  while (block !== 0) {
    if (block !== end) {
      cut(start, end - start);
      start = block;
    }
    end = block + load<u32>(block, 4);
    block = load<u32>(block);
  }
  if (end === top) {
    top = start;
  } else {
    cut(start, end - start);
  }
}

/**
 * Takes all free blocks; returns the one of lowest address. Their first word is the address of the next, 0 for
 * none, then comes the size.
 */
function sortFree(): usize {
  memory.fill(sortedLists, 0, 4 * SORTED_LISTS);
  for (let number = SMALLEST_CLASS; number < <u32>CLASSES; number++) {
    while (listHead(number) !== 0) {
      const block = take(number);
      store<u32>(block, 0);
      store<u32>(block, <u32>sizeOf(number), 4);
      let list = block;
      let at = sortedLists;
      for (; load<u32>(at) !== 0; at += 4) {
        list = merge(load<u32>(at), list);
        store<u32>(at, 0);
      }
      store<u32>(at, <u32>list);
    }
  }
  let all: usize = 0;
  for (let at: usize = 0; at < <usize>SORTED_LISTS; at++) {
    all = merge(all, load<u32>(sortedLists + (at << 2)));
  }
  return all;
}

/** Merges two lists of free blocks, each in the order of addresses. */
function merge(one: usize, other: usize): usize {
  let first: usize = 0;
  let last: usize = 0;
  let left = one;
  let right = other;
  while (left !== 0 && right !== 0) {
    const lower = min(left, right);
    if (left < right) {
      left = load<u32>(left);
    } else {
      right = load<u32>(right);
    }
    if (last === 0) {
      first = lower;
    } else {
      store<u32>(last, <u32>lower);
    }
    last = lower;
  }
  const rest = left !== 0 ? left : right;
  if (last === 0) {
    return rest;
  }
  store<u32>(last, <u32>rest);
  return first;
}

function classShift(bytes: usize): usize {
  const bits = 31 - clz<u32>(<u32>(bytes - 1));
  return max<usize>(bits - 2, 4);
}

/** The number of the class whose blocks have this size. */
function classOf(size: usize): u32 {
  const bits = 31 - clz<u32>(<u32>size);
  return (bits << 2) + ((<u32>size >> (bits - 2)) & 3);
}

function sizeOf(number: u32): usize {
  return (<usize>(4 + (number & 3))) << ((number >> 2) - 2);
}

/** The first class with a free block of this size or larger; {@link CLASSES} for none. */
function freeClass(size: usize): u32 {
  let number = classOf(size);
  while (number < <u32>CLASSES && listHead(number) === 0) {
    number++;
  }
  return number;
}

function listHead(number: u32): usize {
  return load<u32>(freeLists + ((<usize>number) << 2));
}

function put(block: usize, number: u32): void {
  store<u32>(block, <u32>listHead(number));
  store<u32>(freeLists + ((<usize>number) << 2), <u32>block);
}

function take(number: u32): usize {
  const block = listHead(number);
  store<u32>(freeLists + ((<usize>number) << 2), load<u32>(block));
  return block;
}

/** Takes a free block of a class, keeps the first `size` bytes, and frees the rest in blocks as large as possible. */
function split(number: u32, size: usize): usize {
  const block = take(number);
  cut(block + size, sizeOf(number) - size);
  return block;
}

/** Frees a run of `bytes`, a multiple of 16, in blocks as large as possible. */
function cut(start: usize, bytes: usize): void {
  let at = start;
  let rest = bytes;
  // The greatest class that a run of this size can hold.
  const greatest: u32 = ((31 - clz<u32>(<u32>bytes | 16)) << 2) + 3;
  for (let smaller = greatest; smaller >= SMALLEST_CLASS && rest > 0; smaller--) {
    const size = sizeOf(smaller);
    // Some small classes are not multiples of 16; they have no blocks.
    while ((size & 15) === 0 && size <= rest) {
      put(at, smaller);
      at += size;
      rest -= size;
    }
  }
}

/** Grows memory to `end`, by at least an eighth if the limit allows, so that growing stays rare and waste small. */
function grown(end: usize): bool {
  const have = <usize>memory.size() * PAGE_BYTES;
  if (end <= have) {
    return true;
  }
  const missing = (end - have + PAGE_BYTES - 1) / PAGE_BYTES;
  const spare = limit > have ? (limit - have) / PAGE_BYTES : 0;
  const wanted = max<usize>(missing, min<usize>(have / PAGE_BYTES / 8, spare));
  return memory.grow(<i32>wanted) >= 0 || memory.grow(<i32>missing) >= 0;
}
