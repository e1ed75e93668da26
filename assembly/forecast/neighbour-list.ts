/** Lists the neighbours for a host that puts those of several kernels together. 0 is the nearest. */

import { idAt, lengthAt, placeOf, segmentOf } from "../corpus/segment";
import { nearestNeighbour } from "./neighbours";

/** The id of a neighbour. */
export function neighbourId(at: u32): f64 {
  const slot = nearestNeighbour(at).slot;
  return idAt(segmentOf(slot), placeOf(slot));
}

/** How similar it is to the context. */
export function neighbourSimilarity(at: u32): u32 {
  return nearestNeighbour(at).similarity;
}

/** Which of the context's events share a symbol with it, a bit each, the newest the lowest. */
export function neighbourShared(at: u32): u32 {
  return nearestNeighbour(at).shared;
}

/** How many of its occurrences count. */
export function neighbourFrequency(at: u32): f64 {
  return nearestNeighbour(at).frequency;
}

/** How many symbols it has. */
export function neighbourLength(at: u32): u32 {
  const slot = nearestNeighbour(at).slot;
  return lengthAt(segmentOf(slot), placeOf(slot));
}
