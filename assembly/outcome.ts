/** What matching one model found, whichever matcher found it: how many symbols and blocks, between which positions of the model. */

import * as column from "./column";

/** Per position of memory, the position of the model matched with it. */
const partners: usize = memory.data(12, 8);

let matchedSymbols: u32 = 0;
let foundBlocks: u32 = 0;
let firstMatched: u32 = 0;
let lastMatched: u32 = 0;

/** Makes room for a memory of `length` symbols. */
export function openOutcome(length: u32): void {
  column.hold(partners, (<usize>length) << 2);
}

/** Nothing has matched yet. `length` positions of memory have no partner. */
export function clearOutcome(length: u32): void {
  matchedSymbols = 0;
  foundBlocks = 0;
  firstMatched = u32.MAX_VALUE;
  lastMatched = 0;
  memory.fill(column.start(partners), 0xff, (<usize>length) << 2);
}

/** Notes a block of `length` symbols that starts at these positions. */
export function addBlock(model: u32, memoryAt: u32, length: u32): void {
  matchedSymbols += length;
  foundBlocks++;
  firstMatched = min(firstMatched, model);
  lastMatched = max(lastMatched, model + length - 1);
  const start = column.start(partners) + ((<usize>memoryAt) << 2);
  for (let at: u32 = 0; at < length; at++) {
    store<u32>(start + ((<usize>at) << 2), model + at);
  }
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

/** The model position matched with the memory position `at`; -1 for none. */
export function partnerOf(at: u32): i32 {
  return load<i32>(column.start(partners) + ((<usize>at) << 2));
}

export function forgetOutcome(): void {
  column.drop(partners);
}
