/**
 * The only allocator: blocks of linear memory in size classes, four to the octave, so that at most a fifth of a block is unused. A
 * released block waits in the list of its class; when the budget is used up, a larger one is split. Owns how far memory has grown,
 * and the budget.
 */

const PAGE_BYTES: usize = 65536;
/** Memory always reaches so far beyond the last block, so that wide loads may read past the end of any. */
const SLACK_BYTES: usize = 64;
const SMALLEST_BYTES: usize = 16;
/** This part of the budget is kept for answering queries: what is known must be usable to the last byte. */
const RESERVE_PART: usize = 16;

/** First free block of each size class, 0 for none; the first word of a free block is the next one. */
const freeLists: usize = memory.data(512, 16);
const CLASSES: u32 = 128;
const SMALLEST_CLASS: u32 = 16;

let top: usize = 0;
let limit: usize = 0xffff_0000;
let budget: usize = 0xffff_0000;

/** Begins. The first call of all. */
export function start(): void {
  top = (__heap_base + 15) & ~15;
}

/**
 * Ends, whatever has happened, so that a new instance may begin on the same memory. The last call of all. Of static data the compiler
 * writes only what is not zero, because it takes memory for fresh; what blocks hold is undefined anyway.
 */
export function end(): void {
  memory.fill(0, 0, __heap_base);
}

/** Sets how many bytes linear memory may hold. */
export function setLimit(bytes: u32): void {
  limit = bytes;
  budget = limit - limit / RESERVE_PART;
}

/** The size that a block of `bytes` really takes. */
export function classBytes(bytes: usize): usize {
  if (bytes <= SMALLEST_BYTES) {
    return SMALLEST_BYTES;
  }
  const shift = classShift(bytes);
  return (((bytes - 1) >> shift) + 1) << shift;
}

/** How much further memory must reach for a block of `bytes`: not at all when a free one serves. */
export function newBytes(bytes: usize): usize {
  const size = classBytes(bytes);
  return freeClass(size) < CLASSES ? 0 : size;
}

/** Whether the budget allows memory to reach `bytes` further. Grows it then. Packing and queries may have passed the budget a little. */
export function fits(bytes: usize): bool {
  return bytes === 0 || (top + bytes <= budget && grown(top + bytes + SLACK_BYTES));
}

/** The same, without growing memory. */
export function fitsAlready(bytes: usize): bool {
  return top + bytes <= budget && top + bytes + SLACK_BYTES <= <usize>memory.size() * PAGE_BYTES;
}

/** A block of at least `bytes`, aligned to 16, its contents undefined. The budget is not asked; traps when the machine has no more. */
export function allocate(bytes: usize): usize {
  const size = classBytes(bytes);
  const own = classOf(size);
  if (listHead(own) !== 0) {
    return take(own);
  }
  if (top + size > budget) {
    const larger = freeClass(size);
    if (larger < CLASSES) {
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

/** Gives back a block that {@link allocate} gave for `bytes`. */
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

/** The first class that has a free block of this size or a larger one; {@link CLASSES} when none has. */
function freeClass(size: usize): u32 {
  let number = classOf(size);
  while (number < CLASSES && listHead(number) === 0) {
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

/** Takes a block of a class, keeps the first `size` bytes and frees the rest, in the largest blocks that it has. */
function split(number: u32, size: usize): usize {
  const block = take(number);
  let at = block + size;
  let rest = sizeOf(number) - size;
  for (let smaller = number; smaller >= SMALLEST_CLASS && rest > 0; smaller--) {
    const bytes = sizeOf(smaller);
    // Sizes of small classes are not all multiples of 16; blocks of those do not exist.
    while ((bytes & 15) === 0 && bytes <= rest) {
      put(at, smaller);
      at += bytes;
      rest -= bytes;
    }
  }
  return block;
}

/** Grows memory by an eighth at least, so that growing stays rare and waste small, but not by that beyond the limit. */
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
