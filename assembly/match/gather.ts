/**
 * The symbols of one model that memory holds too: their positions, and what stands for each symbol, taken from a table that the
 * matcher provides. What memory does not hold can match nothing and only keeps others apart.
 */

import { longestModel } from "../corpus/corpus";
import { SYMBOL_SHIFT, SYMBOLS } from "../corpus/segment";
import { classTable } from "../corpus/symbols";
import * as column from "../memory/buffer";
import { BYTES, HALVES } from "../memory/narrow";

const gatheredPositions: usize = memory.data(12, 8);
const gatheredClasses: usize = memory.data(12, 8);

/** Makes room for the longest model. */
export function openGathering(): void {
  column.hold(gatheredPositions, ((<usize>longestModel()) << 2) + 8);
  column.hold(gatheredClasses, ((<usize>longestModel()) << 2) + 8);
}

/** Where the positions are, a word each, rising. */
export function positions(): usize {
  return column.start(gatheredPositions);
}

/** Where the classes are, a word each. */
export function classes(): usize {
  return column.start(gatheredClasses);
}

/** Gathers the model whose `count` symbols start at the segment's symbol `from`; answers how many there are. */
export function gather(segment: usize, from: u32, count: u32): u32 {
  const shift = load<u8>(segment, SYMBOL_SHIFT);
  const symbols = <usize>load<u32>(segment, SYMBOLS) + ((<usize>from) << shift);
  if (shift === BYTES) {
    return gatherFrom<u8>(symbols, count);
  }
  return shift === HALVES ? gatherFrom<u16>(symbols, count) : gatherFrom<u32>(symbols, count);
}

/** Every symbol is written, and only those of a class are kept by counting on: no branch that the processor could guess wrong. */
function gatherFrom<T>(symbols: usize, count: u32): u32 {
  const table = classTable();
  const toPositions = column.start(gatheredPositions);
  const toClasses = column.start(gatheredClasses);
  let gathered: usize = 0;
  for (let at: u32 = 0; at < count; at++) {
    const number = load<u32>(table + ((<usize>load<T>(symbols + <usize>at * sizeof<T>())) << 2));
    store<u32>(toPositions + (gathered << 2), at);
    store<u32>(toClasses + (gathered << 2), number);
    gathered += <usize>(number !== 0);
  }
  return <u32>gathered;
}
