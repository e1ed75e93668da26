/**
 * The only allocator. Blocks come in size classes, four to the octave, so at most a fifth of a block is unused. A released block goes
 * to the free list of its class; when the budget is used up, a larger free block is split. Owns the budget and how far memory has grown.
 */

const PAGE_BYTES: usize = 65536;
/** Memory reaches this far beyond the last block, so that wide loads may read past the end of any block. */
const SLACK_BYTES: usize = 64;
const SMALLEST_BYTES: usize = 16;
/** One part in this many is kept for queries: a kernel filled to the last byte must still answer. */
const RESERVE_PART: usize = 16;

/** How many size classes there are. */
const CLASSES: i32 = 128;
/** The first free block of each class, 0 for none. The first word of a free block is the address of the next one. */
const freeLists: usize = memory.data(4 * CLASSES, 16);
const SMALLEST_CLASS: u32 = 16;

let top: usize = 0;
let limit: usize = 0xffff_0000;
let budget: usize = 0xffff_0000;

/** Starts the allocator. Must be the first call of all. */
export function start(): void {
  top = (__heap_base + 15) & ~15;
}

/**
 * Clears static data, so that a new instance can start on the same memory; works after a trap too. Must be the last call of all. The
 * compiler takes memory for fresh and leaves zeros out of static data. What blocks hold is undefined anyway.
 */
export function end(): void {
  memory.fill(0, 0, __heap_base);
}

/** Sets the budget: how many bytes linear memory may hold. */
export function setLimit(bytes: u32): void {
  limit = bytes;
  budget = limit - limit / RESERVE_PART;
}

/** The size of the block that {@link allocate} gives for `bytes`. */
export function classBytes(bytes: usize): usize {
  if (bytes <= SMALLEST_BYTES) {
    return SMALLEST_BYTES;
  }
  const shift = classShift(bytes);
  return (((bytes - 1) >> shift) + 1) << shift;
}

/** How many new bytes a block of `bytes` takes; 0 when a free block serves. */
export function newBytes(bytes: usize): usize {
  const size = classBytes(bytes);
  return freeClass(size) < <u32>CLASSES ? 0 : size;
}

/** Whether the budget allows `bytes` more; grows memory if so. (Packing and queries may have passed the budget a little.) */
export function fits(bytes: usize): bool {
  return bytes === 0 || (top + bytes <= budget && grown(top + bytes + SLACK_BYTES));
}

/** The same, without growing memory. */
export function fitsAlready(bytes: usize): bool {
  return top + bytes <= budget && top + bytes + SLACK_BYTES <= <usize>memory.size() * PAGE_BYTES;
}

/** A block of at least `bytes`, aligned to 16, contents undefined. Ignores the budget; traps when the machine has no more memory. */
export function allocate(bytes: usize): usize {
  const size = classBytes(bytes);
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

/** Gives back a block that {@link allocate} gave for `bytes`. 0 is no block. */
export function release(block: usize, bytes: usize): void {
  if (block !== 0) {
    put(block, classOf(classBytes(bytes)));
  }
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

/** The first class with a free block of this size or larger; {@link CLASSES} when there is none. */
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
  let at = block + size;
  let rest = sizeOf(number) - size;
  for (let smaller = number; smaller >= SMALLEST_CLASS && rest > 0; smaller--) {
    const bytes = sizeOf(smaller);
    // Some small classes are no multiple of 16; they have no blocks.
    while ((bytes & 15) === 0 && bytes <= rest) {
      put(at, smaller);
      at += bytes;
      rest -= bytes;
    }
  }
  return block;
}

/** Grows memory to `end`, by an eighth at least while the limit allows that: so growing stays rare and waste small. */
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
