/** A slow, obvious Neighbours: every distance in doubles, then a stable sort. */

import type { Neighbours } from "../../src/processor/ports/matcher";

/** Neighbours for tests. */
export class OracleNeighbours implements Neighbours {
  readonly #vectors: Float64Array[] = [];

  add(components: Float64Array): void {
    this.#vectors.push(components.slice());
  }

  clear(): void {
    this.#vectors.length = 0;
  }

  nearest(components: Float64Array, count: number): number[] {
    return this.#vectors
      .map((vector, position) => ({ position, squared: squaredDistance(vector, components) }))
      .sort((a, b) => a.squared - b.squared || a.position - b.position)
      .slice(0, count)
      .map(({ position }) => position);
  }
}

/** The sum of squared differences, component by component in order. */
function squaredDistance(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, component, at) => sum + (component - (b[at] ?? 0)) ** 2, 0);
}
