/** Lists the neighbours for a host that merges those of several kernels. Neighbour 0 is the nearest. */

import { idAt, lengthAt, placeOf, segmentOf } from "../corpus/segment";
import { nearestNeighbour } from "./neighbours";

/** The id of a neighbour. */
export function neighbourId(at: u32): f64 {
  const slot = nearestNeighbour(at).slot;
  return idAt(segmentOf(slot), placeOf(slot));
}

/** Its similarity to the context. */
export function neighbourSimilarity(at: u32): u32 {
  return nearestNeighbour(at).similarity;
}

/** The context's events that share a symbol with it, as bits; the lowest is the newest. */
export function neighbourShared(at: u32): u32 {
  return nearestNeighbour(at).shared;
}

/** Number of its occurrences that count. */
export function neighbourFrequency(at: u32): f64 {
  return nearestNeighbour(at).frequency;
}

/** Number of its symbols. */
export function neighbourLength(at: u32): u32 {
  const slot = nearestNeighbour(at).slot;
  return lengthAt(segmentOf(slot), placeOf(slot));
}
