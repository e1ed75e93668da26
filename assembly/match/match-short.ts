/**
 * The matcher for memories of up to 64 symbols. A set of memory positions is one 64-bit word: per gathered symbol of the model, the
 * word of the positions that hold it. A run of length k that ends at a model symbol is what is left of its word after and-ing it
 * with the runs of length k - 1 of the symbol before, moved up by one position; so all runs of one length are found together, and
 * the last length that leaves any is the longest.
 */

import { longestModel } from "../corpus/corpus";
import * as column from "../memory/buffer";
import { classes, positions } from "./gather";
import { laneCount, lanes, occupied } from "./lanes";
import { bestLaneEnd, bestMemoryEnd } from "./match-lanes";
import { addBlock, matched } from "./outcome";
import { classAt, memoryLength } from "./query-sequence";

/** How many positions a word can hold. */
export const SHORT_MEMORY: u32 = 64;

/** Per class, the positions of memory that hold its symbol. Class 0 has none. */
const masks: usize = memory.data(520, 8);

/** Per gathered symbol: its word, and two rows of runs. */
const words: usize = memory.data(12, 8);
const evenRuns: usize = memory.data(12, 8);
const oddRuns: usize = memory.data(12, 8);

let gathered: u32 = 0;
/** The longest block of the last search: its length, the gathered symbol and the memory position that it ends at. */
let bestLength: u32 = 0;
let bestIndex: u32 = 0;
let bestEnd: u32 = 0;

/** Prepares for the open memory. */
export function openShort(): void {
  memory.fill(masks, 0, 520);
  for (let at: u32 = 0; at < memoryLength(); at++) {
    if (classAt(at) !== 0) {
      const mask = masks + ((<usize>classAt(at)) << 3);
      store<u64>(mask, load<u64>(mask) | ((<u64>1) << (<u64>at)));
    }
  }
  const bytes = (<usize>longestModel() + 1) << 3;
  column.hold(words, bytes);
  column.hold(evenRuns, bytes);
  column.hold(oddRuns, bytes);
}

/** Takes the model gathered, `count` symbols; answers the length of its longest block. */
export function startShort(count: u32): u32 {
  gathered = count;
  const from = classes();
  const to = column.start(words);
  for (let at: usize = 0; at < count; at++) {
    store<u64>(to + (at << 3), load<u64>(masks + ((<usize>load<u32>(from + (at << 2))) << 3)));
  }
  findLongest(0, count, u64.MAX_VALUE);
  return bestLength;
}

/** Takes the model that the lanes hold, whose longest block is known already. */
export function takeLanes(run: u32): void {
  const row = lanes();
  const toWords = column.start(words);
  const toPositions = positions();
  gathered = 0;
  for (let from: usize = 0; from < laneCount(); from += 64) {
    for (let bits = occupied(from); bits !== 0; bits &= bits - 1) {
      const lane = from + <usize>ctz<u64>(bits);
      if (<u32>lane === bestLaneEnd()) {
        bestIndex = gathered;
      }
      store<u64>(toWords + ((<usize>gathered) << 3), load<u16>(row + (lane << 1)));
      store<u32>(toPositions + ((<usize>gathered) << 2), <u32>lane);
      gathered++;
    }
  }
  bestLength = run;
  bestEnd = bestMemoryEnd();
}

/** Finds the blocks of the model started, the longest first, until `enough` symbols have matched. */
export function finishShort(enough: u32): void {
  split(0, gathered, u64.MAX_VALUE, enough);
}

/** Divides the range of gathered symbols by the block that {@link findLongest} found in it. */
function split(from: u32, to: u32, allowed: u64, enough: u32): void {
  if (bestLength === 0) {
    return;
  }
  if (bestLength === 1) {
    matchSingles(from, to, allowed, enough);
    return;
  }
  const length = bestLength;
  const first = bestIndex + 1 - length;
  const memoryFirst = bestEnd + 1 - length;
  addBlock(positionAt(first), memoryFirst, length);
  searchOn(from, first, allowed & lowBits(memoryFirst), enough);
  searchOn(first + length, to, allowed & ~lowBits(memoryFirst + length), enough);
}

function searchOn(from: u32, to: u32, allowed: u64, enough: u32): void {
  if (from < to && allowed !== 0 && matched() < enough) {
    findLongest(from, to, allowed);
    split(from, to, allowed, enough);
  }
}

/**
 * When no run is longer than 1, the block to take is always the first symbol of the model that matches at all, at its first position
 * of memory; nothing is left of it, and the rest goes on to the right: one pass does it.
 */
function matchSingles(from: u32, to: u32, allowed: u64, enough: u32): void {
  let rest = allowed;
  for (let at = from; at < to; at++) {
    const word = load<u64>(column.start(words) + ((<usize>at) << 3)) & rest;
    if (word !== 0) {
      const position = <u32>ctz<u64>(word);
      addBlock(positionAt(at), position, 1);
      rest &= ~lowBits(position + 1);
      if (matched() >= enough) {
        return;
      }
    }
  }
}

function positionAt(index: u32): u32 {
  return load<u32>(positions() + ((<usize>index) << 2));
}

/** The `count` lowest bits, 0 to 64. */
function lowBits(count: u32): u64 {
  return count >= 64 ? u64.MAX_VALUE : ((<u64>1) << (<u64>count)) - 1;
}

/** The longest block of gathered symbols `from` to `to` and the allowed positions of memory; the earliest of equal ones. */
function findLongest(from: u32, to: u32, allowed: u64): void {
  let runs = column.start(evenRuns);
  let next = column.start(oddRuns);
  bestLength = 0;
  let any = restrict(runs, from, to, allowed);
  while (any !== 0) {
    bestLength++;
    any = extend(runs, next, from, to);
    const swap = runs;
    runs = next;
    next = swap;
  }
  if (bestLength !== 0) {
    bestIndex = from;
    while (load<u64>(next + ((<usize>bestIndex) << 3)) === 0) {
      bestIndex++;
    }
    bestEnd = <u32>ctz<u64>(load<u64>(next + ((<usize>bestIndex) << 3)));
  }
}

/** The runs of length 1. */
function restrict(runs: usize, from: u32, to: u32, allowed: u64): u64 {
  let any: u64 = 0;
  const source = column.start(words);
  for (let offset = (<usize>from) << 3; offset < (<usize>to) << 3; offset += 8) {
    const word = load<u64>(source + offset) & allowed;
    store<u64>(runs + offset, word);
    any |= word;
  }
  return any;
}

/** The runs longer by one than those of `runs`: only a symbol that follows the one before it directly can continue a run. */
function extend(runs: usize, next: usize, from: u32, to: u32): u64 {
  let any: u64 = 0;
  let before: u64 = 0;
  let expected: u32 = 0;
  const own = positions();
  for (let at: usize = from; at < <usize>to; at++) {
    const position = load<u32>(own + (at << 2));
    const shorter = load<u64>(runs + (at << 3));
    const longer = shorter & (before << 1) & (position === expected ? u64.MAX_VALUE : 0);
    before = shorter;
    expected = position + 1;
    store<u64>(next + (at << 3), longer);
    any |= longer;
  }
  return any;
}
