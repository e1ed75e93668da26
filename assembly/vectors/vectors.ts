/**
 * Learned vectors in doubles, oldest first, in pages of about a megabyte. The last page is open and grows; sealing it copies it into
 * one block and sketches it. Owns the exact distance and the search; the sketch only says which vectors need no look.
 */

import { DONE, EXHAUSTED } from "../abi/layout";
import { allocate, fits, newBytes, release } from "../memory/arena";
import * as column from "../memory/buffer";
import { offer, openRanking, rankedCount, rankedSlot, rankedWorst, sortRanking } from "../memory/ranking";
import * as sketch from "./quantized";

const PAGE_BYTES: usize = 1 << 20;

/** A page: the block of its vectors, how many there are, then its sketch. */
const PAGE_VECTORS: usize = 0;
const PAGE_COUNT: usize = 4;
const PAGE_SKETCH: usize = 8;
const PAGE_ENTRY_BYTES: usize = 8 + sketch.SKETCH_BYTES;

const pages: usize = memory.data(12, 8);
const open: usize = memory.data(12, 8);

let dimensions: u32 = 0;

/** Adds the vector of `count` doubles at `input`. All vectors have the same count, 1 or more. */
export function appendVector(input: usize, count: u32): u32 {
  const bytes = (<usize>count) << 3;
  const full = openCount() > 0 && column.size(open) + bytes > PAGE_BYTES;
  const sealed = full ? newBytes(column.size(open)) + sketch.growthBytes(openCount(), dimensions) : 0;
  if (!fits(sealed + column.growthBytes(pages, PAGE_ENTRY_BYTES) + column.growthBytes(open, bytes))) {
    return EXHAUSTED;
  }
  if (full) {
    seal();
  }
  dimensions = count;
  memory.copy(column.append(open, bytes), input, bytes);
  return DONE;
}

/** Ranks the `count` vectors nearest to the one at `input`; ties oldest first. Answers how many there are. */
export function nearest(input: usize, count: u32): u32 {
  openRanking(count);
  sketch.openSketches(input, dimensions);
  let position: u32 = 0;
  const end = column.start(pages) + column.size(pages);
  for (let page = column.start(pages); page < end; page += PAGE_ENTRY_BYTES) {
    searchPage(page, position, input);
    position += load<u32>(page, PAGE_COUNT);
  }
  for (let at: u32 = 0; at < openCount(); at++) {
    consider(column.start(open) + <usize>at * vectorBytes(), position + at, input);
  }
  sortRanking();
  return rankedCount();
}

/** The position of a vector found, 0 the nearest. */
export function nearestAt(place: u32): u32 {
  return ~rankedSlot(place);
}

/** Forgets all vectors. */
export function forgetVectors(): void {
  const end = column.start(pages) + column.size(pages);
  for (let page = column.start(pages); page < end; page += PAGE_ENTRY_BYTES) {
    const count = load<u32>(page, PAGE_COUNT);
    release(load<u32>(page, PAGE_VECTORS), <usize>count * vectorBytes());
    sketch.dropSketch(page + PAGE_SKETCH, count, dimensions);
  }
  column.drop(pages);
  column.drop(open);
  dimensions = 0;
}

function vectorBytes(): usize {
  return (<usize>dimensions) << 3;
}

function openCount(): u32 {
  return dimensions === 0 ? 0 : <u32>(column.size(open) / vectorBytes());
}

function seal(): void {
  const count = openCount();
  const page = column.append(pages, PAGE_ENTRY_BYTES);
  const block = allocate(column.size(open));
  memory.copy(block, column.start(open), column.size(open));
  store<u32>(page, <u32>block, PAGE_VECTORS);
  store<u32>(page, count, PAGE_COUNT);
  sketch.makeSketch(page + PAGE_SKETCH, block, count, dimensions);
  column.cut(open, 0);
}

/** The ranking prefers the greatest value and then the greatest number: the nearest and then the oldest. */
function consider(vector: usize, position: u32, input: usize): void {
  const worst = -rankedWorst();
  const squared = squaredDistance(vector, input, worst);
  if (squared <= worst) {
    offer(-squared, ~position);
  }
}

/** The sum of the squared differences in order; or, once it is past `enough`, some number past it, for no later square lowers it. */
function squaredDistance(vector: usize, input: usize, enough: f64): f64 {
  let sum: f64 = 0;
  const bytes = vectorBytes();
  for (let offset: usize = 0; offset < bytes; ) {
    const stop = min(offset + 128, bytes);
    for (; offset < stop; offset += 8) {
      const difference = load<f64>(vector + offset) - load<f64>(input + offset);
      sum += difference * difference;
    }
    if (sum > enough) {
      return sum;
    }
  }
  return sum;
}

function searchPage(page: usize, position: u32, input: usize): void {
  const count = load<u32>(page, PAGE_COUNT);
  const vectors: usize = load<u32>(page, PAGE_VECTORS);
  if (!sketch.openPage(page + PAGE_SKETCH, -rankedWorst())) {
    return;
  }
  for (let at = sketch.nextPossible(0, count); at < count; at = sketch.nextPossible(at + 1, count)) {
    const worst = rankedWorst();
    consider(vectors + <usize>at * vectorBytes(), position + at, input);
    if (rankedWorst() !== worst) {
      sketch.tighten(-rankedWorst());
    }
  }
}
