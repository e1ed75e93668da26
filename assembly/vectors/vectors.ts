/**
 * Learned vectors in doubles, oldest first, in pages of about a megabyte. The last page is open and grows; sealing it
 * copies it into one block and quantizes it. Owns the exact distance and the search; the quantized page only excludes
 * vectors from it.
 */

import { inputStart } from "../abi/input";
import { DONE, EXHAUSTED } from "../abi/layout";
import { allocate, fits, newBytes, release } from "../memory/arena";
import * as buffer from "../memory/buffer";
import { beginRanking, offer, rankedCount, rankedNumber, rankedWorst, sortRanking } from "../memory/ranking";
import { OPEN_VECTORS, tenant, VECTOR_PAGES } from "../memory/tenant";
import * as quantized from "./quantized";

const PAGE_BYTES: usize = 1 << 20;

/** A sealed page. Its quantized form follows it. */
@unmanaged
class Page {
  vectors: usize;
  count: u32;
}

const PAGE_QUANTIZED: usize = offsetof<Page>();
const PAGE_ENTRY_BYTES: usize = PAGE_QUANTIZED + quantized.QUANTIZED_BYTES;

/** Adds the vector of `count` doubles in the input. All vectors have the same count, 1 or more. */
export function addVector(count: u32): u32 {
  const bytes = (<usize>count) << 3;
  const full = openCount() > 0 && buffer.size(OPEN_VECTORS) + bytes > PAGE_BYTES;
  const sealed = full ? newBytes(buffer.size(OPEN_VECTORS)) + quantized.growthBytes(openCount(), tenant.dimensions) : 0;
  if (!fits(sealed + buffer.growthBytes(VECTOR_PAGES, PAGE_ENTRY_BYTES) + buffer.growthBytes(OPEN_VECTORS, bytes))) {
    return EXHAUSTED;
  }
  if (full) {
    seal();
  }
  tenant.dimensions = count;
  memory.copy(buffer.append(OPEN_VECTORS, bytes), inputStart(), bytes);
  return DONE;
}

/** Ranks the `count` vectors nearest to the one in the input, ties oldest first. Returns their number. */
export function nearest(count: u32): u32 {
  const input = inputStart();
  beginRanking(count);
  quantized.beginQuantizedSearch(input, tenant.dimensions);
  let position: u32 = 0;
  const end = buffer.start(VECTOR_PAGES) + buffer.size(VECTOR_PAGES);
  for (let at = buffer.start(VECTOR_PAGES); at < end; at += PAGE_ENTRY_BYTES) {
    searchPage(at, position, input);
    position += changetype<Page>(at).count;
  }
  for (let at: u32 = 0; at < openCount(); at++) {
    consider(buffer.start(OPEN_VECTORS) + <usize>at * vectorBytes(), position + at, input);
  }
  sortRanking();
  return rankedCount();
}

/** The position of a vector found, counted from the oldest; place 0 is the nearest. */
export function nearestAt(place: u32): u32 {
  return ~rankedNumber(place);
}

/** Forgets all vectors. */
export function clearVectors(): void {
  const end = buffer.start(VECTOR_PAGES) + buffer.size(VECTOR_PAGES);
  for (let at = buffer.start(VECTOR_PAGES); at < end; at += PAGE_ENTRY_BYTES) {
    const page = changetype<Page>(at);
    release(page.vectors, <usize>page.count * vectorBytes());
    quantized.freeQuantized(at + PAGE_QUANTIZED, page.count, tenant.dimensions);
  }
  buffer.free(VECTOR_PAGES);
  buffer.free(OPEN_VECTORS);
  tenant.dimensions = 0;
}

function vectorBytes(): usize {
  return (<usize>tenant.dimensions) << 3;
}

/** Number of vectors in the open page. */
function openCount(): u32 {
  return tenant.dimensions === 0 ? 0 : <u32>(buffer.size(OPEN_VECTORS) / vectorBytes());
}

/** Seals the open page. */
function seal(): void {
  const count = openCount();
  const at = buffer.append(VECTOR_PAGES, PAGE_ENTRY_BYTES);
  const page = changetype<Page>(at);
  page.vectors = allocate(buffer.size(OPEN_VECTORS));
  page.count = count;
  memory.copy(page.vectors, buffer.start(OPEN_VECTORS), buffer.size(OPEN_VECTORS));
  quantized.quantizePage(at + PAGE_QUANTIZED, page.vectors, count, tenant.dimensions);
  buffer.truncate(OPEN_VECTORS, 0);
}

/**
 * Offers one vector. The ranking prefers great values, then great numbers; negated, that is the
 * nearest, then the oldest.
 */
function consider(vector: usize, position: u32, input: usize): void {
  const worst = -rankedWorst();
  const squared = squaredDistance(vector, input, worst);
  if (squared <= worst) {
    offer(-squared, ~position);
  }
}

/**
 * The sum of the squared differences, in order. Once it is past `enough` it stops at some number past it:
 * no later square lowers it.
 */
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

function searchPage(at: usize, position: u32, input: usize): void {
  const count = changetype<Page>(at).count;
  const vectors = changetype<Page>(at).vectors;
  if (!quantized.beginPage(at + PAGE_QUANTIZED, -rankedWorst())) {
    return;
  }
  for (let place = quantized.nextPossible(0, count); place < count; place = quantized.nextPossible(place + 1, count)) {
    const worst = rankedWorst();
    consider(vectors + <usize>place * vectorBytes(), position + place, input);
    if (rankedWorst() !== worst) {
      quantized.tighten(-rankedWorst());
    }
  }
}
