/**
 * The entries of models that hold many of the context's symbols: read from a bit for each symbol and slot, sixteen slots
 * at a time, rather than from postings.
 */

import { findHolderBits, holderBits } from "../corpus/holder-bits";
import { SEGMENT_SLOTS, segmentCount } from "../corpus/segment";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { holdersOf, knownCount, knownSymbol } from "./context";
import { weightOf } from "./holders";
import { MAX_SIMILARITY } from "./neighbours";

/** Approximate number of slots whose bits are read in the time of reading a byte of postings. */
const SLOTS_PER_BYTE: u32 = 8;

/** A symbol of the context. */
@unmanaged
class Part {
  /** The address of its bits. */
  bits: usize;
}

/** Two vectors follow the members: eight times its weight, and eight times the context's events that hold it. */
const PART_WEIGHT: usize = 16;
const PART_SHARED: usize = 32;
const PART_BYTES: usize = 48;
const parts: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Whether entries can be added up so, and it is worth it. @param bytes of the postings of the context's symbols */
export function canReadBits(bytes: u32): bool {
  const slots = <u64>segmentCount() * SEGMENT_SLOTS;
  return <u64>bytes * SLOTS_PER_BYTE >= slots * knownCount() && findHolderBits();
}

/**
 * Adds up all entries.
 * @param to address of the entries, whatever they are @param modelFrequencies their sum over all models
 */
export function addUpBits(to: usize, modelFrequencies: f64): void {
  buffer.fit(parts, <usize>knownCount() * PART_BYTES);
  const first = buffer.start(parts);
  let end = first;
  for (let number: u32 = 0; number < knownCount(); number++, end += PART_BYTES) {
    const symbol = knownSymbol(number);
    changetype<Part>(end).bits = holderBits(symbol);
    v128.store(end, i16x8.splat(<i16>weightOf(symbol, modelFrequencies)), PART_WEIGHT);
    v128.store(end, i16x8.splat(<i16>holdersOf(symbol)), PART_SHARED);
  }
  const lowBits = i16x8(0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x40, 0x80);
  const highBits = i16x8(0x100, 0x200, 0x400, 0x800, 0x1000, 0x2000, 0x4000, -0x8000);
  const bytes = (<usize>segmentCount() * SEGMENT_SLOTS) >> 3;
  let entries = to;
  for (let byte: usize = 0; byte < bytes; byte += 2, entries += 64) {
    let lowSums = i16x8.splat(0);
    let lowShared = i16x8.splat(0);
    let highSums = i16x8.splat(0);
    let highShared = i16x8.splat(0);
    for (let part = first; part < end; part += PART_BYTES) {
      const sixteen = v128.load16_splat(changetype<Part>(part).bits + byte);
      const weight = v128.load(part, PART_WEIGHT);
      const shared = v128.load(part, PART_SHARED);
      const low = i16x8.eq(v128.and(sixteen, lowBits), lowBits);
      const high = i16x8.eq(v128.and(sixteen, highBits), highBits);
      lowSums = i16x8.add_sat_u(lowSums, v128.and(low, weight));
      lowShared = v128.or(lowShared, v128.and(low, shared));
      highSums = i16x8.add_sat_u(highSums, v128.and(high, weight));
      highShared = v128.or(highShared, v128.and(high, shared));
    }
    storeEight(entries, lowSums, lowShared);
    storeEight(entries + 32, highSums, highShared);
  }
}

/** Stores the entries of eight slots. */
function storeEight(to: usize, sums: v128, shared: v128): void {
  const similarities = i16x8.min_u(sums, i16x8.splat(<i16>MAX_SIMILARITY));
  v128.store(to, v128.shuffle<u16>(similarities, shared, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to, v128.shuffle<u16>(similarities, shared, 4, 12, 5, 13, 6, 14, 7, 15), 16);
}
