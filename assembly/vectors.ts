/** Learned vectors in doubles, oldest first, and the search for the nearest ones. */

import { fits } from "./arena";
import * as column from "./column";
import { DONE, EXHAUSTED } from "./layout";
import { offer, openRanking, rankedCount, rankedSlot, sortRanking } from "./rank";

const components: usize = memory.data(12, 8);

let dimensions: u32 = 0;
let vectors: u32 = 0;

/** Adds the vector of `count` doubles at `input`. All vectors have the same count, 1 or more. */
export function appendVector(input: usize, count: u32): u32 {
  const bytes = (<usize>count) << 3;
  if (!fits(column.growthBytes(components, bytes))) {
    return EXHAUSTED;
  }
  memory.copy(column.append(components, bytes), input, bytes);
  dimensions = count;
  vectors++;
  return DONE;
}

/** Ranks the `count` vectors nearest to the one at `input`; ties oldest first. Answers how many there are. */
export function nearest(input: usize, count: u32): u32 {
  openRanking(count);
  for (let at: u32 = 0; at < vectors; at++) {
    // The ranking wants the greatest value and then the greatest number first: the nearest and then the oldest.
    offer(-squaredDistance(at, input), ~at);
  }
  sortRanking();
  return rankedCount();
}

/** The position of a vector found, 0 the nearest. */
export function nearestAt(place: u32): u32 {
  return ~rankedSlot(place);
}

function squaredDistance(at: u32, input: usize): f64 {
  const from = column.start(components) + <usize>at * ((<usize>dimensions) << 3);
  let sum: f64 = 0;
  for (let offset: usize = 0; offset < (<usize>dimensions) << 3; offset += 8) {
    const difference = load<f64>(from + offset) - load<f64>(input + offset);
    sum += difference * difference;
  }
  return sum;
}

export function forgetVectors(): void {
  column.drop(components);
  vectors = 0;
}
