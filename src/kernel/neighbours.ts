/** Learned vectors in the kernel's memory. */

import type { Neighbours } from "../processor/ports/matcher";
import type { TenantMemory } from "./tenant-memory";

/** The Neighbours port over WebAssembly. */
export class KernelNeighbours implements Neighbours {
  readonly #memory: TenantMemory;
  #dimensions = 0;

  /** @param memory the tenant's memory; the models share it */
  constructor(memory: TenantMemory) {
    this.#memory = memory;
  }

  add(components: Float64Array): void {
    this.#expect(components);
    const { shared } = this.#memory;
    this.#memory.change(
      (exports) =>
        shared.writeComponents(components) && exports.addVector(components.length) !== exports.EXHAUSTED.value,
    );
    this.#dimensions = components.length;
  }

  clear(): void {
    this.#memory.exports.clearVectors();
    this.#dimensions = 0;
  }

  nearest(components: Float64Array, count: number): number[] {
    if (this.#dimensions === 0 || count < 1) {
      return [];
    }
    this.#expect(components);
    const { exports, shared } = this.#memory;
    shared.writeQueryComponents(components);
    const found = exports.nearest(count) >>> 0;
    return Array.from({ length: found }, (_, place) => exports.nearestAt(place) >>> 0);
  }

  #expect(components: Float64Array): void {
    if (components.length === 0 || (this.#dimensions !== 0 && components.length !== this.#dimensions)) {
      throw new Error(`a vector of ${components.length} components does not fit those of ${this.#dimensions}`);
    }
  }
}
