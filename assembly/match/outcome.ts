/**
 * The outcome of matching one model, from any matcher: the number of matching symbols and blocks, their positions, and
 * if requested the blocks.
 */

import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";

/** A block of symbols that match. */
@unmanaged
class Block {
  /** The position in the model, and in the query. */
  model: u32;
  query: u32;
  length: u32;
}

const BLOCK_BYTES: usize = offsetof<Block>();
/** The blocks found, if they are listed. */
const found: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
/** For each position of the query, the position of the model matched with it. {@link findPartners} fills it. */
const partners: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let listing: bool = false;
let matchedSymbols: u32 = 0;
let foundBlocks: u32 = 0;
let firstMatched: u32 = 0;
let lastMatched: u32 = 0;

/** Makes room for a query of `length` symbols. */
export function beginOutcome(length: u32): void {
  buffer.ensure(found, <usize>length * BLOCK_BYTES);
  buffer.ensure(partners, (<usize>length) << 2);
}

/**
 * Starts a model: nothing has matched yet. `list` says whether to list the blocks, for {@link findPartners}, or only to
 * sum them.
 */
export function clearOutcome(list: bool): void {
  listing = list;
  matchedSymbols = 0;
  foundBlocks = 0;
  firstMatched = u32.MAX_VALUE;
  lastMatched = 0;
}

/** Whether the blocks are listed. */
export function listsBlocks(): bool {
  return listing;
}

/**
 * Sets the outcome of a model whose `count` blocks are all of one symbol, between these positions; they are not listed.
 */
export function setSingles(count: u32, first: u32, last: u32): void {
  matchedSymbols = count;
  foundBlocks = count;
  firstMatched = first;
  lastMatched = last;
}

/** Adds a block of `length` symbols that starts at these positions. */
export function addBlock(model: u32, queryAt: u32, length: u32): void {
  if (listing) {
    const block = blockAt(foundBlocks);
    block.model = model;
    block.query = queryAt;
    block.length = length;
  }
  matchedSymbols += length;
  foundBlocks++;
  firstMatched = min(firstMatched, model);
  lastMatched = max(lastMatched, model + length - 1);
}

/** Number of matching symbols. */
export function matched(): u32 {
  return matchedSymbols;
}

/** Number of blocks that they form. No two blocks touch: the longer one would have held the other's symbols. */
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

/** Prepares {@link partnerOf}, for a model whose blocks were listed and a query of `length` symbols. */
export function findPartners(length: u32): void {
  const to = buffer.start(partners);
  memory.fill(to, 0xff, (<usize>length) << 2);
  for (let number: u32 = 0; number < foundBlocks; number++) {
    const block = blockAt(number);
    for (let at: u32 = 0; at < block.length; at++) {
      store<u32>(to + ((<usize>(block.query + at)) << 2), block.model + at);
    }
  }
}

/** The model position matched with the query position `at`; -1 for none. */
export function partnerOf(at: u32): i32 {
  return load<i32>(buffer.start(partners) + ((<usize>at) << 2));
}

function blockAt(number: u32): Block {
  return changetype<Block>(buffer.start(found) + <usize>number * BLOCK_BYTES);
}
