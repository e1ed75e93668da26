/**
 * The symbols of one model that the query holds too: their positions and their classes. Other symbols match nothing;
 * they only separate these.
 */

import { longestModel } from "../corpus/corpus";
import { Segment, symbolAddress } from "../corpus/segment";
import { classTable } from "../corpus/symbols";
import * as buffer from "../memory/buffer";
import { BUFFER_ALIGN, BUFFER_BYTES } from "../memory/buffer";
import { BYTES, HALVES } from "../memory/narrow";

const gatheredPositions: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);
const gatheredClasses: usize = memory.data(BUFFER_BYTES, BUFFER_ALIGN);

/** Makes room for the longest model. */
export function beginGathering(): void {
  buffer.ensure(gatheredPositions, ((<usize>longestModel()) << 2) + 8);
  buffer.ensure(gatheredClasses, ((<usize>longestModel()) << 2) + 8);
}

/** Where the positions are, a word each, rising. */
export function positions(): usize {
  return buffer.start(gatheredPositions);
}

/** Where the classes are, a word each. */
export function classes(): usize {
  return buffer.start(gatheredClasses);
}

/**
 * Gathers the model whose `count` symbols start at the segment's symbol `from`; returns the number that the query
 * holds.
 */
export function gather(segment: Segment, from: u32, count: u32): u32 {
  const shift: u32 = segment.symbolShift;
  const symbols = symbolAddress(segment, from);
  if (shift === BYTES) {
    return gatherFrom<u8>(symbols, count);
  }
  return shift === HALVES ? gatherFrom<u16>(symbols, count) : gatherFrom<u32>(symbols, count);
}

/** Writes every symbol and advances only past those with a class, so that there is no branch to mispredict. */
function gatherFrom<T>(symbols: usize, count: u32): u32 {
  const table = classTable();
  const toPositions = buffer.start(gatheredPositions);
  const toClasses = buffer.start(gatheredClasses);
  let gathered: usize = 0;
  for (let at: u32 = 0; at < count; at++) {
    const number = load<u32>(table + ((<usize>load<T>(symbols + <usize>at * sizeof<T>())) << 2));
    store<u32>(toPositions + (gathered << 2), at);
    store<u32>(toClasses + (gathered << 2), number);
    gathered += <usize>(number !== 0);
  }
  return <u32>gathered;
}
