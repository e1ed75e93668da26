/** The one vector that the vectors of a record stand for. */

import { Fault } from "../ports/fault";
import type { Vector } from "../ports/gdf";

/** The element-wise sum of vectors of one length, without -0. */
function sumOf(vectors: readonly Vector[], length: number): Float64Array {
  const sum = new Float64Array(length);
  for (const { components } of vectors) {
    for (const [at, component] of components.entries()) sum[at] = (sum[at] ?? 0) + component;
  }
  const wrong = sum.findIndex((component) => !Number.isFinite(component));
  if (wrong >= 0) {
    throw new Fault("invalid", `the sum of the vectors must stay finite, got ${sum[wrong]} in component ${wrong}`);
  }
  return sum;
}

/**
 * The one vector that a record observes: the sum of its vectors; `undefined` when it has none.
 * @param vectors of one length, finite
 * @param dimensionality the number of components that it must have, -1 for any
 * @throws Fault `invalid` when it has another number of components, or the sum is not finite
 */
export function observedVector(vectors: readonly Vector[], dimensionality: number): Float64Array | undefined {
  const length = vectors[0]?.components.length;
  if (length === undefined) return undefined;
  if (dimensionality >= 0 && length !== dimensionality) {
    throw new Fault(
      "invalid",
      `vectors must have ${dimensionality} components like those learned or waiting to be learned, got ${length}`,
    );
  }
  return sumOf(vectors, length);
}
