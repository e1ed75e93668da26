/** Many models at once, as columns: how a corpus comes in after a cold start. */

import { DONE } from "../abi/layout";
import { bring } from "./incoming";
import { addModel } from "./knowledge";

/**
 * Adds `count` models of `symbolCount` symbols together, whose columns follow each other from `input` on: ids and frequencies
 * (doubles), symbol counts, event counts, symbols, event lengths (words). Answers how many were added before the budget was used up.
 */
export function addBatch(input: usize, count: u32, symbolCount: u32): u32 {
  const frequencies = input + ((<usize>count) << 3);
  const symbolCounts = frequencies + ((<usize>count) << 3);
  const eventCounts = symbolCounts + ((<usize>count) << 2);
  let symbols = eventCounts + ((<usize>count) << 2);
  let lengths = symbols + ((<usize>symbolCount) << 2);
  for (let at: usize = 0; at < <usize>count; at++) {
    const ownSymbols = load<u32>(symbolCounts + (at << 2));
    const ownEvents = load<u32>(eventCounts + (at << 2));
    bring(symbols, ownSymbols, lengths, ownEvents);
    if (addModel(load<f64>(input + (at << 3)), load<f64>(frequencies + (at << 3))) !== DONE) {
      return <u32>at;
    }
    symbols += (<usize>ownSymbols) << 2;
    lengths += (<usize>ownEvents) << 2;
  }
  return count;
}
