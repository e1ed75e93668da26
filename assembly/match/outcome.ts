/** What matching one model found, whichever matcher found it: the blocks, how many symbols they hold, and where they begin and end. */

import * as column from "../memory/buffer";

/** The blocks found: model position, memory position and length, a word each. */
const found: usize = memory.data(12, 8);
const BLOCK_BYTES: usize = 12;
/** Per position of memory, the position of the model matched with it; filled when asked for. */
const partners: usize = memory.data(12, 8);

let listing: bool = false;
let matchedSymbols: u32 = 0;
let foundBlocks: u32 = 0;
let firstMatched: u32 = 0;
let lastMatched: u32 = 0;

/** Makes room for a memory of `length` symbols. */
export function openOutcome(length: u32): void {
  column.hold(found, <usize>length * BLOCK_BYTES);
  column.hold(partners, (<usize>length) << 2);
}

/** Nothing has matched yet. */
export function clearOutcome(): void {
  matchedSymbols = 0;
  foundBlocks = 0;
  firstMatched = u32.MAX_VALUE;
  lastMatched = 0;
}

/** Whether the blocks themselves are wanted from the next match on, for {@link findPartners}, and not only their sums. */
export function listBlocks(wanted: bool): void {
  listing = wanted;
}

export function listsBlocks(): bool {
  return listing;
}

/** Says that all blocks are these many of one symbol, from the first of these positions of the model to the last. */
export function addSingles(count: u32, first: u32, last: u32): void {
  matchedSymbols = count;
  foundBlocks = count;
  firstMatched = first;
  lastMatched = last;
}

/** Says the same of a model that was matched before. */
export function foundSingles(count: u32, first: u32, last: u32): void {
  clearOutcome();
  addSingles(count, first, last);
}

/** Notes a block of `length` symbols that starts at these positions. */
export function addBlock(model: u32, memoryAt: u32, length: u32): void {
  if (listing) {
    const entry = column.start(found) + <usize>foundBlocks * BLOCK_BYTES;
    store<u32>(entry, model);
    store<u32>(entry, memoryAt, 4);
    store<u32>(entry, length, 8);
  }
  matchedSymbols += length;
  foundBlocks++;
  firstMatched = min(firstMatched, model);
  lastMatched = max(lastMatched, model + length - 1);
}

/** How many symbols matched. */
export function matched(): u32 {
  return matchedSymbols;
}

/** How many blocks they form. No two blocks touch: the longest block of a range would have held the other one's symbols. */
export function blocks(): u32 {
  return foundBlocks;
}

/** The first matched position of the model. */
export function firstPosition(): u32 {
  return firstMatched;
}

/** The last matched position of the model. */
export function lastPosition(): u32 {
  return lastMatched;
}

/** Prepares {@link partnerOf} for a memory of `length` symbols. */
export function findPartners(length: u32): void {
  const to = column.start(partners);
  memory.fill(to, 0xff, (<usize>length) << 2);
  for (let number: usize = 0; number < <usize>foundBlocks; number++) {
    const entry = column.start(found) + number * BLOCK_BYTES;
    for (let at: u32 = 0; at < load<u32>(entry, 8); at++) {
      store<u32>(to + ((<usize>(load<u32>(entry, 4) + at)) << 2), load<u32>(entry) + at);
    }
  }
}

/** The model position matched with the memory position `at`; -1 for none. */
export function partnerOf(at: u32): i32 {
  return load<i32>(column.start(partners) + ((<usize>at) << 2));
}
