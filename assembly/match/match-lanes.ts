/**
 * The first steps of matching in lanes. And-ing a lane with the runs of length k - 1 of the lane before, moved up by
 * one query position, leaves the runs of length k that end at it; so all runs of one length are found together.
 */

import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { fillLanes, fillTables, hasPairs, laneBytes, laneCount, lanes, occupied, rowBytes } from "./lanes";
import { addBlock, listsBlocks, setSingles } from "./outcome";

/** Maximum number of lanes of a model: a lane's number must fit a lane. */
export const MAX_LANES: u32 = 65_000;

/** Rows of runs, a lane for each symbol. */
const evenRow: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const oddRow: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** The longest block of the last search: its length, and the lane and the query position at which it ends. */
let bestLength: u32 = 0;
let bestLane: u32 = 0;
let bestEnd: u32 = 0;

/** Prepares for the query. */
export function beginLanes(): void {
  fillTables();
  buffer.ensure(evenRow, rowBytes());
  buffer.ensure(oddRow, rowBytes());
}

/**
 * Starts with the model whose `count` symbols of this shift, bytes or halves, are at `symbols`; returns the length of
 * its longest block.
 */
export function startLanes(symbols: usize, shift: u32, count: u32): u32 {
  fillLanes(symbols, shift, count);
  findLongest();
  return bestLength;
}

/** The lane where the longest block ends. */
export function bestLaneEnd(): u32 {
  return bestLane;
}

/** The query position where the longest block ends. */
export function bestQueryEnd(): u32 {
  return bestEnd;
}

/** Whether the model started has a match before or after its longest block. */
export function hasMoreThanBest(): bool {
  const first = i16x8.splat(<i16>(bestLane + 1 - bestLength));
  const last = i16x8.splat(<i16>bestLane);
  const below = i16x8.splat(<i16>(((<u32>1) << (bestEnd + 1 - bestLength)) - 1));
  const above = i16x8.splat(<i16>((<u32>0xfffe) << bestEnd));
  const row = lanes();
  let places = i16x8(0, 1, 2, 3, 4, 5, 6, 7);
  let any = i16x8.splat(0);
  for (let offset: usize = 0; offset < laneBytes(); offset += 16) {
    const before = v128.and(i16x8.lt_u(places, first), below);
    const after = v128.and(i16x8.gt_u(places, last), above);
    any = v128.or(any, v128.and(v128.load(row + offset), v128.or(before, after)));
    places = i16x8.add(places, i16x8.splat(8));
  }
  return v128.any_true(any);
}

/**
 * Matches the model started in full when no run is longer than 1. Difflib's block is then always the first symbol of
 * the model that matches at all, at its first position in the query. Nothing on its left matches, and the search
 * continues on its right: one pass suffices.
 */
export function matchLaneSingles(): void {
  if (listsBlocks()) {
    listLaneSingles();
  } else {
    sumLaneSingles();
  }
}

/** Whether a lane matches is a coin toss, so nothing here branches on it. */
function sumLaneSingles(): void {
  const row = lanes();
  let rest: u32 = 0xffff;
  let count: u32 = 0;
  let first: u32 = u32.MAX_VALUE;
  let last: u32 = 0;
  for (let from: usize = 0; from < laneCount(); from += 64) {
    for (let bits = occupied(from); bits !== 0; bits &= bits - 1) {
      const lane = <u32>(from + <usize>ctz<u64>(bits));
      const common = load<u16>(row + ((<usize>lane) << 1)) & rest;
      const matches = common !== 0;
      rest &= select<u32>(~(common ^ (common - 1)), u32.MAX_VALUE, matches);
      first = min(first, select<u32>(lane, u32.MAX_VALUE, matches));
      last = select<u32>(lane, last, matches);
      count += <u32>matches;
    }
  }
  setSingles(count, first, last);
}

/** Whether at least `enough` symbols of the model started match, when no run is longer than 1. */
export function laneSinglesReach(enough: u32): bool {
  const row = lanes();
  let rest: u32 = 0xffff;
  let count: u32 = 0;
  for (let from: usize = 0; from < laneCount(); from += 64) {
    for (let bits = occupied(from); bits !== 0; bits &= bits - 1) {
      const common = load<u16>(row + ((from + <usize>ctz<u64>(bits)) << 1)) & rest;
      const matches = common !== 0;
      rest &= select<u32>(~(common ^ (common - 1)), u32.MAX_VALUE, matches);
      count += <u32>matches;
      if (count === enough) {
        return true;
      }
    }
  }
  return false;
}

function listLaneSingles(): void {
  const row = lanes();
  let rest: u32 = 0xffff;
  for (let from: usize = 0; from < laneCount(); from += 64) {
    for (let bits = occupied(from); bits !== 0; bits &= bits - 1) {
      const lane = from + <usize>ctz<u64>(bits);
      const common = load<u16>(row + (lane << 1)) & rest;
      if (common !== 0) {
        addBlock(<u32>lane, <u32>ctz<u32>(common), 1);
        rest &= ~(common ^ (common - 1));
      }
    }
  }
}

/** Finds the earliest of the longest runs: runs of length 2, 3 and so on, until a length leaves none. */
function findLongest(): void {
  let runs = lanes();
  const even = buffer.start(evenRow);
  const odd = buffer.start(oddRow);
  let next = even;
  bestLength = 1;
  if (!hasPairs()) {
    return;
  }
  while (extend(runs, next)) {
    bestLength++;
    runs = next;
    next = runs === even ? odd : even;
  }
  if (bestLength > 1) {
    locate(runs);
  }
}

/** Finds the earliest of the longest runs: computes runs of length 2, 3 and so on, until a length leaves none. */
function extend(runs: usize, next: usize): bool {
  let any = i16x8.splat(0);
  let last = i16x8.splat(0);
  for (let offset: usize = 0; offset < laneBytes(); offset += 16) {
    const own = v128.load(runs + offset);
    // Loading the previous lanes from memory would stall on two stores still in progress.
    const before = i8x16.shuffle(last, own, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
    last = own;
    const longer = v128.and(own, i16x8.add(before, before));
    v128.store(next + offset, longer);
    any = v128.or(any, longer);
  }
  return v128.any_true(any);
}

function locate(runs: usize): void {
  let offset: usize = 0;
  while (!v128.any_true(v128.load(runs + offset))) {
    offset += 16;
  }
  while (load<u16>(runs + offset) === 0) {
    offset += 2;
  }
  bestLane = <u32>(offset >> 1);
  bestEnd = <u32>ctz<u32>(load<u16>(runs + offset));
}
