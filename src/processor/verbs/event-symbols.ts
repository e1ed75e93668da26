/** Turns a record into the symbols of an event: looks vectors up, sorts, and drops blacklisted symbols. */

import { compareCodePoints } from "../../text/code-points";
import { VECTOR_PREFIX } from "../../text/names";
import { vectorName } from "../knowledge/names";
import type { Mind } from "../mind";
import { Fault } from "../ports/fault";
import type { Gdf, Vector } from "../ports/gdf";

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

/** CVC: the nearest learned vectors, then the vector itself unless it is one of them. The vector waits to be learned. */
function classifyNearest(mind: Mind, vector: Float64Array): string[] {
  const name = vectorName(vector);
  const near = mind.vectors.nearest(vector, mind.genes.near_vector_count);
  mind.vectors.wait(name, vector);
  return near.includes(name) ? near : [...near, name];
}

/** DVC: the learned vectors that add up to the vector. Without any, the vector itself, which then waits to be learned. */
function classifySum(mind: Mind, vector: Float64Array): string[] {
  const members = mind.vectors.compose(vector, mind.genes.search_depth);
  if (members !== undefined) return members;
  const name = vectorName(vector);
  mind.vectors.wait(name, vector);
  return [name];
}

function classify(mind: Mind, vector: Float64Array): string[] {
  return mind.genes.classifier === "CVC" ? classifyNearest(mind, vector) : classifySum(mind, vector);
}

/** The symbols of an event as it is observed: in order, and without the blacklisted ones. Sorts the lists that it is given. */
function arranged(mind: Mind, vectors: string[], strings: string[]): string[] {
  if (mind.genes.SORT) {
    vectors.sort(compareCodePoints);
    strings.sort(compareCodePoints);
  }
  const symbols = [...vectors, ...strings];
  return mind.blacklist.size === 0 ? symbols : symbols.filter((symbol) => !mind.blacklist.has(symbol));
}

/** The symbols of the event that a record becomes; empty when it becomes none. @param vector the {@link observedVector} of the record */
export function eventSymbols(mind: Mind, gdf: Gdf, vector: Float64Array | undefined): string[] {
  const vectors = vector === undefined ? [] : classify(mind, vector).map((name) => VECTOR_PREFIX + name);
  return arranged(mind, vectors, [...gdf.strings]);
}

/** The symbols of an event that is asked about, as if it were observed. @param symbols of vectors and strings, in any order */
export function askedSymbols(mind: Mind, symbols: readonly string[]): string[] {
  const isVector = (symbol: string) => symbol.startsWith(VECTOR_PREFIX);
  return arranged(
    mind,
    symbols.filter(isVector),
    symbols.filter((symbol) => !isVector(symbol)),
  );
}
