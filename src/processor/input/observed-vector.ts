/** The vector that a record observes: the sum of its vectors. */

import type { Vector } from "../../gen/plain";
import { Fault } from "../ports/fault";

/** The element-wise sum of vectors of one length, without -0. */
function sumOf(vectors: readonly Vector[], length: number): Float64Array {
  const sum = new Float64Array(length);
  // By index: an iterator would allocate a pair for each of up to a thousand components.
  for (const { components } of vectors) {
    for (let at = 0; at < length; at++) sum[at] = (sum[at] ?? 0) + (components[at] ?? 0);
  }
  // A single finite vector needs no check.
  const wrong = vectors.length === 1 ? -1 : sum.findIndex((component) => !Number.isFinite(component));
  if (wrong >= 0) {
    throw new Fault("invalid", `the sum of the vectors must stay finite, got ${sum[wrong]} in component ${wrong}`);
  }
  return sum;
}

/**
 * The number of components; `undefined` without vectors.
 *
 * @throws Fault `invalid` when it differs from the required number
 */
function lengthOf(vectors: readonly Vector[], dimensionality: number): number | undefined {
  const length = vectors[0]?.components.length;
  if (length === undefined || dimensionality < 0 || length === dimensionality) return length;
  throw new Fault(
    "invalid",
    `vectors must have ${dimensionality} components like those learned or waiting to be learned, got ${length}`,
  );
}

/**
 * The vector that a record observes: the sum of its vectors; `undefined` when it has none.
 * @param vectors of one length, finite
 * @param dimensionality the required number of components, -1 for any
 * @throws Fault `invalid` when the number of components differs, or the sum is not finite
 */
export function observedVector(vectors: readonly Vector[], dimensionality: number): Float64Array | undefined {
  const length = lengthOf(vectors, dimensionality);
  return length === undefined ? undefined : sumOf(vectors, length);
}

/**
 * The number of components of a record's {@link observedVector}, without computing it; `undefined` when there is none.
 * @throws Fault as {@link observedVector}
 */
export function observedLength(vectors: readonly Vector[], dimensionality: number): number | undefined {
  const length = lengthOf(vectors, dimensionality);
  if (length !== undefined && vectors.length > 1) sumOf(vectors, length);
  return length;
}
