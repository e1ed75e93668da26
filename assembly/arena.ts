/**
 * The only allocator: blocks of linear memory in size classes, four to the octave, so that at most a fifth of a block is
 * unused. A released block waits in the list of its class. Owns how far memory has grown, and the budget.
 */

const PAGE_BYTES: usize = 65536;
/** Memory always reaches so far beyond the last block, so that wide loads may read past the end of any. */
const SLACK_BYTES: usize = 64;
const SMALLEST_BYTES: usize = 16;

/** First free block of each size class, 0 for none; the first word of a free block is the next one. */
const freeLists: usize = memory.data(512, 16);

/** This part of the budget is kept for answering queries: what is known must be usable to the last byte. */
const RESERVE_PART: usize = 16;

let top: usize = 0;
let released: usize = 0;
let limit: usize = 0xffff_0000;
let budget: usize = 0xffff_0000;

/** Sets how many bytes linear memory may hold. */
export function setLimit(bytes: u32): void {
  limit = bytes;
  budget = <usize>bytes - <usize>bytes / RESERVE_PART;
}

/** Begins. The first call of all. */
export function start(): void {
  top = (__heap_base + 15) & ~15;
}

/** The size that a block of `bytes` really takes. */
export function classBytes(bytes: usize): usize {
  if (bytes <= SMALLEST_BYTES) {
    return SMALLEST_BYTES;
  }
  const shift = classShift(bytes);
  return (((bytes - 1) >> shift) + 1) << shift;
}

/**
 * Whether blocks of `bytes` in all can be had within the budget. Released blocks count as free, though they may be of other classes
 * than those needed; then the reserve gives the rest.
 */
export function fits(bytes: usize): bool {
  return top - released + bytes <= budget && top + bytes <= limit && grown(top + bytes + SLACK_BYTES);
}

/** Whether blocks of `bytes` in all can be had within the budget and without growing memory. */
export function fitsAlready(bytes: usize): bool {
  return top + bytes <= budget && top + bytes + SLACK_BYTES <= <usize>memory.size() * PAGE_BYTES;
}

/** A block of at least `bytes`, aligned to 16, its contents undefined. The budget is not asked; traps when the machine has no more. */
export function allocate(bytes: usize): usize {
  const size = classBytes(bytes);
  const list = listOf(size);
  const free = load<u32>(list);
  if (free !== 0) {
    store<u32>(list, load<u32>(free));
    released -= size;
    return free;
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
  if (block === 0) {
    return;
  }
  const size = classBytes(bytes);
  const list = listOf(size);
  store<u32>(block, load<u32>(list));
  store<u32>(list, <u32>block);
  released += size;
}

function classShift(bytes: usize): usize {
  const bits = 31 - clz<u32>(<u32>(bytes - 1));
  return max<usize>(bits - 2, 4);
}

/** Where the list of the class `size` starts. */
function listOf(size: usize): usize {
  const bits = 31 - clz<u32>(<u32>size);
  const quarter = bits > 2 ? (size >> (bits - 2)) & 3 : 0;
  return freeLists + ((<usize>bits * 4 + quarter) << 2);
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
