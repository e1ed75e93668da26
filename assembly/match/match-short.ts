/**
 * The matcher for queries of up to 64 symbols. A set of query positions is one 64-bit word: each gathered symbol of the
 * model has the word of the positions that hold it. And-ing a symbol's word with the runs of length k - 1 of the symbol
 * before, moved up by one position, leaves the runs of length k that end at it. So all runs of one length are found
 * together, and the last length that leaves any is the longest.
 */

import { longestModel } from "../corpus/corpus";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { classes, positions } from "./gather";
import { laneCount, lanes, occupied } from "./lanes";
import { bestLaneEnd, bestQueryEnd } from "./match-lanes";
import { addBlock, matched } from "./outcome";
import { classAt, queryLength } from "./query-sequence";
import { countSteps, isOutOfSteps } from "./steps";

/** Maximum number of query positions in a word. */
export const SHORT_POSITIONS: u32 = 64;

/** For each class, the word of the query positions that hold its symbol. Class 0 has none. */
const MASKS_BYTES: i32 = (64 + 1) << 3;
const masks: usize = memory.data(MASKS_BYTES, 8);

/** For each gathered symbol: its word, and two rows of runs. */
const words: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const evenRuns: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const oddRuns: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

let gathered: u32 = 0;
/**
 * The longest block of the last search: its length, and the gathered symbol and the query position at which it ends.
 */
let bestLength: u32 = 0;
let bestIndex: u32 = 0;
let bestEnd: u32 = 0;

/** Prepares for the query. */
export function beginShort(): void {
  memory.fill(masks, 0, MASKS_BYTES);
  for (let at: u32 = 0; at < queryLength(); at++) {
    if (classAt(at) !== 0) {
      const mask = masks + ((<usize>classAt(at)) << 3);
      store<u64>(mask, load<u64>(mask) | ((<u64>1) << (<u64>at)));
    }
  }
  const bytes = (<usize>longestModel() + 1) << 3;
  buffer.ensure(words, bytes);
  buffer.ensure(evenRuns, bytes);
  buffer.ensure(oddRuns, bytes);
}

/** Starts with the gathered model of `count` symbols; returns the length of its longest block. */
export function startShort(count: u32): u32 {
  gathered = count;
  const from = classes();
  const to = buffer.start(words);
  for (let at: usize = 0; at < count; at++) {
    store<u64>(to + (at << 3), load<u64>(masks + ((<usize>load<u32>(from + (at << 2))) << 3)));
  }
  findLongest(0, count, u64.MAX_VALUE);
  return bestLength;
}

/** Starts with the model in the lanes, whose longest block is already known to have `run` symbols. */
export function takeLanes(run: u32): void {
  const row = lanes();
  const toWords = buffer.start(words);
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
  bestEnd = bestQueryEnd();
}

/** Finds the blocks of the model started, the longest first, until `enough` symbols have matched. */
export function finishShort(enough: u32): void {
  split(0, gathered, u64.MAX_VALUE, enough);
}

/** Takes the block that {@link findLongest} found, and searches on both sides of it. */
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
  const queryFirst = bestEnd + 1 - length;
  addBlock(positionAt(first), queryFirst, length);
  searchOn(from, first, allowed & lowBits(queryFirst), enough);
  searchOn(first + length, to, allowed & ~lowBits(queryFirst + length), enough);
}

function searchOn(from: u32, to: u32, allowed: u64, enough: u32): void {
  if (from < to && allowed !== 0 && matched() < enough && !isOutOfSteps()) {
    findLongest(from, to, allowed);
    split(from, to, allowed, enough);
  }
}

/**
 * When no run is longer than 1, difflib's block is always the first symbol of the model that matches at all, at its
 * first position in the query. Nothing on its left matches, and the search continues on its right: one pass suffices.
 */
function matchSingles(from: u32, to: u32, allowed: u64, enough: u32): void {
  let rest = allowed;
  for (let at = from; at < to; at++) {
    const word = load<u64>(buffer.start(words) + ((<usize>at) << 3)) & rest;
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

/**
 * Finds the longest block of gathered symbols `from` to `to` and the allowed query positions; the earliest among
 * equals.
 */
function findLongest(from: u32, to: u32, allowed: u64): void {
  let runs = buffer.start(evenRuns);
  let next = buffer.start(oddRuns);
  bestLength = 0;
  let any = restrict(runs, from, to, allowed);
  while (any !== 0) {
    bestLength++;
    any = extend(runs, next, from, to);
    const swap = runs;
    runs = next;
    next = swap;
  }
  countSteps(<u64>(to - from) * (bestLength + 1));
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
  const source = buffer.start(words);
  for (let offset = (<usize>from) << 3; offset < (<usize>to) << 3; offset += 8) {
    const word = load<u64>(source + offset) & allowed;
    store<u64>(runs + offset, word);
    any |= word;
  }
  return any;
}

/** The runs longer by one than those in `runs`: only a symbol directly after its predecessor can continue a run. */
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
