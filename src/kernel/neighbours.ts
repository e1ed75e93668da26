/** Learned vectors in the kernel's memory. */

import type { Neighbours } from "../processor/ports/matcher";
import type { KernelMemory } from "./memory";

/** The Neighbours port over WebAssembly. */
export class KernelNeighbours implements Neighbours {
  readonly #memory: KernelMemory;
  #dimensions = 0;

  /** @param memory the kernel's memory; the models share it */
  constructor(memory: KernelMemory) {
    this.#memory = memory;
  }

  add(components: Float64Array): void {
    this.#expect(components);
    this.#memory.writeComponents(components);
    const { exports } = this.#memory;
    if (exports.addVector(components.length) === exports.EXHAUSTED.value) {
      throw this.#memory.exhausted();
    }
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
    this.#memory.writeQueryComponents(components);
    const { exports } = this.#memory;
    const found = exports.nearest(count) >>> 0;
    return Array.from({ length: found }, (_, place) => exports.nearestAt(place) >>> 0);
  }

  #expect(components: Float64Array): void {
    if (components.length === 0 || (this.#dimensions !== 0 && components.length !== this.#dimensions)) {
      throw new Error(`a vector of ${components.length} components does not fit those of ${this.#dimensions}`);
    }
  }
}
